"""Equal children of a declared scene, with what they share and what steps from one to the next."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.support.gdscript_runner import make_project

SCRIPT = "extends Node\n\nfunc hit(_body: Node2D, number: int, place: int = 0) -> void:\n\tprint(number, place)\n"


def node(name: str, kind: str, *children: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"name": name, "type": kind, "children": list(children), **more}


@pytest.fixture
def game(project: Path) -> Path:
    return make_project(project, {"world.gd": SCRIPT})


async def _apply(caller: Caller, *children: dict[str, Any], kind: str = "Node2D", **more: Any) -> dict[str, Any]:
    tree = node("World", kind, *children, **more)
    return await caller.result("apply_scene", scenePath="world.tscn", tree=tree)


async def _removing(caller: Caller, *children: dict[str, Any]) -> dict[str, Any]:
    tree = node("World", "Node2D", *children)
    return await caller.result("apply_scene", scenePath="world.tscn", tree=tree, removeExtra=True)


async def _values(caller: Caller, property_: str, *paths: str) -> list[Any]:
    return [
        (await caller.result("get_property", scenePath="world.tscn", nodePath=path, property=property_))["value"]
        for path in paths
    ]


@pytest.mark.anyio
async def test_copies_are_numbered_and_step(game: Path, caller: Caller) -> None:
    coin = node(
        "Coin",
        "Area2D",
        node("Shape", "CollisionShape2D", properties={"shape": {"$resource": "CircleShape2D", "radius": 8}}),
        properties={"position": [10, 0]},
        count=3,
        step={"position": [0.1, 64], "rotation_degrees": 45, "z_index": 2, "scale": [1, 1]},
        groups=["coins"],
    )
    await _apply(caller, coin)
    names = ["Coin1", "Coin2", "Coin3"]
    assert await _values(caller, "position", *names) == ["Vector2(10, 0)", "Vector2(10.1, 64)", "Vector2(10.2, 128)"]
    assert await _values(caller, "z_index", *names) == [0, 2, 4]
    assert await _values(caller, "scale", *names) == ["Vector2(1, 1)", "Vector2(2, 2)", "Vector2(3, 3)"]
    text = (game / "world.tscn").read_text()
    assert text.count("[sub_resource") == 1
    assert text.count('groups=["coins"]') == 3
    assert "rotation = 1.5707964\n" in text
    assert (await _apply(caller, coin))["steps"] == []


@pytest.mark.anyio
async def test_each_gives_a_value_per_copy_and_texts_take_the_number(game: Path, caller: Caller) -> None:
    await _apply(
        caller,
        node("Key", "Button", each={"text": ["7", "8"]}),
        node("Level{n}", "Button", count=2, properties={"text": "Level {n} of 2", "z_index": "{n}"}),
        kind="VBoxContainer",
    )
    paths = ("Key1", "Key2", "Level1", "Level2")
    assert await _values(caller, "text", *paths) == ["7", "8", "Level 1 of 2", "Level 2 of 2"]
    assert await _values(caller, "z_index", *paths) == [0, 0, 1, 2]


@pytest.mark.anyio
async def test_copies_of_copies_make_a_grid(game: Path, caller: Caller) -> None:
    brick = node("Brick", "Sprite2D", count=3, step={"position": [32, 0]}, properties={"frame": 0})
    await _apply(caller, node("Row", "Node2D", brick, count=2, step={"position": [0, 12]}))
    assert await _values(caller, "position", "Row1", "Row2") == ["Vector2(0, 0)", "Vector2(0, 12)"]
    assert await _values(caller, "position", "Row2/Brick3") == ["Vector2(64, 0)"]


@pytest.mark.anyio
async def test_a_node_brings_its_own_connections(game: Path, caller: Caller) -> None:
    wire = {"signal": "body_entered", "target": ".", "method": "hit", "binds": ["{n}"]}
    done = await _apply(caller, node("Trap", "Area2D", count=2, connections=[wire]), script="world.gd")
    made = [(step["node"], step["after"]) for step in done["steps"] if step["op"] == "connect"]
    assert made == [("Trap1", ".:hit"), ("Trap2", ".:hit")]
    text = (game / "world.tscn").read_text()
    assert 'from="Trap2" to="." method="hit" binds= [2]' in text
    again = {"scenePath": "world.tscn", "tree": node("World", "Node2D", script="world.gd"), "connections": [wire]}
    refused = await caller.run("apply_scene", again)
    assert refused.fault is not None
    assert "says no source" in refused.fault.message


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ({"count": 2, "step": {"visible": True}}, "visible cannot step"),
        ({"count": 2, "step": {"positon": [1, 1]}}, "positon"),
        ({"count": 2, "step": {"position": "right"}}, "position"),
        ({"step": {"position": [1, 1]}}, "step needs a count"),
        ({"count": 3, "each": {"z_index": [1, 2]}}, "2 values of 'z_index' for 3 copies"),
        ({"count": 2, "each": {"z_index": [1, 2]}, "step": {"z_index": 1}}, "in step and in each"),
        ({"count": 1000, "children": [node("A", "Node", count=1000)]}, "more than 10000 nodes"),
    ],
)
async def test_copies_that_cannot_be_made_change_nothing(
    game: Path, caller: Caller, more: dict[str, Any], problem: str
) -> None:
    tree = node("World", "Node2D", {"name": "A", "type": "Node2D", **more})
    outcome = await caller.run("apply_scene", {"scenePath": "world.tscn", "tree": tree})
    assert outcome.fault is not None
    assert problem in f"{outcome.fault.message} {outcome.fault.hint}"
    assert not (game / "world.tscn").exists()


@pytest.mark.anyio
async def test_the_root_is_not_repeated(game: Path, caller: Caller) -> None:
    outcome = await caller.run("apply_scene", {"scenePath": "world.tscn", "tree": node("World", "Node2D", count=2)})
    assert outcome.fault is not None
    assert "root" in outcome.fault.message


@pytest.mark.anyio
async def test_animations_change_only_where_they_differ(game: Path, caller: Caller) -> None:
    def player(height: int, *more: dict[str, Any]) -> dict[str, Any]:
        track = {"nodePath": "Sprite", "property": "position:y", "keys": [[0, 0], [1, height]]}
        bob = {"name": "bob", "loop": "pingpong", "tracks": [track]}
        return node("Player", "AnimationPlayer", animations=[bob, *more])

    sprite = node("Sprite", "Sprite2D")
    done = await _apply(caller, sprite, player(8))
    assert {"op": "animation", "node": "Player", "name": "bob", "after": "1 track, 1 s"} in done["steps"]
    assert 'resource_name = "bob"\nloop_mode = 2\n' in (game / "world.tscn").read_text()
    assert (await _apply(caller, sprite, player(8)))["steps"] == []
    before = (game / "world.tscn").read_text()
    planned = await caller.result(
        "apply_scene", scenePath="world.tscn", mode="plan", tree=node("World", "Node2D", sprite, player(9))
    )
    assert [step["name"] for step in planned["steps"]] == ["bob"]
    assert (game / "world.tscn").read_text() == before
    changed = await _apply(caller, sprite, player(9, {"name": "still"}))
    assert [step["name"] for step in changed["steps"]] == ["bob", "still"]
    left = await _removing(caller, sprite, player(9))
    assert [(step["op"], step["name"]) for step in left["steps"]] == [("remove", "still")]
    on_a_sprite = await caller.run(
        "apply_scene",
        {"scenePath": "world.tscn", "tree": node("World", "Node2D", node("Sprite", "Sprite2D", animations=[]))},
    )
    assert on_a_sprite.fault is not None
    assert "not an AnimationPlayer" in on_a_sprite.fault.message
