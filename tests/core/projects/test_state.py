"""A project's records: made when needed, and never in the way of reading."""

from __future__ import annotations

import json
import logging
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from tests.conftest import Caller, MakeCaller
from tests.core.writes.books import files_in

from scenewright.core.config import Config
from scenewright.core.projects.ownership import state_folder
from scenewright.core.projects.project import Engine, Project
from scenewright.core.projects.state import ProjectState

pytestmark = pytest.mark.anyio
GODOT = Engine("godot", ("project.godot",), audit_log=".godot_mcp/audit.log")


def state_of(project: Path, *engines: Engine, kept: bool = True) -> ProjectState:
    return ProjectState(Project.at(project), Config(), list(engines), kept=kept)


def test_a_folder_that_is_only_looked_at_gets_no_files(project: Path) -> None:
    state = state_of(project, kept=False)
    assert not state.kept
    assert state.recover() == []
    assert state.runs.recent() == []
    state.close()
    assert list(project.iterdir()) == []


def test_records_are_the_users_own_and_not_for_git(project: Path) -> None:
    state = state_of(project)
    state.open_for_writing()
    assert state.kept
    assert state.folder.stat().st_mode & 0o777 == 0o700
    assert (state.folder / ".gitignore").read_text() == "*\n"


def test_a_folder_deleted_under_us_is_made_again(project: Path) -> None:
    state = state_of(project)
    assert state.kept
    shutil.rmtree(state.folder)
    assert state.kept
    assert (state.folder / ".gitignore").exists()


def test_the_audit_log_is_where_the_engine_wants_it(project: Path) -> None:
    assert state_of(project, GODOT).audit.path == project / ".godot_mcp/audit.log"
    assert state_of(project).audit.path == state_folder(project) / "audit.log"


def test_records_do_not_leave_the_project_through_a_link(project: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (project / ".godot_mcp").symlink_to(tmp_path / "outside")
    assert state_of(project, GODOT).audit.path == state_folder(project) / "audit.log"
    (project / ".scenewright").symlink_to(tmp_path / "outside")
    assert not state_of(project).kept
    assert list((tmp_path / "outside").iterdir()) == []


async def test_where_there_is_no_place_for_records_reads_work_and_writes_are_refused(
    project: Path, caller: Caller
) -> None:
    (project / "a.txt").write_bytes(b"old")
    (project / ".scenewright").write_bytes(b"not a folder")
    assert (await caller.run("read_file", {"path": "a.txt"})).ok
    assert (await caller.run("history.list")).ok
    outcome = await caller.run("write_file", {"path": "a.txt", "content": "new", "overwrite": True})
    assert outcome.fault is not None
    assert outcome.fault.kind == "denied"
    assert "could not be undone" in outcome.fault.message
    assert files_in(project) == {"a.txt": b"old"}


async def test_work_goes_on_after_someone_cleaned_the_folder_up(project: Path, caller: Caller) -> None:
    await caller.run("write_file", {"path": "a.txt", "content": "1"})
    caller.runtime.runs.recent()  # after this its thread is idle, and makes no file while the folder goes
    shutil.rmtree(project / ".scenewright")
    assert (await caller.run("edit_file", {"path": "a.txt", "find": "1", "replace": "2"})).ok
    assert (await caller.run("history.undo")).ok
    assert files_in(project) == {"a.txt": b"1"}
    assert caller.runtime.state.audit.verify().intact
    assert (state_folder(project) / ".gitignore").exists()


@pytest.mark.parametrize("name", ["journal.sqlite", "runs.sqlite", "audit.log", ".audit.log.head"])
@pytest.mark.parametrize("damage", [b"garbage" * 2000, b"SQLite format 3\0" + b"\xff" * 9000])
async def test_a_damaged_record_file_never_stops_a_read_and_a_write_works_or_says_why(
    project: Path, make_caller: MakeCaller, name: str, damage: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    caller = make_caller()
    await caller.run("write_file", {"path": "a.txt", "content": "1"})
    caller.runtime.close()
    (state_folder(project) / name).write_bytes(damage)

    caller = make_caller()
    with caplog.at_level(logging.WARNING):
        assert (await caller.run("read_file", {"path": "a.txt"})).ok
        listed = await caller.run("history.list")
        written = await caller.run("write_file", {"path": "b.txt", "content": "2"})
    assert len(caller.runtime.runs.recent()) >= 3
    if name == "journal.sqlite":
        for fault in (listed.fault, written.fault):
            assert fault is not None
            assert "journal.sqlite is damaged" in fault.message
        assert files_in(project) == {"a.txt": b"1"}
        assert caplog.text.count("journal.sqlite is damaged") == 1
    else:
        assert listed.ok
        assert written.ok
    assert "Traceback" not in caplog.text


@pytest.fixture
def shared() -> Iterator[Path]:
    """A folder that other users can reach, unlike those that pytest makes."""
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder).resolve()


def call_without_rights(scratch: Path, project: Path, *calls: tuple[str, dict[str, Any]]) -> list[dict[str, Any]]:
    scratch.mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "tests.core.writes.lowly", str(scratch), str(project), json.dumps(calls)],
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    outcomes: list[dict[str, Any]] = json.loads(done.stdout)
    return outcomes


