"""Any file of a project, whatever its engine: read, write, edit by checked replacement, delete."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from scenewright.core.calls.call import Call
from scenewright.core.faults import Conflict, Invalid, TooLarge, Unsupported
from scenewright.core.operations.declaration import Example, Manager, Safety, operation
from scenewright.core.operations.model import Compiled, Inputs, NoInputs, Outputs, Record, about
from scenewright.core.operations.paging import Page
from scenewright.core.projects.file_walk import walk_folders
from scenewright.core.projects.project import STATE_FOLDER
from scenewright.core.text.counts import count_noun
from scenewright.core.writes.disk import missing_folders
from scenewright.core.writes.text_replacement import replaced_all
from scenewright.platform.reading import Wish, decode_text, pick_lines, wishes_of

__all__ = ["MANAGER", "OPERATIONS"]

MANAGER = Manager(
    name="project_file_manager",
    title="Project Files",
    description="Reads and changes any file of the project; every change can be undone with history.",
)
_SKIPPED = {".git", STATE_FOLDER, ".godot_mcp"}

FilePath = Annotated[str, about("Path from the project's root.", min_length=1, max_length=1024)]


class Stats(Outputs, frozen=True, kw_only=True):
    root: Annotated[str, about("The project's folder.")]
    files: Annotated[int, about("Number of files.")]
    directories: Annotated[int, about("Number of folders.")]


@operation(
    id="project.workspace_stats",
    name="Workspace Stats",
    category="project",
    safety=Safety.READ_ONLY,
    contract="gox",
    notes="Does not count .git and scenewright's own folders.",
    examples=(Example("A small project", {}, {"root": "/home/me/game", "files": 214, "directories": 31}),),
)
def workspace_stats(call: Call, inputs: NoInputs) -> Stats:
    """Counts the files and folders of the project."""
    del inputs
    files = directories = 0
    root = call.state.project.root
    for folders, names in _walk(root):
        files += names
        directories += folders
    staged = call.files.changes()  # of the batch that this is a part of
    files += sum((change.before is None) - (change.after is None) for change in staged)
    directories += len(missing_folders(root / change.path for change in staged if change.after is not None))
    return Stats(root=str(root), files=files, directories=directories)


ReadPath = Annotated[
    str, about("File, pattern such as '*.gd', or lines such as 'player.gd:12-40'.", min_length=1, max_length=1024)
]


class ReadQuery(Inputs, frozen=True, kw_only=True):
    path: ReadPath | None = None
    paths: Annotated[list[ReadPath], about("Several of those.", min_length=1, max_length=200)] | None = None
    offset: Annotated[int, about("First character to return, of one file.", ge=0)] = 0
    max_chars: Annotated[int, about("Most characters to return, of all files together.", ge=1, le=100_000)] = 12_000


class FilePart(Record, frozen=True, kw_only=True):
    path: Annotated[str, about("Path from the project's root.")]
    text: Annotated[str, about("The text, or the part that was asked for.")]
    lines: Annotated[str, about("Which lines these are, where lines were asked for.")] | None = None
    next_offset: Annotated[int, about("Where the rest of the file starts, if there is more.")] | None = None


class FileText(Outputs, frozen=True, kw_only=True):
    path: Annotated[str, about("Path from the project's root, of one file.")] | None = None
    text: Annotated[str, about("The text, or the part that was asked for.")] | None = None  # of one file, "" if empty
    total_chars: Annotated[int, about("Length of the whole text, or of all together.")]
    lines: Annotated[str, about("Which lines these are, where lines were asked for.")] | None = None
    truncated: Annotated[bool, about("Whether there is more; continue at nextOffset.")] = False
    next_offset: Annotated[int, about("Where the rest starts.")] | None = None
    files: Annotated[list[FilePart], about("The files, where there are several.")] | None = None
    left_out: Annotated[list[str], about("Files that are not shown: too long, no text, or not there.")] | None = None


@operation(
    id="project.file.read",
    category="project",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="read_file",
    common=True,
    manager="project_file_manager",
    action="read",
    notes="player.gd:12 shows the lines around line 12. Of several files each is shown whole while there is room.",
    examples=(
        Example(
            "A short script", {"path": "player.gd"}, {"path": "player.gd", "text": "extends Node2D\n", "totalChars": 15}
        ),
        Example(
            "Two at once",
            {"paths": ["*.gd", "player.gd:2-3"]},
            {
                "totalChars": 44,
                "files": [
                    {"path": "player.gd", "text": "extends Node2D\n"},
                    {"path": "player.gd", "text": "var speed = 3\nvar lives = 2\n", "lines": "2-3 of 9"},
                ],
            },
        ),
    ),
)
def read_file(call: Call, inputs: ReadQuery) -> FileText:
    """Reads text files, whole or some lines: one path, or several paths and patterns at once."""
    written = [*([inputs.path] if inputs.path is not None else []), *(inputs.paths or [])]
    if not written:
        raise Invalid("Give path or paths.", path="input.path", rule="required", hint="Such as paths: ['*.gd'].")
    wishes, missing = wishes_of(call.files, written, call.state.engines)
    if len(wishes) == 1 and not missing:
        return _read_one(call, inputs, wishes[0])
    if inputs.offset:
        raise Invalid(
            f"'offset' is for one file, and these are {len(wishes) + len(missing)}.",
            path="input.offset",
            rule="exclusive",
            hint="Read the one that is long by itself.",
        )
    return _read_several(call, wishes, missing, inputs.max_chars)


class Written(Compiled, frozen=True, kw_only=True):
    writes_what_was_sent: ClassVar = True

    path: Annotated[str, about("Path from the project's root.")]
    bytes: Annotated[int, about("Size of the file now.")]
    created: Annotated[bool, about("Whether the file is new.")] = False
    replacements: Annotated[int, about("Number of places replaced.")] | None = None


class WriteInputs(Inputs, frozen=True, kw_only=True):
    path: FilePath
    content: Annotated[str, about("The whole content.")]
    encoding: Annotated[Literal["text", "base64"], about("How content is given.")] = "text"
    overwrite: Annotated[bool, about("Replace a file that exists.")] = False


@operation(
    id="project.file.write",
    category="project",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="write_file",
    asked_for="Create a C# script, a MonoBehaviour or another class in Unity; a Luau module; a compute shader in GLSL.",
    common=True,
    manager="project_file_manager",
    action="write",
    idempotent=True,
    examples=(
        Example(
            "A new note",
            {"path": "docs/notes.md", "content": "# Notes\n"},
            {"path": "docs/notes.md", "bytes": 8, "created": True},
        ),
    ),
)
def write_file(call: Call, inputs: WriteInputs) -> Written:
    """Writes a whole file, text or binary, making its folders; an existing file only with overwrite."""
    existed = call.files.exists(inputs.path)
    if existed and not inputs.overwrite:
        raise Conflict(
            f"'{inputs.path}' exists already.",
            hint="Pass overwrite: true to replace it, or change a part of it with edit.",
            retryable=False,
        )
    content = _content(inputs)
    call.files.write(inputs.path, content)
    call.summary = f"{'Replaced' if existed else 'Created'} {inputs.path} ({count_noun(len(content), 'byte')})."
    return Written(path=inputs.path, bytes=len(content), created=not existed)


class EditInputs(Inputs, frozen=True, kw_only=True):
    path: FilePath
    find: Annotated[str, about("Text to replace, exactly as in the file.", min_length=1)]
    replace: Annotated[str, about("Text to put in its place.")]
    count: Annotated[
        int, about("How often find must occur, by default once; anything else is refused.", ge=1, le=1000)
    ] | (None) = None
    regex: Annotated[bool, about("find is a regular expression; replace may use \\1.")] = False
    max_replacements: (
        Annotated[int, about("Replace every occurrence, if there are no more than this.", ge=1, le=1000)] | None
    ) = None


@operation(
    id="project.file.edit",
    category="project",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="edit_file",
    common=True,
    manager="project_file_manager",
    action="edit",
    examples=(
        Example(
            "Faster",
            {"path": "player.gd", "find": "speed = 200", "replace": "speed = 300"},
            {"path": "player.gd", "bytes": 812, "replacements": 1},
        ),
    ),
)
def edit_file(call: Call, inputs: EditInputs) -> Written:
    """Replaces a text in a file, only where it occurs exactly as often as expected; all else stays byte for byte."""
    exact = inputs.count or 1
    counts = range(exact, exact + 1)
    if inputs.count is None and inputs.max_replacements is not None:
        counts = range(1, inputs.max_replacements + 1)
    before = call.files.read(inputs.path)
    after, done = replaced_all(before, inputs.find, inputs.replace, regex=inputs.regex, counts=counts, name=inputs.path)
    call.files.write(inputs.path, after)
    call.summary = f"Replaced {count_noun(done, 'place')} in {inputs.path}."
    return Written(path=inputs.path, bytes=len(after), replacements=done)


class DeleteInputs(Inputs, frozen=True, kw_only=True):
    path: FilePath


class Deleted(Outputs, frozen=True, kw_only=True):
    path: Annotated[str, about("Path from the project's root.")]
    deleted: Annotated[bool, about("Always true.")]


@operation(
    id="project.file.delete",
    category="project",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="delete_file",
    manager="project_file_manager",
    action="delete",
    examples=(Example("An old note", {"path": "docs/old.md"}, {"path": "docs/old.md", "deleted": True}),),
)
def delete_file(call: Call, inputs: DeleteInputs) -> Deleted:
    """Deletes a file; history keeps its content."""
    call.files.delete(inputs.path)
    call.summary = f"Deleted {inputs.path}."
    return Deleted(path=inputs.path, deleted=True)


OPERATIONS = (workspace_stats, read_file, write_file, edit_file, delete_file)


def _walk(root: Path) -> Iterator[tuple[int, int]]:
    for folder, folders, names in walk_folders(root):
        if folder == str(root):
            folders[:] = [name for name in folders if name not in _SKIPPED]
        yield len(folders), len(names)


def _read_one(call: Call, inputs: ReadQuery, wish: Wish) -> FileText:
    text = decode_text(call.files.read(wish.path), wish.path)
    lines, wanted = None, text
    if wish.lines is not None:
        wanted, lines, _ = pick_lines(text, wish)
    page = Page.cut(wanted, inputs.offset, inputs.max_chars)
    call.summary = f"{wish.path}: {f'lines {lines}' if lines else count_noun(len(text), 'character')}."
    return FileText(
        path=wish.path,
        text=page.items,
        total_chars=len(text),
        lines=lines,
        truncated=page.has_more,
        next_offset=page.next_offset,
    )


def _read_several(call: Call, wishes: list[Wish], missing: list[str], room: int) -> FileText:
    """Each file whole while there is room; the first of them in part if it alone is too long."""
    parts: list[FilePart] = []
    left_out = [*missing]
    total = 0
    for wish in wishes:
        try:
            text = decode_text(call.files.read(wish.path), wish.path)
        except (TooLarge, Unsupported) as fault:
            left_out.append(f"{wish.path}: {'no text' if isinstance(fault, Unsupported) else 'too large'}")
            continue
        wanted, lines, before = text, None, 0
        if wish.lines is not None:
            wanted, lines, before = pick_lines(text, wish)
        total += len(wanted)
        if len(wanted) > room and parts:
            left_out.append(f"{wish.path}: {count_noun(len(wanted), 'character')}")
            continue
        page = Page.cut(wanted, 0, room)
        room -= len(page.items)
        further = None if page.next_offset is None else before + page.next_offset
        parts.append(FilePart(path=wish.path, text=page.items, lines=lines, next_offset=further))
    rest = f", {len(left_out)} left out" if left_out else ""
    call.summary = f"{count_noun(len(parts), 'file')}{rest}."
    cut = bool(left_out) or any(part.next_offset is not None for part in parts)
    return FileText(total_chars=total, files=parts, truncated=cut, left_out=left_out or None)


def _content(inputs: WriteInputs) -> bytes:
    if inputs.encoding == "text":
        return inputs.content.encode()
    try:
        return base64.b64decode(inputs.content, validate=True)
    except binascii.Error:
        raise Invalid("'content' is not valid base64.", path="input.content", rule="encoding") from None
