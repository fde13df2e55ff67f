"""One thing that scenewright is to work with, and what was seen."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec

__all__ = ["CACHE", "PROJECT", "Row", "Verdict", "python_of", "ran", "seen"]

PROJECT = Path(__file__).parent.parent
_CACHES = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
CACHE = Path(os.environ.get("SCENEWRIGHT_TOOLS") or _CACHES / "scenewright" / "tools") / "compatibility"
Verdict = Literal["works", "fails", "not had"]


class Row(msgspec.Struct, frozen=True):
    """What was tried, and what came of it."""

    group: str
    name: str
    verdict: Verdict
    detail: str
    day: str


def seen(group: str, name: str, verdict: Verdict, detail: str) -> Row:
    return Row(group, name, verdict, " ".join(detail.split())[:300], time.strftime("%Y-%m-%d"))


def ran(
    command: Sequence[str | Path],
    *,
    given: str = "",
    folder: Path = PROJECT,
    minutes: float = 20,
    environment: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end; one that takes too long has failed."""
    words = [str(word) for word in command]
    around = {**os.environ, **(environment or {})}
    try:
        return subprocess.run(
            words,
            input=given,
            cwd=folder,
            env=around,
            capture_output=True,
            text=True,
            check=False,
            timeout=minutes * 60,
        )
    except (subprocess.TimeoutExpired, FileNotFoundError) as problem:
        return subprocess.CompletedProcess(words, 1, "", str(problem))


def python_of(name: str, requirements: Sequence[str | Path], *, base: str | Path = sys.executable) -> Path | str:
    """Return the interpreter of an environment with these installed, made anew where they are others; or why not."""
    place = CACHE / name
    python, note = place / "bin" / "python", place / "made-of"
    wanted = "\n".join(str(each) for each in (base, *requirements))
    if note.exists() and note.read_text() == wanted:
        return python
    CACHE.mkdir(parents=True, exist_ok=True)
    for step in (
        [base, "-m", "venv", "--clear", place],
        [python, "-m", "pip", "install", "--quiet", *requirements],
    ):
        if (done := ran(step)).returncode:
            return done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "it could not be installed"
    note.write_text(wanted)
    return python
