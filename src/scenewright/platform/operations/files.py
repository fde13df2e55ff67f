"""Any file of a project, whatever its engine: read, write, edit by checked replacement, delete."""

from __future__ import annotations

import base64
import binascii
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

from scenewright.core.calls.call import Call
from scenewright.core.faults import Conflict, Invalid, Unsupported
from scenewright.core.operations.declaration import Example, Manager, Safety, operation
from scenewright.core.operations.model import Compiled, Inputs, NoInputs, Outputs, about
from scenewright.core.operations.paging import Page
from scenewright.core.projects.project import STATE_FOLDER
from scenewright.core.text.counts import count_noun
from scenewright.core.writes.text_replacement import replaced_all

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
    return Stats(root=str(root), files=files, directories=directories)


class ReadQuery(Inputs, frozen=True, kw_only=True):
    path: FilePath
    offset: Annotated[int, about("First character to return.", ge=0)] = 0
    max_chars: Annotated[int, about("Most characters to return.", ge=1, le=100_000)] = 12_000


class FileText(Outputs, frozen=True, kw_only=True):
    path: Annotated[str, about("Path from the project's root.")]
    text: Annotated[str, about("The text, or the part that was asked for.")]
    total_chars: Annotated[int, about("Length of the whole text.")]
    truncated: Annotated[bool, about("Whether there is more; continue at nextOffset.")] = False
    next_offset: Annotated[int, about("Where the rest starts.")] | None = None


@operation(
    id="project.file.read",
    category="project",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="read_file",
    manager="project_file_manager",
    action="read",
    examples=(
        Example(
            "A short script", {"path": "player.gd"}, {"path": "player.gd", "text": "extends Node2D\n", "totalChars": 15}
        ),
    ),
)
def read_file(call: Call, inputs: ReadQuery) -> FileText:
    """Reads a text file, a part at a time where it is long."""
    text = _decode(call.files.read(inputs.path), inputs.path)
    page = Page.cut(text, inputs.offset, inputs.max_chars)
    call.summary = f"{inputs.path}: {count_noun(len(text), 'character')}."
    return FileText(
        path=inputs.path,
        text=page.items,
        total_chars=len(text),
        truncated=page.has_more,
        next_offset=page.next_offset,
    )


class Written(Compiled, frozen=True, kw_only=True):
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
    for folder, folders, names in os.walk(root):
        if folder == str(root):
            folders[:] = [name for name in folders if name not in _SKIPPED]
        yield len(folders), len(names)


def _decode(content: bytes, path: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Unsupported(f"'{path}' is not a text file.", hint="Only UTF-8 text can be read.") from None


def _content(inputs: WriteInputs) -> bytes:
    if inputs.encoding == "text":
        return inputs.content.encode()
    try:
        return base64.b64decode(inputs.content, validate=True)
    except binascii.Error:
        raise Invalid("'content' is not valid base64.", path="input.content", rule="encoding") from None
