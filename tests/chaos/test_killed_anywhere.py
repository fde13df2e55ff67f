"""A process dies at every step of a commit in turn; the next one finds the old state or the new one, never a mixture.

A step is anything the process does to the disk: the death comes right before the first, the second, and so on until
the job gets through alive.
"""

from __future__ import annotations

import shutil
import signal
import sqlite3
from bisect import bisect_left
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.chaos.conftest import Snapshot, Victim, snapshot, survivor

from scenewright.core.operations.registry import Registry
from scenewright.core.projects.ownership import state_folder

pytestmark = pytest.mark.anyio

CHANGE: list[dict[str, Any]] = [
    {"tool": "write_file", "args": {"path": "a.txt", "content": "new a\n", "overwrite": True}},
    {"tool": "write_file", "args": {"path": "fresh/deep/b.txt", "content": "new b\n"}},
    {"tool": "delete_file", "args": {"path": "gone/c.txt"}},
    {"tool": "write_file", "args": {"path": "run.sh", "content": "#!/bin/sh\ntrue\n", "overwrite": True}},
]
MOST_STEPS = 1000
LOOK: list[dict[str, Any]] = [{"tool": "read_file", "args": {"path": "a.txt"}}]


@pytest.fixture
def template(tmp_path: Path) -> Path:
    """The project before the change."""
    folder = tmp_path / "template"
    (folder / "gone").mkdir(parents=True)
    (folder / "a.txt").write_bytes(b"old a\r\n")
    (folder / "gone/c.txt").write_bytes(b"old c")
    (folder / "run.sh").write_bytes(b"#!/bin/sh\nfalse\n")
    (folder / "run.sh").chmod(0o755)
    return folder


@pytest.fixture
def old(template: Path) -> Snapshot:
    return snapshot(template)


@pytest.fixture
def new(old: Snapshot) -> Snapshot:
    changed: Snapshot = {name: held for name, held in old.items() if name != "gone/c.txt"}
    mode = old["a.txt"][1] if old["a.txt"] else 0
    changed |= {"a.txt": (b"new a\n", mode), "run.sh": (b"#!/bin/sh\ntrue\n", 0o755)}
    return changed | {"fresh": None, "fresh/deep": None, "fresh/deep/b.txt": (b"new b\n", mode)}


def die(victim: Victim, template: Path, operations: list[dict[str, Any]], step: int, **job: Any) -> tuple[Path, int]:
    """A copy of the project in which a process died before that step, and how it ended."""
    project = template.with_name("project")
    shutil.rmtree(project, ignore_errors=True)
    shutil.copytree(template, project)
    records = state_folder(template)
    if records.is_dir():
        (project / records.relative_to(template)).rename(state_folder(project))
    victim.start(project, operations, kill_before=step, **job)
    return project, victim.wait()


def deaths(
    victim: Victim, template: Path, operations: list[dict[str, Any]], first: int = 1, **job: Any
) -> Iterator[Path]:
    """The project as each death left it: before the first step, before the second, until the job lives through."""
    for step in range(first, MOST_STEPS):
        project, ended = die(victim, template, operations, step, **job)
        yield project
        if ended == 0:
            return
        assert ended == -signal.SIGKILL
    raise AssertionError("the job never gets through")


def first_change(victim: Victim, template: Path) -> int:
    """The step after the one that changes the first file."""
    before = (template / "a.txt").read_bytes()

    def is_changed(step: int) -> bool:
        project, _ = die(victim, template, CHANGE, step)
        return (project / "a.txt").read_bytes() != before

    return bisect_left(range(MOST_STEPS), True, lo=1, key=is_changed)


def state_of_entry(project: Path) -> str | None:
    """What the journal says of the only change there is."""
    file = state_folder(project) / "journal.sqlite"
    if not file.exists():
        return None
    database = sqlite3.connect(file)
    try:
        row = database.execute("SELECT state FROM entry").fetchone()
    except sqlite3.OperationalError:  # no table yet
        row = None
    database.close()
    return str(row[0]) if row else None


async def check_whole(project: Path, registry: Registry, old: Snapshot, new: Snapshot) -> Snapshot:
    """The next process finds one of the two states, can go on working, and can take everything back."""
    next_one = survivor(project, registry)
    try:
        assert (await next_one.call("core.ping", {})).ok
        found = snapshot(project)
        assert found in (old, new)
        entries = next_one.runtime.state.journal.entries(limit=10)
        assert len(entries) == (1 if found == new else 0)
        assert (await next_one.call("write_file", {"path": "next.txt", "content": "next"})).ok
        assert (await next_one.call("history.undo_to", {"entry": 0})).ok
        assert snapshot(project) == old
        verdict = next_one.runtime.state.audit.verify()
        assert verdict.intact, verdict.problem
        assert next_one.runtime.state.recover() == []
        return found
    finally:
        next_one.runtime.close()


async def test_a_commit_that_dies_at_any_step_is_found_done_or_not_begun(
    template: Path, victim: Victim, registry: Registry, old: Snapshot, new: Snapshot
) -> None:
    left, found = [], []
    for project in deaths(victim, template, CHANGE):
        left.append(snapshot(project))
        found.append(await check_whole(project, registry, old, new))
    assert any(state not in (old, new) for state in left)  # without recovery there are mixtures
    assert found.index(new) > 0
    assert found[found.index(new) :] == [new] * (len(found) - found.index(new))  # one point of no return


async def test_going_back_after_a_failed_write_can_die_at_any_step(
    template: Path, victim: Victim, registry: Registry, old: Snapshot, new: Snapshot
) -> None:
    found: dict[str | None, list[Snapshot]] = {}
    for project in deaths(victim, template, CHANGE, first_change(victim, template), fail_replace=3):
        state = state_of_entry(project)
        found.setdefault(state, []).append(await check_whole(project, registry, old, new))
    # Dead before the failure, it is carried through after all; once it is going back, it goes back.
    assert set(found) == {None, "pending", "reverting"}
    assert new in found["pending"]
    assert all(state == old for state in found["reverting"] + found[None])


async def test_recovery_can_itself_die_at_any_step(
    template: Path, victim: Victim, registry: Registry, old: Snapshot, new: Snapshot, tmp_path: Path
) -> None:
    project, _ = die(victim, template, CHANGE, first_change(victim, template))
    half_done = project.rename(tmp_path / "half-done")
    assert snapshot(half_done) not in (old, new)
    for project in deaths(victim, half_done, LOOK):
        assert await check_whole(project, registry, old, new) == new


async def test_a_server_that_runs_all_along_sees_no_half_change(
    template: Path, victim: Victim, registry: Registry, new: Snapshot
) -> None:
    witness = survivor(template, registry)
    try:
        assert (await witness.call("read_file", {"path": "a.txt"})).call.output.text == "old a\r\n"
        step = first_change(victim, template)  # with the records that the witness has made
        victim.start(template, CHANGE, kill_before=step)
        assert victim.wait() == -signal.SIGKILL
        assert snapshot(template) != new
        assert (await witness.call("read_file", {"path": "a.txt"})).call.output.text == "new a\n"
        assert snapshot(template) == new
    finally:
        witness.runtime.close()
