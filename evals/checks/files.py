"""Checks in Python: functions `sentence_1(project)` and so on in the task's check.py, which raise AssertionError."""

from __future__ import annotations

import importlib
from pathlib import Path

from evals.task import Task

__all__ = ["check"]


def check(task: Task, project: Path) -> dict[int, str]:
    """Return what is wrong with each sentence, or an empty text."""
    module = importlib.import_module(f"evals.tasks.{task.name}.check")
    return {
        number: _fault(getattr(module, f"sentence_{number}"), project) for number in range(1, len(task.sentences) + 1)
    }


def _fault(sentence: object, project: Path) -> str:
    assert callable(sentence)
    try:
        sentence(project)
    except Exception as error:  # noqa: BLE001  whatever an agent left in a file is a fault of this sentence only
        return f"{type(error).__name__}: {error}".removeprefix("AssertionError: ") or "does not hold"
    return ""
