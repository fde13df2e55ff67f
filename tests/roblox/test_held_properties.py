"""Properties as files hold them: what scripts and people call otherwise, or cannot set, on every form of a place."""

from __future__ import annotations

from typing import Any

import pytest
from tests.roblox.conftest import Game
from tests.roblox.places import MAKERS

pytestmark = pytest.mark.anyio
on_files = pytest.mark.parametrize("game", [*MAKERS], indirect=True)


async def _set(game: Game, path: str, name: str, value: Any) -> Any:
    return (await game.ask("instance_set_property", instancePath=path, propertyName=name, value=value)).get("value")


def _text(game: Game) -> str:
    return "".join(str(content) for content in game.contents().values())


@on_files
async def test_clock_time_is_kept_as_the_time_of_day(game: Game):
    assert await _set(game, "Lighting", "ClockTime", 18.5) == 18.5
    assert await game.value("Lighting", "TimeOfDay") == "18:30:00"
    assert await _set(game, "Lighting", "TimeOfDay", "06:15:00") == "06:15:00"
    assert await game.value("Lighting", "ClockTime") == 6.25
    assert await _set(game, "Lighting", "TimeOfDay", "7:30") == "07:30:00"
    with pytest.raises(AssertionError, match="such as '07:30:00'"):
        await _set(game, "Lighting", "TimeOfDay", "noon")
    assert await _set(game, "Lighting", "ClockTime", -1) == 23
    assert "ClockTime" not in _text(game)


@pytest.mark.parametrize("game", ["rojo"], indirect=True)
async def test_a_project_that_says_clock_time_goes_on_saying_it(game: Game):
    path = game.project / "default.project.json"
    text = path.read_text().replace(
        '"$className": "DataModel",',
        '"$className": "DataModel",\n    "Lighting": {"$properties": {"ClockTime": 12}},',
    )
    path.write_text(text)
    assert await game.value("Lighting", "TimeOfDay") == "12:00:00"
    await _set(game, "Lighting", "ClockTime", 18.5)
    assert path.read_text() == text.replace('"ClockTime": 12', '"ClockTime": 18.5')


@on_files
@pytest.mark.parametrize(
    ("class_name", "name", "value", "held", "expected"),
    [
        ("Humanoid", "Health", 50, "Health_XML", 50),
        ("Model", "WorldPivot", "CFrame.new(1, 2, 3)", "WorldPivotData", None),
        ("MeshPart", "MeshId", "rbxassetid://12", "MeshContent", "rbxassetid://12"),
    ],
)
async def test_what_files_hold_under_another_name_is_set(
    game: Game, class_name: str, name: str, value: Any, held: str, expected: Any
):
    await game.ask("instance_create", parentPath="Workspace", className=class_name, name="It")
    got = await _set(game, "Workspace.It", name, value)
    assert got == await game.value("Workspace.It", name)
    kept = await game.value("Workspace.It", held)
    assert kept == (expected if expected is not None else got)
    assert (kept["x"], kept["z"]) == (1, 3) if name == "WorldPivot" else kept == expected


@on_files
async def test_settings_that_only_people_change_are_set_in_services_that_were_not_there(game: Game):
    assert await _set(game, "HttpService", "HttpEnabled", True) is True
    assert await _set(game, "Players", "MaxPlayers", 30) == 30
    assert await game.value("HttpService", "HttpEnabled") is True
    assert await game.value("Players", "MaxPlayers") == 30
    refused = await game.refused("instance_get", instancePath="SoundService")
    assert "is not in the place" in refused.message


@on_files
async def test_attributes_take_values_as_scripts_write_them(game: Game):
    given = {
        "Tint": "Color3.new(1, 0, 0)",
        "Kind": "Enum.Material.Slate",
        "Note": "Look.out (now)",
        "At": "Vector3.new(1, 2, 3)",
    }
    await game.ask("instance_set_attributes", instancePath="Workspace.House", attributes=given)
    got = (await game.ask("instance_get", instancePath="Workspace.House", includeAttributes=True))["attributes"]
    assert got["Tint"] == {"_type": "Color3", "r": 255, "g": 0, "b": 0}
    assert (got["Kind"]["enum"], got["Note"], got["At"]["y"]) == ("Material", "Look.out (now)", 2)
    refused = await game.refused(
        "instance_set_attributes", instancePath="Workspace.House", attributes={"Tint": "Color3.new(red)"}
    )
    assert "Color3" in refused.message
