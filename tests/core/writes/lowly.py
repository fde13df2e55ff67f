"""Makes calls as a user who may only do what the permissions of files and folders say; root gives up its rights first.

Arguments: a scratch folder, the project, and the calls as JSON. Prints each outcome as JSON.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import anyio

from scenewright.app import make_runtime
from scenewright.core.calls.call import Request
from scenewright.core.config import Config

NOBODY = 65534


async def outcomes(project: Path, calls: list[tuple[str, dict[str, Any]]]) -> list[dict[str, Any]]:
    runtime = make_runtime(Config(project=project, rate_limit=None))
    done = []
    for tool, arguments in calls:
        outcome = await runtime.run(Request(tool=tool, arguments=arguments, meta={"approved": True}))
        fault = outcome.fault
        done.append({"kind": fault.kind if fault else None, "summary": outcome.summary, "hint": fault and fault.hint})
    runs = len(runtime.runs.recent())
    runtime.close()
    return [*done, {"runs": runs}]


def main(scratch: Path, project: Path, calls: list[tuple[str, dict[str, Any]]]) -> None:
    # Whatever is imported late is imported now, while it may still be read.
    anyio.run(outcomes, scratch, [("write_file", {"path": "a.txt", "content": "x"}), ("history.list", {}), *calls])
    if os.geteuid() == 0:
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    sys.stdout.write(json.dumps(anyio.run(outcomes, project, calls)))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), json.loads(sys.argv[3]))
