"""Tags of an Aseprite file become animations of a SpriteFrames, and a second import changes only what changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from tests.conftest import Caller
from tests.godot.pixel_art.hero import BLUE, RED, hero
from tests.godot.tiles.tile_game import imported, run_calls
from tests.support.gdscript_runner import Reply, make_project, run_jobs

from scenewright.core.faults import Invalid
from scenewright.godot.pixel_art.tag_animations import animations_of
from scenewright.pixel.aseprite_reader import read_sprite
from scenewright.pixel.aseprite_writer import write_sprite
from scenewright.pixel.sprite import Sprite, Tag

HERO = {"inputPath": "art/hero.aseprite"}


@pytest.fixture
def game(project: Path) -> Path:
    make_project(project, {})
    (project / "art").mkdir()
    (project / "art/hero.aseprite").write_bytes(hero())
    return project


async def _again(game: Path, caller: Caller, sprite: Sprite, **given: Any) -> dict[str, Any]:
    (game / "art/hero.aseprite").write_bytes(write_sprite(sprite))
    return await caller.result("import_animations", **HERO, **given)


@pytest.mark.parametrize(
    ("direction", "repeat", "frames"),
    [
        ("forward", 0, [0, 1, 2]),
        ("forward", 2, [0, 1, 2, 0, 1, 2]),
        ("reverse", 1, [2, 1, 0]),
        ("pingpong", 0, [0, 1, 2, 1]),
        ("pingpong", 1, [0, 1, 2]),
        ("pingpong", 3, [0, 1, 2, 1, 0, 1, 2]),
        ("pingpong_reverse", 2, [2, 1, 0, 1, 2]),
    ],
)
def test_frames_follow_direction_and_repeat(direction: str, repeat: int, frames: list[int]) -> None:
    sprite = Sprite(1, 1, durations=[100, 50, 200])
    [(animation, shown)] = animations_of(sprite, [Tag("walk", 0, 2, direction, repeat)])
    assert shown == frames
    assert (animation.loop, animation.fps) == (repeat == 0, 20.0)
    assert animation.durations == [{0: 2.0, 1: 1.0, 2: 4.0}[frame] for frame in frames]


def test_tags_that_cannot_be_animations_are_refused() -> None:
    sprite = Sprite(1, 1, durations=[100])
    with pytest.raises(Invalid, match="Two tags are named 'a'"):
        animations_of(sprite, [Tag("a", 0, 0), Tag("a", 0, 0)])
    with pytest.raises(Invalid, match="repeated 65535 times"):
        animations_of(sprite, [Tag("a", 0, 0, repeat=65535)])


ENGINE = """
func run(_job: Variant) -> Variant:
	var frames: SpriteFrames = load("res://art/hero.tres")
	var found: Array = []
	for name: String in frames.get_animation_names():
		var shown: Array = []
		for at: int in frames.get_frame_count(name):
			var picture: Image = frames.get_frame_texture(name, at).get_image()
			shown.append([picture.get_used_rect().position.x, roundi(frames.get_frame_duration(name, at) * 1000
				/ frames.get_animation_speed(name))])
		found.append([name, frames.get_animation_loop(name), shown])
	return found
