"""Lets a real Godot editor run a script that answers with JSON."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_MARK = "ANSWER:"


def ask(binary: Path, project: Path, script: str, *arguments: str) -> Any:
    """Runs the body of a function `answer() -> Variant` in a project and returns what it answers."""
    if not (project / "project.godot").exists():
        (project / "project.godot").write_text("config_version=5\n")
    program = project / "ask.gd"
    program.write_text(
        "extends SceneTree\n\nfunc _init() -> void:\n"
        f'\tprint("{_MARK}" + JSON.stringify(answer(OS.get_cmdline_user_args()), "", false))\n\tquit()\n\n{script}'
    )
    done = _run([str(binary), "--headless", "--path", str(project), "--script", "ask.gd", "--", *arguments], project)
    program.unlink()
    lines = [line for line in done.stdout.splitlines() if line.startswith(_MARK)]
    assert lines, done.stdout + done.stderr
    return json.loads(lines[-1].removeprefix(_MARK))


def learn_classes(binary: Path, project: Path) -> None:
    """Lets the editor find the project's classes, as it does when it opens the project."""
    _run([str(binary), "--headless", "--path", str(project), "--import"], project)


def _run(command: list[str], project: Path) -> subprocess.CompletedProcess[str]:
    home = project.parent / "engine_home"
    home.mkdir(exist_ok=True)
    own: Mapping[str, str] = {f"XDG_{name}_HOME": str(home) for name in ("CACHE", "CONFIG", "DATA")}
    environment = {**os.environ, **own}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
