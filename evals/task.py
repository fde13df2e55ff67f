"""A task: a folder with its text, its starting project, its check, and a solution that shows the check can pass."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Task", "all_tasks", "find_task"]

FOLDER = Path(__file__).parent / "tasks"
_HEADING = re.compile(r"# (?P<title>.+) \((?P<engine>Godot|Roblox|Unity)\)\n")
_SENTENCE = re.compile(r"^(\d+)\. (.+(?:\n   .+)*)", re.MULTILINE)


@dataclass(frozen=True)
class Task:
    """One job for an agent: `text` is all it is told, `sentences` are what is checked."""

    name: str
    title: str
    engine: str
    text: str
    sentences: tuple[str, ...]

    @classmethod
    def read(cls, folder: Path) -> Task:
        text = (folder / "task.md").read_text(encoding="utf-8")
        heading = _HEADING.match(text)
        if heading is None:
            raise ValueError(f"{folder.name}/task.md must begin with '# TITLE (ENGINE)'")
        found = _SENTENCE.findall(text)
        if [int(number) for number, _ in found] != list(range(1, len(found) + 1)):
            raise ValueError(f"{folder.name}/task.md must number its sentences from 1")
        sentences = tuple(" ".join(sentence.split()) for _, sentence in found)
        return cls(folder.name, heading["title"], heading["engine"], text, sentences)

    @property
    def folder(self) -> Path:
        return FOLDER / self.name

    @property
    def start(self) -> Path:
        """What the agent finds; there is none where the task is to begin with nothing."""
        return self.folder / "project"

    @property
    def solution(self) -> Path:
        """Files that, laid over the start, solve the task."""
        return self.folder / "solution"


def all_tasks() -> list[Task]:
    return [Task.read(file.parent) for file in sorted(FOLDER.glob("*/task.md"))]


def find_task(name: str) -> Task:
    """Return a task by its name.

    Raises:
        SystemExit: there is no such task.
    """
    if not (FOLDER / name / "task.md").is_file():
        raise SystemExit(f"There is no task {name!r}; there are {', '.join(task.name for task in all_tasks())}.")
    return Task.read(FOLDER / name)
