"""What `scripts/get-tools.sh` does on a machine that has neither npm nor apt-get."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "get-tools.sh"
PROGRAMS = ("bash", "flock", "grep", "id", "mkdir", "mktemp", "rm", "uname")

pytestmark = pytest.mark.skipif(os.name != "posix" or not shutil.which("flock"), reason="the script is for Linux")


@pytest.fixture
def bare(tmp_path: Path) -> dict[str, str]:
    """The environment of such a machine."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in PROGRAMS:
        (programs / name).symlink_to(shutil.which(name) or name)
    return {"PATH": str(programs), "SCENEWRIGHT_TOOLS": str(tmp_path / "tools")}


def _run(env: dict[str, str], *parts: str) -> subprocess.CompletedProcess[str]:
    command = [str(Path(env["PATH"]) / "bash"), str(SCRIPT), *parts]
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=60)


def test_it_says_what_is_missing_and_why_and_goes_on(bare: dict[str, str]) -> None:
    ended = _run(bare)
    assert ended.returncode == 0
    assert "NOT INSTALLED: the MCP conformance suite and inspector" in ended.stderr
    assert "NOT INSTALLED: Godot" in ended.stderr


def test_where_everything_must_be_there_it_fails(bare: dict[str, str]) -> None:
    assert _run(bare | {"CI": "true"}).returncode == 1


def test_a_godot_that_is_named_is_used_as_it_is(bare: dict[str, str]) -> None:
    ended = _run(bare | {"GODOT_PATH": "/opt/godot"})
    assert "Godot is /opt/godot" in ended.stdout
    assert "Godot" not in ended.stderr


def test_only_the_parts_that_are_named_are_looked_for(bare: dict[str, str]) -> None:
    ended = _run(bare, "godot")
    assert "NOT INSTALLED: Godot" in ended.stderr
    assert "conformance" not in ended.stderr + ended.stdout


def test_a_part_that_there_is_not_is_an_error(bare: dict[str, str]) -> None:
    ended = _run(bare, "unity")
    assert ended.returncode == 2
    assert "there is no part 'unity'" in ended.stderr
