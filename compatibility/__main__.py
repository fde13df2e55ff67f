"""Tries the rows that are named, or all, and writes docs/compatibility.md out of what was seen.

    python -m compatibility [clients] [revisions] [pythons] [dependencies] [godots]

Each row is kept with its day in `compatibility/results.json`; what was not tried again stays as it was seen last.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from compatibility.clients import client_rows, revision_rows
from compatibility.engines import engine_rows
from compatibility.environments import dependency_rows, python_rows
from compatibility.page import write_page
from compatibility.rows import Row

RESULTS = Path(__file__).parent / "results.json"
GROUPS: dict[str, Callable[[], Iterator[Row]]] = {
    "clients": client_rows,
    "revisions": revision_rows,
    "pythons": python_rows,
    "dependencies": dependency_rows,
    "godots": engine_rows,
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="make compatibility", description="With what scenewright works.")
    parser.add_argument("groups", nargs="*", choices=[*GROUPS, []], help="default: all")
    groups = parser.parse_args().groups or list(GROUPS)
    rows = msgspec.json.decode(RESULTS.read_bytes(), type=list[Row]) if RESULTS.exists() else []
    for group in groups:
        rows = [row for row in rows if row.group != group]
        for row in GROUPS[group]():
            print(f"{row.group:12} {row.name:45} {row.verdict}: {row.detail}", flush=True)
            rows.append(row)
            found = sorted(rows, key=lambda each: (list(GROUPS).index(each.group), each.name))
            RESULTS.write_text(json.dumps(msgspec.to_builtins(found), indent=1) + "\n")
    write_page(msgspec.json.decode(RESULTS.read_bytes(), type=list[Row]))
    day = time.strftime("%Y-%m-%d")
    return 1 if any(row.verdict == "fails" and row.day == day for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
