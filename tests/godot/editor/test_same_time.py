"""A person and a tool edit one open scene in the same moment."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, cast

import pytest
from tests.godot.editor.conftest import Workbench, workbench

from scenewright.core.calls import pipeline
from scenewright.core.calls.call import Call
from scenewright.core.operations.declaration import Safety, operation
from scenewright.core.operations.model import Inputs, Outputs
from scenewright.godot.editor.live.overlap import overlap
from scenewright.godot.editor.live.stage import GodotStage

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("editor")]

MAIN = {"scenePath": "main.tscn"}
Meanwhile = Callable[[int], Awaitable[None]]


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> Callable[[Meanwhile], None]:
    """Lets somebody else do something after a call has read the scene, before it edits it."""

    def between(deed: Meanwhile) -> None:
        original, times = GodotStage.apply, [0]

        async def apply(self: GodotStage, *arguments: Any) -> Any:
            times[0] += 1
            await deed(times[0])
            return await original(self, *arguments)

        monkeypatch.setattr(GodotStage, "apply", apply)

    return between


async def test_a_person_who_moves_another_node_makes_no_call_fail(
    live: Workbench, meanwhile: Callable[[Meanwhile], None]
) -> None:
    async def person(times: int) -> None:
        if times % 3:
            await live.move("Mob", times, times)

    meanwhile(person)
    for number in range(12):
        body = await live("set_property", **MAIN, nodePath="Player", property="position", value=[number, 1])
        assert body["execution"]["mode"] == "live"
        assert await live.act("return root.get_node('Player').position.x") == number
    assert await live.act("return root.get_node('Mob').position.y") > 0


async def test_a_batch_is_worked_out_anew_as_a_whole(live: Workbench, meanwhile: Callable[[Meanwhile], None]) -> None:
    async def person(times: int) -> None:
        if times == 1:
            await live.move("Mob", 3, 3)

    meanwhile(person)
    before = await live.text()
    operations = [
        {"tool": "add_node", "args": {**MAIN, "nodeType": "Node2D", "nodeName": name}} for name in ("One", "Two")
    ]
    done = await live("batch_operations", operations=operations, atomic=True)
    assert len(done["result"]["results"]) == 2
    text = await live.text()
    assert text.count('name="One"') == text.count('name="Two"') == 1
    await live("history", action="undo")
    await live.ask("scenewright.undo")
    assert await live.text() == before


async def test_a_person_who_moves_the_same_node_is_not_overruled(
    live: Workbench, meanwhile: Callable[[Meanwhile], None]
) -> None:
    async def person(times: int) -> None:
        await live.move("Player", 50, times)

    meanwhile(person)
    body = await live.body("set_property", **MAIN, nodePath="Player", property="position", value=[7, 7])
    error = body["error"]
    assert error["retryable"] is True
    assert error["details"]["changed"] == ["'position' of 'Player' was changed"]
    assert "'position' of 'Player' was changed" in error["message"]
    assert await live.act("return root.get_node('Player').position.x") == 50


async def test_a_crowd_that_edits_other_nodes_makes_no_call_fail(
    live: Workbench, meanwhile: Callable[[Meanwhile], None]
) -> None:
    async def others(times: int) -> None:
        if times <= 20:
            await live.move("Mob", times, times)

    meanwhile(others)
    await live("set_property", **MAIN, nodePath="Player", property="position", value=[7, 7])
    assert await live.act("return root.get_node('Player').position.x") == 7


async def test_a_person_who_never_pauses_is_told_of_in_the_end(
    live: Workbench, meanwhile: Callable[[Meanwhile], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def person(times: int) -> None:
        await live.move("Mob", times, times)

    monkeypatch.setattr(pipeline, "PATIENCE_SECONDS", 0.5)
    meanwhile(person)
    body = await live.body("set_property", **MAIN, nodePath="Player", property="position", value=[7, 7])
    assert body["error"]["retryable"] is True
    assert "was edited since it was read" in body["error"]["message"]
    assert await live.act("return root.get_node('Player').position.x") == 1


async def test_what_a_handler_said_before_it_began_anew_is_not_said_twice(
    live: Workbench, meanwhile: Callable[[Meanwhile], None]
) -> None:
    async def person(times: int) -> None:
        if times < 3:
            await live.move("Mob", times, times)

    @operation(id="sample.talk", name="Talk", category="scene", safety=Safety.SAFE_WRITE, needs_project=True)
    def talk(call: Call, inputs: Inputs) -> Outputs:
        """Edits a scene and says something."""
        call.warnings.append("Mind the gap.")
        text = call.files.read("main.tscn").replace(b"Vector2(1, 2)", b"Vector2(2, 2)")
        call.files.write("main.tscn", text)
        return Outputs()

    bench = workbench(live.editor, talk)
    engines = cast("dict[str, Any]", bench.caller.runtime.registry.engine_of)
    engines["sample.talk"] = engines["godot.node.edit"]
    meanwhile(person)
    reply = await bench.caller.reply("sample.talk", {}, meta={"approved": True})
    assert reply.structured is not None
    assert reply.structured["warnings"] == ["Mind the gap."]
    bench.caller.runtime.close()


SCENE = b"""[gd_scene format=3]

[node name="Main" type="Node2D"]

[node name="A" type="Node2D" parent="."]
position = Vector2(1, 1)

[node name="B" type="Node2D" parent="A"]
"""


@pytest.mark.parametrize(
    ("mine", "theirs", "found"),
    [
        ((b"Vector2(1, 1)", b"Vector2(2, 2)"), (b"Vector2(1, 1)", b"Vector2(3, 3)"), ["'position' of 'A' was changed"]),
        ((b"Vector2(1, 1)", b"Vector2(2, 2)"), (b'parent="A"]', b'parent="A"]\nvisible = false'), []),
        ((b"Vector2(1, 1)", b"Vector2(2, 2)"), (b"Vector2(1, 1)", b"Vector2(1, 1)\nvisible = false"), []),
        (
            (b'parent="A"]', b'parent="A"]\nvisible = false'),
            (SCENE[SCENE.index(b'[node name="B"') :], b""),
            ["'A/B' was removed"],
        ),
        (
            (SCENE[SCENE.index(b'[node name="A"') :], b""),
            (b'parent="A"]', b'parent="A"]\nvisible = false'),
            ["'visible' of 'A/B' was changed"],
        ),
    ],
)
def test_only_what_both_touch_is_a_conflict(
    mine: tuple[bytes, bytes], theirs: tuple[bytes, bytes], found: list[str]
) -> None:
    assert overlap(SCENE, SCENE.replace(*mine), SCENE.replace(*theirs)) == found
