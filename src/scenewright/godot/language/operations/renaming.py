"""Renaming a symbol everywhere it is meant."""

from __future__ import annotations

from typing import Annotated, Literal

from scenewright.core.calls.call import Call
from scenewright.core.faults import Conflict
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Compiled, Record, about, to_wire
from scenewright.core.text.counts import count_noun
from scenewright.godot.language.operations.compile_guard import errors_of, refuse_new_errors
from scenewright.godot.language.operations.navigation import SymbolQuery

__all__ = ["OPERATIONS"]

_SECONDS = 120.0
_MOST_TOLD = 40


class RenameInputs(SymbolQuery, frozen=True, kw_only=True):
    new_name: Annotated[str, about("What it is to be called.", min_length=1, max_length=200)]
    uncertain: Annotated[
        Literal["refuse", "leave", "rename"],
        about("Strings and members of untyped values that may mean it: refuse the call and list them, or decide."),
    ] = "refuse"


class DoubtRow(Record, frozen=True, kw_only=True):
    path: Annotated[str, about("res:// path.")]
    line: Annotated[int, about("Line, from 1.")]
    text: Annotated[str, about("What stands there.")]


class SymbolRenamed(Compiled, frozen=True, kw_only=True):
    symbol: Annotated[str, about("The old name.")]
    new_name: Annotated[str, about("The new one.")]
    files: Annotated[list[str], about("Files that change.")]
    places: Annotated[int, about("How many names change.")]
    left: Annotated[list[DoubtRow], about("Places that may mean it and were left.")] | None = None


@operation(
    id="godot.code.rename",
    category="script",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="rename_symbol",
    manager="godot_code_manager",
    action="rename",
    timeout=_SECONDS,
    executes="sometimes",
    notes="Scripts, connections, exported values and animation tracks of scenes and resources, project.godot. A name "
    "that is taken where it would stand, and a rename after which a script no longer compiles, are refused.",
    asked_for="refactor rename function variable signal class everywhere",
    examples=(
        Example(
            "A function and all its calls",
            {"scriptPath": "actor.gd", "symbol": "take_damage", "newName": "suffer"},
            {"symbol": "take_damage", "newName": "suffer", "files": ["res://actor.gd", "res://hero.gd"], "places": 4},
        ),
    ),
)
def rename_symbol(call: Call, inputs: RenameInputs) -> SymbolRenamed:
    """Renames a symbol everywhere it is meant, in scripts, scenes, animations and settings, and nowhere else."""
    from scenewright.godot.language.symbols.renames import plan_rename
    from scenewright.godot.language.symbols.symbol_lookup import open_search

    with open_search(call) as opened:
        target = opened.search.find(opened.script(inputs.script_path), inputs.symbol, inputs.line)
        plan = plan_rename(
            opened.search, opened.workspace, target, inputs.new_name, rename_doubts=inputs.uncertain == "rename"
        )
        doubts = [DoubtRow(path=each.path, line=each.line, text=each.text) for each in plan.doubts]
        if doubts and inputs.uncertain == "refuse":
            raise _in_doubt(target.token.name, doubts)
        before = errors_of(opened.view, plan.contents)
        seen = {path: opened.search.source(path).content for path in plan.contents if path.endswith(".gd")}
    for path, content in plan.contents.items():
        if call.files.read(path) != seen.get(path, call.files.read(path)):
            raise Conflict(
                f"'res://{path}' was changed meanwhile, or is open with unsaved text.", hint="Save and try again."
            )
        call.files.write(path, content)
    if before is not None:
        refuse_new_errors(
            call,
            plan.contents,
            before,
            change="rename",
            hint="Choose another name; nothing was changed.",
            as_before=lambda message: message.replace(inputs.new_name, target.token.name),
        )
    files = [f"res://{path}" for path in sorted(plan.contents)]
    call.summary = (
        f"Renamed {target.token.name} to {inputs.new_name}: {count_noun(plan.count, 'place')} in "
        f"{count_noun(len(files), 'file')}."
    )
    left = doubts if inputs.uncertain == "leave" else []
    return SymbolRenamed(
        symbol=target.token.name, new_name=inputs.new_name, files=files, places=plan.count, left=left or None
    )


OPERATIONS = (rename_symbol,)


def _in_doubt(name: str, doubts: list[DoubtRow]) -> Conflict:
    shown = "; ".join(f"{each.path}:{each.line}: {each.text}" for each in doubts[:3])
    return Conflict(
        f"{count_noun(len(doubts), 'place')} may mean '{name}', and nobody can tell: {shown}"
        f"{' …' if len(doubts) > 3 else ''}",
        hint="Look at them, then pass uncertain: 'rename' to rename those too, or 'leave'.",
        details={"uncertain": [to_wire(each) for each in doubts[:_MOST_TOLD]], "total": len(doubts)},
        retryable=False,
    )
