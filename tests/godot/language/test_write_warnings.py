"""What a write does to the code, here and elsewhere, is in its reply."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest
from tests.conftest import Caller, MakeCaller
from tests.e2e.tools import godot

from scenewright.core.calls import pipeline
from scenewright.core.calls.call import Client, SilentClient
from scenewright.godot.engine.language_server import server, servers

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("language")]


async def test_a_write_tells_of_new_warnings_first_with_range_code_and_fix(quest: Caller) -> None:
    await quest.result("find_definition", scriptPath="actors/hero.gd", symbol="take_damage")
    done = await quest.result(
        "edit_symbol",
        scriptPath="actors/hero.gd",
        symbol="rally",
        content="func rally() -> int:\n\tvar spare := 3\n\treturn 7",
    )
    first, *others = done["codeWarnings"]
    assert (first["line"], first["code"], first["severity"], first["new"]) == (28, "unused_variable", "warning", True)
    assert first["fix"]
    assert (first["column"], first["endLine"]) == (2, 28)
    assert {each["code"] for each in others} == {"shadowed_variable_base_class", "integer_division"}
    assert not any(each.get("new") for each in others)
    await quest.result("history", action="undo")


async def test_an_error_of_what_was_written_has_its_range(quest: Caller) -> None:
    await quest.result("find_definition", scriptPath="actors/hero.gd", symbol="take_damage")
    done = await quest.result(
        "edit_symbol", scriptPath="actors/hero.gd", symbol="rally", content="func rally() -> int:\n\treturn nobody + 1"
    )
    await quest.result("history", action="undo")
    (error,) = done["errors"]
    assert (error["line"], error["column"], error["endLine"]) == (28, 2, 28)
    assert error["endColumn"] > error["column"]


class Listening:
    """A client that hears what it is told, as those do that speak to a server."""

    def __getattr__(self, name: str) -> Any:
        return getattr(SilentClient(), name)


async def test_the_first_write_of_a_client_tells_of_warnings(
    make_caller: MakeCaller, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GODOT_PATH", str(Path(godot()).absolute()))
    monkeypatch.setattr(pipeline, "FOLLOW_UP_SECONDS", 180.0)  # as long as a start may take on a busy machine
    monkeypatch.setattr(servers, "_FIRST_SECONDS", 120.0)
    monkeypatch.setattr(server, "START_SECONDS", 120.0)
    (project / "project.godot").write_text("config_version=5\n")
    caller = make_caller()
    content = "extends Node\n\n\nfunc half(of: int) -> int:\n\treturn of / 2\n"
    quiet = await caller.run("write_script", {"scriptPath": "quiet.gd", "content": content})
    assert getattr(quiet.call.output, "code_warnings") is None  # noqa: B009
    assert not caller.runtime.services.get(servers.LanguageServers, servers.LanguageServers).pids()
    told = await caller.run(
        "write_script", {"scriptPath": "half.gd", "content": content}, client=cast("Client", Listening())
    )
    found = getattr(told.call.output, "code_warnings")  # noqa: B009
    assert [each["code"] for each in found or ()] == ["integer_division"], told.call.warnings


async def test_a_write_tells_which_other_scripts_no_longer_compile(quest: Caller) -> None:
    await quest.result("find_definition", scriptPath="actors/hero.gd", symbol="take_damage")
    arguments = {"scriptPath": "actors/actor.gd", "symbol": "take_damage", "content": ""}
    body = (await quest.reply("edit_symbol", arguments)).structured
    assert body is not None
    said = str(body)
    assert (
        "3 other scripts no longer compile: res://actors/goblin.gd, res://actors/hero.gd, res://actors/king.gd" in said
    )
    await quest.result("history", action="undo")


async def test_the_projects_own_warning_settings_count(quest: Caller) -> None:
    settings = quest.runtime.project.root / "project.godot"
    before = settings.read_bytes()
    settings.write_bytes(before + b"\n[debug]\n\ngdscript/warnings/integer_division=0\n")
    try:
        checked = await quest.result("get_script_errors", warnings=True)
        codes = {each["code"] for each in checked["warnings"]}
        assert "shadowed_variable_base_class" in codes
        assert "integer_division" not in codes
    finally:
        settings.write_bytes(before)
    checked = await quest.result("get_script_errors", scriptPath="actors/hero.gd", warnings=True)
    assert {each["code"] for each in checked["warnings"]} == {"shadowed_variable_base_class", "integer_division"}
    assert checked["valid"]
