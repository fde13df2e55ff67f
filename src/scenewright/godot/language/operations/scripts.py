"""Scripts: finding, reading and writing them; `script_attachment` puts them on nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from scenewright.core.calls.call import Call
from scenewright.core.faults import Conflict, Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Compiled, Inputs, Outputs, Record, about, to_wire
from scenewright.core.operations.paging import NextOffset, Page
from scenewright.core.text.counts import count_noun
from scenewright.core.writes.text_replacement import replaced
from scenewright.godot.project.openers import open_workspace
from scenewright.godot.project.operations.deletions import BrokenReferences, DeletedFiles, Force, delete_unless_used

if TYPE_CHECKING:
    from scenewright.godot.language.records import Script
    from scenewright.godot.project.workspace import Workspace

__all__ = ["OPERATIONS", "ScriptPath"]

ScriptPath = Annotated[str, about("Script file, res:// or from the project's root.", min_length=1)]


class ScriptFilter(Inputs, frozen=True, kw_only=True):
    folder: Annotated[str, about("Only scripts below this folder.")] | None = None
    recursive: Annotated[bool, about("Include subfolders.")] = True
    limit: Annotated[int, about("Scripts per page.", ge=1, le=1000)] = 200
    offset: Annotated[int, about("Scripts to skip, from nextOffset.", ge=0)] = 0


class ScriptRow(Record, frozen=True, kw_only=True):
    path: Annotated[str, about("res:// path.")]
    extends: Annotated[str, about("Class or script it extends.")] = ""
    class_name: Annotated[str, about("Its class_name.")] = ""
    problems: Annotated[int, about("Syntax errors.")] = 0


class ScriptList(Outputs, frozen=True, kw_only=True):
    scripts: Annotated[list[ScriptRow], about("Scripts, sorted by path.")]
    total: Annotated[int, about("How many there are in all.")]
    next_offset: NextOffset = None


@operation(
    id="godot.script.list",
    category="script",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="list_scripts",
    manager="godot_code_manager",
    action="script.list",
    parameter_aliases={"directory": "folder"},
    examples=(
        Example(
            "All scripts",
            {},
            {"scripts": [{"path": "res://player.gd", "extends": "CharacterBody2D", "className": "Player"}], "total": 1},
        ),
    ),
)
def list_scripts(call: Call, inputs: ScriptFilter) -> ScriptList:
    """Lists the project's GDScript files with their class_name and what they extend."""
    workspace = open_workspace(call)
    paths = workspace.listing_in(inputs.folder, ".gd", recursive=inputs.recursive)
    page = Page.cut(paths, inputs.offset, inputs.limit)
    call.summary = f"{count_noun(len(paths), 'script')}."
    return ScriptList(
        scripts=[_row(_read_script(workspace, path)) for path in page.items],
        total=len(paths),
        next_offset=page.next_offset,
    )


class OutlineQuery(Inputs, frozen=True, kw_only=True):
    script_path: ScriptPath


class Outline(Outputs, frozen=True, kw_only=True):
    script_path: Annotated[str, about("res:// path.")]
    symbols: Annotated[list[dict[str, Any]], about("Signals, variables, functions, classes, with their lines.")]
    extends: Annotated[str, about("Class or script it extends.")] = ""
    class_name: Annotated[str, about("Its class_name.")] = ""
    problems: Annotated[list[dict[str, Any]], about("Syntax errors.")] | None = None


@operation(
    id="godot.script.outline",
    name="Script Outline",
    category="script",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="get_script_outline",
    manager="godot_code_manager",
    action="script.outline",
    examples=(
        Example(
            "A player",
            {"scriptPath": "player.gd"},
            {
                "scriptPath": "res://player.gd",
                "extends": "CharacterBody2D",
                "symbols": [{"kind": "function", "name": "_physics_process", "line": 9, "end_line": 20}],
            },
        ),
    ),
)
def script_outline(call: Call, inputs: OutlineQuery) -> Outline:
    """Returns the symbols of a script with their line ranges, and its syntax errors."""
    from scenewright.godot.language.outline import outline

    script = _read_script(open_workspace(call), inputs.script_path)
    row = _row(script)
    symbols = [to_wire(symbol) for symbol in outline(script)]
    call.summary = f"{row.path}: {count_noun(len(symbols), 'symbol')}."
    return Outline(
        script_path=row.path,
        symbols=symbols,
        extends=row.extends,
        class_name=row.class_name,
        problems=_problem_rows(script),
    )


class WriteScriptInputs(Inputs, frozen=True, kw_only=True):
    script_path: ScriptPath
    content: Annotated[str, about("The whole script.")]
    overwrite: Annotated[bool, about("Replace a script that exists.")] = False


class ScriptWritten(Compiled, frozen=True, kw_only=True):
    script_path: Annotated[str, about("res:// path.")]
    created: Annotated[bool, about("Whether the file was created.")] = False
    problems: Annotated[list[dict[str, Any]], about("Syntax errors: line, column, message.")] | None = None


@operation(
    id="godot.script.write",
    category="script",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="write_script",
    manager="godot_code_manager",
    action="script.create",
    idempotent=True,
    notes="The syntax is always checked; if Godot is available, it compiles the written script.",
    examples=(
        Example(
            "A new script",
            {"scriptPath": "player.gd", "content": "extends Node2D\n"},
            {"scriptPath": "res://player.gd", "created": True},
        ),
    ),
)
def write_script(call: Call, inputs: WriteScriptInputs) -> ScriptWritten:
    """Writes a whole script and reports its syntax errors."""
    workspace = open_workspace(call)
    place = _script_place(workspace, inputs.script_path)
    existed = call.files.exists(place)
    if existed and not inputs.overwrite:
        raise Conflict(
            f"'res://{place}' exists already.",
            hint="Pass overwrite: true to replace it, or change a part of it with edit_file.",
            retryable=False,
        )
    call.files.write(place, inputs.content.encode())
    return _report_written(call, workspace, place, "Replaced" if existed else "Created")


