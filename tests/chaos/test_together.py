"""Several servers on one project at once: every MCP client starts its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.chaos.conftest import PATIENCE, ROOT, survivor

from scenewright.core.operations.registry import Registry

PROCESSES = 4
EDITS = 50


def test_no_update_is_lost_between_processes(project: Path, registry: Registry) -> None:
    (project / "counter.txt").write_bytes(b"0\n")
    command = [sys.executable, "-m", "tests.chaos.counter", str(project), str(EDITS)]
    running = [subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) for _ in range(PROCESSES)]
    said = [process.communicate(timeout=PATIENCE)[0] for process in running]
    assert [process.returncode for process in running] == [0] * PROCESSES
    calls = sum(map(int, said))

    assert (project / "counter.txt").read_bytes() == b"%d\n" % (PROCESSES * EDITS)
    state = survivor(project, registry).runtime.state
    assert len(state.journal.entries(limit=10_000)) == PROCESSES * EDITS
    verdict = state.audit.verify()
    assert (verdict.intact, verdict.records, verdict.notes) == (True, calls, ())
    assert len(state.runs.recent(100_000)) == calls
    state.close()
