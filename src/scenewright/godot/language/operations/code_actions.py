"""Ready-made mends of a script, listed and carried out by name."""

from __future__ import annotations

from typing import Annotated

from scenewright.core.calls.call import Call
from scenewright.core.faults import NotFound, did_you_mean
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Compiled, Inputs, Record, about
from scenewright.core.text.counts import count_noun
from scenewright.godot.language.operations.scripts import ScriptPath, script_place
from scenewright.godot.project.openers import class_index, open_workspace

__all__ = ["OPERATIONS"]

_HEADER = "organize_header"


class ActionQuery(Inputs, frozen=True, kw_only=True):
    script_path: ScriptPath
    apply: Annotated[str, about("Action to carry out; left out, they are listed.", min_length=1)] | None = None


class ActionRow(Record, frozen=True, kw_only=True):
    name: Annotated[str, about("What to give as apply.")]
    title: Annotated[str, about("What it does.")]


class ActionsFound(Compiled, frozen=True, kw_only=True):
    script_path: Annotated[str, about("res:// path.")]
    actions: Annotated[list[ActionRow], about("What can be done.")] | None = None
    applied: Annotated[str, about("What was done.")] | None = None


@operation(
    id="godot.code.actions",
    category="script",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="code_actions",
    manager="godot_code_manager",
    action="actions",
    asked_for="quick fix, add missing signal handler, organise header",
    examples=(
        Example(
            "What can be mended",
            {"scriptPath": "menu.gd"},
            {
                "scriptPath": "res://menu.gd",
                "actions": [
                    {"name": "add_handler:_on_buy", "title": "Add _on_buy() for Button.pressed in res://menu.tscn."}
                ],
            },
        ),
    ),
)
def code_actions(call: Call, inputs: ActionQuery) -> ActionsFound:
    """Lists mends of a script, or carries one out: its header in order, a handler that a scene's connection calls."""
    from scenewright.godot.language.symbols.code_actions import missing_handlers, organized_header
    from scenewright.godot.language.symbols.member_edits import ScriptLines

    workspace = open_workspace(call)
    place = script_place(workspace, inputs.script_path)
    content = call.files.read(place)
    organized = organized_header(content)
    handlers = {
        f"add_handler:{each.name}": each for each in missing_handlers(workspace, class_index(call), f"res://{place}")
    }
    rows = [ActionRow(name=_HEADER, title="Put class_name, extends and documentation in order.")] if organized else []
    rows += [
        ActionRow(name=name, title=f"Add {each.name}() for '{each.signal}' in {each.scene}.")
        for name, each in handlers.items()
    ]
    if inputs.apply is None:
        call.summary = f"{count_noun(len(rows), 'action')}."
        return ActionsFound(script_path=f"res://{place}", actions=rows)
    if inputs.apply == _HEADER and organized is not None:
        call.files.write(place, organized)
    elif inputs.apply in handlers:
        lines = ScriptLines(f"res://{place}", content)
        lines.add(handlers[inputs.apply].name, handlers[inputs.apply].declaration)
        call.files.write(place, lines.content())
    else:
        known = [row.name for row in rows]
        raise NotFound(
            f"There is no action '{inputs.apply}' for res://{place} now.",
            hint=did_you_mean(inputs.apply, known) or f"There are: {', '.join(known) or 'none'}.",
        )
    call.summary = f"Carried out {inputs.apply} in res://{place}."
    return ActionsFound(script_path=f"res://{place}", applied=inputs.apply)


OPERATIONS = (code_actions,)
