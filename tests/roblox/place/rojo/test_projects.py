"""Rojo projects as people have them: no folder behind a service, fresh clones, several project files."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.roblox.place.rojo.conftest import MakeRojo, changed

pytestmark = pytest.mark.anyio
TREE: dict[str, Any] = {
    "$className": "DataModel",
    "ServerScriptService": {"Server": {"$path": "src/server"}},
    "ReplicatedStorage": {"Packages": {"$path": "Packages"}, "Box": {"$className": "Folder"}},
}
FILES: dict[str, Any] = {"default.project.json": {"tree": TREE}, "src/server/Old.server.luau": "print(1)\n"}


async def test_a_script_in_a_service_without_a_folder_becomes_a_file(make_rojo: MakeRojo):
    game = make_rojo(FILES)
    before = game.contents()
    made = {"name": "Main", "scriptType": "Script", "source": "print(2)\n"}
    await game.ask("script_create", parentPath="ServerScriptService", **made)
    after = game.contents()
    path = "src/ServerScriptService/Main.server.luau"
    assert changed(before, after) == {"default.project.json", path}
    assert after[path] == b"print(2)\n"
    tree = json.loads(after["default.project.json"])["tree"]
    assert tree["ServerScriptService"]["Main"] == {"$path": path}
    assert await game.source("ServerScriptService.Main") == "print(2)\n"
    await game.ask("script_update", scriptPath="ServerScriptService.Main", source="print(3)\n")
    assert game.contents()[path] == b"print(3)\n"
    await game.undo()
    await game.undo()
    assert game.contents() == before


async def test_scripts_of_several_services_lie_beside_each_other(make_rojo: MakeRojo):
    packages = {"Mods": {"$path": "node_modules/mods"}}
    game = make_rojo({"default.project.json": {"tree": {"$className": "DataModel", "ReplicatedStorage": packages}}})
    made = {"name": "Main", "scriptType": "Script", "source": "print(2)\n"}
    for service in ("ServerScriptService", "Workspace", "StarterGui"):
        await game.ask("script_create", parentPath=service, **made)
        assert f"src/{service}/Main.server.luau" in game.contents()
    await game.ask("instance_create", className="Folder", name="Box", parentPath="ServerStorage")
    await game.ask("script_create", parentPath="ServerStorage.Box", **made)
    assert "src/ServerStorage/Box/Main.server.luau" in game.contents()
    await game.ask("instance_move", instancePath="Workspace.Main", newParentPath="ReplicatedFirst")
    assert "src/ReplicatedFirst/Main.server.luau" in game.contents()


async def test_a_script_moved_into_a_node_stays_a_file(make_rojo: MakeRojo):
    game = make_rojo(FILES)
    await game.ask(
        "instance_move", instancePath="ServerScriptService.Server.Old", newParentPath="ReplicatedStorage.Box"
    )
    path = "src/ReplicatedStorage/Box/Old.server.luau"
    assert game.contents()[path] == b"print(1)\n"
    assert "src/server/Old.server.luau" not in game.contents()
    assert b"Source" not in game.contents()["default.project.json"]
    assert await game.source("ReplicatedStorage.Box.Old") == "print(1)\n"


async def test_where_every_folder_is_read_already_a_script_is_refused(make_rojo: MakeRojo):
    tree = {"$className": "DataModel", "ServerStorage": {"$path": "."}, "Workspace": {"$className": "Workspace"}}
    game = make_rojo({"default.project.json": {"name": "x", "globIgnorePaths": ["*.json"], "tree": tree}})
    before = game.contents()
    made = {"name": "A", "scriptType": "Script", "source": ""}
    refused = await game.refused("script_create", parentPath="Workspace", **made)
    assert "no folder for 'A'" in refused.message
    assert game.contents() == before


async def test_a_fresh_clone_is_read_with_a_warning_and_written_elsewhere(make_rojo: MakeRojo):
    game = make_rojo(FILES)
    reply = await game.reply("instance_list_children", {"parentPath": "ReplicatedStorage"})
    assert [child["name"] for child in reply["output"]["children"]] == ["Box", "Packages"]
    assert "'Packages' of 'default.project.json' does not exist" in str(reply["warnings"])
    text = "print(5)\n"
    await game.ask("script_update", scriptPath="ServerScriptService.Server.Old", source=text)
    assert game.contents()["src/server/Old.server.luau"] == text.encode()
    made = {"name": "A", "scriptType": "ModuleScript", "source": "return 1"}
    refused = await game.refused("script_create", parentPath="ReplicatedStorage.Packages", **made)
    assert "does not exist" in refused.message


async def test_several_project_files_are_listed_to_choose_from(make_rojo: MakeRojo):
    place = {"tree": {"$className": "DataModel", "Workspace": {"$className": "Workspace"}}}
    game = make_rojo({"lobby.project.json": place, "arena.project.json": place, "lib/x/default.project.json": place})
    refused = await game.refused("instance_find", nameContains="a")
    assert refused.data["details"]["places"] == ["arena.project.json", "lobby.project.json"]
    found = await game.ask("instance_list_children", parentPath="game", placePath="lobby.project.json")
    assert [child["name"] for child in found["children"]] == ["Workspace"]


async def test_the_only_project_file_needs_no_name(make_rojo: MakeRojo):
    game = make_rojo({"lobby.project.json": {"tree": {"$className": "DataModel", "Lighting": {}}}})
    assert await game.paths() == ["Lighting"]


async def test_a_project_without_a_name_takes_its_folders(make_rojo: MakeRojo):
    game = make_rojo({"default.project.json": {"tree": {"$path": "src"}}, "src/init.luau": "return 1"})
    assert await game.paths() == [game.project.name]
