from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import psutil
import pytest
from tests.conftest import Caller, MakeCaller

from scenewright.core.projects.user_folder import user_folder

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("godot-engines")]


async def run(caller: Caller, tool: str, **arguments: Any) -> dict[str, Any]:
    structured = (await caller.reply(tool, arguments)).structured
    assert structured is not None
    found: dict[str, Any] = structured
    return found


@pytest.fixture(autouse=True)
def _without_a_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)


async def test_an_editor_is_started_once_and_closed(make_caller: MakeCaller, game: Path) -> None:
    caller = make_caller(allow_dangerous=True)
    started = (await run(caller, "launch_editor"))["result"]
    try:
        assert (started["headless"], started["alreadyRunning"]) == (True, False)
        command = psutil.Process(started["pid"]).cmdline()
        assert "--editor" in command
        assert str(game) in command
        again = (await run(caller, "godot_workspace_manager", action="launch"))["result"]
        assert again == {**started, "alreadyRunning": True}
    finally:
        closed = await run(caller, "close_editor")
    assert closed["result"]["pid"] == started["pid"]
    assert not psutil.pid_exists(started["pid"])
    assert (await run(caller, "close_editor"))["error"]["code"] == "E_NOT_FOUND"


async def test_an_editor_that_has_the_project_open_is_left_alone(make_caller: MakeCaller, game: Path) -> None:
    folder = user_folder() / "bridge"
    folder.mkdir(parents=True, exist_ok=True)
    place = {"project": str(game), "pid": os.getpid(), "port": 1}
    (folder / f"{os.getpid()}.json").write_text(json.dumps(place))
    caller = make_caller(allow_dangerous=True)
    found = (await run(caller, "launch_editor", headless=True))["result"]
    assert (found["pid"], found["alreadyRunning"]) == (os.getpid(), True)
    assert (await run(caller, "close_editor"))["error"]["code"] == "E_NOT_FOUND"


async def test_what_cannot_be_shown_is_refused(make_caller: MakeCaller, game: Path) -> None:
    refused = await run(make_caller(), "launch_editor", headless=False)
    assert "headless" in refused["error"]["suggestedFix"]
    (game / "project.godot").unlink()
    assert (await run(make_caller(), "launch_editor"))["error"]["code"] == "E_NOT_FOUND"


async def test_an_editor_that_ends_at_once_is_a_fault(
    make_caller: MakeCaller, game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "godot"
    broken.write_text('#!/bin/sh\n[ "$1" = --version ] && echo 4.6.3.stable && exit 0\nexit 9\n')
    broken.chmod(0o755)
    monkeypatch.setenv("GODOT_PATH", str(broken))
    ended = await run(make_caller(), "launch_editor")
    assert ended["error"]["code"] == "E_NOT_CONNECTED"
    assert "9" in ended["error"]["message"]


async def test_an_editor_is_closed_only_with_approval(make_caller: MakeCaller, game: Path) -> None:
    structured = (await make_caller().reply("close_editor", {})).structured
    assert structured is not None
    assert structured["error"]["code"] == "E_PERMISSION_DENIED"
