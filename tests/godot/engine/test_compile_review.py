"""Code that gets on the disk is compiled by the real engine, whatever operation wrote it, and the reply says so."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller, MakeCaller

from scenewright.contracts import render

pytestmark = pytest.mark.anyio

BAD = 'extends Node\nvar a: int = "b"\n'
BAD_SHADER = "shader_type canvas_item;\nvoid fragment() {\n\tCOLOR = nothing;\n}\n"


async def said(caller: Caller, tool: str, **arguments: Any) -> dict[str, Any]:
    structured = (await caller.reply(tool, arguments)).structured
    assert structured is not None
    assert structured["ok"], structured
    return structured


async def test_a_script_written_as_any_file_is_compiled(make_caller: MakeCaller, game: Path) -> None:
    reply = await said(make_caller(), "write_file", path="sub/a.gd", content=BAD)
    assert reply["result"]["compiled"] is False
    assert {(error["path"], error["line"]) for error in reply["result"]["errors"]} == {("res://sub/a.gd", 2)}
    assert any(warning.startswith("res://sub/a.gd:2: ") for warning in reply["warnings"])
    assert (game / "sub" / "a.gd").read_text() == BAD


async def test_a_model_reads_an_error_once(make_caller: MakeCaller, game: Path) -> None:
    write = {"tool": "write_file", "args": {"path": "b.gd", "content": BAD}}
    calls: list[tuple[str, dict[str, Any]]] = [
        ("write_file", {"path": "a.gd", "content": BAD}),
        ("batch_operations", {"operations": [write]}),
    ]
    for tool, arguments in calls:
        body = render(await make_caller().run(tool, arguments), brief=True).structured or {}
        part = body["result"].get("results", [body])[0]
        assert part["result"]["errors"]
        assert "warnings" not in body, body


async def test_a_script_edited_as_any_file_is_compiled(make_caller: MakeCaller, game: Path) -> None:
    (game / "a.gd").write_text(BAD)
    reply = await said(make_caller(), "edit_file", path="a.gd", find='"b"', replace="4")
    assert reply["result"]["compiledFiles"] == ["res://a.gd"]
    assert (reply["result"]["compiled"], reply["result"].get("errors")) == (True, None)


async def test_the_same_content_once_more_is_compiled_too(make_caller: MakeCaller, game: Path) -> None:
    (game / "a.gd").write_text(BAD)
    caller = make_caller()
    assert (await said(caller, "write_file", path="a.gd", content=BAD, overwrite=True))["result"]["compiled"] is False
    written = await said(caller, "write_script", scriptPath="a.gd", content=BAD, overwrite=True)
    assert written["result"]["compiled"] is False


async def test_a_shader_written_as_any_file_is_compiled(make_caller: MakeCaller, game: Path) -> None:
    caller = make_caller()
    reply = await said(caller, "write_file", path="a.gdshader", content=BAD_SHADER)
    assert [(error["path"], error["line"]) for error in reply["result"]["errors"]] == [("res://a.gdshader", 3)]
    mended = await said(caller, "edit_file", path="a.gdshader", find="nothing", replace="vec4(1.0)")
    assert mended["result"]["compiled"] is True


async def test_shaders_are_compiled_with_the_file_that_they_include(make_caller: MakeCaller, game: Path) -> None:
    caller = make_caller()
    (game / "inc").mkdir()
    (game / "inc/deep.gdshaderinc").write_text("vec4 ink() {\n\treturn vec4(1.0);\n}\n")
    (game / "inc/part.gdshaderinc").write_text('#include "deep.gdshaderinc"\n')
    user = 'shader_type canvas_item;\n#include "inc/part.gdshaderinc"\nvoid fragment() {\n\tCOLOR = ink();\n}\n'
    for name in ("one", "two"):
        assert (await said(caller, "write_file", path=f"{name}.gdshader", content=user))["result"]["compiled"] is True
    await said(caller, "write_file", path="other.gdshader", content="shader_type sky;\n")
    broken = await said(caller, "edit_file", path="inc/deep.gdshaderinc", find="vec4(1.0)", replace="vec3(1.0)")
    assert broken["result"]["compiledFiles"] == ["res://one.gdshader", "res://two.gdshader"]
    errors = {(error["path"], error["line"]) for error in broken["result"]["errors"]}
    assert errors == {("res://inc/deep.gdshaderinc", 2)}
    mended = await said(caller, "edit_file", path="inc/deep.gdshaderinc", find="vec3(1.0)", replace="vec4(0.5)")
    assert mended["result"]["compiled"] is True


async def test_a_batch_that_writes_all_at_once_has_the_errors_of_each_file(make_caller: MakeCaller, game: Path) -> None:
    files = {
        "user.gd": "extends Node\nvar it: Later = Later.new()\n",
        "later.gd": "class_name Later\nextends Node\n",
        "bad.gd": BAD,
        "good.gdshader": "shader_type canvas_item;\n",
        "bad.gdshader": BAD_SHADER,
        "other.gdshader": BAD_SHADER,
    }
    calls = [{"tool": "write_file", "args": {"path": path, "content": text}} for path, text in files.items()]
    result = (await said(make_caller(), "batch_operations", operations=calls, atomic=True))["result"]
    places = {(error["path"], error["line"]) for error in result["errors"]}
    assert places == {("res://bad.gd", 2), ("res://bad.gdshader", 3), ("res://other.gdshader", 3)}
    assert all("compiled" not in part["result"] for part in result["results"])


async def test_a_part_of_a_batch_has_its_own_errors(make_caller: MakeCaller, game: Path) -> None:
    calls = [{"tool": "write_file", "args": {"path": path, "content": BAD}} for path in ("a.gd", "notes.txt")]
    result = (await said(make_caller(), "batch_operations", operations=calls))["result"]
    first, second = (part["result"] for part in result["results"])
    assert first["compiled"] is False
    assert "compiled" not in second


async def test_an_undo_that_brings_a_broken_script_back_says_so(make_caller: MakeCaller, game: Path) -> None:
    (game / "a.gd").write_text(BAD)
    caller = make_caller()
    entry = (await said(caller, "write_file", path="a.gd", content="extends Node\n", overwrite=True))["execution"]
    undone = await said(caller, "history.undo", entry=entry["historyEntry"])
    assert any(warning.startswith("res://a.gd:2: ") for warning in undone["warnings"])


async def test_a_moved_script_is_compiled_where_it_is_now(make_caller: MakeCaller, game: Path) -> None:
    (game / "a.gd").write_text(BAD)
    moved = await said(make_caller(), "move_file", path="a.gd", newPath="b/c.gd")
    assert any(warning.startswith("res://b/c.gd:2: ") for warning in moved["warnings"])


@pytest.mark.parametrize("path", ["other/a.gd", "left_out/a.gd", ".hidden/a.gd"])
async def test_what_the_engine_does_not_look_at_is_not_compiled(make_caller: MakeCaller, game: Path, path: str) -> None:
    for mark in ("other/project.godot", "left_out/.gdignore"):
        (game / mark).parent.mkdir()
        (game / mark).touch()
    reply = await said(make_caller(), "write_file", path=path, content=BAD)
    assert "compiled" not in reply["result"]


async def test_a_file_that_is_no_code_is_not_compiled(make_caller: MakeCaller, game: Path) -> None:
    assert "compiled" not in (await said(make_caller(), "write_file", path="a.md", content=BAD))["result"]


async def test_a_dry_run_compiles_nothing(make_caller: MakeCaller, game: Path) -> None:
    reply = await said(make_caller(), "write_file", path="a.gd", content=BAD, dryRun=True)
    assert "compiled" not in reply["result"]


async def test_without_godot_nothing_is_said(
    make_caller: MakeCaller, game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GODOT_PATH", "")
    reply = await said(make_caller(), "write_file", path="a.gd", content=BAD)
    assert "compiled" not in reply["result"]
    assert "warnings" not in reply


async def test_a_project_of_another_engine_is_left_alone(make_caller: MakeCaller, game: Path) -> None:
    shutil.move(game / "project.godot", game / "elsewhere.godot")
    assert "compiled" not in (await said(make_caller(), "write_file", path="a.gd", content=BAD))["result"]


async def test_the_addon_compiles_as_it_is_installed(make_caller: MakeCaller, game: Path) -> None:
    assert "warnings" not in await said(make_caller(), "godot_sync_addon")
