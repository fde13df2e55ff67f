"""A trial's folder: `project/` for the agent, its way to the server, and beside it the record, which is ours."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from pathlib import Path

from evals import server_process
from evals.checks.godot import find_engine
from evals.record import Record
from evals.task import Task

__all__ = ["brief", "prepare", "project_of", "record_of", "socket_of", "start_files"]

SCRIPTS = Path(__file__).parent / "shell"
OVER_SHELL = """\
You develop games. Do the task below in the project, through the tools of one MCP server and nothing else. Your folder
is {folder}. Two commands stand for your MCP client:

    {folder}/tools              the server's instructions and every tool it lists (also in {folder}/listing.txt)
    {folder}/tool NAME JSON     calls a tool; with `-` for JSON, or without it, the arguments come on standard input:

    {folder}/tool NAME <<'END'
    {{"key": "value"}}
    END

Pictures that a tool returns are saved, and the reply names their files. Read the listing first, then work. Do not read
or write the project's files in another way, start no engine by yourself, and do not look outside your folder. Call as
often as the task needs and no more: calls and bytes are counted, and what counts most is that every sentence holds.

Say at the end, in a few lines, what you made, which sentences do not hold, and what in the tools cost you calls.
"""
OVER_MCP = """\
You develop games. Do the task below in the project of the MCP server 'scenewright', through its tools and nothing else:
do not read or write the project's files in another way. Call as often as the task needs and no more: calls and bytes
are counted, and what counts most is that every sentence holds.

Say at the end, in a few lines, what you made, which sentences do not hold, and what in the tools cost you calls.
"""


def prepare(task: Task, record: Record, *, program: str | None, over: str) -> None:
    """Make the folder, and start the server where the agent has only a shell.

    Raises:
        SystemExit: the folder is there already.
    """
    folder = Path(record.folder)
    if folder.exists() or record.home.exists():
        raise SystemExit(f"{folder} or {record.home} exists already; name a folder that does not.")
    project = project_of(record)
    project.mkdir(parents=True)
    start_files(task, project)
    record.program = [str(Path(program).absolute())] if program else [sys.executable, "-m", "scenewright"]
    find_engine()
    record.save()
    if over == "shell":
        _prepare_shell(folder, record)


def start_files(task: Task, project: Path) -> None:
    """Lay out what the agent finds."""
    if task.start.is_dir():
        shutil.copytree(task.start, project, dirs_exist_ok=True)


def _prepare_shell(folder: Path, record: Record) -> None:
    # A socket's path may be no longer than 107 bytes, so it is not in the folder.
    socket = Path(tempfile.mkdtemp(prefix="evals-")) / "server"
    (record.home / "socket").write_text(str(socket))
    for name in ("tool", "tools"):
        script = folder / name
        script.write_text((SCRIPTS / name).read_text().replace("@SOCKET@", str(socket)))
        script.chmod(0o755)
    listing = server_process.start(record)
    (folder / "listing.txt").write_text(listing, encoding="utf-8")


def brief(task: Task, record: Record, *, over: str) -> str:
    """Return the whole text that the agent is given."""
    if over == "shell":
        return OVER_SHELL.format(folder=record.folder) + "\n" + task.text
    command = [sys.executable, "-m", "evals", "serve", record.folder]
    entry = {
        "mcpServers": {"scenewright": {"command": command[0], "args": command[1:], "cwd": str(SCRIPTS.parents[1])}}
    }
    return f"The client's configuration:\n\n{json.dumps(entry)}\n\nThe agent's text:\n\n{OVER_MCP}\n{task.text}"


def project_of(record: Record) -> Path:
    return Path(record.folder) / "project"


def record_of(folder: Path) -> Record:
    """Return the record of a prepared trial.

    Raises:
        SystemExit: none was prepared there.
    """
    file = Record.new(folder, task="", label="", model="").home / "record.json"
    if not file.is_file():
        raise SystemExit(f"No trial was prepared in {folder}.")
    return Record.read(file)


def socket_of(record: Record) -> Path:
    return Path((record.home / "socket").read_text())
