"""Our own records: for their user only, never a way out of the project, and honest where they cannot be kept."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import anyio
import pytest
from tests.conftest import Caller, MakeCaller
from tests.security.test_shipped_projects import write_pending

from scenewright.app import make_runtime
from scenewright.core.calls.call import Request
from scenewright.core.config import Config
from scenewright.core.faults import Internal
from scenewright.core.projects.ownership import make_state_folder, state_folder, state_name
from scenewright.core.projects.user_folder import user_folder, user_secret, user_token
from scenewright.core.records.audit import AuditLog
from scenewright.core.writes.changeset import Change
from scenewright.core.writes.ledger import Author, Ledger

pytestmark = pytest.mark.anyio
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="needs permissions")
PLAN = {"id": "x", "steps": [{"id": "a", "actionId": "core.ping", "input": {}}]}


# Recorded paths


def write_applied(folder: Path, path: str, before: bytes | None, after: bytes | None) -> None:
    ledger = Ledger(folder / "journal.sqlite")
    entry = ledger.record([Change(path, before, after)], Author("x", "x", None, "x"), folders=[], modes=[None])
    ledger.mark(entry.id, "applied")
    ledger.close()


PLACES = ("absolute", "../outside.txt", "a/../../outside.txt", "link/outside.txt", ".git/config", ".scenewright/x")


@pytest.mark.parametrize("path", PLACES)
@pytest.mark.parametrize("deletes", [False, True])
async def test_recovery_leaves_places_alone_that_calls_may_not_touch(
    project: Path, caller: Caller, path: str, deletes: bool
) -> None:
    outside = _prepare(project)
    path = str(outside) if path == "absolute" else path
    make_state_folder(state_folder(project))
    write_pending(state_folder(project), path, outside.read_bytes() if deletes else None, None if deletes else b"!")
    before = {place: place.read_bytes() for place in project.parent.rglob("*.txt")}
    assert (await caller.run("core.ping")).ok
    assert {place: place.read_bytes() for place in project.parent.rglob("*.txt")} == before
    assert sorted(name.name for name in (project / ".git").iterdir()) == []
    assert (await caller.run("write_file", {"path": "mine.txt", "content": "x"})).ok  # and it is in nobody's way


@pytest.mark.parametrize("path", PLACES)
async def test_an_undo_leaves_places_alone_that_calls_may_not_touch(project: Path, caller: Caller, path: str) -> None:
    outside = _prepare(project)
    path = str(outside) if path == "absolute" else path
    make_state_folder(state_folder(project))
    write_applied(state_folder(project), path, b"!", outside.read_bytes())
    outcome = await caller.run("history.undo")
    assert not outcome.ok
    assert outside.read_bytes() == b"theirs"
    assert sorted(name.name for name in (project / ".git").iterdir()) == []


def _prepare(project: Path) -> Path:
    outside = project.parent / "outside.txt"
    outside.write_bytes(b"theirs")
    (project / ".git").mkdir()
    (project / "link").symlink_to(project.parent)
    return outside


# Whatever the umask


@pytest.fixture
def open_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


@POSIX
async def test_records_are_private_whatever_the_umask(
    project: Path, make_caller: MakeCaller, monkeypatch: pytest.MonkeyPatch, open_umask: None
) -> None:
    monkeypatch.setenv("SCENEWRIGHT_HOME", str(project.parent / "home"))
    (project / "project.godot").write_text("config_version=5\n")
    caller = make_caller()
    assert (await caller.run("write_file", {"path": "a.txt", "content": "x"})).ok
    assert (await caller.run("workflow.run", {"definition": PLAN, "waitMs": 20_000})).ok
    caller.runtime.runs.recent()
    user_token()
    for top in (state_folder(project), project / ".godot_mcp", user_folder()):
        assert top.stat().st_mode & 0o777 == 0o700
        for place in top.rglob("*"):
            assert place.stat().st_mode & 0o077 == 0, place
    names = {place.name for place in state_folder(project).iterdir()}
    assert {"journal.sqlite", "journal.sqlite-wal", "runs.sqlite", "workflows.sqlite"} <= names


@POSIX
async def test_records_that_others_could_read_are_closed_to_them(project: Path, make_caller: MakeCaller) -> None:
    make_state_folder(state_folder(project))
    state_folder(project).chmod(0o777)
    Ledger(state_folder(project) / "journal.sqlite").close()
    (state_folder(project) / "journal.sqlite").chmod(0o666)
    await make_caller().run("write_file", {"path": "a.txt", "content": "x"})
    assert state_folder(project).stat().st_mode & 0o777 == 0o700
    assert (state_folder(project) / "journal.sqlite").stat().st_mode & 0o777 == 0o600


# The secret


SHOW = (
    "from scenewright.core.projects.user_folder import user_secret; import sys; "
    "sys.stdin.read(1); print(user_secret().decode())"
)


def test_processes_that_start_at_once_have_one_secret(tmp_path: Path) -> None:
    env = {**os.environ, "SCENEWRIGHT_HOME": str(tmp_path / "home")}
    command = [sys.executable, "-c", SHOW]
    running = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env) for _ in range(6)]
    said = {process.communicate(b"x", timeout=60)[0] for process in running}
    assert len(said) == 1
    assert (tmp_path / "home").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "home/secret").stat().st_mode & 0o777 == 0o600


def test_another_user_has_another_name_for_the_same_folder(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = state_name(project)
    monkeypatch.setenv("SCENEWRIGHT_HOME", str(project.parent / "other"))
    assert user_secret()
    assert state_name(project) != ours


@pytest.mark.parametrize("kind", ["link", "file"])
async def test_without_a_folder_of_ones_own_reads_work_and_writes_say_what_to_do(
    project: Path, make_caller: MakeCaller, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    home = project.parent / "home"
    if kind == "link":
        home.mkdir()
        (home / "secret").symlink_to(project.parent / "elsewhere")
    else:
        home.write_text("")
    monkeypatch.setenv("SCENEWRIGHT_HOME", str(home))
    (project / "a.txt").write_text("x")
    caller = make_caller()
    assert (await caller.run("read_file", {"path": "a.txt"})).ok
    fault = (await caller.run("write_file", {"path": "b.txt", "content": "x"})).fault
    assert fault is not None
    assert fault.kind == "denied"
    assert str(home) in fault.message
    assert not (project / ".scenewright").exists()
    assert not (project.parent / "elsewhere").exists()


# A read-only server


async def test_a_read_only_server_puts_nothing_into_a_project(project: Path, make_caller: MakeCaller) -> None:
    (project / "project.godot").write_text("config_version=5\n")
    (project / "a.txt").write_text("x")
    caller = make_caller(read_only=True)
    for tool, arguments in (
        ("core.ping", {}),
        ("read_file", {"path": "a.txt"}),
        ("history.list", {}),
        ("workflow.run", {"definition": PLAN, "waitMs": 20_000}),
        ("mcp_health", {}),
    ):
        assert (await caller.run(tool, arguments)).ok
    assert len(caller.runtime.runs.recent()) >= 3
    assert sorted(place.name for place in project.iterdir()) == ["a.txt", "project.godot"]
    assert caller.runtime.state.audit.path.is_relative_to(user_folder())


async def test_a_read_only_server_finishes_nothing_that_another_left(project: Path, make_caller: MakeCaller) -> None:
    make_state_folder(state_folder(project))
    write_pending(state_folder(project), "a.txt", None, b"x")
    assert (await make_caller(read_only=True).run("core.ping")).ok
    assert not (project / "a.txt").exists()
    assert (await make_caller().run("core.ping")).ok
    assert (project / "a.txt").read_bytes() == b"x"


# Workflows


async def leave_run_waiting(root: Path) -> Path:
    """Has a server take in a run that waits for a person, and end; returns its database."""
    runtime = make_runtime(Config(project=root, rate_limit=None, policy_rules="careful"))
    try:
        steps = [{"id": "a", "actionId": "project.file.delete", "input": {"path": "save.txt"}}]
        plan = {"definition": {"id": "x", "steps": steps}, "waitMs": 500}
        outcome = await runtime.run(Request(tool="workflow.run", arguments=plan))
        assert outcome.ok, outcome.fault
    finally:
        runtime.close()
    return state_folder(root) / "workflows.sqlite"


async def test_a_shipped_run_is_not_gone_on_with(project: Path, make_caller: MakeCaller) -> None:
    """The run was taken in by this very program, for a folder of the same name, and approved in the file."""
    from scenewright.workflow.engines import engine_of
    from scenewright.workflow.recovery import _is_needed

    (project / "save.txt").write_text("x")
    database = await leave_run_waiting(project)
    with closing(sqlite3.connect(database)) as records:
        records.execute("UPDATE workflow_status SET status = 'ENQUEUED', executor_id = 'dead'")
        records.commit()
    for name in ("workflows.sqlite", "workflows.sqlite-wal", "workflows.sqlite-shm"):
        if (state_folder(project) / name).exists():
            (state_folder(project) / name).replace(project / ".scenewright" / name)
    caller = make_caller(policy_rules="careful")
    engine = engine_of(caller.runtime)
    assert engine.storage.file is not None
    assert not engine.storage.file.exists()
    assert not await anyio.to_thread.run_sync(_is_needed, engine.storage)
    listed = await caller.run("workflow.list")
    assert listed.ok
    assert (project / "save.txt").exists()


async def test_a_read_only_server_takes_up_no_runs(project: Path, make_caller: MakeCaller) -> None:
    from scenewright.workflow.engines import engine_of
    from scenewright.workflow.recovery import take_up_runs

    caller = make_caller(read_only=True)
    with anyio.fail_after(30):
        await take_up_runs(caller.runtime)
    assert not engine_of(caller.runtime).is_started


@pytest.mark.parametrize("damage", [b"garbage" * 2000, b"SQLite format 3\0" + b"\xff" * 9000])
async def test_a_damaged_record_of_runs_says_so_and_what_to_do(
    project: Path, make_caller: MakeCaller, damage: bytes
) -> None:
    make_state_folder(state_folder(project))
    (state_folder(project) / "workflows.sqlite").write_bytes(damage)
    caller = make_caller()
    for tool, arguments in (("workflow.run", {"definition": PLAN}), ("workflow.list", {})):
        fault = (await caller.run(tool, arguments)).fault
        assert fault is not None
        assert "workflows.sqlite is damaged" in fault.message
        assert "Move workflows.sqlite" in (fault.hint or "")
    (state_folder(project) / "workflows.sqlite").unlink()
    assert (await caller.run("workflow.run", {"definition": PLAN, "waitMs": 20_000})).ok


async def test_damage_under_a_running_engine_is_no_bug_of_ours(project: Path, make_caller: MakeCaller) -> None:
    caller = make_caller()
    assert (await caller.run("workflow.run", {"definition": PLAN, "waitMs": 20_000})).ok
    place = state_folder(project) / "workflows.sqlite"
    place.write_bytes(b"\xff" * place.stat().st_size)
    for ending in ("-wal", "-shm"):
        place.with_name(place.name + ending).write_bytes(b"\xff" * 40_000)
    fault = (await caller.run("workflow.list")).fault
    if fault is not None:  # SQLite may still have what it needs in memory
        assert not isinstance(fault, Internal), fault.message
        assert fault.hint


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of a megabyte."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)], capture_output=True)
    if mounted.returncode:
        pytest.skip("no right to mount a disk")
    try:
        yield disk
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)


@pytest.mark.skipif(sys.platform != "linux", reason="mounts a disk")
@pytest.mark.parametrize("spare", [0, 20_000, 200_000])
async def test_a_full_disk_is_no_bug_of_ours(small_disk: Path, make_caller: MakeCaller, spare: int) -> None:
    root = small_disk / "project"
    root.mkdir()
    (root / "a.txt").write_text("x")
    caller = make_caller(project=root)
    if spare:
        make_state_folder(state_folder(root))
    _fill(root / "filler", spare)
    for tool, arguments in (
        ("write_file", {"path": "b.txt", "content": "x" * 100_000}),
        ("workflow.run", {"definition": PLAN, "waitMs": 5_000}),
        ("workflow.list", {}),
    ):
        outcome = await caller.run(tool, arguments)
        if outcome.fault is not None:
            assert not isinstance(outcome.fault, Internal), tool
            assert outcome.fault.hint
    assert (await caller.run("read_file", {"path": "a.txt"})).ok


def _fill(place: Path, spare: int) -> None:
    with place.open("wb", buffering=0) as file:
        try:
            while file.write(b"\0" * 4096):
                pass
        except OSError:
            pass
        file.truncate(max(0, file.tell() - spare))


# The audit log of a Godot project, which lies in a folder that a project may bring


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize("kind", ["log", "pipe", "link"])
async def test_a_shipped_audit_log_is_set_aside_and_not_gone_on_with(
    project: Path, make_caller: MakeCaller, kind: str
) -> None:
    (project / "project.godot").write_text("config_version=5\n")
    log, outside = project / ".godot_mcp/audit.log", project.parent / "outside.txt"
    log.parent.mkdir()
    if kind == "log":
        AuditLog(log).append({"tool": "forged"})
    elif kind == "pipe":
        os.mkfifo(log)
    else:
        outside.write_bytes(b"theirs")
        log.symlink_to(outside)
    caller = make_caller()
    assert caller.runtime.state.audit.tail(5) == []
    assert not caller.runtime.state.audit.verify().intact
    with anyio.fail_after(60):
        assert (await caller.run("core.ping")).ok
    assert [record["tool"] for record in caller.runtime.state.audit.tail(5)] == ["core.ping"]
    assert caller.runtime.state.audit.verify().intact
    assert os.path.lexists(log.with_name("audit.log.set-aside-1"))
    assert not outside.exists() or outside.read_bytes() == b"theirs"
