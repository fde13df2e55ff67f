"""How far an engine is, in the words of every version."""

from __future__ import annotations

from scenewright.godot.engine.commands import Progress

NEWER = "[  27% ] savepack | Storing File: res://main.tscn"
OLDER = (
    "savepack: begin: Packing steps: 102",
    "\tsavepack: step 51: Storing File: res://main.tscn",
    "\tsavepack: step 102: Storing File: res://project.binary",
    "savepack: end",
)


def test_newer_engines_tell_percent() -> None:
    assert Progress().read(NEWER) == (27, "Storing File: res://main.tscn")


def test_older_engines_tell_steps() -> None:
    progress = Progress()
    assert [progress.read(line) for line in OLDER] == [
        (0, "Packing"),
        (50, "Storing File: res://main.tscn"),
        (100, "Storing File: res://project.binary"),
        (100, "savepack"),
    ]
    assert Progress().read("\tfirst_scan: step 5: Scanning") == (5, "Scanning")  # where the beginning was missed


def test_other_lines_are_not_taken_for_progress() -> None:
    for line in ("ERROR: begin: it steps: 3", "end", "hero: end of the line", "[27] a", "step 3: done", "a: step x: b"):
        assert Progress().read(line) is None
