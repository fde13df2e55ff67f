"""Setting up one client and taking it back: by its own command where its file is its own, else in its file."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from scenewright.core.processes import NO_WINDOW
from scenewright.core.writes.disk import missing_folders, read_if_there
from scenewright.setup.changes import ENTRY, FileChange, known_entry, plan_change, without_entry, write_change
from scenewright.setup.clients import Client, Machine, client_named
from scenewright.setup.entries import Launch, launch_of, options_in, projects_in
from scenewright.setup.json_text import TextProblem
from scenewright.setup.records import FileRecord, Records

__all__ = ["Plan", "add_file", "carry_out", "own_command_of", "plan_for", "take_back"]

SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be done for one client: a change of its file, its own command, or what a person has to do."""

    client: Client
    launch: Launch
    file: Path | None = None
    change: FileChange | None = None
    command: tuple[str, ...] = ()
    problem: str = ""

    @property
    def is_done(self) -> bool:
        return self.change is not None and self.change.is_none


def plan_for(client: Client, machine: Machine, project: Path, command: tuple[str, ...] | None = None) -> Plan:
    """Return what sets up a client for a project; the projects that its entry names already stay in it."""
    file = client.file(machine)
    if file is None:
        return Plan(client, launch_of([project], command), problem="it is not installed, as far as its folder tells")
    if not client.sure:
        return Plan(client, launch_of([project], command), file, problem="its file is not written by scenewright")
    try:
        known = known_entry(client, file, project)
        others = [other for other in projects_in(known) if other != project and other.is_dir()]
        launch = launch_of([project, *others], command, options_in(known))
        if client.program:
            return _plan_command(client, file, launch)
        return Plan(client, launch, file, plan_change(client, file, launch))
    except (TextProblem, OSError) as problem:
        return Plan(client, launch_of([project], command), file, problem=f"{file} was left alone: {problem}")


def _plan_command(client: Client, file: Path, launch: Launch) -> Plan:
    program = shutil.which(client.program)
    if program is None:
        return Plan(client, launch, file, problem=f"its command, {client.program}, is not on the PATH")
    return Plan(client, launch, file, command=own_command_of(program, launch))


def own_command_of(program: str, launch: Launch) -> tuple[str, ...]:
    """Return a client's own command that adds the server for one project."""
    scope = ("mcp", "add", "--scope", "local", "--transport", "stdio", ENTRY, "--")
    return (program, *scope, launch.command, *launch.arguments)


def carry_out(plan: Plan, project: Path, records: Records) -> None:
    """Do what a plan says, and note it.

    Raises:
        TextProblem, OSError: it could not be done; what was there is as it was.
    """
    assert plan.file is not None
    if plan.change is not None:
        if not plan.is_done:
            with records.noting():
                records.note_file(plan.client.name, project, plan.change)
                records.keep()
                write_change(plan.change)
        return
    before = read_if_there(plan.file)
    _run([plan.command[0], "mcp", "remove", "--scope", "local", ENTRY], project, must_work=False)
    _run(plan.command, project)
    after = read_if_there(plan.file)
    if after is None:
        raise TextProblem(f"{plan.client.program} wrote no {plan.file}")
    records.note_file(plan.client.name, project, FileChange(plan.file, before, after))


def add_file(file: Path, content: bytes, records: Records) -> bool:
    """Write a file of our own where none is, and note it; return False where there is one already.

    Raises:
        OSError: it cannot be written.
    """
    if file.exists():
        return False
    folders = missing_folders([file])
    with records.noting():
        records.note_new(file, content, sorted(folders))
        records.keep()
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    return True


def take_back(record: FileRecord) -> str:
    """Put a client's file back, and return what was done, in a sentence.

    Raises:
        TextProblem, OSError: it could not be done.
    """
    file, before = Path(record.path), record.content_before
    content = read_if_there(file)
    if content is None:
        return f"{file} is gone already."
    if record.is_as_left():
        if before is None:
            file.unlink()
            for folder in map(Path, record.folders):
                with suppress(OSError):  # it holds something of others by now
                    folder.rmdir()
            return f"Removed {file}, which was not there before."
        write_change(FileChange(file, content, before))
        return f"Put {file} back as it was."
    client = client_named(record.client)
    if client is None:
        return f"Left {file} alone: it changed since."
    if client.program:
        program = shutil.which(client.program)
        for project in record.projects if program else ():
            _run([str(program), "mcp", "remove", "--scope", "local", ENTRY], Path(project), must_work=False)
        return f"Had {client.program} remove the entry; {file} changed since, so the rest of it was left alone."
    write_change(FileChange(file, content, without_entry(client, content, before)))
    return f"Took the entry out of {file}; it changed since, so the rest of it was left alone."


def _run(command: Sequence[str], folder: Path, *, must_work: bool = True) -> None:
    done = subprocess.run(
        list(command),
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
        stdin=subprocess.DEVNULL,
        creationflags=NO_WINDOW,
    )
    if must_work and done.returncode != 0:
        said = (done.stderr or done.stdout).strip().splitlines()
        raise TextProblem(f"{Path(command[0]).name} said: {said[-1] if said else done.returncode}")
