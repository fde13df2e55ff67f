"""Nodes copied, reset, wired and read: what the calls may say beside the node, read back by the real engine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.godot.catalogue.played_scenes import Play, called, play
from tests.support.gdscript_runner import make_project

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("godot")]

MAIN = """[gd_scene format=3]

[node name="Main" type="Node2D"]

[node name="Coin" type="Node2D" parent="."]
position = Vector2(3, 4)
rotation = 1.0
"""
SPACE = '[gd_scene format=3]\n\n[node name="Space" type="Node3D"]\n'


@pytest.fixture
def game(project: Path) -> Path:
    return make_project(project, {"main.tscn": MAIN, "space.tscn": SPACE})


def _asked(project: Path, *expressions: str, scene: str = "main.tscn") -> list[str]:
    (reply,) = play(project, Play(scene, *expressions))
    assert reply.complaints == []
    found: list[str] = reply.value
    return found


async def test_a_copy_has_the_name_it_is_given(game: Path, caller: Caller) -> None:
    await called(caller, "duplicate_node", scenePath="main.tscn", nodePath="Coin", newName="Gem")
    assert _asked(game, 'get_node("Gem").position', "get_child_count()") == ["Vector2(3, 4)", "2"]


async def test_a_property_goes_back_to_its_default(game: Path, caller: Caller) -> None:
    await called(
        caller, "edit_node", scenePath="main.tscn", nodePath="Coin", properties={"scale": [2, 2]}, reset=["position"]
    )
    coin = 'get_node("Coin")'
    assert _asked(game, f"{coin}.position", f"{coin}.scale", f"{coin}.rotation") == [
        "Vector2(0, 0)",
        "Vector2(2, 2)",
        "1.0",
    ]
    assert "position" not in (game / "main.tscn").read_text()


async def test_the_inside_of_an_instance_is_changed_once_it_is_editable(game: Path, caller: Caller) -> None:
    node = {"scenePath": "space.tscn", "nodePath": "Main"}
    await called(caller, "instance_scene", scenePath="space.tscn", instancePath="main.tscn")
    inner = {**node, "nodePath": "Main/Coin", "properties": {"position": [7, 8]}}
    refused = (await caller.reply("edit_node", inner)).structured
    assert refused is not None
    assert "edit_node set editableChildren of 'Main' to true" in refused["error"]["suggestedFix"]
    assert (await called(caller, "edit_node", **node, editableChildren=True))["editableChildren"] is True
    await called(caller, "edit_node", **inner)
    assert _asked(game, 'get_node("Main/Coin").position', scene="space.tscn") == ["Vector2(7, 8)"]
    kept = (await caller.reply("edit_node", {**node, "editableChildren": False})).structured
    assert kept is not None
    assert "would be lost" in kept["error"]["message"]


@pytest.mark.parametrize("given", [{"editableChildren": True}, {}])
async def test_what_changes_nothing_is_refused(game: Path, caller: Caller, given: dict[str, Any]) -> None:
    before = (game / "main.tscn").read_text()
    reply = await caller.reply("edit_node", {"scenePath": "main.tscn", "nodePath": "Coin", **given})
    assert reply.structured is not None
    assert "editableChildren" in reply.structured["error"]["suggestedFix"]
    assert (game / "main.tscn").read_text() == before


async def test_properties_are_read_by_name_or_with_their_defaults(game: Path, caller: Caller) -> None:
    node = {"scenePath": "main.tscn", "nodePath": "Coin"}
    own = (await called(caller, "get_node_properties", **node))["properties"]
    assert set(own) == {"position", "rotation"}
    named = (await called(caller, "get_node_properties", **node, names=["scale", "rotation"]))["properties"]
    assert set(named) == {"scale", "rotation"}
    every = (await called(caller, "get_node_properties", **node, includeDefaults=True))["properties"]
    assert {"position", "rotation", "scale", "visible"} <= set(every)


async def test_a_connection_leaves_out_as_many_arguments_as_asked(game: Path, caller: Caller) -> None:
    (game / "coin.gd").write_text(
        "extends Node2D\n\nsignal taken(by: int, at: int)\n\nvar seen: Array = []\n\n"
        "func note(one: int) -> void:\n\tseen.append(one)\n"
    )
    await called(caller, "attach_script", scenePath="main.tscn", nodePath="Coin", scriptPath="coin.gd")
    await called(
        caller,
        "connect_signal",
        scenePath="main.tscn",
        fromNodePath="Coin",
        signal="taken",
        toNodePath="Coin",
        method="note",
        unbinds=1,
    )
    coin = 'get_node("Coin")'
    assert _asked(game, f'{coin}.emit_signal("taken", 7, 8)', f"{coin}.seen")[1] == "[7]"


async def test_a_scene_is_only_made_anew_when_asked(game: Path, caller: Caller) -> None:
    assert not (await caller.run("create_scene", {"scenePath": "main.tscn", "rootNodeType": "Control"})).ok
    assert _asked(game, "get_class()") == ['"Node2D"']
    await called(caller, "create_scene", scenePath="main.tscn", rootNodeType="Control", overwrite=True)
    assert _asked(game, "get_class()", "get_child_count()") == ['"Control"', "0"]


async def test_effects_and_lights_are_numbered_or_refused_where_the_name_is_taken(game: Path, caller: Caller) -> None:
    effect = {"scenePath": "main.tscn", "nodeName": "Coin", "preset": "smoke"}
    assert not (await caller.run("create_particle_effect", effect | {"ensureUniqueName": False})).ok
    await called(caller, "create_particle_effect", **effect, ensureUniqueName=True)
    assert _asked(game, 'get_node("Coin2").get_class()') == ['"GPUParticles2D"']
    light: dict[str, Any] = {"scenePath": "space.tscn", "lightingPreset": "sunny"}
    await called(caller, "lighting_preset", **light)
    light["includeWorldEnvironment"] = False
    assert not (await caller.run("lighting_preset", light | {"ensureUniqueName": False})).ok
    await called(caller, "lighting_preset", **light, ensureUniqueName=True)
    assert _asked(game, 'has_node("DirectionalLight3D2")', scene="space.tscn") == ["true"]


async def test_a_node_can_be_of_a_class_of_the_project(game: Path, caller: Caller) -> None:
    (game / "enemy.gd").write_text("class_name Enemy\nextends Area2D\n\n@export var speed: float = 5.0\n")
    await called(caller, "add_node", scenePath="main.tscn", nodeName="Bat", nodeType="Enemy", properties={"speed": 9})
    await called(caller, "create_scene", scenePath="bat.tscn", rootNodeType="Enemy")
    bat = 'get_node("Bat")'
    assert _asked(game, f"{bat}.speed", f"{bat}.get_class()") == ["9.0", '"Area2D"']
    assert _asked(game, "speed", "get_class()", scene="bat.tscn") == ["5.0", '"Area2D"']
    reply = await caller.reply("add_node", {"scenePath": "main.tscn", "nodeName": "Owl", "nodeType": "Enmy"})
    assert reply.structured is not None
    assert reply.structured["error"]["suggestedFix"].startswith("Did you mean 'Enemy'")


async def test_a_connection_to_a_method_that_takes_other_arguments_is_warned_about(game: Path, caller: Caller) -> None:
    (game / "main.gd").write_text(
        "extends Node2D\n\nsignal hurt(health: int)\nsignal gone\n\n\n"
        "func none() -> void:\n\tpass\n\n\nfunc one(_a: int, _b: int = 0) -> void:\n\tpass\n"
    )
    await called(caller, "attach_script", scenePath="main.tscn", nodePath=".", scriptPath="main.gd")
    ends = {"scenePath": "main.tscn", "fromNodePath": ".", "toNodePath": "."}

    async def warned(signal: str, method: str, **more: Any) -> list[str]:
        given = {**ends, "signal": signal, "method": method, **more, "dryRun": True}
        reply = (await caller.reply("connect_signal", given)).structured
        assert reply is not None
        assert reply["ok"], reply
        found: list[str] = reply.get("warnings", [])
        return found

    (said,) = await warned("hurt", "none")
    assert "takes 0 arguments and gets 1" in said
    assert "takes 1 to 2 arguments and gets 0" in (await warned("visibility_changed", "one"))[0]
    for good in (
        warned("hurt", "none", unbinds=1),
        warned("hurt", "one"),
        warned("visibility_changed", "one", binds=[3]),
        warned("gone", "one"),  # declared with none, and may still be emitted with some
    ):
        assert await good == []


async def test_a_refused_declaration_names_the_node(game: Path, caller: Caller) -> None:
    def main(*children: dict[str, Any]) -> dict[str, Any]:
        return {"scenePath": "main.tscn", "tree": {"name": "Main", "children": list(children)}}

    for given, says in (
        ({"name": "A", "type": "Label", "properties": {"txt": "x"}}, "'A': Label has no property 'txt'."),
        ({"name": "B", "type": "Lable"}, "'B': Godot"),
    ):
        reply = (await caller.reply("apply_scene", main({"name": "Z", "type": "Label"}, given))).structured
        assert reply is not None
        assert reply["error"]["message"].startswith(says), reply
    items = [{"nodeName": "A", "nodeType": "Node"}, {"nodeName": "B", "nodeType": "Node", "properties": {"x": 1}}]
    many = (await caller.reply("batch_create_nodes", {"scenePath": "main.tscn", "items": items})).structured
    assert many is not None
    assert many["error"]["message"].startswith("items[1]: Node has no property 'x'.")
