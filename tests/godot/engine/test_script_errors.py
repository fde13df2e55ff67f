from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller, MakeCaller

pytestmark = pytest.mark.anyio


async def said(caller: Caller, tool: str, arguments: dict[str, Any] | None = None) -> dict[str, Any]:
    structured = (await caller.reply(tool, arguments)).structured
    assert structured is not None
    return structured


async def test_writing_a_script_says_what_the_compiler_thinks_of_it(make_caller: MakeCaller, game: Path) -> None:
    caller = make_caller()
    reply = await said(caller, "write_script", {"scriptPath": "a.gd", "content": 'extends Node\nvar a: int = "b"\n'})
    assert reply["ok"] is True
    result = reply["result"]
    assert result["compiled"] is False
    assert {error["line"] for error in result["errors"]} == {2}
    assert (game / "a.gd").exists()


async def test_a_sound_script_is_said_to_compile(make_caller: MakeCaller, game: Path) -> None:
    caller = make_caller()
    arguments = {"scriptPath": "a.gd", "content": "class_name Thing\nextends Node\n"}
    result = (await said(caller, "write_script", arguments))["result"]
    assert (result["compiled"], result.get("errors")) == (True, None)


async def test_scripts_of_one_batch_are_compiled_when_all_are_there(make_caller: MakeCaller, game: Path) -> None:
    caller = make_caller()
    first = {"scriptPath": "user.gd", "content": "extends Node\nvar it: Later = Later.new()\n"}
    second = {"scriptPath": "later.gd", "content": "class_name Later\nextends Node\n"}
    third = {"scriptPath": "bad.gd", "content": "extends Node\nvar it: Nowhere\n"}
    items = [{"tool": "write_script", "args": args} for args in (first, second, third)]
    reply = await said(caller, "batch_operations", {"operations": items, "atomic": True})
    assert [warning for warning in reply["warnings"] if "user.gd" in warning] == []
    assert any("res://bad.gd:2" in warning for warning in reply["warnings"])


async def test_a_dry_run_compiles_nothing(make_caller: MakeCaller, game: Path) -> None:
    caller = make_caller()
    arguments = {"scriptPath": "a.gd", "content": "extends Node\n", "dryRun": True}
    result = (await said(caller, "write_script", arguments))["result"]
    assert "compiled" not in result


async def test_all_scripts_can_be_checked(make_caller: MakeCaller, game: Path) -> None:
    (game / "good.gd").write_text("extends Node\n")
    (game / "bad.gd").write_text("extends Node\n\n\nfunc f() -> void:\n\tjmp()\n")
    result = (await said(make_caller(), "get_script_errors"))["result"]
    assert result["scripts"] == 2
    assert [(error["path"], error["line"]) for error in result["errors"]] == [("res://bad.gd", 5)]
    (game / "worse.gd").write_text("extends Node\n\n\nfunc f() -> void:\n\tjmp()\n\trun()\n")
    some = (await said(make_caller(), "get_script_errors", {"limit": 2}))["result"]
    assert (len(some["errors"]), some["total"]) == (2, 3)


async def test_one_script_can_be_checked(make_caller: MakeCaller, game: Path) -> None:
    (game / "bad.gd").write_text('extends Node\nvar a: int = ""\n')
    (game / "good.gd").write_text("extends Node\n")
    caller = make_caller()
    result = (await said(caller, "get_script_errors", {"scriptPath": "good.gd"}))["result"]
    assert (result["scripts"], result["total"]) == (1, 0)


async def test_without_godot_the_reply_says_how_to_get_it(
    make_caller: MakeCaller, game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GODOT_PATH", "")
    reply = await said(make_caller(), "get_script_errors")
    assert reply["error"]["code"] == "E_UNSUPPORTED"
    assert "GODOT_PATH" in reply["error"]["suggestedFix"]


GOOD_GLSL = "#[compute]\n#version 450\nlayout(local_size_x = 8) in;\nvoid main() {\n\tint x = 1;\n}\n"


async def test_a_written_compute_shader_is_compiled(make_caller: MakeCaller, game: Path) -> None:
    caller = make_caller()
    good = await said(caller, "write_file", {"path": "good.glsl", "content": GOOD_GLSL})
    assert good.get("warnings", []) == []
    bad = await said(caller, "write_file", {"path": "bad.glsl", "content": GOOD_GLSL.replace("= 1", "= nothing")})
    assert any("res://bad.glsl:5: 'nothing' : undeclared identifier" in warning for warning in bad["warnings"]), bad


async def test_one_shader_can_be_checked(make_caller: MakeCaller, game: Path) -> None:
    (game / "a.glsl").write_text(GOOD_GLSL.replace("void main", '#include "b.glslinc"\nvoid main'))
    (game / "b.glslinc").write_text("int b() {\n\treturn c;\n}\n")
    (game / "b.gdshader").write_text("shader_type canvas_item;\nvoid fragment() {\n\tCOLOR = nothing;\n}\n")
    (game / "empty.glsl").write_text("void main() {}\n")
    caller = make_caller()
    for path, place in (("a.glsl", ("res://b.glslinc", 2)), ("b.gdshader", ("res://b.gdshader", 3))):
        found = await caller.result("get_script_errors", scriptPath=path)
        assert (found["errors"][0]["path"], found["errors"][0]["line"]) == place
        assert (found["valid"], found["scripts"]) == (False, 1)
    found = await caller.result("get_script_errors", scriptPath="empty.glsl")
    assert "is in no section" in found["errors"][0]["message"]


async def test_that_a_compute_shader_was_not_compiled_is_said_with_the_reason(
    make_caller: MakeCaller, game: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    reply = await said(make_caller(), "write_file", {"path": "a.glsl", "content": GOOD_GLSL})
    assert any("a.glsl was not compiled: it needs a window" in warning for warning in reply["warnings"]), reply
    refused = await said(make_caller(), "get_script_errors", {"scriptPath": "a.glsl"})
    assert refused["error"]["code"] == "E_UNSUPPORTED"


async def test_a_script_that_names_what_lies_outside_the_project_is_an_error_like_any(
    make_caller: MakeCaller, game: Path
) -> None:
    (game / "odd.gd").write_text(
        'extends Node\nconst A = preload("res://../a.png")\nconst B = preload("res://C:/b.png")\n'
    )
    found = await make_caller().result("get_script_errors")
    assert {error["line"] for error in found["errors"]} == {2, 3}
