"""`make bench`: what we claim, measured, beside what was measured last; exits with 1 where a goal is missed.

Arguments choose parts by name; those that are not chosen keep their last results. Some take minutes, and are measured
only when they are named.
"""

from __future__ import annotations

import sys
from importlib import import_module

from bench.figures import Unmeasured
from bench.records import Record, read_records, worse, write_records

LONG = ("growth", "endurance")
PARTS = (
    "start",
    "foundation",
    "pipeline_steps",
    "http_calls",
    "scale",
    "day",
    "workflow",
    "godot_classes",
    "godot_text",
    "godot_live",
    "godot_engine",
    "godot_play",
    "godot_language",
    "pixel",
    "unity",
    "roblox",
    "roblox_bridge",
)


def main(chosen: list[str]) -> int:
    stored = read_records()
    missed: list[str] = []
    worsened: list[str] = []
    for part in chosen:
        now = _measured(part)
        missed += [f"{part}: {' '.join(str(figure).split())}" for figure in now.figures if not figure.holds]
        worsened += worse(stored[part], now) if part in stored else []
        stored[part] = now
        write_records({each: stored[each] for each in (*PARTS, *LONG) if each in stored})
    for text in worsened:
        print(f"worse:  {text}")
    for text in missed:
        print(f"missed: {text}")
    return 1 if missed else 0


def _measured(part: str) -> Record:
    record = Record.begin(part)
    print(f"\n{part}")
    try:
        for figure in import_module(f"bench.{part}").run():
            print(f"  {figure}", flush=True)
            record.figures.append(figure)
    except Unmeasured as problem:
        print(f"  not measured: {problem}")
        return Record.from_json(part, {**record.to_json(), "unmeasured": str(problem)})
    return record


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:] or list(PARTS)))
