"""What happens when the editor is frozen, killed, reloaded, there twice or locked: said, survived, nothing lost."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.godot.editor.conftest import Workbench, main_text, workbench
from tests.godot.editor.editors import make_live_project, running_editor

from scenewright.bridge.discovery import find_editors
from scenewright.bridge.link import Link
from scenewright.godot.editor.live.access import live_of

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("editor")]

MOVE = {"scenePath": "main.tscn", "nodePath": "Player", "properties": {"position": [7, 8]}}
LONGEST = 60


async def until(condition: Callable[[], object]) -> None:
    """Waits for something another process does, with a bound."""
    with anyio.fail_after(LONGEST):
        while not condition():
            await anyio.sleep(0.02)


def link_of(live: Workbench) -> Link:
    (link,) = live_of(live.caller.runtime).editors.links(live.project)
    return link


@pytest.fixture
async def thawed(live: Workbench) -> AsyncIterator[Workbench]:
    yield live
    live.editor.thaw()


async def test_a_frozen_editor_is_noticed_waited_for_and_found_again(thawed: Workbench) -> None:
    live = thawed
    await live("godot_connect")
    link = link_of(live)
    live.editor.freeze()
    await until(lambda: not link.responsive)  # about ten seconds without an answer
    replies: list[dict[str, Any]] = []

    async def edit() -> None:
        replies.append(await live("edit_node", **MOVE))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(edit)
        assert (await live.caller.reply("core.ping")).failed is False  # the server goes on
        assert replies == []
        live.editor.thaw()
    assert replies[0]["execution"]["mode"] == "live"
    assert (await live.text()).count("position = Vector2(7, 8)") == 1


async def test_an_editor_that_stays_frozen_is_a_fault_to_try_again_and_nothing_was_sent(
    thawed: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = thawed
    monkeypatch.setattr("scenewright.bridge.link.HOLD_SECONDS", 0.2)
    monkeypatch.setattr("scenewright.bridge.session.HEARTBEAT", 0.5)
    monkeypatch.setattr("scenewright.bridge.session.PATIENCE", 0.5)
    before = await live.text()
    live.editor.freeze()
    await until(lambda: not link_of(live).responsive)
    body = await live.body("edit_node", **MOVE)
    assert "Nothing was sent" in body["error"]["message"]
    assert body["error"]["retryable"] is True
    assert body["error"]["details"]["retry_after_ms"] > 0
    live.editor.thaw()
    await until(lambda: link_of(live).responsive)
    assert await live.text() == before


@pytest.mark.parametrize(("tool", "given"), [("read_script", "scriptPath"), ("read_file", "path")])
async def test_a_script_is_still_read_from_its_file_while_the_editor_hangs(
    thawed: Workbench, monkeypatch: pytest.MonkeyPatch, tool: str, given: str
) -> None:
    live = thawed
    monkeypatch.setattr("scenewright.bridge.session.HEARTBEAT", 0.5)
    monkeypatch.setattr("scenewright.bridge.session.PATIENCE", 0.5)
    await live("godot_connect")
    live.editor.freeze()
    await until(lambda: not link_of(live).responsive)
    body = await live(tool, **{given: "player.gd"})
    assert body["execution"]["mode"] == "files"
    assert "extends CharacterBody2D" in str(body["result"])
    assert "not saved" in body["warnings"][0]


async def test_a_call_that_was_sent_into_a_frozen_editor_has_an_unknown_outcome(
    thawed: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = thawed
    await live("godot_connect")
    monkeypatch.setattr("scenewright.godot.editor.operations.editor_actions.BATCH_SECONDS", 1.0)
    live.editor.freeze()
    step = {"method": "add_node", "params": {"parent_path": ".", "type": "Node2D", "name": "Late"}}
    body = await live.body("godot_editor_batch", steps=[step], idempotencyKey="late")
    assert body["error"]["code"] == "E_TIMEOUT"
    assert body["error"]["details"]["outcome"] == "unknown"
    live.editor.thaw()
    await live("godot_editor_batch", steps=[step], idempotencyKey="late")  # safe with the same key
    assert (await live.text()).count('name="Late') == 1


async def test_ten_clients_at_once_each_get_all_their_answers(live: Workbench) -> None:
    (editor,) = find_editors(live.project)
    links = [Link(editor) for _ in range(10)]
    answers: list[int] = []

    async def talk(link: Link) -> None:
        link.connect()
        await link.until_ready(LONGEST)
        for _ in range(30):
            found = await link.request(
                "scenewright.get_properties", {"node_path": "Player", "properties": ["position"]}
            )
            answers.append(len(found["nodes"]))
        link.close()

    async with anyio.create_task_group() as tasks:
        for link in links:
            tasks.start_soon(talk, link)
    assert answers == [1] * 300


@pytest.mark.parametrize("token", ["wrong", "off"])
async def test_with_a_wrong_or_no_token_the_files_are_used_and_that_is_said(
    live: Workbench, monkeypatch: pytest.MonkeyPatch, token: str
) -> None:
    monkeypatch.setenv("SCENEWRIGHT_BRIDGE_TOKEN", token)
    other = workbench(live.editor)
    body = await other.body("godot_get_scene")
    assert body["error"]["code"] == "E_NOT_CONNECTED"
    assert "token" in body["error"]["suggestedFix"]
    read = await other("get_node_tree", scenePath="main.tscn")
    assert any("out of reach" in warning for warning in read["warnings"])
    assert "execution" not in read
    monkeypatch.delenv("SCENEWRIGHT_BRIDGE_TOKEN")
    assert (await other.result("godot_connect"))["editors"][0]["state"] == "ready"
    assert (await other("get_node_tree", scenePath="main.tscn"))["execution"]["mode"] == "live"
    other.caller.runtime.close()


async def test_an_addon_that_is_reloaded_is_found_again_by_itself(live: Workbench) -> None:
    await live("godot_connect")
    link = link_of(live)
    (live.project / "reload.flag").write_text("")
    await until(lambda: link.state != "ready")
    await until(lambda: not (live.project / "reload.flag").exists())
    with anyio.fail_after(LONGEST):
        while not (await live.body("godot_get_scene"))["ok"]:
            await anyio.sleep(0.05)
    assert (await live("edit_node", **MOVE))["execution"]["mode"] == "live"


async def test_of_two_editors_one_must_be_chosen(live: Workbench) -> None:
    with running_editor(live.project) as second:
        assert second.editor.port != live.editor.editor.port  # the first one's port was taken
        body = await live.body("edit_node", **MOVE)
        assert body["error"]["details"]["rule"] == "ambiguous"
        assert str(second.editor.port) in body["error"]["message"]
        assert "godot_connect" in body["error"]["suggestedFix"]
        chosen = await live.result("godot_connect", editor=second.editor.port)
        assert chosen["chosen"] == second.editor.port
        edited = await live("edit_node", **MOVE)
        assert edited["execution"]["editor"]["port"] == second.editor.port
        await live("history", action="undo")
    body = await live("get_node_tree", scenePath="main.tscn")
    assert body["execution"]["editor"]["port"] == live.editor.editor.port


async def test_an_editor_killed_in_mid_call_is_said_and_the_next_one_is_found(tmp_path: Path) -> None:
    project = make_live_project(tmp_path / "project")
    with running_editor(project) as first:
        live = workbench(first)
        await live("godot_connect")
        first.freeze()
        replies: list[dict[str, Any]] = []

        async def edit() -> None:
            replies.append(await live.body("godot_editor_batch", steps=[{"method": "set_properties", "params": {}}]))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(edit)
            await until(lambda: link_of(live)._answers)
            first.kill()
        assert replies[0]["error"]["details"]["outcome"] == "unknown"
        gone = await live.body("godot_get_scene")
        assert gone["error"]["code"] == "E_NOT_CONNECTED"
        edited = await live("edit_node", **MOVE)
        assert edited["execution"]["mode"] == "files"
        assert "Vector2(7, 8)" in main_text(project)
    with running_editor(project):
        assert (await live.result("godot_get_scene"))["scene_path"] == "res://main.tscn"
        again = await live("edit_node", **MOVE | {"properties": {"rotation": 1}})
        assert again["execution"]["mode"] == "live"
    live.caller.runtime.close()


async def test_a_call_that_was_withdrawn_in_time_is_not_carried_out(thawed: Workbench) -> None:
    live = thawed
    await live("godot_connect")
    link = link_of(live)
    live.editor.freeze()
    with anyio.move_on_after(0.2):
        step = {"node_path": "Player", "properties": {"rotation": 2.0}}
        await link.request("scenewright.set_properties", step)
    live.editor.thaw()
    assert "rotation = 2.0" not in await live.text()
