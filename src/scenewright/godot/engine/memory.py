"""How much an engine may grow while it answers; only Linux can limit a process that runs already."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

__all__ = ["limited_growth"]


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
