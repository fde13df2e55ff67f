"""References in Rojo projects: an id on the target, an attribute on the referrer, in the files of both."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.roblox.conftest import Game
from tests.roblox.place.rojo.conftest import MakeRojo, changed

from scenewright.roblox.place.documents import read_tree, write_tree
from scenewright.roblox.tree import Instance, InstanceTree
from scenewright.roblox.values import Value

pytestmark = pytest.mark.anyio

WALL = {"_type": "Ref", "path": "Workspace.Wall"}
FILES: dict[str, Any] = {
    "default.project.json": {
        "name": "game",
        "tree": {
            "$className": "DataModel",
            "Workspace": {
                "$path": "world",
                "Spot": {"$className": "Part", "$id": "the-spot"},
                "Ask": {"$className": "ObjectValue", "$attributes": {"Rojo_Target_Value": "wall"}},
            },
        },
    },
    "world/Wall.model.json": {"className": "Part", "id": "wall"},
    "world/House.model.json": {
        "className": "Model",
        "attributes": {"Rojo_Target_PrimaryPart": "roof", "Level": 2},
        "children": [{"name": "Roof", "className": "Part", "attributes": {"Rojo_Id": "roof"}}],
    },
    "world/Run.server.luau": "print(1)\n",
    "world/Run.meta.json": {"id": "run"},
    "world/Lib/init.luau": "return 1\n",
    "world/Lib/init.meta.json": {"id": "lib"},
    "world/Points.model.json": {
        "className": "Folder",
        "children": [
            {"name": each, "className": "ObjectValue", "attributes": {"Rojo_Target_Value": each}}
            for each in ("the-spot", "run", "lib", "nobody")
        ],
    },
}


def model(suffix: str) -> bytes:
    """A model with a reference of its own, and one that goes by an attribute."""
    tree = InstanceTree()
    box = Instance("Model", "Box")
    box.attach(tree.root)
    lid = Instance("Part", "Lid")
    lid.attach(box)
    box.store("PrimaryPart", Value("Ref", lid))
    pointer = Instance("ObjectValue", "Pointer")
    pointer.attach(box)
    blob = b"\x01\0\0\0\x11\0\0\0Rojo_Target_Value\x02\x04\0\0\0wall"
    pointer.store("AttributesSerialize", Value("BinaryString", blob))
    return write_tree(f"Box{suffix}", tree)


@pytest.fixture
def game(make_rojo: MakeRojo) -> Game:
    return make_rojo(FILES | {"world/Box.rbxmx": model(".rbxmx"), "world/Bin.rbxm": model(".rbxm")})


async def lead(game: Game, path: str, name: str = "Value") -> str | None:
    found = await game.value(path, name)
    return found["path"] if found else None


async def put(game: Game, path: str, name: str, value: Any) -> Any:
    return await game.ask("instance_set_property", instancePath=path, propertyName=name, value=value)


def attributes(game: Game, path: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(game.contents()[path]).get("attributes", {})
    return found


@pytest.mark.parametrize(
    ("path", "name", "target"),
    [
        ("Workspace.House", "PrimaryPart", "Workspace.House.Roof"),
        ("Workspace.Ask", "Value", "Workspace.Wall"),
        ("Workspace.Points.the-spot", "Value", "Workspace.Spot"),
        ("Workspace.Points.run", "Value", "Workspace.Run"),
        ("Workspace.Points.lib", "Value", "Workspace.Lib"),
        ("Workspace.Points.nobody", "Value", None),
        ("Workspace.Box", "PrimaryPart", "Workspace.Box.Lid"),
        ("Workspace.Bin", "PrimaryPart", "Workspace.Bin.Lid"),
        ("Workspace.Box.Pointer", "Value", "Workspace.Wall"),
        ("Workspace.Bin.Pointer", "Value", "Workspace.Wall"),
    ],
)
async def test_a_reference_leads_from_any_file_to_any_other(game: Game, path: str, name: str, target: str | None):
    assert await lead(game, path, name) == target


async def test_an_id_that_two_have_leads_nowhere(game: Game):
    (game.project / "world/Twin.model.json").write_text('{"className": "Part", "id": "wall"}')
    assert await lead(game, "Workspace.Ask") is None
    (game.project / "world/Twin.model.json").write_text('{"className": "Part", "id": "other"}')
    assert await lead(game, "Workspace.Ask") == "Workspace.Wall"


TARGETS = {
    "Workspace.Wall": ("wall", set()),
    "Workspace.Spot": ("the-spot", set()),
    "Workspace.Run": ("run", set()),
    "Workspace.House": (None, {"world/House.model.json"}),
    "Workspace.Box.Lid": (None, {"world/Box.rbxmx"}),
    "Workspace.Bin": (None, {"world/Bin.rbxm"}),
    "Workspace": (None, {"default.project.json"}),
}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("referrer", "file"),
    [("Workspace.Points.lib", "world/Points.model.json"), ("Workspace.Box.Pointer", "world/Box.rbxmx")],
)
async def test_a_reference_is_set_in_its_own_file_and_in_that_of_a_target_without_id(
    game: Game, target: str, referrer: str, file: str
):
    name, files = TARGETS[target]
    before = game.contents()
    await put(game, referrer, "Value", {"_type": "Ref", "path": target})
    assert await lead(game, referrer) == target
    own = (await game.ask("instance_get", instancePath=referrer, includeAttributes=True))["attributes"]
    theirs = (await game.ask("instance_get", instancePath=target, includeAttributes=True)).get("attributes", {})
    if file == "world/Box.rbxmx" and target == "Workspace.Box.Lid":
        assert not {"Rojo_Target_Value"} & set(own)  # the model file says it itself
        assert changed(before, game.contents()) == {file}
    else:
        assert own["Rojo_Target_Value"] == (name or theirs["Rojo_Id"])
        same = referrer == "Workspace.Box.Pointer" and target == "Workspace.Wall"
        assert changed(before, game.contents()) == (set() if same else files | {file})
    assert await lead(game, "Workspace.Ask") == "Workspace.Wall"
    if game.contents() != before:
        await game.undo()
    assert game.contents() == before


@pytest.mark.parametrize(
    ("path", "name", "files"),
    [
        ("Workspace.House", "PrimaryPart", {"world/House.model.json"}),
        ("Workspace.Ask", "Value", {"default.project.json"}),
        ("Workspace.Bin.Pointer", "Value", {"world/Bin.rbxm"}),
        ("Workspace.Box", "PrimaryPart", {"world/Box.rbxmx"}),
    ],
)
async def test_a_reference_that_is_cleared_is_gone_from_the_file(game: Game, path: str, name: str, files: set[str]):
    before = game.contents()
    await put(game, path, name, None)
    assert await lead(game, path, name) is None
    assert changed(before, game.contents()) == files
    found = await game.ask("instance_get", instancePath=path, includeAttributes=True)
    assert f"Rojo_Target_{name}" not in found.get("attributes", {})


async def test_only_the_attribute_of_a_cleared_reference_goes(game: Game):
    await put(game, "Workspace.House", "PrimaryPart", None)
    assert attributes(game, "world/House.model.json") == {"Level": 2}


async def test_what_a_model_file_says_itself_stays_when_an_attribute_is_set(game: Game):
    await put(game, "Workspace.Box", "PrimaryPart", WALL)
    assert await lead(game, "Workspace.Box", "PrimaryPart") == "Workspace.Wall"
    (box,) = read_tree("Box.rbxmx", game.contents()["world/Box.rbxmx"]).root.children
    own = box.stored("PrimaryPart")
    assert own is not None
    assert own.data.name == "Lid"
    await put(game, "Workspace.Box", "PrimaryPart", {"_type": "Ref", "path": "Workspace.Box.Lid"})
    found = await game.ask("instance_get", instancePath="Workspace.Box", includeAttributes=True)
    assert "Rojo_Target_PrimaryPart" not in found.get("attributes", {})


async def test_references_to_what_is_deleted_go_with_it(game: Game):
    before = game.contents()
    await game.ask("instance_delete", instancePath="Workspace.Wall")
    assert await lead(game, "Workspace.Ask") is None
    assert await lead(game, "Workspace.Bin.Pointer") is None
    assert changed(before, game.contents()) == {
        "world/Wall.model.json",
        "default.project.json",
        "world/Box.rbxmx",
        "world/Bin.rbxm",
    }
    assert b"Rojo_Target_Value" not in game.contents()["default.project.json"]
    # What led nowhere from the start is nobody's business.
    assert b"nobody" in game.contents()["world/Points.model.json"]


@pytest.mark.parametrize("target", ["Workspace.Wall", "Workspace.Run", "Workspace.House.Roof", "Workspace.Box.Lid"])
async def test_a_reference_follows_its_target(game: Game, target: str):
    await put(game, "Workspace.Ask", "Value", {"_type": "Ref", "path": target})
    await game.ask("instance_move", instancePath=target, newParentPath="Workspace.Lib")
    moved = f"Workspace.Lib.{target.rpartition('.')[2]}"
    assert await lead(game, "Workspace.Ask") == moved
    await put(game, moved, "Name", "Other")
    assert await lead(game, "Workspace.Ask") == "Workspace.Lib.Other"
    if target == "Workspace.House.Roof":
        assert await lead(game, "Workspace.House", "PrimaryPart") == "Workspace.Lib.Other"
    if target == "Workspace.Box.Lid":
        assert await lead(game, "Workspace.Box", "PrimaryPart") == "Workspace.Lib.Other"


@pytest.mark.parametrize("referrer", ["Workspace.House", "Workspace.Box", "Workspace.Bin"])
async def test_a_reference_goes_with_its_referrer(game: Game, referrer: str):
    target = await lead(game, referrer, "PrimaryPart")
    await game.ask("instance_move", instancePath=referrer, newParentPath="Workspace.Lib")
    assert target is not None
    assert await lead(game, f"Workspace.Lib.{referrer[10:]}", "PrimaryPart") == f"Workspace.Lib.{target[10:]}"


async def test_a_copy_refers_to_its_own_parts_and_the_original_to_its(game: Game):
    await game.ask("instance_duplicate", instancePath="Workspace.House", name="Second")
    assert await lead(game, "Workspace.House", "PrimaryPart") == "Workspace.House.Roof"
    assert await lead(game, "Workspace.Second", "PrimaryPart") == "Workspace.Second.Roof"
    await game.ask("instance_duplicate", instancePath="Workspace.Wall", name="Wall2")
    assert await lead(game, "Workspace.Ask") == "Workspace.Wall"
    await game.ask("instance_duplicate", instancePath="Workspace.Box", name="Box2")
    assert await lead(game, "Workspace.Box2", "PrimaryPart") == "Workspace.Box2.Lid"
    assert await lead(game, "Workspace.Box2.Pointer") == "Workspace.Wall"


async def test_an_attribute_that_is_set_by_hand_counts(game: Game):
    given = {"Rojo_Target_Value": "run"}
    await game.ask("instance_set_attributes", instancePath="Workspace.Points.lib", attributes=given)
    assert await lead(game, "Workspace.Points.lib") == "Workspace.Run"
    await game.ask(
        "instance_set_attributes", instancePath="Workspace.Points.lib", attributes={"Rojo_Target_Value": None}
    )
    assert await lead(game, "Workspace.Points.lib") is None


async def test_a_scene_with_references_is_made_and_then_left_alone(game: Game):
    nodes = [
        {"id": "m", "className": "Model", "properties": {"PrimaryPart": WALL}},
        {"id": "o", "className": "ObjectValue", "parentId": "m", "properties": {"Value": WALL}},
    ]
    made = await game.ask("scene_apply", rootPath="Workspace", definition={"nodes": nodes})
    assert made["applied"]
    assert await lead(game, "Workspace.m.o") == "Workspace.Wall"
    again = await game.ask("scene_plan", rootPath="Workspace", definition={"nodes": nodes})
    assert again["summary"]["noop"] == 2


async def test_a_script_sees_and_sets_references(game: Game):
    source = """return { go = function()
        local seen = { workspace.Ask.Value.Name, workspace.House:GetAttribute("Level") }
        workspace.Ask.Value = workspace.Spot
        workspace.House.PrimaryPart = nil
        return seen
    end }"""
    await game.ask("script_update", scriptPath="Workspace.Lib", source=source)
    ran = await game.ask("script_execute", scriptPath="Workspace.Lib", functionName="go")
    assert ran["returnValue"] == ["Wall", 2]
    assert await lead(game, "Workspace.Ask") == "Workspace.Spot"
    assert await lead(game, "Workspace.House", "PrimaryPart") is None


async def test_a_script_becomes_a_folder_and_keeps_its_id(game: Game):
    await game.ask("instance_create", parentPath="Workspace.Run", className="Folder", name="Inside")
    assert await lead(game, "Workspace.Points.run") == "Workspace.Run"
    assert json.loads(game.contents()["world/Run/init.meta.json"]) == {"id": "run"}


async def test_a_reference_among_properties_is_refused_with_what_to_write(game: Game):
    (game.project / "world/Wrong.model.json").write_text('{"className": "Model", "properties": {"PrimaryPart": "x"}}')
    error = await game.refused("instance_list_children", parentPath="game")
    assert "world/Wrong.model.json" in error.message
    assert "Rojo_Target_PrimaryPart" in str(error.data)
