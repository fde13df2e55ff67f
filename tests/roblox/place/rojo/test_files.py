"""Rojo projects: every kind of file becomes what Rojo makes of it, and changes go back to the right file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.roblox.conftest import Game
from tests.roblox.place.rojo.conftest import changed

from scenewright.app import make_runtime
from scenewright.core.config import Config
from scenewright.roblox.place.documents import write_tree
from scenewright.roblox.tree import Instance, InstanceTree
from scenewright.roblox.values import Value

pytestmark = pytest.mark.anyio

TREE = {
    "$className": "DataModel",
    "ReplicatedStorage": {"$path": "shared", "Extra": {"$className": "Folder", "$attributes": {"Level": 2}}},
    "ServerScriptService": {"$path": {"optional": "gone"}},
    "StarterPlayer": {"StarterPlayerScripts": {"$path": "client"}},
    "Lighting": {"$properties": {"Ambient": [0.5, 0.5, 0.5], "Technology": "Voxel", "Brightness": 2}},
}
FILES: dict[str, str | bytes] = {
    "default.project.json": json.dumps(
        {"name": "demo", "globIgnorePaths": ["**/*.spec.luau"], "tree": TREE}, indent="\t"
    ),
    "shared/Module.luau": "return 1\n",
    "shared/Module.meta.json": '{"attributes": {"A": 1}, "properties": {"Tags": ["t"]}}',
    "shared/Server.server.lua": "print('s')\n",
    "shared/Local.client.luau": "print('c')\n",
    "shared/Plug.plugin.luau": "print('p')\n",
    "shared/Module.spec.luau": "error('a test')\n",
    "shared/Data.json": '{"list": [1, 2.5, true], "end": null, "a b": "q\\"uote"}',
    "shared/Conf.toml": "[server]\nport = 80\n",
    "shared/Note.txt": "hello",
    "shared/Words.csv": "Key,Source,de,fr\nhi,Hello,Hallo,Salut\n,,x,y\n",
    "shared/Thing.model.json": '{"ClassName": "Model", "Children": [{"Name": "P", "ClassName": "Part",'
    ' "Properties": {"Size": [1, 2, 3], "CFrame": {"CFrame": {"position": [1, 2, 3],'
    ' "orientation": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}}}}]}',
    "shared/Lib/init.luau": "return require(script.Inner)\n",
    "shared/Lib/Inner.luau": "return 2\n",
    "shared/Tool/init.meta.json": '{"className": "Tool", "properties": {"CanBeDropped": false}}',
    "shared/Tool/Handle.model.json": '{"className": "Part"}',
    "shared/README.md": "not for Rojo",
    "client/Hud.client.luau": "print('hud')\n",
}


def model_file(suffix: str) -> bytes:
    tree = InstanceTree()
    box = Instance("Model", "Whatever")
    box.attach(tree.root)
    part = Instance("Part", "Lid")
    part.attach(box)
    part.store("Anchored", Value("Bool", True))
    part.store("Mystery", Value("Int32", 5))
    return write_tree(f"Box{suffix}", tree)


@pytest.fixture
def rojo(project: Path) -> Iterator[Game]:
    for path, content in {
        **FILES,
        "shared/Box.rbxmx": model_file(".rbxmx"),
        "shared/Bin.rbxm": model_file(".rbxm"),
    }.items():
        (project / path).parent.mkdir(parents=True, exist_ok=True)
        (project / path).write_bytes(content if isinstance(content, bytes) else content.encode())
    runtime = make_runtime(Config(project=project, rate_limit=None))
    yield Game(Caller(runtime), project, "rojo")
    runtime.close()


async def test_every_kind_of_file_becomes_what_rojo_makes_of_it(rojo: Game) -> None:
    shared = await rojo.ask("instance_list_children", parentPath="ReplicatedStorage")
    assert {child["name"]: child["className"] for child in shared["children"]} == {
        "Module": "ModuleScript",
        "Server": "Script",
        "Local": "LocalScript",
        "Plug": "Script",
        "Data": "ModuleScript",
        "Conf": "ModuleScript",
        "Note": "StringValue",
        "Words": "LocalizationTable",
        "Thing": "Model",
        "Lib": "ModuleScript",
        "Tool": "Tool",
        "Box": "Model",
        "Bin": "Model",
        "Extra": "Folder",
    }
    paths = await rojo.paths()
    assert {
        "ReplicatedStorage.Lib.Inner",
        "ReplicatedStorage.Tool.Handle",
        "ReplicatedStorage.Thing.P",
        "ReplicatedStorage.Box.Lid",
        "StarterPlayer.StarterPlayerScripts.Hud",
        "ServerScriptService",
    } <= set(paths)


async def test_data_files_become_modules_that_return_them(rojo: Game) -> None:
    assert await rojo.source("ReplicatedStorage.Data") == (
        'return {\n\tlist = {\n\t\t1,\n\t\t2.5,\n\t\ttrue,\n\t},\n\t["end"] = nil,\n\t["a b"] = "q\\"uote",\n}'
    )
    assert await rojo.source("ReplicatedStorage.Conf") == "return {\n\tserver = {\n\t\tport = 80,\n\t},\n}"
    assert await rojo.value("ReplicatedStorage.Note", "Value") == "hello"
    words = json.loads(await rojo.value("ReplicatedStorage.Words", "Contents"))
    assert words == [{"key": "hi", "source": "Hello", "values": {"de": "Hallo", "fr": "Salut"}}]


async def test_metadata_and_project_properties_are_read(rojo: Game) -> None:
    module = await rojo.ask(
        "instance_get", instancePath="ReplicatedStorage.Module", includeAttributes=True, includeTags=True
    )
    assert (module["attributes"], module["tags"]) == ({"A": 1}, ["t"])
    assert await rojo.value("ReplicatedStorage.Tool", "CanBeDropped") is False
    assert (await rojo.value("Lighting", "Technology"))["value"] == "Voxel"
    assert (await rojo.value("Lighting", "Ambient"))["_type"] == "Color3Float"
    assert (await rojo.value("ReplicatedStorage.Plug", "RunContext"))["value"] == "Plugin"
    assert (await rojo.value("ReplicatedStorage.Thing.P", "Position")) == {"_type": "Vector3", "x": 1, "y": 2, "z": 3}


CHANGES: list[tuple[str, str, dict[str, Any], set[str]]] = [
    (
        "a source",
        "script_update",
        {"scriptPath": "ReplicatedStorage.Module", "source": "return 9"},
        {"shared/Module.luau"},
    ),
    (
        "a folder's own source",
        "script_update",
        {"scriptPath": "ReplicatedStorage.Lib", "source": "return 9"},
        {"shared/Lib/init.luau"},
    ),
    (
        "a script's attribute",
        "instance_set_attributes",
        {"instancePath": "ReplicatedStorage.Module", "attributes": {"B": 2}},
        {"shared/Module.meta.json"},
    ),
    (
        "a script's first property",
        "instance_set_property",
        {"instancePath": "ReplicatedStorage.Server", "propertyName": "Disabled", "value": True},
        {"shared/Server.meta.json"},
    ),
    (
        "a folder's tag",
        "instance_set_tags",
        {"instancePath": "ReplicatedStorage.Lib", "add": ["x"]},
        {"shared/Lib/init.meta.json"},
    ),
    (
        "a node of the project",
        "instance_set_property",
        {"instancePath": "Lighting", "propertyName": "Brightness", "value": 3},
        {"default.project.json"},
    ),
    (
        "a text",
        "instance_set_property",
        {"instancePath": "ReplicatedStorage.Note", "propertyName": "Value", "value": "bye"},
        {"shared/Note.txt"},
    ),
    (
        "inside a JSON model",
        "instance_set_property",
        {"instancePath": "ReplicatedStorage.Thing.P", "propertyName": "Size", "value": [4, 5, 6]},
        {"shared/Thing.model.json"},
    ),
    (
        "inside an XML model",
        "instance_set_property",
        {"instancePath": "ReplicatedStorage.Box.Lid", "propertyName": "Anchored", "value": False},
        {"shared/Box.rbxmx"},
    ),
    (
        "new inside a binary model",
        "instance_create",
        {"parentPath": "ReplicatedStorage.Bin", "className": "Part", "name": "New"},
        {"shared/Bin.rbxm"},
    ),
    (
        "a new module",
        "script_create",
        {"parentPath": "ReplicatedStorage.Lib", "name": "More", "scriptType": "ModuleScript", "source": "return 3"},
        {"shared/Lib/More.luau"},
    ),
    (
        "a child of a script in a file",
        "script_create",
        {"parentPath": "ReplicatedStorage.Module", "name": "Sub", "scriptType": "ModuleScript", "source": "return 3"},
        {
            "shared/Module.luau",
            "shared/Module.meta.json",
            "shared/Module/init.luau",
            "shared/Module/init.meta.json",
            "shared/Module/Sub.luau",
        },
    ),
    (
        "a new part",
        "instance_create",
        {"parentPath": "ReplicatedStorage", "className": "Part", "name": "New"},
        {"shared/New.model.json"},
    ),
    (
        "a new child of a node",
        "instance_create",
        {"parentPath": "Lighting", "className": "BloomEffect", "name": "Bloom", "properties": {"Size": 12}},
        {"default.project.json"},
    ),
    (
        "a file that goes",
        "instance_delete",
        {"instancePath": "ReplicatedStorage.Module"},
        {"shared/Module.luau", "shared/Module.meta.json"},
    ),
    (
        "a folder that goes",
        "instance_delete",
        {"instancePath": "ReplicatedStorage.Lib"},
        {"shared/Lib/init.luau", "shared/Lib/Inner.luau"},
    ),
    ("a node that goes", "instance_delete", {"instancePath": "ReplicatedStorage.Extra"}, {"default.project.json"}),
    (
        "inside a model that goes",
        "instance_delete",
        {"instancePath": "ReplicatedStorage.Box.Lid"},
        {"shared/Box.rbxmx"},
    ),
    (
        "a file that moves",
        "instance_move",
        {"instancePath": "ReplicatedStorage.Server", "newParentPath": "ReplicatedStorage.Lib"},
        {"shared/Server.server.lua", "shared/Lib/Server.server.lua"},
    ),
    (
        "a data file that moves",
        "instance_move",
        {"instancePath": "ReplicatedStorage.Data", "newParentPath": "ReplicatedStorage.Lib"},
        {"shared/Data.json", "shared/Lib/Data.json"},
    ),
    (
        "a rename",
        "instance_set_property",
        {"instancePath": "ReplicatedStorage.Lib.Inner", "propertyName": "Name", "value": "Core"},
        {"shared/Lib/Inner.luau", "shared/Lib/Core.luau"},
    ),
]


@pytest.mark.parametrize(("tool", "arguments", "files"), [row[1:] for row in CHANGES], ids=[row[0] for row in CHANGES])
async def test_a_change_goes_to_the_file_it_belongs_in(
    rojo: Game, tool: str, arguments: dict[str, Any], files: set[str]
) -> None:
    before, tree = rojo.contents(), await rojo.paths()
    await rojo.ask(tool, **arguments)
    after = rojo.contents()
    assert changed(before, after) == files
    now = set(await rojo.paths())
    gone = set(tree) - now
    if tool in ("script_update", "instance_set_attributes", "instance_set_tags"):
        assert now == set(tree)
    if tool.endswith("create"):
        assert not gone
        assert now - set(tree) == {f"{arguments['parentPath']}.{arguments['name']}"}
    assert (await rojo.caller.reply("history", {"action": "undo"})).structured["ok"]  # type: ignore[index]
    assert rojo.contents() == before


async def test_a_project_file_keeps_its_order_and_indentation(rojo: Game) -> None:
    await rojo.ask("instance_set_property", instancePath="Lighting", propertyName="Brightness", value=3)
    before, after = str(FILES["default.project.json"]), rojo.contents()["default.project.json"].decode()
    assert [pair for pair in zip(before.splitlines(), after.splitlines(), strict=True) if pair[0] != pair[1]] == [
        ('\t\t\t\t"Brightness": 2', '\t\t\t\t"Brightness": 3')
    ]


async def test_a_model_file_keeps_what_we_do_not_know(rojo: Game) -> None:
    await rojo.ask(
        "instance_set_property", instancePath="ReplicatedStorage.Box.Lid", propertyName="Anchored", value=False
    )
    assert b'<int name="Mystery">5</int>' in rojo.contents()["shared/Box.rbxmx"]


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("script_update", {"scriptPath": "ReplicatedStorage.Data", "source": "return 1"}, "shared/Data.json"),
    ("instance_create", {"parentPath": "ReplicatedStorage", "className": "Part", "name": "a/b"}, "name of a file"),
    ("instance_create", {"parentPath": "ReplicatedStorage", "className": "Part", "name": "module"}, "already exists"),
    (
        "instance_create",
        {"parentPath": "ReplicatedStorage.Note", "className": "Part", "name": "A"},
        "cannot have children",
    ),
]


@pytest.mark.parametrize(("tool", "arguments", "because"), REFUSED)
async def test_what_files_cannot_hold_is_refused_and_nothing_is_written(
    rojo: Game, tool: str, arguments: dict[str, Any], because: str
) -> None:
    before = rojo.contents()
    assert because in (await rojo.refused(tool, **arguments)).message
    assert rojo.contents() == before


async def test_a_project_keeps_its_comments(rojo: Game) -> None:
    text = "// ours\n" + str(FILES["default.project.json"]).replace('"Brightness": 2', '"Brightness": 2, // bright')
    (rojo.project / "default.project.json").write_text(text)
    await rojo.ask("instance_set_property", instancePath="Lighting", propertyName="Brightness", value=3)
    assert rojo.contents()["default.project.json"].decode() == text.replace('"Brightness": 2', '"Brightness": 3')


@pytest.mark.parametrize(
    ("path", "content", "because"),
    [
        ("default.project.json", "{", "not JSON"),
        ("default.project.json", '{"name": "x"}', "no tree"),
        (
            "default.project.json",
            '{"tree": {"$className": "DataModel", "X": {"$path": "shared/README.md"}}}',
            "README.md'",
        ),
        ("default.project.json", '{"tree": {"$className": "DataModel", "X": {"$path": "../.."}}}', "outside"),
        ("default.project.json", '{"tree": {"$className": "DataModel", "X": {}}}', "neither"),
        ("shared/Thing.model.json", "[]", "not a JSON object"),
        ("shared/Conf.toml", "a = ", "not TOML"),
        ("shared/Conf.yaml", "a: [", "not YAML"),
        ("shared/Conf.yml", "a: &a [*a, *a]", "not YAML"),
        ("shared/Module.meta.json", '{"properties": {"Tags": 5}}', "Tags"),
        ("shared/Box.rbxmx", "<roblox", "Roblox file"),
    ],
)
async def test_a_broken_project_is_told_by_file(rojo: Game, path: str, content: str, because: str) -> None:
    (rojo.project / path).write_text(content)
    error = await rojo.refused("instance_list_children", parentPath="game")
    assert because in error.message


async def test_yaml_is_a_module_as_version_1_2_means_it(rojo: Game) -> None:
    text = "on: yes\nlist: [010, 1e3, ~, 2026-01-01, .inf]\n3: {true: 'a b'}\n"
    (rojo.project / "shared" / "Level.yaml").write_text(text)
    found = await rojo.ask("script_get_source", scriptPath="ReplicatedStorage.Level")
    assert found["className"] == "ModuleScript"
    said = " ".join(found["source"].split())
    assert said == (
        'return { on = "yes", list = { 10, 1000.0, nil, "2026-01-01", math.huge, }, [3] = { [true] = "a b", }, }'
    )


async def test_the_place_is_named_where_there_are_several(rojo: Game) -> None:
    (rojo.project / "built.rbxl").write_bytes(model_file(".rbxl"))
    error = await rojo.refused("instance_list_children", parentPath="game")
    assert error.data["validation_rule"] == "ambiguous"
    assert error.data["details"]["places"] == ["built.rbxl", "default.project.json"]
    built = await rojo.ask("instance_list_children", parentPath="game", placePath="built.rbxl")
    assert [child["name"] for child in built["children"]] == ["Whatever"]
    ours = await rojo.ask("instance_list_children", parentPath="game", placePath="default.project.json")
    assert (ours["backend"], built["backend"]) == ("rojo", "place")
    assert (await rojo.refused("instance_list_children", parentPath="game", placePath="none.rbxl")).code == -32044
    assert (
        await rojo.refused("instance_list_children", parentPath="game", placePath="client/Hud.client.luau")
    ).code == -32602
