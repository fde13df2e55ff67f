"""Animations cut from sprite sheets through the pipeline, and shown by the real engine."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.e2e.tools import godot
from tests.godot.animation.animated import FILES, MAIN, PLAYER, files_of, play_all, png
from tests.godot.catalogue.writes.model import Case
from tests.support.gdscript_runner import Reply, make_project, run_jobs

from scenewright.godot.assets.images.pictures import picture_size

SHEET = {"texturePath": "sheet.png"}
GRID: dict[str, Any] = {"hframes": 4, "vframes": 2}


def _cut(*animations: dict[str, Any], node: str = "Shown", **more: Any) -> tuple[str, dict[str, Any]]:
    return "create_sprite_frames", {**SHEET, **MAIN, "nodePath": node, "animations": list(animations), **more}


def _tracks(*animations: dict[str, Any], **more: Any) -> tuple[str, dict[str, Any]]:
    return _cut(*animations, node="Sheet", playerNodePath="AnimationPlayer", **{**GRID, **more})


RUN = {"name": "run", "row": 1}
FRAMES = "node('Shown').sprite_frames"
CASES: dict[str, Case] = {
    "a row of the sheet is an animation": Case(
        (_cut(RUN, **GRID),),
        {
            f"{FRAMES}.get_frame_count('run')": 4,
            f"{FRAMES}.get_animation_speed('run')": 10.0,
            f"{FRAMES}.get_animation_loop('run')": True,
            f"var_to_str({FRAMES}.get_frame_texture('run', 3).region)": "Rect2(48, 16, 16, 16)",
            f"{FRAMES}.get_frame_texture('run', 0).atlas.get_width()": 64,
            "node('Shown').animation": "run",
            f"', '.join({FRAMES}.get_animation_names())": "run",
            "node('Shown').autoplay": "",
        },
    ),
    "count, frames, fps, loop and durations are kept": Case(
        (
            _cut(
                {"name": "a", "row": 0, "count": 2, "fps": 6},
                {"name": "b", "frames": [7, 0], "loop": False},
                {"name": "c", "frames": "1-3, 6, 2-1", "durations": [1, 2, 1, 1, 1, 0.5]},
                **GRID,
            ),
        ),
        {
            f"{FRAMES}.get_frame_count('a')": 2,
            f"{FRAMES}.get_animation_speed('a')": 6.0,
            f"{FRAMES}.get_animation_loop('b')": False,
            f"{FRAMES}.get_frame_count('c')": 6,
            f"var_to_str({FRAMES}.get_frame_texture('b', 0).region)": "Rect2(48, 16, 16, 16)",
            f"var_to_str({FRAMES}.get_frame_texture('c', 3).region)": "Rect2(32, 16, 16, 16)",
            f"var_to_str({FRAMES}.get_frame_texture('c', 5).region)": "Rect2(16, 0, 16, 16)",
            f"{FRAMES}.get_frame_duration('c', 5)": 0.5,
            f"{FRAMES}.get_frame_duration('a', 0)": 1.0,
        },
    ),
    "the size of a frame makes the grid": Case(
        (_cut({"name": "a", "frames": [3]}, frameWidth=32, frameHeight=16),),
        {f"var_to_str({FRAMES}.get_frame_texture('a', 0).region)": "Rect2(32, 16, 32, 16)"},
    ),
    "margin and separation are left out of the frames": Case(
        (_cut({"name": "a", "frames": [4]}, frameWidth=14, frameHeight=10, margin=[4, 8], separation=[2, 4]),),
        {f"var_to_str({FRAMES}.get_frame_texture('a', 0).region)": "Rect2(20, 22, 14, 10)"},
    ),
    "animations are added to those that are there": Case(
        (
            _cut(RUN, **GRID),
            _cut({"name": "sit", "frames": [0]}, autoplay="sit", **GRID),
            _cut({"name": "run", "frames": [0]}, overwrite=True, **GRID),
        ),
        {
            f"', '.join({FRAMES}.get_animation_names())": "run, sit",
            f"{FRAMES}.get_frame_count('run')": 1,
            "node('Shown').autoplay": "sit",
        },
    ),
    "a file of its own is made, added to and shown": Case(
        (
            ("create_sprite_frames", {**SHEET, **GRID, "resourcePath": "~/frames.tres", "animations": [RUN]}),
            _cut({"name": "sit", "frames": [0]}, resourcePath="~/frames.tres", **GRID),
        ),
        {f"{FRAMES}.resource_path": "res://~/frames.tres", f"', '.join({FRAMES}.get_animation_names())": "run, sit"},
    ),
    "a sprite's frames are keys of its player": Case(
        (
            PLAYER,
            _tracks(
                RUN, {"name": "sit", "frames": [2, 5], "fps": 2, "loop": False, "durations": [1, 3]}, autoplay="sit"
            ),
        ),
        {
            "at('run', 0.15, 'Sheet', 'frame')": "5",
            "animation('run').loop_mode": 1,
            "snappedf(animation('run').length, 0.001)": 0.4,
            "at('sit', 0.4, 'Sheet', 'frame')": "2",
            "at('sit', 0.6, 'Sheet', 'frame')": "5",
            "animation('sit').length": 2.0,
            "animation('sit').loop_mode": 0,
            "node('Sheet').hframes": 4,
            "node('Sheet').vframes": 2,
            "node('Sheet').texture.get_width()": 64,
            "node('AnimationPlayer').autoplay": "sit",
            "animation('run').value_track_get_update_mode(0)": 1,
        },
    ),
    "a sprite is set up where its player has a library file": Case(
        (("create_animation_player", {**MAIN, "properties": {"libraries/": "res://~/moves.tres"}}), _tracks(RUN)),
        {"at('run', 0.15, 'Sheet', 'frame')": "5", "node('Sheet').hframes": 4, "node('Sheet').texture.get_width()": 64},
    ),
}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], Reply]:
    names = {f"c{at}": case for at, case in enumerate(CASES.values())}
    project = make_project(tmp_path_factory.mktemp("game"), {**files_of(names), "sheet.png": png(64, 32)})
    subprocess.run([godot(), "--headless", "--path", str(project), "--import"], capture_output=True, check=True)
    return play_all(project, names)


@pytest.mark.godot
@pytest.mark.xdist_group("godot-operations")
@pytest.mark.parametrize("name", CASES)
def test_the_engine_shows(played: dict[tuple[str, str], Reply], name: str) -> None:
    folder = f"c{list(CASES).index(name)}"
    for asked, wanted in CASES[name].asked.items():
        placed = wanted.replace("~", folder) if isinstance(wanted, str) else wanted
        assert played[folder, asked] == Reply(placed, []), asked


@pytest.mark.godot
@pytest.mark.xdist_group("godot-operations")
def test_sizes_are_read_from_what_the_engine_writes(tmp_path: Path) -> None:
    script = """