class ReadScriptInputs(Inputs, frozen=True, kw_only=True):
    script_path: ScriptPath
    offset: Annotated[int, about("First character to return.", ge=0)] = 0
    max_chars: Annotated[int, about("Most characters to return.", ge=1, le=100_000)] = 12_000


class ScriptText(Outputs, frozen=True, kw_only=True):
    script_path: Annotated[str, about("res:// path.")]
    content: Annotated[str, about("The script, or the part that was asked for.")]
    total_chars: Annotated[int, about("Length of the whole script.")]
    next_offset: Annotated[int, about("Where the rest starts; absent at the end.")] | None = None


@operation(
    id="godot.script.read",
    category="script",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="read_script",
    manager="godot_code_manager",
    action="script.read",
    examples=(
        Example(
            "A short one",
            {"scriptPath": "player.gd"},
            {"scriptPath": "res://player.gd", "content": "extends Node2D\n", "totalChars": 15},
        ),
    ),
)
def read_script(call: Call, inputs: ReadScriptInputs) -> ScriptText:
    """Reads a script, a part at a time where it is long."""
    place = _script_place(open_workspace(call), inputs.script_path)
    text = call.files.read(place).decode("utf-8-sig", "replace")
    page = Page.cut(text, inputs.offset, inputs.max_chars)
    unsaved = ", not saved in the editor yet" if call.files.is_live(place) else ""
    call.summary = f"res://{place}: {len(text):,} characters{unsaved}."
    return ScriptText(
        script_path=f"res://{place}",
        content=page.items,
        total_chars=len(text),
        next_offset=page.next_offset,
    )


class EditScriptInputs(Inputs, frozen=True, kw_only=True):
    script_path: ScriptPath
    find: Annotated[str, about("Text to replace, exactly as in the script.", min_length=1)]
    replace: Annotated[str, about("Text to put there.")]
    count: Annotated[int, about("How often find must occur; anything else is refused.", ge=1, le=1000)] = 1


@operation(
    id="godot.script.edit",
    category="script",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="edit_script",
    manager="godot_code_manager",
    action="script.edit",
    examples=(
        Example(
            "Faster",
            {"scriptPath": "player.gd", "find": "speed = 200", "replace": "speed = 300"},
            {"scriptPath": "res://player.gd"},
        ),
    ),
)
def edit_script(call: Call, inputs: EditScriptInputs) -> ScriptWritten:
    """Replaces a text in a script if it occurs exactly as often as expected, and reports syntax errors."""
    workspace = open_workspace(call)
    place = _script_place(workspace, inputs.script_path)
    before = call.files.read(place)
    after = replaced(before, inputs.find, inputs.replace, count=inputs.count, name=f"res://{place}")
    call.files.write(place, after)
    return _report_written(call, workspace, place, "Changed")


class DeleteScriptInputs(Inputs, frozen=True, kw_only=True):
    script_path: ScriptPath
    force: Force = False


class ScriptDeleted(Outputs, frozen=True, kw_only=True):
    script_path: Annotated[str, about("res:// path.")]
    deleted: DeletedFiles
    broken: BrokenReferences = None


@operation(
    id="godot.script.delete",
    category="script",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="delete_script",
    manager="godot_code_manager",
    action="script.delete",
    examples=(
        Example(
            "An old script",
            {"scriptPath": "old.gd"},
            {"scriptPath": "res://old.gd", "deleted": ["res://old.gd", "res://old.gd.uid"]},
        ),
    ),
)
def delete_script(call: Call, inputs: DeleteScriptInputs) -> ScriptDeleted:
    """Deletes a script that nothing uses, or with force any script; history keeps its content."""
    workspace = open_workspace(call)
    place = _script_place(workspace, inputs.script_path)
    call.files.read(place)
    done = delete_unless_used(call, workspace, place, force=inputs.force)
    return ScriptDeleted(script_path=f"res://{place}", deleted=done.gone, broken=done.broken or None)


OPERATIONS = (
    list_scripts,
    script_outline,
    read_script,
    write_script,
    edit_script,
    delete_script,
)


def _script_place(workspace: Workspace, path: str) -> str:
    place = workspace.place(path)
    if not place.endswith(".gd"):
        raise Invalid("A script's file name ends in .gd.", path="input.scriptPath", rule="suffix")
    return place


def _read_script(workspace: Workspace, path: str) -> Script:
    from scenewright.godot.language import script_reader

    place = _script_place(workspace, path)
    return script_reader.read_script(workspace.files.read(place), f"res://{place}")


def _report_written(call: Call, workspace: Workspace, place: str, what: str) -> ScriptWritten:
    problems = _problem_rows(_read_script(workspace, place))
    call.summary = f"{what} res://{place}."
    call.warnings += [f"Line {problem['line']}: {problem['message']}" for problem in (problems or [])[:3]]
    return ScriptWritten(script_path=f"res://{place}", created=what == "Created", problems=problems)


def _row(script: Script) -> ScriptRow:
    body = script.body
    return ScriptRow(
        path=script.path,
        extends=body.extends_path or body.extends_name,
        class_name=script.class_name,
        problems=len(script.problems),
    )


def _problem_rows(script: Script) -> list[dict[str, Any]] | None:
    return [to_wire(problem) for problem in script.problems[:20]] or None
