"""The checks: `godot` has the engine play a copy of the project, `files` reads the files of the other engines."""

from __future__ import annotations

from pathlib import Path

from evals.checks import files, godot
from evals.checks.verdict import Verdict
from evals.task import Task

__all__ = ["check_task"]


def check_task(task: Task, project: Path) -> list[Verdict]:
    """Return a verdict for each sentence; the project itself is not touched."""
    faults = (godot if task.engine == "Godot" else files).check(task, project)
    return [
        Verdict(number, sentence, faults.get(number, "the check was not reached"))
        for number, sentence in enumerate(task.sentences, 1)
    ]
