"""What a server's entry looks like in each client's file; one small function a shape."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from itertools import pairwise
from pathlib import Path
from typing import Any

from scenewright import __version__

__all__ = ["SHAPES", "Launch", "is_uvx", "launch_of", "options_in", "own_command", "projects_in", "spoken_command"]

START_SECONDS = 30
CALL_SECONDS = 300
Entry = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Launch:
    """How a client starts the server."""

    command: str
    arguments: tuple[str, ...]


def own_command(executable: str = sys.executable, environment: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """Return the command that starts this very program from anywhere: desktop clients do not know a shell's path.

    What `uvx` runs lies in a cache that is cleaned up, so there the command is `uvx` with the same package.
    """
    place = Path(executable)
    if "archive-v0" in place.parts and (uvx := _uvx(environment)):
        return (uvx, *_package())
    script = place.parent / ("scenewright.exe" if sys.platform == "win32" else "scenewright")
    return (str(script.absolute()),) if script.exists() else (str(place.absolute()), "-m", "scenewright")


def spoken_command(command: tuple[str, ...] | None = None) -> str:
    """Return what a person types to start this program again, who may have it from `uvx` alone."""
    program, *rest = command or own_command()
    return " ".join(["uvx", *rest]) if is_uvx(program) else "scenewright"


def is_uvx(program: str) -> bool:
    """Return whether a command is the program that makes an environment from the package index when it is started."""
    return Path(program).stem == "uvx"


def _uvx(environment: Mapping[str, str]) -> str | None:
    beside = (
        Path(environment["UV"]).with_name("uvx.exe" if sys.platform == "win32" else "uvx")
        if "UV" in environment
        else None
    )
    if beside is not None and beside.exists():
        return str(beside.absolute())
    program = shutil.which("uvx", path=environment.get("PATH"))
    return str(Path(program).absolute()) if program else None


def _package() -> tuple[str, ...]:
    """What `uvx` is told to run: this version, or where it was installed from if that is no registry."""
    try:
        origin = json.loads(distribution("scenewright").read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        origin = {}
    if url := origin.get("url"):
        kind = origin.get("vcs_info", {})
        source = f"{kind['vcs']}+{url}@{kind['commit_id']}" if kind else url
        return "--from", source, "scenewright"
    return (f"scenewright@{__version__}",)


def launch_of(projects: list[Path], command: tuple[str, ...] | None = None, options: Sequence[str] = ()) -> Launch:
    """Return how the server is started for some projects, the first of which is its own."""
    program, *first = command or own_command()
    named = [word for project in projects for word in ("--project", str(project))]
    return Launch(program, (*first, "serve", *named, *options))


def projects_in(entry: object) -> list[Path]:
    """Return the projects that an entry of ours names, in whatever shape it is."""
    return [Path(word) for before, word in pairwise(_words_of(entry)) if before == "--project"]


def options_in(entry: object) -> list[str]:
    """Return what else an entry of ours tells the server, such as `--read-only`: a person wrote that."""
    words = _words_of(entry)[1:]
    return [word for before, word in pairwise(["", *words]) if word != "--project" and before != "--project"]


def _words_of(entry: object) -> list[str]:
    """The words of an entry's command from `serve` on."""
    values = entry.values() if isinstance(entry, Mapping) else ()
    words = next((list(map(str, value)) for value in values if isinstance(value, list) and "serve" in value), [])
    return words[words.index("serve") :] if words else []


def _plain(launch: Launch) -> Entry:
    return {"command": launch.command, "args": list(launch.arguments)}


def _typed(launch: Launch) -> Entry:
    return {"type": "stdio", **_plain(launch)}


def _copilot(launch: Launch) -> Entry:
    return {"type": "local", **_plain(launch), "tools": ["*"]}


def _codex(launch: Launch) -> Entry:
    return _plain(launch) | {"startup_timeout_sec": START_SECONDS, "tool_timeout_sec": CALL_SECONDS}


def _opencode(launch: Launch) -> Entry:
    return {"type": "local", "command": [launch.command, *launch.arguments], "enabled": True}


def _goose(launch: Launch) -> Entry:
    start = {"cmd": launch.command, "args": list(launch.arguments), "envs": {}, "timeout": CALL_SECONDS}
    return {"type": "stdio", "name": "scenewright", "enabled": True, **start}


SHAPES: dict[str, Callable[[Launch], Entry]] = {
    "plain": _plain,
    "typed": _typed,
    "copilot": _copilot,
    "codex": _codex,
    "opencode": _opencode,
    "goose": _goose,
}
