"""Scripts: finding, reading and writing them; `script_attachment` puts them on nodes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from scenewright.core.calls.call import Call
from scenewright.core.faults import Conflict, Invalid, TooLarge
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Compiled, Inputs, Outputs, Record, about, to_wire
from scenewright.core.operations.paging import NextOffset, Page
from scenewright.core.text.counts import count_noun
from scenewright.core.writes.text_replacement import replaced
from scenewright.godot.project.openers import class_index, open_workspace
from scenewright.godot.project.operations.deletions import BrokenReferences, DeletedFiles, Force, delete_unless_used

if TYPE_CHECKING:
    from scenewright.godot.language.outline import Symbol
    from scenewright.godot.language.records import Script
    from scenewright.godot.project.workspace import Workspace

__all__ = ["OPERATIONS", "ScriptPath", "ScriptWritten", "SymbolKind", "report_written", "script_place"]

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
    """Lists the project's scripts with their class_name and what they extend."""
    workspace = open_workspace(call)
    paths = workspace.listing_in(inputs.folder, ".gd", ".cs", recursive=inputs.recursive)
    page = Page.cut(paths, inputs.offset, inputs.limit)
    call.summary = f"{count_noun(len(paths), 'script')}."
    return ScriptList(
        scripts=list(_rows(call, workspace, page.items)),
        total=len(paths),
        next_offset=page.next_offset,
    )


SymbolKind = Literal[
    "class", "signal", "enum", "constant", "export", "variable", "function", "uniform", "struct", "include"
]


class OutlineQuery(Inputs, frozen=True, kw_only=True):
    script_path: ScriptPath
    name: Annotated[str, about("Only symbols with this in their name, or a pattern such as '_on_*'.")] | None = None
    kinds: Annotated[list[SymbolKind], about("Only symbols of these kinds.", min_length=1)] | None = None


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
    """Returns the symbols of a script or shader with their lines, enums with their values, and syntax errors."""
    from scenewright.godot.language.outline import matching

    row, declared, problems = _outline(call, open_workspace(call), inputs.script_path)
    symbols = [to_wire(symbol) for symbol in matching(declared, inputs.name, inputs.kinds)]
    left = f" of {len(declared)}" if len(symbols) < len(declared) else ""
    call.summary = (
        f"{row.path}: {len(symbols)}{left} symbols." if left else f"{row.path}: {count_noun(len(symbols), 'symbol')}."
    )
    return Outline(
        script_path=row.path, symbols=symbols, extends=row.extends, class_name=row.class_name, problems=problems
    )


def _outline(
    call: Call, workspace: Workspace, path: str
) -> tuple[ScriptRow, list[Symbol], list[dict[str, Any]] | None]:
    from scenewright.godot.language.outline import csharp_outline, outline

    place = workspace.place(path)
    if place.endswith((".gdshader", ".gdshaderinc")):
        return _shader_outline(workspace, place)
    script = _read_script(call, workspace, path)
    declared = outline(script)
    if script.path.endswith(".cs"):
        declared = csharp_outline(declared, workspace.files.read(place))
    return _row(script), declared, _problem_rows(script)


def _shader_outline(workspace: Workspace, place: str) -> tuple[ScriptRow, list[Symbol], None]:
    from scenewright.godot.rendering.materials import included_file
    from scenewright.godot.rendering.shader_outline import shader_symbols
    from scenewright.godot.rendering.shader_source import shader_type

    text = workspace.files.read(place).decode("utf-8-sig", "replace")
    symbols = shader_symbols(text, partial(included_file, workspace), f"res://{place}")
    return ScriptRow(path=f"res://{place}", extends=shader_type(text) or ""), symbols, None


class WriteScriptInputs(Inputs, frozen=True, kw_only=True):
    script_path: ScriptPath
    content: Annotated[str, about("The whole script.")]
    overwrite: Annotated[bool, about("Replace a script that exists.")] = False


class ScriptWritten(Compiled, frozen=True, kw_only=True):
    writes_what_was_sent: ClassVar = True

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
    place = script_place(workspace, inputs.script_path)
    existed = call.files.exists(place)
    if existed and not inputs.overwrite:
        raise Conflict(
            f"'res://{place}' exists already.",
            hint="Pass overwrite: true to replace it, or change a part of it with edit_file.",
            retryable=False,
        )
    call.files.write(place, inputs.content.encode())
    return report_written(call, workspace, place, "Replaced" if existed else "Created")


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
    place = script_place(open_workspace(call), inputs.script_path)
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


