"""The engines that parts of the bench need."""

from __future__ import annotations

import os
from pathlib import Path

from bench.figures import Unmeasured
from scenewright.core.faults import Unsupported
from scenewright.godot.engine.binary import Binary, find_binary

__all__ = ["godot", "tools_folder"]


def godot() -> Binary:
    """Return the Godot to measure, and have everything that is started from here use it."""
    path = f"{os.environ.get('PATH', '')}{os.pathsep}{tools_folder() / 'godot'}"
    try:
        binary = find_binary({**os.environ, "PATH": path})
    except Unsupported as problem:
        raise Unmeasured(f"{problem.message} {problem.hint}") from problem
    os.environ["GODOT_PATH"] = str(binary.path)
    return binary


def tools_folder() -> Path:
    """Where `scripts/get-tools.sh` puts what it gets."""
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return Path(os.environ.get("SCENEWRIGHT_TOOLS") or caches / "scenewright" / "tools")
