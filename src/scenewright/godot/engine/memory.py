"""How much memory an engine may take, at all and while it answers; only Linux can limit a process that runs already."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

__all__ = ["leave_half_of_memory", "limited_growth"]

LEAST_LIMIT = 2 << 30


def leave_half_of_memory(pid: int) -> None:
    """Let a process take no more than half of the machine's memory, so that a scene without end ends it alone."""
    if sys.platform != "linux":
        return
    import resource

    most = max(LEAST_LIMIT, os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2)
    with suppress(OSError, ValueError):  # it has ended, or is limited to less
        _, hard = resource.prlimit(pid, resource.RLIMIT_DATA)
        resource.prlimit(pid, resource.RLIMIT_DATA, (most, hard))


@contextmanager
def limited_growth(pid: int, most: int | None) -> Iterator[None]:
    """Let a process take no more than this many bytes beyond what it has, until the block ends."""
    if most is None or sys.platform != "linux":
        yield
        return
    import resource

    before = resource.prlimit(pid, resource.RLIMIT_DATA)
    resource.prlimit(pid, resource.RLIMIT_DATA, (_data_bytes(pid) + most, before[1]))
    try:
        yield
    finally:
        with suppress(OSError):  # it has ended
            resource.prlimit(pid, resource.RLIMIT_DATA, before)


def _data_bytes(pid: int) -> int:
    """What it has of its own to write in; a limit counts just that."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmData:"):
            return int(line.split()[1]) * 1024
    return 0