"""


@pytest.mark.godot
@pytest.mark.xdist_group("godot-operations")
def test_the_engine_plays_the_frames_of_a_tag_as_long_as_the_file_says(game: Path) -> None:
    assert all(outcome.ok for outcome in run_calls(game, [("import_animations", HERO)]))
    walk = [[1, 150], [2, 150], [3, 200], [2, 150], [1, 150]]
    assert run_jobs(imported(game), ENGINE, [None]) == [
        Reply([["idle", True, [[0, 100]]], ["walk/run", False, walk]], [])
    ]


@pytest.mark.anyio
async def test_an_import_makes_sheet_and_sprite_frames(game: Path, caller: Caller) -> None:
    assert await caller.result("aseprite_manager", action="import_animations", **HERO) == {
        "resourcePath": "res://art/hero.tres",
        "sheetPath": "res://art/hero.png",
        "frameSize": [8, 4],
        "changed": ["idle", "walk/run"],
        "animations": ["idle", "walk/run"],
    }
    with Image.open(game / "art/hero.png") as sheet:
        assert sheet.size == (32, 4)
        assert sheet.convert("RGBA").getpixel((8 + 1, 0)) == RED


@pytest.mark.anyio
async def test_a_second_import_changes_nothing_where_nothing_changed(game: Path, caller: Caller) -> None:
    await caller.result("import_animations", **HERO)
    before = [(game / f"art/hero.{ending}").read_bytes() for ending in ("tres", "png")]
    assert (await caller.result("import_animations", **HERO))["changed"] == []
    assert [(game / f"art/hero.{ending}").read_bytes() for ending in ("tres", "png")] == before


@pytest.mark.anyio
async def test_a_second_import_changes_only_what_changed(game: Path, caller: Caller) -> None:
    await caller.result("import_animations", **HERO)
    first = (game / "art/hero.tres").read_text()
    sprite = read_sprite(hero())
    sprite.durations[2] = 300
    sprite.durations.append(100)
    sprite.cels.append(dict(sprite.cels[0]))
    sprite.tags.append(Tag("jump", 4, 4))
    written = await _again(game, caller, sprite)
    assert (written["changed"], written["animations"]) == (["walk/run", "jump"], ["idle", "walk/run", "jump"])
    second = (game / "art/hero.tres").read_text()
    assert first.splitlines()[0] == second.splitlines()[0]  # the uid
    idle = next(line for line in first.splitlines() if "SubResource" in line)
    assert idle in second
    await caller.result("history_undo")
    assert (game / "art/hero.tres").read_text() == first


@pytest.mark.anyio
async def test_what_was_added_by_hand_stays(game: Path, caller: Caller) -> None:
    await caller.result("import_animations", **HERO, tags=["idle"])
    path = game / "art/hero.tres"
    mine = '{\n"frames": [],\n"loop": true,\n"name": &"mine",\n"speed": 5.0\n}'
    path.write_text(
        path.read_text()
        .replace("animations = [", f"animations = [{mine}, ")
        .replace("[resource]", "[resource]\nmetadata/mine = 7")
    )
    written = await caller.result("import_animations", **HERO)
    assert (written["changed"], written["animations"]) == (["walk/run"], ["mine", "idle", "walk/run"])
    assert "metadata/mine = 7" in path.read_text()


@pytest.mark.anyio
async def test_what_was_set_by_hand_stays_until_the_file_says_otherwise(game: Path, caller: Caller) -> None:
    await caller.result("import_animations", **HERO)
    path = game / "art/hero.tres"
    by_hand = path.read_text().replace(
        '"loop": true,\n"name": &"idle",\n"speed": 10.0', '"loop": false,\n"name": &"idle",\n"speed": 12.5'
    )
    assert by_hand != path.read_text()
    path.write_text(by_hand)
    assert (await caller.result("import_animations", **HERO))["changed"] == []
    assert path.read_text() == by_hand

    sprite = read_sprite(hero())
    sprite.cels[0] = dict(sprite.cels[1])
    assert (await _again(game, caller, sprite))["changed"] == []  # pictures only
    assert path.read_text() == by_hand

    sprite.tags[0].last = 1
    assert (await _again(game, caller, sprite))["changed"] == ["idle"]
    assert '"loop": false,\n"name": &"idle",\n"speed": 12.5' in path.read_text()
    sprite.tags[0].repeat = 1
    assert (await _again(game, caller, sprite))["changed"] == ["idle"]
    sprite.tags[0].repeat = 0
    assert (await _again(game, caller, sprite))["changed"] == ["idle"]
    assert '"loop": true,\n"name": &"idle",\n"speed": 12.5' in path.read_text()
    sprite.durations[0] = sprite.durations[1] = 50
    await _again(game, caller, sprite)
    assert '"name": &"idle",\n"speed": 20.0' in path.read_text()


@pytest.mark.anyio
async def test_a_change_of_the_loop_leaves_frames_as_they_are(game: Path, caller: Caller) -> None:
    sprite = read_sprite(hero())
    sprite.tags[0].repeat = 1
    await _again(game, caller, sprite)
    path = game / "art/hero.tres"
    first, _, rest = path.read_text().partition('"duration": 1.0')
    path.write_text(f'{first}"duration": 3.0{rest}')
    sprite.tags[0].repeat = 0
    await _again(game, caller, sprite)
    assert path.read_text().count('"duration": 3.0') == 1
    assert '"loop": true' in path.read_text()


@pytest.mark.anyio
async def test_an_animation_whose_tag_is_gone_is_named_and_stays(game: Path, caller: Caller) -> None:
    await caller.result("import_animations", **HERO)
    sprite = read_sprite(hero())
    sprite.tags.pop(0)
    (game / "art/hero.aseprite").write_bytes(write_sprite(sprite))
    reply = await caller.reply("import_animations", HERO)
    assert "no tag any more for idle" in str(reply.structured)
    assert '&"idle"' in (game / "art/hero.tres").read_text()


@pytest.mark.anyio
async def test_a_sheet_of_somebody_else_is_not_replaced(game: Path, caller: Caller) -> None:
    (game / "art/hero.png").write_bytes(b"mine")
    refused = (await caller.reply("import_animations", HERO)).structured
    assert refused is not None
    assert "overwrite: true" in str(refused)
    assert not (game / "art/hero.tres").exists()
    await caller.result("import_animations", **HERO, overwrite=True, layers=["Cape"], resourcePath="a.tres")
    with Image.open(game / "art/hero.png") as sheet:
        assert sheet.convert("RGBA").getpixel((2, 0)) == (*BLUE[:3], 200)


@pytest.mark.anyio
async def test_another_sheet_changes_every_animation(game: Path, caller: Caller) -> None:
    await caller.result("import_animations", **HERO)
    written = await caller.result("import_animations", **HERO, outputPngPath="other.png")
    assert (written["sheetPath"], written["changed"]) == ("res://other.png", ["idle", "walk/run"])
    assert "art/hero.png" not in (game / "art/hero.tres").read_text()
