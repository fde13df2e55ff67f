"""The open editor's log, read piece by piece from a cursor, and cleared."""

from __future__ import annotations

from typing import Annotated, Any

from scenewright.core.calls.call import Call
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.core.text.counts import count_noun

__all__ = ["OPERATIONS", "Tail", "TailInputs", "read_tail"]


class TailInputs(Inputs, frozen=True, kw_only=True):
    cursor: Annotated[int, about("cursor of the reply before; 0 for all that is kept.", ge=0)] = 0
    max_bytes: Annotated[int, about("Most bytes of messages.", ge=1, le=1_000_000)] = 65_536
    max_matches: Annotated[int, about("Most entries.", ge=1, le=5000)] = 50
    only_errors: Annotated[bool, about("Leave out what was printed.")] = True
    pattern: Annotated[str, about("Regular expression that a message must match.", max_length=500)] = ""
    open_script_on_error: Annotated[bool, about("Show the script of the last error in the editor.")] = False


class Tail(Outputs, frozen=True, kw_only=True):
    entries: Annotated[list[dict[str, Any]], about("Oldest first: type, message, origin, timestamp.")]
    cursor: Annotated[int, about("Pass it next time for what comes after.")]
    more: Annotated[bool, about("There is more already.")] = False
    lost: Annotated[int, about("Older entries after the cursor that are no longer kept.")] = 0
    opened: Annotated[str, about("Script that was shown, with its line.")] | None = None


@operation(
    id="godot.log.tail",
    name="Follow Editor Log",
    category="editor",
    safety=Safety.READ_ONLY,
    needs_project=True,
    requires_bridge=True,
    tool="tail_editor_log",
    manager="godot_log_manager",
    action="tail",
    examples=(
        Example(
            "Errors since",
            {"cursor": 120},
            {"entries": [{"type": "error", "message": "Null instance", "origin": "game"}], "cursor": 134},
        ),
    ),
)
async def tail(call: Call, inputs: TailInputs) -> Tail:
    """Returns what the editor and its game logged after a cursor; errors and warnings only unless told otherwise."""
    return await read_tail(call, inputs)


async def read_tail(call: Call, inputs: TailInputs) -> Tail:
    """Return the entries after a cursor; the script of the last error is shown where that is asked for."""
    from scenewright.godot.editor.live.access import ask

    wanted = {
        "cursor": inputs.cursor,
        "max_bytes": inputs.max_bytes,
        "max_matches": inputs.max_matches,
        "only_errors": inputs.only_errors,
        "pattern": inputs.pattern,
    }
    answer = await ask(call, "scenewright.get_log", wanted)
    failed = any(entry["type"] == "error" for entry in answer["entries"])
    opened = await _show_last_error(call) if inputs.open_script_on_error and failed else None
    call.summary = f"{count_noun(len(answer['entries']), 'entry', 'entries')}."
    return Tail(
        entries=answer["entries"], cursor=answer["cursor"], more=answer["more"], lost=answer["lost"], opened=opened
    )


class Cleared(Outputs, frozen=True, kw_only=True):
    cleared: Annotated[bool, about("Whether the Output panel was cleared, too.")]
    cursor: Annotated[int, about("Where the log goes on.")]


@operation(
    id="godot.log.clear",
    category="editor",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    requires_bridge=True,
    tool="clear_editor_output",
    manager="godot_log_manager",
    action="clear_output",
    transactional=False,
    examples=(Example("Everything", {}, {"cleared": True, "cursor": 134}),),
)
async def clear_output(call: Call, inputs: Inputs) -> Cleared:
    """Clears the Output panel of the open editor, and the errors and lines that are kept of it."""
    from scenewright.godot.editor.live.access import ask

    del inputs
    answer = await ask(call, "scenewright.clear_output")
    call.summary = "The output is cleared."
    return Cleared(cleared=answer["cleared"], cursor=answer["cursor"])


OPERATIONS = (tail, clear_output)


async def _show_last_error(call: Call) -> str | None:
    from scenewright.godot.editor.live.access import ask

    errors = (await ask(call, "get_errors", {"count": 20, "severity": "error"}))["errors"]
    for error in errors:
        script, line = str(error["source"].get("script") or ""), int(error["source"].get("line") or 0)
        if script.startswith("res://"):
            await ask(call, "scenewright.edit_script", {"path": script, "line": line})
            return f"{script}:{line}"
    return None
