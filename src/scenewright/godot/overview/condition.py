"""In what condition a project is: what is not imported, and the errors that are known without running anything."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from scenewright.contracts.tool_names import as_listed
from scenewright.core.calls.call import Call
from scenewright.core.faults import Fault
from scenewright.core.projects.overview import Item, Section
from scenewright.core.text.counts import count_noun
from scenewright.godot.assets.import_states import unimported
from scenewright.godot.project.workspace import ROOT, Workspace

if TYPE_CHECKING:
    from scenewright.godot.engine.complaints import Complaint

__all__ = ["condition_sections", "unsaved_in"]

_MOST_NAMED = 5
_MOST_ERRORS = 10


def condition_sections(call: Call, workspace: Workspace, problems: list[str]) -> list[Section]:
    """Return assets to import, and errors: of the scripts' syntax, of the last run, and of the open editor."""
    errors = [*problems, *_game_errors(call), *_editor_errors(call)]
    shown = errors[:_MOST_ERRORS]
    return [
        Section(name="notImported", items=[Item("", (as_listed(line, call),)) for line in _to_import(workspace)]),
        Section(
            name="errors",
            items=[Item("", ("\n".join(shown),))] if shown else [],
            more="validate_project",
            unread=[count_noun(len(errors) - len(shown), "more error")] if len(errors) > len(shown) else [],
        ),
    ]


def _to_import(workspace: Workspace) -> list[str]:
    missing, stale, total = unimported(workspace)
    waiting = [*missing, *stale]
    if not waiting:
        return []
    every = "none of them is" if len(waiting) == total else f"{len(waiting)} {'is' if len(waiting) == 1 else 'are'} not"
    named = ", ".join(path.removeprefix(ROOT) for path in waiting[:_MOST_NAMED])
    which = "" if len(waiting) == total else f" ({named}{', …' if len(waiting) > _MOST_NAMED else ''})"
    return [f"{count_noun(total, 'asset')}, {every} imported{which}: import_assets does it"]


def unsaved_in(call: Call) -> list[str]:
    """Return the files that the open editor has with unsaved changes, by path from the root."""
    import anyio.from_thread

    from scenewright.godot.editor.live.stage import GodotStage

    if not isinstance(call.stage, GodotStage):
        return []
    return [path.removeprefix(ROOT) for path in anyio.from_thread.run(call.stage.unsaved)]


def _game_errors(call: Call) -> list[str]:
    """What the game said that this server runs, or ran last; each once, with how often."""
    from scenewright.godot.engine.games import Games

    game = call.runtime.services.get(Games, Games).find(call.state.project.root)
    entries = game.transcript.since() if game is not None else []
    said = Counter(_complained(value) for _, kind, value in entries if kind == "error" and value.severity == "error")
    return [text if times == 1 else f"{text} ({times} times)" for text, times in said.items()]


def _complained(complaint: Complaint) -> str:
    place = f"{complaint.path.removeprefix(ROOT)}:{complaint.line} " if complaint.path else ""
    return f"{place}{complaint.message}"


def _editor_errors(call: Call) -> list[str]:
    from scenewright.godot.editor.live.access import ask_from_thread

    if call.stage is None:
        return []
    try:
        answer = ask_from_thread(call, "get_errors", {"count": _MOST_ERRORS, "severity": "error", "runs": "last"})
    except Fault as fault:
        return [f"(the editor's errors could not be read: {fault.message})"]
    return [_said(error) for error in answer["errors"]]


def _said(error: dict[str, object]) -> str:
    source = error.get("source")
    place = source if isinstance(source, dict) else {}
    script, line = str(place.get("script") or "").removeprefix(ROOT), place.get("line")
    return f"{script}:{line} {error['message']}" if script else str(error["message"])
