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
