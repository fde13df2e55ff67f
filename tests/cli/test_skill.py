"""`scenewright skill`: printed, installed for a host, or as a plugin; no file of others is written over."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from scenewright import __version__
from scenewright.cli.main import main
from scenewright.server.skill import plugin_files, skill_text


def test_it_is_printed_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["skill"]) == 0
    assert capsys.readouterr().out == skill_text()


@pytest.mark.parametrize(("host", "folder"), [("claude", ".claude/skills"), ("codex", ".agents/skills")])
def test_a_host_finds_it_in_the_project(host: str, folder: str, tmp_path: Path) -> None:
    for _ in range(2):  # a second time it is written anew
        assert main(["skill", "--install", host, "--project", str(tmp_path)]) == 0
    assert (tmp_path / folder / "scenewright" / "SKILL.md").read_text(encoding="utf-8") == skill_text()


def test_it_is_installed_for_all_projects_of_a_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert main(["skill", "--install", "codex", "--user"]) == 0
    assert (tmp_path / ".agents/skills/scenewright/SKILL.md").is_file()


def test_a_plugin_has_the_skill_and_the_server_for_both_hosts(tmp_path: Path) -> None:
    assert main(["skill", "--plugin", str(tmp_path / "plugin")]) == 0
    for host in ("claude", "codex"):
        manifest = json.loads((tmp_path / f"plugin/.{host}-plugin/plugin.json").read_text())
        assert (manifest["name"], manifest["version"]) == ("scenewright", __version__)
    server = json.loads((tmp_path / "plugin/.mcp.json").read_text())["mcpServers"]["scenewright"]
    assert server == {"command": "scenewright", "args": ["serve"]}
    assert (tmp_path / "plugin/skills/scenewright/SKILL.md").read_text(encoding="utf-8") == skill_text()


def test_a_file_of_others_is_not_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    theirs = tmp_path / ".mcp.json"
    theirs.write_text('{"mcpServers": {"scenewright": {}, "other": {}}}')
    assert main(["skill", "--plugin", str(tmp_path)]) == 2
    assert "is not scenewright's" in capsys.readouterr().err
    assert sorted(os.listdir(tmp_path)) == [".mcp.json"], "nothing was written beside it"


def test_a_link_out_of_the_project_is_not_followed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "game").mkdir()
    (tmp_path / "game/.claude").symlink_to(tmp_path / "outside")
    assert main(["skill", "--install", "claude", "--project", str(tmp_path / "game")]) == 2
    assert "leads out of" in capsys.readouterr().err
    assert list((tmp_path / "outside").iterdir()) == []


def test_a_plugin_of_an_earlier_version_is_written_anew(tmp_path: Path) -> None:
    old = tmp_path / ".claude-plugin/plugin.json"
    old.parent.mkdir()
    old.write_text('{"name": "scenewright", "version": "0.0.1"}')
    assert main(["skill", "--plugin", str(tmp_path)]) == 0
    assert old.read_text() == plugin_files()[".claude-plugin/plugin.json"]
