"""The table of a sprite sheet as a ModuleScript, run in a real Luau virtual machine with Roblox's API."""

from __future__ import annotations

from tests.godot.pixel_art.hero import hero
from tests.roblox.luau.places import place_with

from scenewright.pixel.aseprite_reader import read_sprite
from scenewright.pixel.sheet_frames import SheetLayout, frame_sheet, frames_luau
from scenewright.roblox.backend import Run, Target
from scenewright.roblox.luau.execution import Limits, run_script


def test_a_table_of_frames_is_a_module_that_roblox_reads() -> None:
    sprite = read_sprite(hero())
    sprite.tags[0].name = 'a "tag"\\\n1'
    sheet = frame_sheet(sprite, "hero", SheetLayout(sheet_type="horizontal"))
    document = place_with(Frames=frames_luau(sheet, "hero\n.png").decode())
    (main,) = (each for each in document.tree.walk() if each.name == "Frames")
    value = run_script(document, main, Run(Target(), None, ()), Limits(seconds=15.0, memory=64 << 20)).value
    second = value["frames"][1]
    assert second["rectOffset"] == {"_type": "Vector2", "x": 8, "y": 0}
    assert second["rectSize"] == {"_type": "Vector2", "x": 8, "y": 4}
    assert (second["duration"], second["tag"], second["name"]) == (0.15, "walk/run", "hero_walk_run_0")
    assert value["frames"][0]["tag"] == sprite.tags[0].name
    assert value["tags"]["walk/run"] == {"frames": [2, 3, 4, 3], "times": 2}
    assert sorted(value["tags"]) == sorted(tag.name for tag in sprite.tags)