func run(job: String) -> Variant:
	var image: Image = Image.create(37, 301, false, Image.FORMAT_RGBA8 if job != "b.webp" else Image.FORMAT_RGB8)
	match job:
		"a.png":
			return image.save_png("res://a.png")
		"a.jpg":
			return image.save_jpg("res://a.jpg")
		"a.webp":
			return image.save_webp("res://a.webp", false)
		_:
			return image.save_webp("res://b.webp", true, 0.5)
"""
    names = ["a.png", "a.jpg", "a.webp", "b.webp"]
    project = make_project(tmp_path)
    assert [reply.value for reply in run_jobs(project, script, names)] == [0] * 4
    assert [picture_size((project / name).read_bytes()) for name in names] == [(37, 301)] * 4


REFUSED: dict[str, tuple[tuple[str, dict[str, Any]], str]] = {
    "no grid": (_cut(RUN), "Give hframes or frameWidth"),
    "one row or two": (_cut(RUN, hframes=4), "Give vframes or frameHeight"),
    "frames that do not divide": (_cut(RUN, hframes=5, vframes=2), "into 5 whole frames"),
    "frames that are too many": (_cut(RUN, hframes=4, frameWidth=20, vframes=2), "do not fit into 64"),
    "no such row": (_cut({"name": "a", "row": 2}, **GRID), "2 rows of 4 frames"),
    "no such frame": (_cut({"name": "a", "frames": "0-8"}, **GRID), "no frame 8"),
    "no frames": (_cut({"name": "a", "frames": []}, **GRID), "no frames"),
    "frames that are none": (_cut({"name": "a", "frames": "first"}, **GRID), "'0-5'"),
    "both row and frames": (_cut({"name": "a", "row": 0, "frames": [1]}, **GRID), "either row or frames"),
    "durations of another number": (_cut({"name": "a", "frames": [1], "durations": [1, 2]}, **GRID), "1 number"),
    "a range that reaches far beyond": (_cut({"name": "a", "frames": "0-99999999999"}, **GRID), "no frame 8"),
    "a frame that stays for no time": (_cut({"name": "a", "frames": [1], "durations": [0]}, **GRID), "above 0"),
    "a space below 0": (_cut(RUN, frameWidth=16, vframes=2, separation=[-16, 0]), "separation must not be below 0"),
    "two animations of one name": (_cut(RUN, RUN, **GRID), "same name"),
    "no such autoplay": (_cut(RUN, autoplay="walk", **GRID), "run"),
    "no such texture": (_cut(RUN, texturePath="shet.png", **GRID), "sheet.png"),
    "a script for a texture": (_cut(RUN, texturePath="hero.gd", **GRID), "not a texture"),
    "a node that shows none": (_cut(RUN, node="Body", **GRID), "AnimatedSprite2D"),
    "no target": (("create_sprite_frames", {**SHEET, **GRID, "animations": [RUN]}), "resourcePath"),
    "half a target": (("create_sprite_frames", {**SHEET, **GRID, **MAIN, "animations": [RUN]}), "together"),
    "a file of another kind": (_cut(RUN, resourcePath="moves.tres", **GRID), "AnimationLibrary"),
    "a file of another ending": (_cut(RUN, resourcePath="moves.res", **GRID), ".tres"),
    "a margin on a sprite": (_tracks(RUN, margin=[1, 1]), "SpriteFrames"),
    "frame tracks for an animated sprite": (_tracks(RUN, nodePath="Shown"), "Sprite2D"),
}


@pytest.fixture
def game(project: Path) -> Path:
    files = {file: text.replace("~/", "") for file, text in FILES.items()}
    return make_project(project, {**files, "sheet.png": png(64, 32)})


@pytest.mark.anyio
@pytest.mark.parametrize("name", REFUSED)
async def test_a_refusal_says_what_to_do_and_changes_nothing(game: Path, caller: Caller, name: str) -> None:
    before = {path: path.read_bytes() for path in game.glob("*.t*")}
    (tool, arguments), said = REFUSED[name]
    reply = await caller.reply(tool, _here(arguments))
    assert reply.structured is not None
    error = reply.structured["error"]
    assert error is not None
    assert said in f"{error['message']} {error.get('suggestedFix', '')}"
    assert {path: path.read_bytes() for path in game.glob("*.t*")} == before


@pytest.mark.anyio
async def test_an_animation_is_not_replaced_unasked_and_a_missing_import_is_told(game: Path, caller: Caller) -> None:
    made = await caller.run("create_sprite_frames", _here(_cut(RUN, **GRID)[1]))
    assert made.ok
    assert any("import_assets" in warning for warning in made.call.warnings)
    text = (game / "main.tscn").read_text()
    again = await caller.reply("create_sprite_frames", _here(_cut(RUN, **GRID)[1]))
    assert again.structured is not None
    assert "overwrite: true" in again.structured["error"]["suggestedFix"]
    assert (game / "main.tscn").read_text() == text


def _here(arguments: dict[str, Any]) -> dict[str, Any]:
    return {key: value.replace("~/", "") if isinstance(value, str) else value for key, value in arguments.items()}


@pytest.mark.anyio
async def test_a_strip_needs_no_number_of_rows(game: Path, caller: Caller) -> None:
    (game / "strip.png").write_bytes(png(64, 16))
    run = {"name": "run", "frames": "1-3"}
    made = {"texturePath": "strip.png", "hframes": 4, "resourcePath": "run.tres", "animations": [run]}
    await caller.result("create_sprite_frames", **made)
    text = (game / "run.tres").read_text(encoding="utf-8")
    assert text.count("region = Rect2(") == 3
    assert "region = Rect2(48, 0, 16, 16)" in text
