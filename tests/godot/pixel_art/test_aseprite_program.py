"""Aseprite's other actions: conversions done here, and the program itself where it is there and may be started."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from tests.conftest import Caller, MakeCaller
from tests.e2e.tools import godot
from tests.godot.pixel_art.hero import BLUE, RED, hero
from tests.support.gdscript_runner import make_project

from scenewright.pixel.aseprite_reader import read_sprite
from scenewright.pixel.rendering import Renderer
from scenewright.pixel.sprite import ColorMode
from scenewright.setup.machine_checks import check_machine

pytestmark = pytest.mark.anyio

HERO = {"inputPath": "art/hero.aseprite"}
# Stands for the program, and takes only what the program's command line takes.
PROGRAM = """#!/usr/bin/env python3
import json, os, struct, sys, zlib
arguments = sys.argv[1:]
if arguments == ["--version"]:
    print("Aseprite 1.3.13-x64")
    sys.exit(0)
assert arguments.pop(0) == "--batch", arguments
assert set(os.listdir(".")) - {"palette.hex"} == {"input.aseprite"} and "ALLOW_EXTERNAL_TOOLS" not in os.environ
values = ["--layer", "--frame-range", "--frame-tag", "--scale", "--save-as", "--sheet", "--data", "--sheet-type",
    "--palette", "--color-mode",
    "--format", "--border-padding", "--shape-padding", "--inner-padding", "--sheet-rows", "--sheet-columns"]
flags = ["--list-tags", "--list-layers", "--list-slices", "--extrude", "--trim"]
given, at = {}, 0
while at < len(arguments):
    name = arguments[at]
    if name in values:
        given[name] = arguments[at + 1]
        at += 1
    else:
        assert name in flags or name == "input.aseprite", name
    at += 1
def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
png = b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 2, 1, 8, 6, 0, 0, 0))
png += chunk(b"IDAT", zlib.compress(b"\\0" + b"\\0\\xff\\0\\xff" * 2)) + chunk(b"IEND", b"")
out = given.get("--sheet") or given["--save-as"]
open(out, "wb").write(png if out.endswith(".png") else open("input.aseprite", "rb").read())
assert given.get("--color-mode", "rgb") in ("rgb", "grayscale", "indexed"), given
assert "--palette" not in given or os.path.exists(given["--palette"])
if "--data" in given:
    json.dump({"frames": {}, "meta": {"image": "out.png", "given": given}}, open(given["--data"], "w"))
