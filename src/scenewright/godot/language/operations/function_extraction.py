"""Moving a function into another script."""

from __future__ import annotations

from typing import Annotated

from scenewright.core.calls.call import Call
from scenewright.core.faults import Conflict, Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Compiled, Inputs, about
from scenewright.godot.language.operations.compile_guard import errors_of, refuse_new_errors
from scenewright.godot.language.operations.scripts import ScriptPath

__all__ = ["OPERATIONS"]

_SECONDS = 120.0


class ExtractInputs(Inputs, frozen=True, kw_only=True):
    script_path: ScriptPath
    symbol: Annotated[str, about("Function of the script itself.", min_length=1, max_length=200)]
    target_path: Annotated[str, about("The other script; made where there is none.", min_length=1)]
    class_name: Annotated[str, about("class_name of a script that is made.", max_length=200)] = ""


class FunctionExtracted(Compiled, frozen=True, kw_only=True):
    script_path: Annotated[str, about("res:// path.")]
    target_path: Annotated[str, about("res:// path of the other script.")]
    call: Annotated[str, about("What stays behind under the old name.")]
    created: Annotated[bool, about("Whether the other script was made.")] = False


@operation(
    id="godot.code.extract_function",
    category="script",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="extract_function",
    manager="godot_code_manager",
    action="extract",
    timeout=_SECONDS,
    executes="sometimes",
    notes="There it is static and gets the object that it works on as its first argument, where it uses any of its "
    "members. A call of it stays behind, so that callers, connections and overrides find it as before. What would no "
    "longer compile is refused.",
    asked_for="move function to another script, split a large script, refactor",
    examples=(
        Example(
            "Out of a long script",
            {"scriptPath": "player.gd", "symbol": "aim", "targetPath": "aiming.gd", "className": "Aiming"},
            {
                "scriptPath": "res://player.gd",
                "targetPath": "res://aiming.gd",
                "call": "Aiming.aim(self, target)",
                "created": True,
            },
        ),
    ),
)
def extract_function(call: Call, inputs: ExtractInputs) -> FunctionExtracted:
    """Moves a function into another script and leaves a call of it behind."""
    from scenewright.godot.language.symbols.function_extraction import extract_function as extract
    from scenewright.godot.language.symbols.symbol_lookup import open_search, script_place

    with open_search(call) as opened:
        place = opened.script(inputs.script_path)
        target = script_place(opened.workspace, inputs.target_path)
        created = not call.files.exists(target)
        _check_new_script(inputs, created=created)
        if not created:
            opened.script(inputs.target_path)  # refused where Godot does not look through it, or it is no text
        if target == place:
            raise Invalid("A function is extracted into another script.", path="input.targetPath", rule="different")
        done = extract(opened.search, place, inputs.symbol, target, class_name=inputs.class_name)
        seen = {path: opened.search.source(path).content for path in done.contents if path in opened.search.paths}
        before = errors_of(opened.view, seen)
    for path, content in done.contents.items():
        if path in seen and call.files.read(path) != seen[path]:
            raise Conflict(f"'res://{path}' was changed meanwhile.", hint="Try again.")
        call.files.write(path, content)
    if before is not None:
        refuse_new_errors(
            call, done.contents, before, change="extraction", hint="Nothing was changed; extract a smaller part."
        )
    call.warnings += done.notes
    call.summary = f"Moved {inputs.symbol} to res://{target}; {done.call} stays behind."
    return FunctionExtracted(
        script_path=f"res://{place}", target_path=f"res://{target}", call=done.call, created=created
    )


OPERATIONS = (extract_function,)


def _check_new_script(inputs: ExtractInputs, *, created: bool) -> None:
    from scenewright.godot.language.symbols.tokens import is_identifier

    if inputs.class_name and not created:
        raise Invalid(
            f"'{inputs.target_path}' exists already, with the name it has.", path="input.className", rule="state"
        )
    if inputs.class_name and not is_identifier(inputs.class_name):
        raise Invalid(f"'{inputs.class_name}' cannot be a name in GDScript.", path="input.className", rule="pattern")
