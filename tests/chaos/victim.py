"""A process that changes a project through the real pipeline until it is killed, or kills itself at a chosen moment.

Reads jobs as JSON lines on stdin and forks for each, so that hundreds of deaths cost milliseconds each and not the
start of an interpreter. On stdout it says the job's process id, each number that the job has committed, and how the
job ended: minus the signal, or the exit code.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from itertools import count, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

import anyio

from scenewright import __version__
from scenewright.app import catalogues
from scenewright.core.calls.call import Request
from scenewright.core.config import Config
from scenewright.core.operations.registry import Registry, build_registry
from scenewright.core.runtime import Runtime

# What can leave a trace on the disk or let another process in, in the modules that write and the library they use.
_EFFECTS = {
    "chmod",
    "chown",
    "close",
    "connect",
    "execute",
    "executescript",
    "flock",
    "flush",
    "fsync",
    "mkdir",
    "open",
    "rename",
    "replace",
    "rmdir",
    "unlink",
    "write",
}
_WRITERS = {
    "audit.py",
    "database.py",
    "disk.py",
    "journal.py",
    "ledger.py",
    "locks.py",
    "placement.py",
    "state.py",
    "pathlib.py",
}


def main() -> None:
    registry = build_registry(catalogues(), verified=True)
    warm_up(registry)
    for line in sys.stdin:
        job = json.loads(line)
        pid = os.fork()
        if pid == 0:
            _run(job, registry)
        _, status = os.waitpid(pid, 0)
        say({"ended": os.waitstatus_to_exitcode(status)})


def warm_up(registry: Registry) -> None:
    """One life without a death, so that the children do not each import what is imported late."""
    with TemporaryDirectory() as folder:
        runtime = Runtime(Config(project=Path(folder), rate_limit=None), registry, server_version=__version__)
        write = {"tool": "write_file", "args": {"path": "a.txt", "content": "NUMBER"}}
        anyio.run(_commit, runtime, {"start": 0, "operations": [write]})
        runtime.close()


def _run(job: dict[str, Any], registry: Registry) -> None:
    code = 1
    say({"pid": os.getpid()})
    try:
        config = Config(project=Path(job["project"]), rate_limit=None, **job.get("settings", {}))
        runtime = Runtime(config, registry, server_version=__version__)
        if job.get("fail_replace"):
            _fail_replace(job["fail_replace"])
        if job.get("kill_before"):
            _kill_before(job["kill_before"])
        anyio.run(_commit, runtime, job)
        code = 0
    finally:
        os._exit(code)


async def _commit(runtime: Runtime, job: dict[str, Any]) -> None:
    for number in islice(count(job["start"]), job.get("times", 1)):
        items = json.loads(json.dumps(job["operations"]).replace("NUMBER", str(number)))
        batch = {"operations": items, "atomic": True}
        outcome = await runtime.run(Request(tool="batch_operations", arguments=batch, meta={"approved": True}))
        say({"committed": number} if outcome.ok else {"refused": outcome.summary})


def _kill_before(number: int) -> None:
    """Ends this process without warning right before the n-th thing it does to the disk.

    The run log's thread does not count: it works at its own pace, and the steps are to be the same each time.
    """
    effects = count(1)

    def watch(frame: FrameType, event: str, function: Any) -> None:
        if event != "c_call" or function.__name__ not in _EFFECTS or threading.current_thread().name == "runlog":
            return
        if os.path.basename(frame.f_code.co_filename) in _WRITERS and next(effects) >= number:
            os.kill(os.getpid(), signal.SIGKILL)

    threading.setprofile(watch)
    sys.setprofile(watch)


def _fail_replace(number: int) -> None:
    """Makes a rename fail as a broken disk does."""
    calls, replace = count(1), os.replace

    def failing(source: Any, target: Any) -> None:
        if str(source).endswith(".tmp") and next(calls) == number:
            raise OSError(5, "Input/output error", str(target))
        replace(source, target)

    os.replace = failing  # type: ignore[assignment]


def say(message: dict[str, Any]) -> None:
    os.write(1, json.dumps(message).encode() + b"\n")


if __name__ == "__main__":
    main()