"""


@pytest.fixture
def game(project: Path) -> Path:
    make_project(project, {})
    (project / "art").mkdir()
    (project / "art/hero.aseprite").write_bytes(hero())
    return project


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "aseprite-program"
    place.write_text(PROGRAM)
    place.chmod(place.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("ASEPRITE_PATH", str(place))
    return place


async def _do(caller: Caller, action: str, **given: Any) -> dict[str, Any]:
    return await caller.result("aseprite_manager", action=action, **given)


async def _refusal(caller: Caller, action: str, **given: Any) -> str:
    body = (await caller.reply("aseprite_manager", {"action": action, **given})).structured
    assert body is not None
    assert not body["ok"]
    return json.dumps(body)


@pytest.mark.parametrize("mode", ["grayscale", "indexed", "rgba"])
async def test_a_sprite_changes_its_colour_mode_and_keeps_the_rest(game: Path, caller: Caller, mode: str) -> None:
    done = await caller.result("convert_aseprite_color_mode", **HERO, mode=mode, outputPath="art/other.aseprite")
    other, before = read_sprite((game / "art/other.aseprite").read_bytes()), read_sprite(hero())
    assert (other.mode, done["mode"]) == (ColorMode[mode.upper()], mode)
    assert (other.tags, other.slices, other.durations) == (before.tags, before.slices, before.durations)
    assert [layer.name for layer in other.layers] == ["Body", "Clothes", "Cape"]
    shown = Renderer(other).frame(1).getpixel((1, 0))
    assert shown == ((54, 54, 54, 255) if mode == "grayscale" else RED)
    again = await caller.result(
        "convert_aseprite_color_mode", inputPath="art/other.aseprite", mode=mode, outputPath="art/same.aseprite"
    )
    assert again["colors"] == len(other.palette())
    back = await caller.result("convert_aseprite_color_mode", inputPath="art/other.aseprite", mode="rgba")
    assert back["path"] == "res://art/other.aseprite"


async def test_frames_are_enlarged_and_taken_to_a_palette(game: Path, caller: Caller) -> None:
    large = await caller.result("scale_aseprite", **HERO, outputPngPath="large.png", scale=3)
    assert (large["size"], large["frames"]) == ([96, 12], 4)
    (game / "blue.hex").write_text("0000ff\n")
    await caller.result("apply_palette_to_aseprite", **HERO, palettePath="blue.hex", outputPngPath="blue.png")
    with Image.open(game / "blue.png") as sheet:
        assert sheet.convert("RGBA").getpixel((0, 0)) == BLUE


async def test_several_steps_are_one_change(game: Path, caller: Caller) -> None:
    steps = [
        {"action": "export_sprite", "args": {**HERO, "outputPngPath": "a.png"}},
        {"action": "export_sheet", "args": {**HERO, "outputPngPath": "b.png"}},
    ]
    assert (await caller.result("aseprite_batch", steps=steps))["ok"]
    assert (game / "a.png").exists()
    await caller.result("history_undo")
    assert not (game / "a.png").exists()
    assert not (game / "b.png").exists()
    assert "cannot be a step" in await _refusal(caller, "batch", steps=[{"action": "batch", "args": {}}])


async def test_the_program_is_found_and_started_only_where_that_is_allowed(
    game: Path, make_caller: MakeCaller, program: Path
) -> None:
    del game
    found = await make_caller().result("aseprite_doctor")
    assert (found["program"], found["allowed"], "version" in found) == (str(program), False, False)
    export = {**HERO, "outputPngPath": "a.png", "engine": "aseprite"}
    for action, given in (("version", {}), ("export_sprite", export), ("export_sheet", export)):
        assert "ALLOW_EXTERNAL_TOOLS" in await _refusal(make_caller(), action, **given)
    assert (await _do(make_caller(allow_external=True), "doctor"))["version"] == "Aseprite 1.3.13-x64"
    assert (await make_caller(allow_external=True).result("aseprite_version"))["version"] == "Aseprite 1.3.13-x64"


async def test_the_program_draws_where_it_is_asked_to(game: Path, make_caller: MakeCaller, program: Path) -> None:
    del program
    caller = make_caller(allow_external=True)
    await _do(caller, "export_sprite", **HERO, outputPngPath="a.png", engine="aseprite", frame=2, layers=["Cape"])
    with Image.open(game / "a.png") as drawn:
        assert drawn.convert("RGBA").getpixel((1, 0)) == (0, 255, 0, 255)
    given = {"outputJsonPath": "s.json", "sheetType": "rows", "across": 3, "trim": True, "tag": "idle"}
    await _do(caller, "export_sheet", **HERO, outputPngPath="s.png", engine="aseprite", **given)
    meta = json.loads((game / "s.json").read_text())["meta"]
    assert meta["image"] == "s.png"
    assert meta["given"]["--sheet-columns"] == "3"
    assert meta["given"]["--frame-tag"] == "idle"


async def test_the_program_does_every_export_that_is_done_here(
    game: Path, make_caller: MakeCaller, program: Path
) -> None:
    del program
    (game / "blue.hex").write_text("0000ff\n")
    works: list[tuple[str, dict[str, Any], str]] = [
        ("export_sheets_by_tags", {"outputFolder": "tags", "withJson": True}, "tags/hero_idle.png"),
        ("apply_palette_and_export", {"palettePath": "blue.hex", "outputPngPath": "p.png"}, "p.png"),
        ("scale_and_export", {"outputPngPath": "s.png", "scale": 3}, "s.png"),
        ("convert_color_mode", {"mode": "rgba", "outputPath": "c.aseprite"}, "c.aseprite"),
    ]
    for action, given, made in works:
        given |= {**HERO, "engine": "aseprite"}
        assert "ALLOW_EXTERNAL_TOOLS" in await _refusal(make_caller(), action, **given)
        await _do(make_caller(allow_external=True), action, **given)
        if made.endswith(".png"):
            with Image.open(game / made) as drawn:
                assert drawn.size == (2, 1)
        else:
            assert (game / made).read_bytes() == hero()
    meta = json.loads((game / "tags/hero_idle.json").read_text())["meta"]
    assert (meta["image"], meta["given"]["--frame-tag"]) == ("hero_idle.png", "idle")


async def test_without_the_program_the_doctors_say_so(
    game: Path, make_caller: MakeCaller, monkeypatch: pytest.MonkeyPatch
) -> None:
    del game
    monkeypatch.setenv("ASEPRITE_PATH", "")
    assert "program" not in await _do(make_caller(), "doctor")
    assert "no Aseprite" in await _refusal(make_caller(allow_external=True), "version")
    findings = {finding.subject: finding for finding in check_machine({"ASEPRITE_PATH": "", "PATH": ""})}
    assert "without the program" in findings["aseprite"].message


@pytest.mark.godot
@pytest.mark.xdist_group("godot-operations")
async def test_godot_imports_what_was_exported(
    game: Path, make_caller: MakeCaller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GODOT_PATH", str(godot()))
    caller = make_caller()
    await caller.result("export_aseprite_sheet_and_reimport", **HERO, outputPngPath="s.png")
    assert (game / "s.png.import").exists()
    await caller.result("export_aseprite_tags_and_reimport", **HERO)
    assert (game / "art/hero_idle.png.import").exists()
