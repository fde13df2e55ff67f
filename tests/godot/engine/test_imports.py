from __future__ import annotations

import struct
import zlib
from pathlib import Path

import pytest
from tests.conftest import MakeCaller
from tests.support.gdscript_runner import run_jobs

from scenewright.core.faults import Invalid
from scenewright.godot.assets.import_results import fate_of

pytestmark = pytest.mark.anyio


def png(width: int, height: int, colour: tuple[int, int, int, int] = (255, 0, 0, 255)) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + bytes(colour) * width for _ in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


async def test_assets_are_imported_and_what_is_broken_is_named(make_caller: MakeCaller, game: Path) -> None:
    (game / "hero.png").write_bytes(png(8, 4))
    (game / "broken.png").write_bytes(b"not a picture")
    caller = make_caller()
    check = await caller.result("auto_import_check")
    assert check["missing"] == ["res://broken.png", "res://hero.png"]
    assert (await caller.result("auto_import_check", files=["hero.png"]))["missing"] == ["res://hero.png"]
    done = await caller.result("import_assets")
    assert (done["imported"], done["failed"]) == (["res://hero.png"], ["res://broken.png"])
    assert any("broken.png" in issue["message"] for issue in done["issues"])
    script = "func run(job: Variant) -> Variant:\n\treturn str((load(job as String) as Texture2D).get_size())\n"
    assert run_jobs(game, script, ["res://hero.png"])[0].value == "(8.0, 4.0)"

    (game / "hero.png").write_bytes(png(16, 4))
    (game / "villain.png").write_bytes(png(16, 4))
    assert (await caller.result("auto_import_check"))["stale"] == ["res://hero.png"]
    again = await caller.result("reimport_assets", files=["hero.png"])
    assert again["imported"] == ["res://hero.png", "res://villain.png"]  # what is new always comes along
    only = await caller.result("reimport_assets", files=["hero.png"])
    assert only["imported"] == ["res://hero.png"]
    assert run_jobs(game, script, ["res://hero.png"])[0].value == "(16.0, 4.0)"
    listed = await caller.result("list_assets", category="texture")
    assert [asset["imported"] for asset in listed["assets"]] == [False, True, True]


async def test_an_asset_is_copied_into_the_project_and_that_can_be_undone(
    make_caller: MakeCaller, game: Path, tmp_path: Path
) -> None:
    source = tmp_path / "hero.png"
    source.write_bytes(png(2, 2))
    caller = make_caller(roots=(tmp_path,))
    brought = await caller.result("import_asset", sourcePath=str(source), destinationPath="art")
    assert brought["path"] == "res://art/hero.png"
    assert (game / "art" / "hero.png").read_bytes() == source.read_bytes()
    refused = (await caller.reply("import_asset", {"sourcePath": str(source), "destinationPath": "art"})).structured
    assert refused is not None
    assert "overwrite" in refused["error"]["suggestedFix"]
    await caller.result("import_asset", sourcePath=str(source), destinationPath="art/hero.png", overwrite=True)
    await caller.result("history", action="undo")
    assert not (game / "art" / "hero.png").exists()


