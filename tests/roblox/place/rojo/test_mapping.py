"""Every kind of file that Rojo 7.7 knows, read as Rojo reads it and written back where it came from."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.roblox.conftest import Game
from tests.roblox.place.rojo.conftest import MakeRojo, changed

from scenewright.roblox.place.documents import write_tree
from scenewright.roblox.tree import Instance, InstanceTree
from scenewright.roblox.values import Value

pytestmark = pytest.mark.anyio


def project(tree: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    given = tree if tree is not None else {"Workspace": {"$path": "src"}}
    return {"name": "game", **more, "tree": {"$className": "DataModel", **given}}


def one_part() -> bytes:
    tree = InstanceTree()
    part = Instance("Part", "Whatever")
    part.attach(tree.root)
    part.store("Locked", Value("Bool", True))
    return write_tree("A.rbxmx", tree)


async def classes(game: Game, parent: str = "Workspace") -> dict[str, str]:
    page = await game.ask("instance_list_children", parentPath=parent)
    return {child["name"]: child["className"] for child in page["children"]}


async def context(game: Game, path: str) -> str:
    name: str = (await game.value(path, "RunContext"))["value"]
    return name


async def put(game: Game, path: str, name: str, value: Any) -> None:
    await game.ask("instance_set_property", instancePath=path, propertyName=name, value=value)


# Scripts

SCRIPTS = {
    "src/S.server.luau": "",
    "src/C.client.lua": "",
    "src/P.plugin.luau": "",
    "src/M.lua": "",
    "src/X.local.luau": "",
    "src/IS/init.server.lua": "",
    "src/IC/init.client.luau": "",
    "src/IP/init.plugin.lua": "",
    "src/IM/init.lua": "",
    "src/Both/init.luau": "return 1",
    "src/Both/init.server.luau": "print(2)",
}


async def test_scripts_are_of_the_class_that_their_ending_says(make_rojo: MakeRojo):
    game = make_rojo({"default.project.json": project(), **SCRIPTS})
    assert await classes(game) == {
        "S": "Script",
        "C": "LocalScript",
        "P": "Script",
        "M": "ModuleScript",
        "X.local": "ModuleScript",
        "IS": "Script",
        "IC": "LocalScript",
        "IP": "Script",
        "IM": "ModuleScript",
        "Both": "ModuleScript",
    }
    assert await context(game, "Workspace.S") == "Legacy"
    assert await context(game, "Workspace.P") == await context(game, "Workspace.IP") == "Plugin"
    assert await classes(game, "Workspace.Both") == {}


async def test_without_legacy_scripts_the_run_context_says_where_a_script_runs(make_rojo: MakeRojo):
    game = make_rojo({"default.project.json": project(emitLegacyScripts=False), **SCRIPTS})
    found = await classes(game)
    assert {name for name, kind in found.items() if kind == "Script"} == {"S", "C", "P", "IS", "IC", "IP"}
    contexts = [await context(game, f"Workspace.{name}") for name in ("S", "C", "P", "IS", "IC", "IP")]
    assert contexts == ["Server", "Client", "Plugin"] * 2


@pytest.mark.parametrize(
    ("legacy", "kind", "run_context", "file", "meta"),
    [
        (True, "Script", None, "New.server.luau", None),
        (True, "Script", "Client", "New.server.luau", {"properties": {"RunContext": "Client"}}),
        (True, "Script", "Plugin", "New.plugin.luau", None),
        (True, "LocalScript", None, "New.client.luau", None),
        (True, "ModuleScript", None, "New.luau", None),
        (False, "Script", "Server", "New.server.luau", None),
        (False, "Script", "Client", "New.client.luau", None),
        (False, "Script", "Legacy", "New.server.luau", {"properties": {"RunContext": "Legacy"}}),
        (False, "ModuleScript", None, "New.luau", None),
    ],
)
async def test_a_new_script_gets_the_file_that_stands_for_it(
    make_rojo: MakeRojo, legacy: bool, kind: str, run_context: str | None, file: str, meta: Any
):
    game = make_rojo({"default.project.json": project(emitLegacyScripts=legacy), "src/M.lua": ""})
    before = game.contents()
    asked = {"properties": {"RunContext": run_context}} if run_context else {}
    await game.ask("instance_create", parentPath="Workspace", className=kind, name="New", **asked)
    files = {f"src/{file}"} | ({"src/New.meta.json"} if meta else set())
    assert changed(before, game.contents()) == files
    if meta:
        assert json.loads(game.contents()["src/New.meta.json"]) == meta
    assert (await classes(game))["New"] == kind
    if run_context:
        assert await context(game, "Workspace.New") == run_context


async def test_a_local_script_without_legacy_scripts_is_a_model(make_rojo: MakeRojo):
    game = make_rojo({"default.project.json": project(emitLegacyScripts=False), "src/M.lua": ""})
    await game.ask("script_create", parentPath="Workspace", name="L", scriptType="LocalScript", source="print(1)")
    assert (await classes(game))["L"] == "LocalScript"
    assert await game.source("Workspace.L") == "print(1)"


async def test_an_init_script_is_written_where_it_is(make_rojo: MakeRojo):
    game = make_rojo({"default.project.json": project(), **SCRIPTS})
    for name, file in (("IS", "init.server.lua"), ("IC", "init.client.luau"), ("IP", "init.plugin.lua")):
        before = game.contents()
        await game.ask("script_update", scriptPath=f"Workspace.{name}", source="print(9)")
        assert changed(before, game.contents()) == {f"src/{name}/{file}"}


# Data


async def test_text_is_a_string_value_both_ways(make_rojo: MakeRojo):
    game = make_rojo({"default.project.json": project(), "src/Note.txt": "one\n", "src/Note.meta.jsonc": "{ }"})
    assert await game.value("Workspace.Note", "Value") == "one\n"
    await put(game, "Workspace.Note", "Value", "two")
    assert game.contents()["src/Note.txt"] == b"two"
    await game.ask("instance_set_tags", instancePath="Workspace.Note", add=["t"])
    assert json.loads(game.contents()["src/Note.meta.jsonc"]) == {"properties": {"Tags": ["t"]}}


@pytest.mark.parametrize("path", ["src/Words.csv", "src/Words/init.csv"])
async def test_a_localization_table_is_csv_both_ways(make_rojo: MakeRojo, path: str):
    game = make_rojo({"default.project.json": project(), path: 'Source,Key,de\r\n"Hello, you",hi,Hallo\r\n'})
    words = json.loads(await game.value("Workspace.Words", "Contents"))
    assert words == [{"key": "hi", "source": "Hello, you", "values": {"de": "Hallo"}}]
    words += [{"key": "bye", "source": "Bye", "context": "end", "values": {"de": "Tschüß", "fr": "Salut"}}]
    before = game.contents()
    await put(game, "Workspace.Words", "Contents", json.dumps(words))
    assert changed(before, game.contents()) == {path}
    assert game.contents()[path].decode() == (
        'Source,Key,de,Context,fr\r\n"Hello, you",hi,Hallo,,\r\nBye,bye,Tschüß,end,Salut\r\n'
    )
    assert json.loads(await game.value("Workspace.Words", "Contents")) == words
    wrong = await game.refused(
        "instance_set_property", instancePath="Workspace.Words", propertyName="Contents", value="no"
    )
    assert "not a list of entries" in wrong.message


async def test_a_new_localization_table_is_a_csv_file(make_rojo: MakeRojo):
    game = make_rojo({"default.project.json": project(), "src/M.lua": ""})
    contents = '[{"key":"a","source":"A","values":{"de":"Ä"}}]'
    await game.ask(
        "instance_create",
        parentPath="Workspace",
        className="LocalizationTable",
        name="W",
        properties={"Contents": contents, "SourceLocaleId": "en"},
    )
    assert game.contents()["src/W.csv"].decode() == "Key,Source,Context,Example,de\na,A,,,Ä\n"
    assert json.loads(game.contents()["src/W.meta.json"]) == {"properties": {"SourceLocaleId": "en"}}
    assert json.loads(await game.value("Workspace.W", "Contents")) == json.loads(contents)


DATA = {
    "src/J.json": '{"a": 1}',
    "src/K.jsonc": '{ // one\n "a": 1, }',
    "src/T.toml": "a = 1\n",
    "src/Y.yaml": "a: 1\n",
    "src/Z.yml": "a: 1\n",
}


async def test_data_files_are_modules_and_move_as_they_are(make_rojo: MakeRojo):
    game = make_rojo({"default.project.json": project(), "src/F/init.meta.json": {}, **DATA})
    for name in "JKTYZ":
        assert " ".join((await game.source(f"Workspace.{name}")).split()) == "return { a = 1, }"
        await game.ask("instance_move", instancePath=f"Workspace.{name}", newParentPath="Workspace.F")
        await put(game, f"Workspace.F.{name}", "Name", f"{name}2")
        await game.ask("instance_set_attributes", instancePath=f"Workspace.F.{name}2", attributes={"n": 1})
    found = game.contents()
    for path, text in DATA.items():
        name, _, ending = path.removeprefix("src/").partition(".")
        assert found[f"src/F/{name}2.{ending}"] == text.encode()
        assert json.loads(found[f"src/F/{name}2.meta.json"]) == {"attributes": {"n": 1}}
        assert path not in found


# JSON models and metadata


async def test_an_empty_json_model_is_nothing(make_rojo: MakeRojo):
    game = make_rojo({"default.project.json": project(), "src/E.model.json": " \n", "src/F.model.jsonc": "{}"})
    error = await game.refused("instance_list_children", parentPath="game")
    assert "F.model.jsonc" in error.message
    (game.project / "src/F.model.jsonc").write_text('{"className": "Part",} // a part')
    assert await classes(game) == {"F": "Part"}


MODEL = """{
  "ClassName": "Model", // in the old words
  "$schema": "https://example.com/model.json",
  "Children": [
    { "Name": "A", "ClassName": "Part", "Properties": { "Material": { "Enum": 512 }, "Size": [1, 2, 3] } },
    { "Name": "B", "ClassName": "Part", "ignored": true }
  ]
}
"""


async def test_of_a_json_model_only_what_changed_gets_new_text(make_rojo: MakeRojo):
    game = make_rojo({"default.project.json": project(), "src/M.model.json": MODEL})
    await put(game, "Workspace.M.A", "Size", [1, 2, 4])
    assert game.contents()["src/M.model.json"].decode() == MODEL.replace("[1, 2, 3]", "[1, 2, 4]")
    await game.ask("instance_delete", instancePath="Workspace.M.A")
    without = "\n".join(line for line in MODEL.split("\n") if '"A"' not in line)
    assert game.contents()["src/M.model.json"].decode() == without
    await game.ask("instance_create", parentPath="Workspace.M", className="Folder", name="C")
    assert await classes(game, "Workspace.M") == {"B": "Part", "C": "Folder"}


async def test_metadata_with_comments_keeps_them(make_rojo: MakeRojo):
    text = '{\n  // off for now\n  "properties": { "Disabled": true },\n  "ignoreUnknownInstances": true\n}\n'
    game = make_rojo({"default.project.json": project(), "src/S.server.luau": "", "src/S.meta.jsonc": text})
    await put(game, "Workspace.S", "Disabled", False)
    await game.ask("instance_set_attributes", instancePath="Workspace.S", attributes={"a": True})
    found = game.contents()["src/S.meta.jsonc"].decode()
    assert found == text.replace('"Disabled": true', '"Disabled": false').replace(
        '": true\n}', '": true,\n  "attributes": {\n    "a": true\n  }\n}'
    )


async def test_metadata_that_says_nothing_any_more_goes(make_rojo: MakeRojo):
    files = {"src/S.server.luau": "", "src/S.meta.json": {"attributes": {"a": 1}}, "src/F/init.meta.json": {}}
    game = make_rojo({"default.project.json": project(), **files})
    await game.ask("instance_set_attributes", instancePath="Workspace.S", attributes={"a": None})
    assert "src/S.meta.json" not in game.contents()
    assert "F" in await classes(game)


async def test_what_metadata_says_of_a_moved_script_goes_along(make_rojo: MakeRojo):
    meta = '{ "id": "it", "ignoreUnknownInstances": true } // ours\n'
    files = {"src/S.server.lua": "print(1)", "src/S.meta.json": meta, "src/F/init.meta.json": {}}
    game = make_rojo({"default.project.json": project(), **files})
    await game.ask("instance_move", instancePath="Workspace.S", newParentPath="Workspace.F")
    found = game.contents()
    assert (found["src/F/S.server.lua"], found["src/F/S.meta.json"]) == (b"print(1)", meta.encode())
    assert not {"src/S.server.lua", "src/S.meta.json"} & set(found)


# Folders


async def test_a_folder_is_renamed_and_moved_with_all_that_lies_in_it(make_rojo: MakeRojo):
    files = {
        "src/Lib/init.luau": "return 1",
        "src/Lib/Deep/A.luau": "return 2",
        "src/Lib/Deep/A.spec.luau": "error()",
        "src/Lib/README.md": "read me",
        "src/F/init.meta.json": {},
    }
    game = make_rojo({"default.project.json": project(globIgnorePaths=["**/*.spec.luau"]), **files})
    await put(game, "Workspace.Lib", "Name", "Core")
    await game.ask("instance_move", instancePath="Workspace.Core", newParentPath="Workspace.F")
    await put(game, "Workspace.F.Core.Deep", "Name", "Low")
    await game.ask("script_update", scriptPath="Workspace.F.Core.Low.A", source="return 3")
    found = game.contents()
    assert {path for path in found if path.startswith("src/")} == {
        "src/F/Core/init.luau",
        "src/F/Core/Low/A.luau",
        "src/F/Core/Low/A.spec.luau",
        "src/F/Core/README.md",
        "src/F/init.meta.json",
    }
    assert found["src/F/Core/Low/A.luau"] == b"return 3"
    assert await classes(game) == {"F": "Folder"}


async def test_names_are_swapped_in_one_go(make_rojo: MakeRojo):
    files = {"src/A.luau": "return 'a'", "src/B.luau": "return 'b'"}
    game = make_rojo({"default.project.json": project(), **files})
    source = """return { go = function()
        local a, b = workspace.A, workspace.B
        a.Name = "B"
        b.Name = "A"
    end }"""
    await game.ask("script_create", parentPath="Workspace", name="Swap", scriptType="ModuleScript", source=source)
    await game.ask("script_execute", scriptPath="Workspace.Swap", functionName="go")
    found = game.contents()
    assert (found["src/A.luau"], found["src/B.luau"]) == (b"return 'b'", b"return 'a'")


async def test_a_folder_that_goes_leaves_no_empty_one(make_rojo: MakeRojo):
    game = make_rojo({"default.project.json": project(), "src/F/G/A.luau": "", "src/B.luau": ""})
    await game.ask("instance_delete", instancePath="Workspace.F")
    assert await classes(game) == {"B": "ModuleScript"}
    assert not (game.project / "src/F").exists()


async def test_a_table_gains_children_as_a_folder(make_rojo: MakeRojo):
    files = {"src/W.csv": "Key,Source\na,A\n", "src/W.meta.json": {"id": "w"}}
    game = make_rojo({"default.project.json": project(), **files})
    await game.ask("instance_create", parentPath="Workspace.W", className="Folder", name="F")
    assert set(game.contents()) == {
        "default.project.json",
        "src/W/init.csv",
        "src/W/init.meta.json",
        "src/W/F/init.meta.json",
    }
    assert await classes(game) == {"W": "LocalizationTable"}


# Model files


@pytest.mark.parametrize("suffix", [".rbxm", ".rbxmx"])
async def test_a_model_file_moves_as_it_is(make_rojo: MakeRojo, suffix: str):
    tree = InstanceTree()
    part = Instance("Part", "Whatever")
    part.attach(tree.root)
    content = write_tree(f"A{suffix}", tree)
    game = make_rojo({"default.project.json": project(), f"src/A{suffix}": content, "src/F/init.meta.json": {}})
    await game.ask("instance_move", instancePath="Workspace.A", newParentPath="Workspace.F")
    found = game.contents()
    assert f"src/A{suffix}" not in found
    assert f"src/F/A{suffix}" in found
    await put(game, "Workspace.F.A", "Anchored", True)
    assert await game.value("Workspace.F.A", "Anchored") is True
    assert set(game.contents()) == set(found)


async def test_what_the_project_says_of_a_model_file_counts_and_stays_there(make_rojo: MakeRojo):
    node = {"$path": "A.rbxmx", "$properties": {"Anchored": True}, "$attributes": {"a": 1}}
    game = make_rojo({"default.project.json": project({"Workspace": {"A": node}}), "A.rbxmx": one_part()})
    assert await game.value("Workspace.A", "Anchored") is True
    assert await game.value("Workspace.A", "Locked") is True
    before = game.contents()
    await put(game, "Workspace.A", "Anchored", False)
    assert changed(before, game.contents()) == {"default.project.json"}
    assert await game.value("Workspace.A", "Anchored") is False
    before = game.contents()
    await put(game, "Workspace.A", "Locked", False)
    assert changed(before, game.contents()) == {"A.rbxmx"}
    assert b"Anchored" not in game.contents()["A.rbxmx"]


# Projects


async def test_a_project_may_be_jsonc(make_rojo: MakeRojo):
    text = '{ // ours\n  "tree": { "$className": "DataModel", "Lighting": { "$properties": { "Brightness": 1 } }, },\n}'
    game = make_rojo({"default.project.jsonc": text})
    await put(game, "Lighting", "Brightness", 2)
    assert game.contents()["default.project.jsonc"].decode() == text.replace(": 1 }", ": 2 }")


async def test_services_and_their_fixed_children_need_no_class(make_rojo: MakeRojo):
    tree = {
        "StarterPlayer": {"StarterPlayerScripts": {}, "StarterCharacterScripts": {"$path": "src"}},
        "Workspace": {"Terrain": {}},
    }
    game = make_rojo({"default.project.json": project(tree), "src/M.luau": ""})
    assert await classes(game, "StarterPlayer") == {
        "StarterPlayerScripts": "StarterPlayerScripts",
        "StarterCharacterScripts": "StarterCharacterScripts",
    }
    assert await classes(game) == {"Terrain": "Terrain"}


async def test_optional_paths_may_be_missing(make_rojo: MakeRojo):
    tree = {"Workspace": {"Gone": {"$path": {"optional": "gone"}}, "There": {"$path": {"optional": "src"}}}}
    game = make_rojo({"default.project.json": project(tree), "src/M.luau": ""})
    assert await classes(game) == {"There": "Folder"}
    await put(game, "Workspace.There.M", "Name", "N")
    assert "src/N.luau" in game.contents()


@pytest.mark.parametrize("file", ["src/Sub/default.project.json", "src/Sub.project.jsonc"])
async def test_a_nested_project_is_read_changed_and_deleted(make_rojo: MakeRojo, file: str):
    where = "lib" if "default" in file else "Sub/lib"
    nested = {"name": "Sub", "emitLegacyScripts": False, "tree": {"$path": where, "Node": {"$className": "Folder"}}}
    files = {file: nested, "src/Sub/lib/A.server.luau": "", "src/S.server.luau": ""}
    tree = {"Workspace": {"Sub": {"$path": "src/Sub.project.jsonc"}}} if "jsonc" in file else None
    outer = project(tree, globIgnorePaths=["src/Other"]) if tree else project()
    game = make_rojo({"default.project.json": outer, **files})
    assert await context(game, "Workspace.Sub.A") == "Server"
    await game.ask("instance_set_attributes", instancePath="Workspace.Sub.Node", attributes={"a": 1})
    assert json.loads(game.contents()[file])["tree"]["Node"]["$attributes"] == {"a": 1}
    await game.ask(
        "instance_create", parentPath="Workspace.Sub", className="Script", name="B", properties={"RunContext": "Client"}
    )
    assert "src/Sub/lib/B.client.luau" in game.contents()
    if tree is None:
        await put(game, "Workspace.Sub", "Name", "Other")
        assert json.loads(game.contents()[file])["name"] == "Other"
        await game.ask("instance_delete", instancePath="Workspace.Other")
        assert set(game.contents()) == {"default.project.json", "src/S.server.luau"}


async def test_a_node_is_renamed_in_the_project_and_its_files_stay(make_rojo: MakeRojo):
    tree = {"Workspace": {"Lib": {"$path": "lib", "Sub": {"$className": "Folder"}}, "Box": {"$className": "Folder"}}}
    game = make_rojo({"default.project.json": project(tree), "lib/A.luau": ""})
    before = game.contents()
    await put(game, "Workspace.Lib", "Name", "Core")
    await game.ask("instance_move", instancePath="Workspace.Core", newParentPath="Workspace.Box")
    assert changed(before, game.contents()) == {"default.project.json"}
    assert await classes(game, "Workspace.Box.Core") == {"A": "ModuleScript", "Sub": "Folder"}
    assert json.loads(game.contents()["default.project.json"])["tree"]["Workspace"] == {
        "Box": {"$className": "Folder", "Core": {"$path": "lib", "Sub": {"$className": "Folder"}}}
    }


async def test_a_value_is_changed_where_it_is_said(make_rojo: MakeRojo):
    files = {"src/init.meta.json": {"attributes": {"a": 1}, "properties": {"Gravity": 5}}}
    tree = {"Workspace": {"$path": "src", "$properties": {"FallHeightEnabled": False}}}
    game = make_rojo({"default.project.json": project(tree), **files})
    for name, value, file in (
        ("Gravity", 6, "src/init.meta.json"),
        ("FallHeightEnabled", True, "default.project.json"),
        ("FallenPartsDestroyHeight", -50, "default.project.json"),
    ):
        before = game.contents()
        await put(game, "Workspace", name, value)
        assert changed(before, game.contents()) == {file}
        assert await game.value("Workspace", name) == value
    await game.ask("instance_set_attributes", instancePath="Workspace", attributes={"a": None})
    assert not (await game.ask("instance_get", instancePath="Workspace", includeAttributes=True)).get("attributes")


@pytest.mark.parametrize(
    ("globs", "left"),
    [
        (["**/*.spec.luau"], {"A", "B"}),
        (["*.spec.luau"], {"A", "B"}),
        (["src/A.luau", "src/B.{spec,none}.luau"], {"A.spec", "B"}),
        (["**/*.luau", "!**/A*"], {"A", "A.spec"}),
        (["src/[AB].luau"], {"A.spec", "B.spec"}),
        (["other/**"], {"A", "B", "A.spec", "B.spec"}),
    ],
)
async def test_paths_are_ignored_by_the_last_glob_that_fits(make_rojo: MakeRojo, globs: list[str], left: set[str]):
    files = {f"src/{name}.luau": "" for name in ("A", "B", "A.spec", "B.spec")}
    game = make_rojo({"default.project.json": project(globIgnorePaths=globs), **files})
    assert set(await classes(game)) == left


async def test_sync_rules_of_a_project_come_first(make_rojo: MakeRojo):
    rules = [
        {"pattern": "*.mod.txt", "use": "moduleScript", "suffix": ".mod.txt"},
        {"pattern": "src/raw/*", "use": "text", "exclude": "*.luau"},
        {"pattern": "*.old.luau", "use": "legacyClientScript", "suffix": ".old.luau"},
        {"pattern": "*.run.luau", "use": "runContextClientScript", "suffix": ".run.luau"},
        {"pattern": "*.skip.luau", "use": "ignore"},
    ]
    files = {
        "src/A.mod.txt": "return 1",
        "src/raw/B.bin": "b",
        "src/raw/C.luau": "",
        "src/D.old.luau": "",
        "src/E.run.luau": "",
        "src/F.skip.luau": "",
    }
    game = make_rojo({"default.project.json": project(syncRules=rules), **files})
    assert await classes(game) == {"A": "ModuleScript", "raw": "Folder", "D": "LocalScript", "E": "Script"}
    assert await classes(game, "Workspace.raw") == {"B": "StringValue", "C": "ModuleScript"}
    await game.ask("script_update", scriptPath="Workspace.A", source="return 2")
    assert game.contents()["src/A.mod.txt"] == b"return 2"
    await put(game, "Workspace.A", "Name", "Z")
    assert game.contents()["src/Z.mod.txt"] == b"return 2"
    await put(game, "Workspace.raw.B", "Value", "c")
    assert game.contents()["src/raw/B.bin"] == b"c"
