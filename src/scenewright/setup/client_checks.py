"""The entries of clients, compared with what would be written now: a moved environment or project is found here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from scenewright.setup.changes import known_entry
from scenewright.setup.clients import CLIENTS, Client, Machine
from scenewright.setup.entries import is_uvx, projects_in
from scenewright.setup.findings import Finding
from scenewright.setup.json_text import TextProblem
from scenewright.setup.steps import Plan, plan_for

__all__ = ["CLIENT", "check_clients"]

CLIENT = "client:"


def check_clients(machine: Machine, project: Path | None, command: tuple[str, ...] | None = None) -> Iterator[Finding]:
    """Check the entry of every client that is installed and sure; `command` is what starts this program."""
    for client in CLIENTS:
        file = client.file(machine)
        if file is not None and client.sure:
            yield _check_client(client, file, project, partial(plan_for, client, machine, command=command))


def _check_client(client: Client, file: Path, project: Path | None, plan: Callable[[Path], Plan]) -> Finding:
    try:
        entry = known_entry(client, file, project)
    except (TextProblem, OSError) as problem:
        return Finding(client.title, "error", f"{file}: {problem}.", "Mend the file; the client may not start with it.")
    if entry is None:
        fix = f"scenewright init --client {client.name}"
        return Finding(client.title, "note", f"{client.title} is installed and not set up.", fix)
    projects = projects_in(entry)
    gone = [place for place in projects if not place.is_dir()]
    anew = project if project is not None else next((place for place in projects if place.is_dir()), None)
    mended = f"scenewright init {anew or 'DIR'} --client {client.name}"
    remedy = f"{CLIENT}{client.name}" if anew is not None and not client.program else ""
    if gone:
        return Finding(client.title, "warning", f"{file} names {gone[0]}, which is gone.", mended, remedy)
    command = _command_of(entry)
    if not Path(command).is_file():
        return Finding(client.title, "error", f"{file} starts {command}, which is not there.", mended, remedy)
    if projects and not client.program and not plan(projects[0]).is_done:
        return Finding(client.title, "warning", f"{file} has another entry than would be written now.", mended, remedy)
    told = f"{file} starts it for {', '.join(map(str, projects)) or 'any folder'}."
    if is_uvx(command):
        told += " uvx asks the package index at each start, so it does not start where there is no network."
        return Finding(client.title, "note", told, "uv tool install scenewright, and then scenewright init once more")
    return Finding(client.title, "ok", told)


def _command_of(entry: Mapping[str, Any]) -> str:
    command = entry.get("command")
    return str(command[0] if isinstance(command, list) and command else command)
