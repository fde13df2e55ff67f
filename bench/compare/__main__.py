"""`make compare`: installs the peers, measures, and writes bench/comparison.json and docs/comparison.md.

Arguments choose parts (warm, cold, edit, look); those that are not chosen keep their last results. `page` only writes
the page.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.compare.installation import install, node
from bench.compare.measure import STARTS, TASKS, measure_starts, measure_tasks
from bench.compare.page import write_page
from bench.compare.peers import PEERS
from bench.compare.workshop import Workshop
from bench.engines import godot
from bench.records import commit, machine
from bench.screen import screen

RESULTS = Path(__file__).parents[1] / "comparison.json"
PARTS: dict[str, list[str]] = {
    "warm": [],
    "cold": [],
    "edit": ["read", "create", "edits"],
    "look": ["tree", "picture", "script", "bad"],
}


def main(chosen: list[str]) -> int:
    stored: dict[str, Any] = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {"results": {}}
    if chosen != ["page"]:
        absent = install()
        stored |= {"machine": machine(), "date": datetime.now(UTC).date().isoformat(), "absent": absent}
        stored["versions"] = (
            {peer.name: peer.version for peer in PEERS if peer.registry} | _versions() | {"scenewright": commit()}
        )
        for part in chosen:
            for what, found in _measured(part, absent):
                stored["results"][what] = found
                print(what, json.dumps(found, indent=1, ensure_ascii=False), flush=True)
                RESULTS.write_text(json.dumps(stored, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    if set(stored["results"]) >= {"warm", *TASKS}:
        write_page(stored)
    return 0


def _measured(part: str, absent: dict[str, str]) -> Iterator[tuple[str, dict[str, Any]]]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name, screen() as display:
        workshop = Workshop(Path(name), display, str(godot().path))
        if part in STARTS:
            yield part, measure_starts(part, workshop, Path(name), absent)
        else:
            with workshop.benches(absent) as benches:
                yield from measure_tasks(PARTS[part], benches)


def _versions() -> dict[str, str]:
    said = subprocess.run([node(), "--version"], capture_output=True, text=True, check=True).stdout.strip()
    return {"Node": said, "Godot": ".".join(map(str, godot().version))}


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:] or list(PARTS)))
