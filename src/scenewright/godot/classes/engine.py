"""Asks a Godot editor binary for everything it knows of its classes. The only module here that starts a process.

The texts come from the help cache the editor writes when it first starts, the rest from `dump.gd`, run by the same
binary. Both runs get empty folders of their own and leave the user's settings and projects alone.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from scenewright.core.faults import TimedOut, Unsupported
from scenewright.core.processes import NO_WINDOW
from scenewright.godot.classes.assembly import assemble
from scenewright.godot.classes.records import ClassInfo

__all__ = ["Described", "describe", "version_of"]

_DUMP = Path(__file__).with_name("dump.gd")
_VERSION = re.compile(r"^\d+\.\d+\S*$", re.MULTILINE)
_MOST_CRASHES = 8


@dataclass(frozen=True, slots=True)
class Described:
    """The classes of one build of the engine."""

    version: str  # 4.6.3, 4.7-beta1
    build: str  # what the binary says to `--version`
    classes: list[ClassInfo]


def version_of(binary: Path, *, timeout: float = 20.0) -> str:
    """Return what `--version` says, such as `4.6.3.stable.official.7d41c59c4`.

    Raises:
        Unsupported: it is not a Godot binary.
        TimedOut: it does not answer.
    """
    match = _VERSION.search(_run([str(binary), "--version"], {}, timeout))
    if match is None:
        raise Unsupported(f"'{binary}' reports no Godot version.", hint="Give the path of a Godot 4 editor binary.")
    return match.group()


def describe(binary: Path, *, timeout: float = 120.0) -> Described:
    """Return everything the binary says about its classes; this takes about seven seconds.

    Raises:
        Unsupported: it is no Godot 4 editor.
        TimedOut: one of its runs takes longer than the time given.
    """
    build = version_of(binary)
    with tempfile.TemporaryDirectory(prefix="scenewright-classes-") as name:
        folder = Path(name)
        help_cache = _help_cache(binary, folder, timeout)
        helps, head, entries = _dump(binary, help_cache, folder, timeout)
    number = head["version"]
    status = "" if number["status"] == "stable" else f"-{number['status']}"
    return Described(
        version=f"{number['major']}.{number['minor']}.{number['patch']}{status}",
        build=build,
        classes=assemble(helps, entries, frozenset(head["singletons"])),
    )


def _help_cache(binary: Path, folder: Path, timeout: float) -> Path:
    project = folder / "project"
    project.mkdir()
    (project / "project.godot").write_text("config_version=5\n")
    _run([str(binary), "--headless", "--editor", "--quit", "--path", str(project)], _own_folders(folder), timeout)
    caches = sorted(folder.rglob("editor_doc_cache*.res"))
    if not caches:
        raise Unsupported(
            f"'{binary}' wrote no class reference.",
            hint="Give the path of a Godot 4 editor binary; an export template has no editor.",
        )
    return caches[0]


def _dump(binary: Path, help_cache: Path, folder: Path, timeout: float) -> tuple[Any, Any, list[Any]]:
    """Runs the script until it gets through, each time without the class that crashed it the time before."""
    skipped: list[str] = []
    output = folder / "classes.jsonl"
    for _ in range(_MOST_CRASHES):
        command = [str(binary), "--headless", "--path", str(folder / "project"), "--script", str(_DUMP), "--"]
        _run([*command, str(help_cache), str(output), *skipped], _own_folders(folder), timeout)
        lines = [msgspec.json.decode(line) for line in output.read_bytes().splitlines()] if output.exists() else []
        if lines and lines[-1] == {"finished": True}:
            return lines[0], lines[1], [line for line in lines[2:] if "name" in line]
        if not lines or "begin" not in lines[-1]:
            break
        skipped.append(lines[-1]["begin"])
    raise Unsupported(f"'{binary}' could not list its classes.", details={"skipped": skipped})


def _own_folders(folder: Path) -> dict[str, str]:
    """Where the editor keeps its settings and caches on Linux, Windows and macOS."""
    names = ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "APPDATA", "LOCALAPPDATA", "HOME")
    places = {name: folder / name.lower() for name in names}
    for place in places.values():
        place.mkdir(exist_ok=True)
    return {name: str(place) for name, place in places.items()}


def _run(command: list[str], extra: Mapping[str, str], timeout: float) -> str:
    """The output of a run; what it printed as errors and its exit code say little, engines complain a lot."""
    try:
        done = subprocess.run(
            command,
            env={**os.environ, **extra},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=timeout,
            check=False,
            creationflags=NO_WINDOW,
        )
    except subprocess.TimeoutExpired:
        raise TimedOut(f"'{command[0]}' did not finish within {timeout:g} seconds.") from None
    except OSError as error:
        raise Unsupported(f"'{command[0]}' cannot be started: {error.strerror}.") from None
    return done.stdout.decode("utf-8", "replace")
