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
            "1. Call overview, and write the goal down as sentences that can be true or false.\n"
            "2. Make the change in few calls. Where it is large, dryRun: true shows the diff first; for what the "
            "listing does not show, meta_tool_manager finds tools (tool_search) and explains them (tool_help).\n"
            "3. Run what you made and look at it: in Godot a probe with inputs and a check for each sentence about "
            "behaviour, then a picture; elsewhere run the code and read back the values.\n"
            "4. Compare with every sentence. Where one does not hold, mend it and check all again; history with action "
            "undo takes a change back.\n"
            "5. Then report: what changed, which check showed each sentence, and what you could not check."
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
