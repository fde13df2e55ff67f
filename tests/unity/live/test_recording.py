"""Recordings of a user's editor: they change nothing, tell no secret, and can be tested against."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.unity.live.conftest import MakeEditor
from tests.unity.operations.changed_copies import MAIN, files_of

from scenewright.cli.main import main
from scenewright.unity.live.commands import Commands
from scenewright.unity.live.intents import ALL_INTENTS


@pytest.mark.parametrize("version", ["0.3", "0.9"])
def test_a_recording_has_the_commands_and_thirty_calls(
    version: str, make_editor: MakeEditor, project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    editor = make_editor(version)
    editor.open(MAIN)
    editor.log("error", f"at {project}/Assets/A.cs")
    editor.log("log", f"Authorization: Bearer {editor.token}")
    before = files_of(project)
    assert main(["unity", "record", "--out", str(tmp_path / "unity.json"), "--project", str(project)]) == 0
    text = (tmp_path / "unity.json").read_text()
    recording: dict[str, Any] = json.loads(text)
    assert len(recording["commands"]["commands"]) == 56
    assert len(recording["calls"]) >= 20
    assert "56 commands" in capsys.readouterr().out
    assert editor.token not in text
    assert str(project) not in text
    assert files_of(project) == before
    carried_out = {asked for asked in editor.asked if asked.startswith("exec")}
    assert not carried_out & {"exec editor_play", "exec save_all", "exec eval", "exec delete_asset", "exec recompile"}
    commands = Commands.read(recording["commands"])
    missing = [intent.purpose for intent in ALL_INTENTS if commands.find(intent) is None]
    assert missing == ["import changed files"]


def test_without_an_editor_nothing_is_written(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["unity", "record", "--out", str(tmp_path / "unity.json"), "--project", str(project)]) == 2
    assert "unity pipeline install" in capsys.readouterr().err
    assert not (tmp_path / "unity.json").exists()


def test_the_shell_tells_whether_an_editor_answers(
    make_editor: MakeEditor, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["unity", "editor", "--project", str(project)]) == 1
    make_editor()
    assert main(["unity", "editor", "--project", str(project)]) == 0
    assert "Unity 6000.3.2f1 answers: ready, stopped." in capsys.readouterr().out
