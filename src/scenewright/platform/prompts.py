"""Prompts that lead a model through the work with this server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scenewright.core.operations.resources_and_prompts import Argument, Message, Prompt
from scenewright.core.runtime import Runtime

__all__ = ["PROMPTS"]


def _start(runtime: Runtime, values: Mapping[str, str]) -> list[Message]:
    engines = ", ".join(engine.name for engine in runtime.state.engines) or "no known engine"
    where = f"The project is in {runtime.project.root} ({engines})." if runtime.has_project else "No project is open."
    goal = values.get("goal") or "look around and tell me what is there"
    return [
        Message(
            f"{where} The goal: {goal}\n\n"
            "1. Find the tools: meta_tool_manager, action tool_search, with a few words of what you need; "
            "tool_help shows how to call one.\n"
            "2. Read before you write. Where a change is large, call it with dryRun: true first and look at the "
            "diff.\n"
            "3. After each change, check that it did what you meant; history with action undo takes it back.\n"
            "4. At the end, say what changed (history, action list) and what you could not check."
        )
    ]


def _review(runtime: Runtime, values: Mapping[str, str]) -> list[Message]:
    since = values.get("since")
    entries = runtime.state.journal.entries(limit=50)
    if since and since.isdecimal() and len(since) < 19:
        entries = [entry for entry in entries if entry.id > int(since)]
    lines = [
        f"- {entry.id} ({entry.at}, {entry.operation}): {entry.summary} "
        + ", ".join(f"{file.kind} {file.path}" for file in entry.files)
        for entry in entries
    ]
    listed = "\n".join(lines) or "(none)"
    return [
        Message(
            f"These changes were made to the project, newest first:\n{listed}\n\n"
            "Look at each with history, action show. Say in one line what it does, whether it is right, and what "
            "it may break. Propose which to take back (history, action undo or undo_to); do not do it unasked."
        )
    ]


def _entries(runtime: Runtime, prefix: str, context: Mapping[str, str]) -> Sequence[str]:
    del context
    numbers = (str(entry.id) for entry in runtime.state.journal.entries(limit=100))
    return [number for number in numbers if number.startswith(prefix)]


PROMPTS = (
    Prompt(
        name="start_work",
        title="Start Work",
        render=_start,
        description="How to work on this project with these tools.",
        arguments=(Argument(name="goal", description="What you want to get done."),),
    ),
    Prompt(
        name="review_changes",
        title="Review Changes",
        render=_review,
        description="Goes through what was changed and proposes what to take back.",
        arguments=(Argument(name="since", description="Only changes after this history entry.", complete=_entries),),
    ),
)