@pytest.mark.parametrize("name", ["passwords", "tool.gd", "key.pem", "login.json", "hosts.cfg"])
async def test_what_is_no_asset_is_not_copied(make_caller: MakeCaller, game: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("secret")
    reply = await make_caller(roots=(tmp_path,)).reply(
        "import_asset", {"sourcePath": str(tmp_path / name), "destinationPath": "res://copy"}
    )
    assert reply.structured is not None
    assert reply.structured["error"]["code"] == "E_SCHEMA_VALIDATION"
    assert not (game / "copy").exists()


async def test_a_link_is_what_it_leads_to(make_caller: MakeCaller, game: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "hero.png").symlink_to(tmp_path / "secret")
    arguments = {"sourcePath": str(tmp_path / "hero.png"), "destinationPath": "hero.png"}
    reply = await make_caller(roots=(tmp_path,)).reply("import_asset", arguments)
    assert reply.structured is not None
    assert reply.structured["error"]["code"] == "E_SCHEMA_VALIDATION"
    assert not (game / "hero.png").exists()


async def test_assets_are_listed_by_kind_and_page(make_caller: MakeCaller, game: Path) -> None:
    for name in ("a.png", "b.PNG", "c.wav", "sub/d.json"):
        (game / name).parent.mkdir(exist_ok=True)
        (game / name).write_bytes(b"x")
    caller = make_caller()
    textures = await caller.result("list_assets", category="texture")
    assert [asset["path"] for asset in textures["assets"]] == ["res://a.png", "res://b.PNG"]
    page = await caller.result("list_assets", limit=2, offset=1)
    assert [asset["path"] for asset in page["assets"]] == ["res://b.PNG", "res://c.wav"]
    assert (page["total"], page["nextOffset"]) == (4, 3)
    below = await caller.result("list_assets", folder="sub")
    assert [asset["category"] for asset in below["assets"]] == ["data"]


async def test_import_settings_are_forgotten_if_asked_and_can_be_had_back(make_caller: MakeCaller, game: Path) -> None:
    for name in ("hero.png", "other.png"):
        (game / name).write_bytes(png(8, 4))
    caller = make_caller()
    await caller.result("import_assets")
    beside = game / "hero.png.import"
    own = beside.read_bytes()
    chosen = own.replace(b"mipmaps/generate=false", b"mipmaps/generate=true")
    beside.write_bytes(chosen)
    untouched = (game / "other.png.import").read_bytes()
    script = (
        "func run(job: Variant) -> Variant:\n"
        "\tvar texture: Texture2D = load(job as String) as Texture2D\n"
        "\treturn [texture.get_image().has_mipmaps(), ResourceUID.id_to_text(ResourceLoader.get_resource_uid(job))]\n"
    )

    kept = await caller.result("reimport_assets", files=["hero.png"])
    assert kept["imported"] == ["res://hero.png"]
    assert beside.read_bytes() == chosen
    with_mipmaps, uid = run_jobs(game, script, ["res://hero.png"])[0].value
    assert with_mipmaps is True

    outcome = await caller.run("reimport_assets", {"files": ["hero.png"], "method": "delete_import"})
    assert outcome.ok, outcome.summary
    assert outcome.call.output.imported == ["res://hero.png"]
    assert beside.read_bytes() == own
    assert run_jobs(game, script, ["res://hero.png"])[0].value == [False, uid]
    assert (game / "other.png.import").read_bytes() == untouched

    assert (await caller.run("history.undo", {})).ok
    assert beside.read_bytes() == chosen


async def test_a_scene_with_assets_that_are_not_imported_says_what_to_do(make_caller: MakeCaller, game: Path) -> None:
    (game / "hero.png").write_bytes(png(8, 4))
    caller = make_caller()
    scene = {"scenePath": "main.tscn"}
    tree = {"name": "Main", "type": "Sprite2D", "properties": {"texture": "res://hero.png"}}
    await caller.result("apply_scene", **scene, tree=tree, mode="apply")
    assert 'type="Texture2D" path="res://hero.png"' in (game / "main.tscn").read_text()
    for tool in ("validate_scene", "probe_scene"):
        reply = (await caller.reply(tool, scene)).structured
        assert reply is not None
        assert [warning for warning in reply["warnings"] if "hero.png is not imported yet" in warning], reply
    await caller.result("import_assets")
    assert (await caller.result("probe_scene", **scene, checks=["texture.get_width() == 8"]))["passed"]


async def test_what_became_of_each_file_is_told(make_caller: MakeCaller, game: Path) -> None:
    (game / "hero.png").write_bytes(png(8, 4))
    (game / "broken.png").write_bytes(b"not a picture")
    (game / "kept.png").write_bytes(png(2, 2))
    (game / "kept.png.import").write_text('[remap]\n\nimporter="keep"\n')
    (game / "a.gd").write_text("extends Node\n")
    (game / "hidden").mkdir()
    (game / "hidden/.gdignore").write_text("")
    (game / "hidden/lost.png").write_bytes(png(2, 2))
    (game / "sum.glsl").write_text("#[compute]\n#version 450\nlayout(local_size_x = 2) in;\nvoid main() {}\n")
    caller = make_caller()
    asked = ["hero.png", "broken.png", "kept.png", "a.gd", "hidden/lost.png", "sum.glsl"]
    outcome = await caller.run("reimport_assets", {"files": asked})
    rows = {row.path.removeprefix("res://"): (row.state, row.reason or "") for row in outcome.call.output.files}
    assert list(rows) == asked
    assert [rows[name][0] for name in asked[:5]] == ["imported", "failed", "skipped", "skipped", "skipped"]
    assert "kept as it is" in rows["kept.png"][1]
    assert "imports no .gd files" in rows["a.gd"][1]
    assert ".gdignore" in rows["hidden/lost.png"][1]
    assert rows["sum.glsl"][0] == "imported" or "RenderingDevice" in rows["sum.glsl"][1]
    assert "1 failed" in outcome.summary
    assert "3 skipped" in outcome.summary
    assert (await caller.result("auto_import_check"))["missing"] == ["res://broken.png"]
    again = await caller.run("import_assets")
    assert [row.path for row in again.call.output.files] == ["res://broken.png", "res://kept.png"]
    broken = again.call.output.files[0]
    assert (broken.state, "earlier" in (broken.reason or "")) == ("failed", True)
    assert "current" in again.summary


@pytest.mark.parametrize(
    ("path", "state", "word"),
    [
        ("a.glsl", "impossible", "RenderingDevice"),
        ("a.blend", "impossible", "Blender"),
        ("a.png", "skipped", "did not say why"),
    ],
)
def test_what_is_impossible_here_says_why(tmp_path: Path, path: str, state: str, word: str) -> None:
    fate = fate_of(tmp_path, path, before="missing", now="missing", complaints=[f"about res://{path}x"])
    assert (fate.state, word in (fate.reason or "")) == (state, True)


async def test_import_settings_are_changed_by_name_and_taken_back(make_caller: MakeCaller, game: Path) -> None:
    (game / "hit.wav").write_bytes(wav())
    caller = make_caller()
    await caller.result("reimport_assets", files=["hit.wav"], settings={"loop_begin": 3})  # for the first time
    before = (game / "hit.wav.import").read_bytes()
    assert b"edit/loop_begin=3\n" in before
    refused = [{"loop_mod": "Forward"}, {"loop_mode": "Sideways"}, {"loop_begin": "soon"}]
    for settings in refused:
        outcome = await caller.run("reimport_assets", {"files": ["hit.wav"], "settings": settings})
        assert isinstance(outcome.fault, Invalid)
    assert (game / "hit.wav.import").read_bytes() == before
    wanted = {"loop_mode": "Forward", "force/mono": True}
    done = await caller.reply("reimport_assets", {"files": ["hit.wav"], "settings": wanted})
    assert done.structured is not None
    assert done.structured["summary"] == "Set edit/loop_mode=2, force/mono=True: 1 imported."
    assert b"edit/loop_mode=2\n" in (game / "hit.wav.import").read_bytes()
    script = "func run(job: Variant) -> Variant:\n\treturn (load(job as String) as AudioStreamWAV).loop_mode\n"
    assert run_jobs(game, script, ["res://hit.wav"])[0].value == 1  # LOOP_FORWARD
    await caller.result("history_undo")
    assert (game / "hit.wav.import").read_bytes() == before


def wav() -> bytes:
    samples = bytes(800)
    head = struct.pack(
        "<4sI4s4sIHHIIHH4sI", b"RIFF", 36 + 800, b"WAVE", b"fmt ", 16, 1, 1, 8000, 8000, 1, 8, b"data", 800
    )
    return head + samples