class Replacement(Inputs, frozen=True, kw_only=True):
    replace: Annotated[str, about("Text to put there.")]
    find: Annotated[str, about("Text to replace, exactly as in the script.", min_length=1)] | None = None
    count: Annotated[int, about("How often find must occur.", ge=1, le=1000)] = 1
    start_line: Annotated[int, about("Instead of find: first line, from 1, as before this call.", ge=1)] | None = None
    end_line: Annotated[int, about("Last line; startLine where left out.", ge=1)] | None = None
    expect: Annotated[str, about("What those lines are now; anything else is refused.")] | None = None


class EditScriptInputs(Inputs, frozen=True, kw_only=True):
    script_path: ScriptPath
    find: Annotated[str, about("Text to replace, exactly as in the script.", min_length=1)] | None = None
    replace: Annotated[str, about("Text to put there.")] | None = None
    count: Annotated[int, about("How often find must occur; anything else is refused.", ge=1, le=1000)] = 1
    replacements: (
        Annotated[list[Replacement], about("Several at once, all or none.", min_length=1, max_length=100)] | None
    ) = None


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
    """Replaces texts or lines of a script if they are there exactly as expected, and reports syntax errors."""
    workspace = open_workspace(call)
    place = script_place(workspace, inputs.script_path)
    before = call.files.read(place)
    after = _replace_all(before, _replacements(inputs), f"res://{place}")
    call.files.write(place, after)
    return report_written(call, workspace, place, "Changed")


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
    place = script_place(workspace, inputs.script_path)
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


def _replacements(inputs: EditScriptInputs) -> list[Replacement]:
    """What is to be replaced, in either form.

    Raises:
        Invalid: neither is given, or both.
    """
    if inputs.replacements is not None:
        if inputs.find is not None or inputs.replace is not None:
            raise Invalid("Give find and replace, or replacements.", path="input.replacements", rule="oneOf")
        return inputs.replacements
    if inputs.find is None or inputs.replace is None:
        missing = "find" if inputs.find is None else "replace"
        raise Invalid(
            f"'{missing}' is missing.",
            path=f"input.{missing}",
            rule="required",
            hint="Give find and replace, or a list of replacements.",
        )
    return [Replacement(find=inputs.find, replace=inputs.replace, count=inputs.count)]


def _replace_all(content: bytes, replacements: list[Replacement], name: str) -> bytes:
    """Return the content with all replacements made: lines first, which are those of before, then texts in order."""
    from scenewright.core.writes.text_replacement import replaced_lines

    for each in replacements:
        if (each.find is None) == (each.start_line is None):
            raise Invalid("A replacement has find, or startLine.", path="input.replacements", rule="oneOf")
        if each.start_line is not None and each.expect is None:
            raise Invalid(
                "Lines are replaced only if 'expect' says what they are.", path="input.replacements", rule="required"
            )
    by_line = sorted((each for each in replacements if each.start_line), key=lambda each: -(each.start_line or 0))
    above = None
    for each in by_line:
        first, last = each.start_line or 1, each.end_line or each.start_line or 1
        if last < first or (above is not None and last >= above):
            raise Invalid("Lines are replaced once each, from first to last.", path="input.replacements", rule="order")
        content = replaced_lines(content, first, last, each.expect or "", each.replace, name=name)
        above = first
    for each in replacements:
        if each.find is not None:
            content = replaced(content, each.find, each.replace, count=each.count, name=name)
    return content


def script_place(workspace: Workspace, path: str) -> str:
    place = workspace.place(path)
    if not place.endswith((".gd", ".cs")):
        raise Invalid("A script's file name ends in .gd or .cs.", path="input.scriptPath", rule="suffix")
    return place


def _rows(call: Call, workspace: Workspace, paths: Iterable[str]) -> Iterator[ScriptRow]:
    for path in paths:
        try:
            yield _row(_read_script(call, workspace, path))
        except TooLarge as fault:
            call.warnings.append(f"Left out: {fault.message}")


def _read_script(call: Call, workspace: Workspace, path: str) -> Script:
    from scenewright.godot.language import script_reader

    place = script_place(workspace, path)
    content = workspace.files.read(place)
    if place.endswith(".gd"):
        return script_reader.read_script(content, f"res://{place}")
    from scenewright.godot.language.csharp_reader import read_csharp

    return read_csharp(content, f"res://{place}", workspace.scripts(class_index(call)))


def report_written(call: Call, workspace: Workspace, place: str, what: str) -> ScriptWritten:
    problems = _problem_rows(_read_script(call, workspace, place))
    if place.endswith(".cs"):
        from scenewright.godot.language.csharp import doubts

        call.warnings += doubts(place, workspace.files.read(place).decode("utf-8-sig", "replace"))
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
