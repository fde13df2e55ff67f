"""A process that writes without pause is killed from outside, again and again, at moments nobody chose."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest
from tests.chaos.conftest import PATIENCE, Victim, snapshot, survivor

from scenewright.core.operations.registry import Registry
from scenewright.core.projects.ownership import state_folder

pytestmark = pytest.mark.anyio

FILES = [f"folder {number}/same.txt" for number in range(8)]
CHANGE = [{"tool": "write_file", "args": {"path": path, "content": "NUMBER", "overwrite": True}} for path in FILES]
KILLS = 60
MOST_KILLS = 300
INSIDE = 10  # so many at least must have hit a commit half way


def held(project: Path) -> int:
    """The number that all files hold."""
    (number,) = {int((project / path).read_bytes()) for path in FILES}
    return number


def kill_at_random(victim: Victim, chance: random.Random) -> int:
    """Kills the running job somewhere in the commit after the next; returns the last number it said it had written."""
    said, at, gap = 0, time.monotonic(), 0.01
    kill_after = chance.randint(1, 2)
    for _ in range(kill_after + 1):
        message = victim.next()
        while message is not None and "pid" in message:
            message = victim.next()
        assert message is not None
        said = message["committed"]
        at, gap = time.monotonic(), time.monotonic() - at
    # It may say more before the blow falls.
    deadline = at + chance.uniform(0, 1.2) * min(gap, 0.2)
    while (left := deadline - time.monotonic()) > 0 and (message := victim.next(left)) is not None:
        said = message["committed"]
    victim.kill()
    while (message := victim.next()) is not None and "ended" not in message:
        said = message["committed"]
    return said


async def test_files_written_together_are_never_seen_apart(project: Path, victim: Victim, registry: Registry) -> None:
    seed = int(os.environ.get("CHAOS_SEED") or time.time_ns() % 1_000_000)
    sys.stdout.write(f"CHAOS_SEED={seed}\n")
    chance = random.Random(seed)
    (project / "folder 0").mkdir()
    (project / FILES[0]).write_bytes(b"0")
    start = snapshot(project)

    last, kills, inside = 0, 0, 0
    while kills < KILLS or (inside < INSIDE and kills < MOST_KILLS):
        victim.start(project, CHANGE, start=last + 1, times=1_000_000)
        said = kill_at_random(victim, chance)
        kills += 1
        next_one = survivor(project, registry)
        inside += bool(next_one.runtime.state.recover())
        last = held(project)
        # What it said is there; what it had not yet said may be.
        assert last in (said, said + 1)
        next_one.runtime.close()

    assert inside >= INSIDE
    assert {path for path in snapshot(project) if path.endswith(".tmp")} == set()
    next_one = survivor(project, registry)
    entries = next_one.runtime.state.journal.entries(limit=10_000)
    assert len(entries) == last
    for newer, older in pairwise(entries):
        assert [file.before for file in newer.files] == [file.after for file in older.files]
    assert (await next_one.call("history.undo_to", {"entry": 0})).ok
    assert snapshot(project) == start
    next_one.runtime.close()

    checked = subprocess.run(
        [sys.executable, "-m", "scenewright", "audit", "verify", "--project", str(project)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr


async def test_the_audit_chain_survives_a_death_at_any_step_of_its_rotation(
    project: Path, victim: Victim, registry: Registry
) -> None:
    settings = {"audit_max_bytes": 1024, "audit_backups": 2}
    look = [{"tool": "core.ping", "args": {}}]
    for step in range(1, 1000):
        # One log for all deaths: each finds what those before it left.
        victim.start(project, look, kill_before=step, times=4, settings=settings)
        ended = victim.wait()
        next_one = survivor(project, registry, **settings)
        verdict = next_one.runtime.state.audit.verify()
        assert verdict.intact, verdict.problem
        next_one.runtime.close()
        if ended == 0:
            break
    assert ended == 0
    assert verdict.records > 2
    assert (state_folder(project) / "audit.log.2").exists()
