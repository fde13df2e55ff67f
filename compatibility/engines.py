"""Godot: what there is, the newest that a registry has, and projects of Godot 3."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator

from compatibility.rows import CACHE, Row, Verdict, ran, seen

__all__ = ["engine_rows"]

# Classes, a game played, a conversion from Godot 3, and scripts compiled.
TESTS = ("tests/godot/engine/test_godot3_conversion.py", "tests/e2e/test_godot_binary.py")


def engine_rows() -> Iterator[Row]:
    binary = os.environ.get("GODOT_PATH") or shutil.which("godot") or CACHE.parent / "godot" / "godot"
    version = ran([binary, "--version"]).stdout.strip()
    if not version:
        yield seen("godots", "Godot 4", "not had", "there is none; get-tools.sh godot gets one")
    else:
        done = ran([sys.executable, "-m", "pytest", "-n0", "-q", *TESTS], environment={"GODOT_PATH": str(binary)})
        last = (done.stdout.strip().splitlines() or ["nothing was said"])[-1]
        yield seen("godots", f"Godot {version.split('.debian')[0]}", "fails" if done.returncode else "works", last)
    done = ran([sys.executable, "-m", "pytest", "-n0", "-q", "tests/compatibility/test_godot3.py"])
    last = (done.stdout.strip().splitlines() or ["nothing was said"])[-1]
    verdict: Verdict = "fails" if done.returncode else "works"
    yield seen(
        "godots", "Projects of Godot 3", verdict, f"read, and refused for writing with the way out named; {last}"
    )
