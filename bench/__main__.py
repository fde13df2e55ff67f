"""`make bench`: what we claim, measured; exits with 1 where a goal is missed. Arguments choose parts by name."""

from __future__ import annotations

import sys
from importlib import import_module

PARTS = (
    "start",
    "foundation",
    "http_calls",
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

if __name__ == "__main__":
    chosen = sys.argv[1:] or PARTS
    missed = [goal for name in chosen for goal in import_module(f"bench.{name}").run()]
    for goal in missed:
        print(f"missed: {goal}")
    raise SystemExit(1 if missed else 0)
