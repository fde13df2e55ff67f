"""What `overview` tells of a Roblox project, in files and in Studio."""

from __future__ import annotations

import pytest
from tests.roblox.conftest import Game
from tests.roblox.places import CONFIG, MAIN

pytestmark = pytest.mark.anyio


async def test_it_shows_the_tree_of_services_and_the_scripts(game: Game) -> None:
    told = (await game.caller.result("overview"))["sections"]
    (tree,) = told["tree"].values()
    lines = tree.splitlines()
    at = lines.index("Workspace")
    assert "  Baseplate: Part" in lines[at:]
    assert "  House: Model" in lines[at:]
    assert "    Roof, Wall: Part" in lines[at:]
    assert "  Main: Script" in lines
    assert "  Config: ModuleScript" in lines
    assert told["scripts"] == {"ServerScriptService.Main": MAIN, "ReplicatedStorage.Config": CONFIG}


async def test_it_says_whether_studio_is_open(game: Game) -> None:
    result = await game.caller.result("overview")
    assert result["editorsOpen"] == ("roblox" if game.window else "none")
    (name,) = result["sections"]["tree"]
    assert name.endswith("(open in Studio)") == bool(game.window)


async def test_since_tells_the_place_again_once_it_changed(game: Game) -> None:
    if game.window is not None:
        return  # what changes there changes no file
    revision = (await game.caller.result("overview"))["revision"]
    assert (await game.caller.result("overview", since=revision))["sections"] == {}
    edit = {"scriptPath": "ReplicatedStorage.Config", "source": "return { speed = 240 }\n"}
    await game.ask("script_update", **edit)
    result = await game.caller.result("overview", since=revision)
    assert len(result["changed"]) == 1
    assert result["sections"]["scripts"] == {"ReplicatedStorage.Config": "ModuleScript (1 line), as you sent it"}


async def test_since_tells_what_is_set_otherwise(game: Game) -> None:
    if game.window is not None:
        return  # what changes there changes no file
    revision = (await game.caller.result("overview"))["revision"]
    lamp = {"parentPath": "Workspace", "className": "Part", "name": "Lamp"}
    await game.ask("instance_create", **lamp, properties={"Position": [0, 5, 0], "Material": "Neon"}, tags=["Light"])
    await game.ask("instance_set_property", instancePath="Workspace.House.Wall", propertyName="Transparency", value=0.5)
    await game.ask("instance_delete", instancePath="Workspace.House.Roof")
    (told,) = (await game.caller.result("overview", since=revision))["sections"]["values"].values()
    house = "Workspace.House:\n  Wall: Transparency=0.5\n  - Roof"
    assert house in told
    assert "Workspace:\n  + Lamp: Part, CFrame=CFrame(0, 5, 0), Material=Neon, tags=Light" in told
    assert len(told.splitlines()) == 5, told
