"""Editing a script by what it declares: one symbol replaced, added, removed or moved."""

from __future__ import annotations

from typing import Annotated, Literal

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, about
from scenewright.godot.language.operations.scripts import ScriptPath, ScriptWritten, report_written, script_place
from scenewright.godot.project.openers import open_workspace

__all__ = ["OPERATIONS"]

_Symbol = Annotated[str, about("Function, signal, variable, constant, enum or class; Inner.name for one in a class.")]


class EditSymbolInputs(Inputs, frozen=True, kw_only=True):
    script_path: ScriptPath
    symbol: _Symbol
    content: Annotated[str, about("The whole declaration, annotations included; empty removes the symbol.")]


@operation(
    id="godot.code.edit_symbol",
    category="script",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="edit_symbol",
    manager="godot_code_manager",
    action="edit_symbol",
    notes="What the script does not declare yet is added beside others of its kind. Documentation above a symbol stays "
    "where the content has none. Indents and line ends become the script's.",
    asked_for="replace a function body, add a function, remove a function",
    examples=(
        Example(
            "Another jump",
            {"scriptPath": "player.gd", "symbol": "jump", "content": "func jump() -> void:\n\tvelocity.y = -400.0"},
            {"scriptPath": "res://player.gd"},
        ),
    ),
)
def edit_symbol(call: Call, inputs: EditSymbolInputs) -> ScriptWritten:
    """Replaces, adds or removes one declaration of a script by its name; every other byte stays."""
    from scenewright.godot.language.symbols.member_edits import ScriptLines

    workspace = open_workspace(call)
    place = script_place(workspace, inputs.script_path)
    lines = ScriptLines(f"res://{place}", call.files.read(place))
    if not inputs.content.strip():
        lines.remove(inputs.symbol)
        done = f"Removed {inputs.symbol} from"
    elif lines.has(inputs.symbol):
        lines.replace(inputs.symbol, inputs.content)
        done = f"Replaced {inputs.symbol} in"
    else:
        lines.add(inputs.symbol, inputs.content)
        done = f"Added {inputs.symbol} to"
    call.files.write(place, lines.content())
    return report_written(call, workspace, place, done)


class MoveSymbolInputs(Inputs, frozen=True, kw_only=True):
    script_path: ScriptPath
    symbol: _Symbol
    where: Annotated[Literal["before", "after"], about("On which side of the other one.")]
    other: Annotated[str, about("Another symbol of the same class.")]


@operation(
    id="godot.code.move_symbol",
    category="script",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="move_symbol",
    manager="godot_code_manager",
    action="move_symbol",
    asked_for="reorder functions of a script",
    examples=(
        Example(
            "Beside what calls it",
            {"scriptPath": "player.gd", "symbol": "jump", "where": "after", "other": "_physics_process"},
            {"scriptPath": "res://player.gd"},
        ),
    ),
)
def move_symbol(call: Call, inputs: MoveSymbolInputs) -> ScriptWritten:
    """Moves a declaration before or after another one of its class, with documentation and annotations."""
    from scenewright.godot.language.symbols.member_edits import ScriptLines

    workspace = open_workspace(call)
    place = script_place(workspace, inputs.script_path)
    if inputs.symbol == inputs.other:
        raise Invalid("A symbol moves beside another one.", path="input.other", rule="different")
    lines = ScriptLines(f"res://{place}", call.files.read(place))
    lines.move(inputs.symbol, inputs.other, after=inputs.where == "after")
    call.files.write(place, lines.content())
    return report_written(call, workspace, place, f"Moved {inputs.symbol} in")


OPERATIONS = (edit_symbol, move_symbol)