@pytest.mark.skipif(sys.platform == "win32", reason="needs permissions")
@pytest.mark.parametrize("history", ["none", "closed", "open"])
async def test_a_project_that_may_not_be_written_can_be_read(shared: Path, tmp_path: Path, history: str) -> None:
    project = shared / "project"
    project.mkdir()
    (project / "a.txt").write_bytes(b"old")
    if history != "none":
        await _write_history(project, leave_open=history == "open")
    _lock_down(project)
    try:
        read, listed, written, runs = call_without_rights(
            tmp_path / "scratch",
            project,
            ("read_file", {"path": "a.txt"}),
            ("history.list", {}),
            ("write_file", {"path": "b.txt", "content": "x"}),
        )
    finally:
        _lock_down(project, writable=True)
    assert read["kind"] is None
    assert listed == {"kind": None, "summary": "0 changes." if history == "none" else "1 change.", "hint": None}
    assert written["kind"] == "denied"
    assert "cannot be written" in written["summary"]
    assert "writable" in written["hint"]
    assert runs == {"runs": 3}
    assert not (project / "b.txt").exists()


async def _write_history(project: Path, *, leave_open: bool) -> None:
    from scenewright.app import make_runtime
    from scenewright.core.calls.call import Request

    runtime = make_runtime(Config(project=project, rate_limit=None))
    await runtime.run(Request(tool="write_file", arguments={"path": "c.txt", "content": "x"}))
    runtime.runs.recent()  # after this its thread is idle
    if leave_open:  # with its write-ahead log still there
        shutil.copytree(project / ".scenewright", project / "copy")
        runtime.close()
        shutil.rmtree(project / ".scenewright")
        (project / "copy").rename(project / ".scenewright")
    else:
        runtime.close()


def _lock_down(project: Path, *, writable: bool = False) -> None:
    for folder, _, names in os.walk(project):
        os.chmod(folder, 0o755 if writable else 0o555)
        for name in names:
            os.chmod(Path(folder, name), 0o644 if writable else 0o444)


@pytest.mark.skipif(sys.platform == "win32", reason="needs permissions")
def test_a_write_protected_file_in_a_writable_folder_is_not_replaced(shared: Path, tmp_path: Path) -> None:
    project = shared / "project"
    project.mkdir()
    project.chmod(0o777)
    (project / "locked.txt").write_bytes(b"old")
    (project / "locked.txt").chmod(0o444)
    (project / "closed").mkdir(mode=0o555)
    edit, new, delete, _ = call_without_rights(
        tmp_path / "scratch",
        project,
        ("write_file", {"path": "locked.txt", "content": "new", "overwrite": True}),
        (
            "batch_operations",
            {
                "atomic": True,
                "operations": [
                    {"tool": "write_file", "args": {"path": "a.txt", "content": "new"}},
                    {"tool": "write_file", "args": {"path": "closed/b.txt", "content": "new"}},
                ],
            },
        ),
        ("delete_file", {"path": "locked.txt"}),
    )
    assert (edit["kind"], delete["kind"], new["kind"]) == ("denied", "denied", "denied")
    assert "write-protected" in edit["summary"]
    assert "Could not write 'closed/b.txt': Permission denied. Nothing was changed." in new["summary"]
    assert files_in(project) == {"locked.txt": b"old"}
