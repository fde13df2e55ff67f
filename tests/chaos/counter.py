"""Adds one to a number in a file, again and again, beside others that do the same; tries again when they were faster.

Prints how many calls it made in all.
"""

from __future__ import annotations

import sys
from pathlib import Path

import anyio

from scenewright.app import make_runtime
from scenewright.core.calls.call import Outcome, Request
from scenewright.core.config import Config


async def main(project: Path, times: int) -> int:
    runtime = make_runtime(Config(project=project, rate_limit=None))
    calls = 0

    async def call(tool: str, **arguments: object) -> Outcome:
        nonlocal calls
        calls += 1
        return await runtime.run(Request(tool=tool, arguments=arguments))

    async def add_one() -> bool:
        read = await call("read_file", path="counter.txt")
        assert read.fault is None, read.fault
        number = int(read.call.output.text)
        edit = await call("edit_file", path="counter.txt", find=f"{number}\n", replace=f"{number + 1}\n")
        assert edit.fault is None or edit.fault.kind in ("conflict", "invalid"), edit.fault
        return edit.ok

    for _ in range(times):
        while not await add_one():
            pass
    runtime.close()
    return calls


if __name__ == "__main__":
    sys.stdout.write(f"{anyio.run(main, Path(sys.argv[1]), int(sys.argv[2]))}\n")
