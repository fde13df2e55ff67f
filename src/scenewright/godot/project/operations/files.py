"""A project's files as the engine knows them: searching them, who uses one, and moving them with all references."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Literal

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid, NotFound, did_you_mean
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about
from scenewright.core.operations.paging import NextOffset, Page
from scenewright.core.text.counts import count_noun
from scenewright.core.text.path_patterns import is_path_pattern, matches_path
from scenewright.godot.project.openers import class_index, open_workspace

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scenewright.core.text.grep import Job
    from scenewright.godot.project.relocation import Mended
    from scenewright.godot.project.usages import Usage, Usages
    from scenewright.godot.project.workspace import Workspace

__all__ = ["OPERATIONS", "FileMoved", "moved"]


class SearchQuery(Inputs, frozen=True, kw_only=True):
    query: Annotated[str, about("Text to look for, or a pattern with regex.", min_length=1, max_length=1000)] | None = (
        None
    )
    name: (
        Annotated[str, about("Part of the path, or a pattern such as '*.tscn'; without query it finds files.")] | None
    ) = None
    regex: Annotated[bool, about("Take query as a regular expression, matched within a line.")] = False
    ignore_case: Annotated[bool, about("Ignore case.")] = False
    include: Annotated[list[str] | None, about("Only files like these, such as '*.gd' or 'levels/**'.")] = None
    exclude: Annotated[list[str] | None, about("Skip files like these.")] = None
    folder: Annotated[str, about("Only files below this folder.")] | None = None
    recursive: Annotated[bool, about("Include subfolders.")] = True
    limit: Annotated[int, about("Lines per page.", ge=1, le=1000)] = 100
    offset: Annotated[int, about("Lines to skip, from nextOffset.", ge=0, le=100_000)] = 0
    seconds: Annotated[float, about("Most seconds to search.", gt=0, le=60)] = 10.0


class Match(Record, frozen=True, kw_only=True):
    path: Annotated[str, about("res:// path.")]
    line: Annotated[int, about("Line, from 1.")]
    column: Annotated[int, about("Column of the first match, from 1.")]
    text: Annotated[str, about("The line, or of a long one the part around the match.")]


class Matches(Outputs, frozen=True, kw_only=True):
    matches: Annotated[list[Match], about("Lines with a match, by file.")]
    paths: Annotated[list[str], about("Without query: the files.")] | None = None
    files: Annotated[int, about("Files that were to be searched.")]
    timed_out: Annotated[bool, about("Whether time ran out before all files were searched.")] = False
    next_offset: NextOffset = None


@operation(
    id="godot.file.search",
    category="asset",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="search_files",
    manager="godot_asset_manager",
    timeout=90.0,
    notes="Skips binary files, those over 8 MB, and folders that are hidden or have a .gdignore or a project.godot.",
    examples=(
        Example(
            "Who plays sounds",
            {"query": ".play(", "include": ["*.gd"]},
            {"matches": [{"path": "res://player.gd", "line": 12, "column": 9, "text": "\tsound.play()"}], "files": 8},
        ),
    ),
)
def search_files(call: Call, inputs: SearchQuery) -> Matches:
    """Searches the project's text files for a text or a regular expression, line by line; or for files by name."""
    from scenewright.core.text.grep import search
    from scenewright.godot.project.near_lines import near_line

    workspace = open_workspace(call)
    if inputs.query is None:
        return _search_by_name(call, workspace, inputs)
    jobs = _search_jobs(workspace, inputs)
    if not jobs:
        call.summary = _why_no_file(workspace, inputs)
        return Matches(matches=[], files=0)
    results = search(
        inputs.query,
        jobs,
        regex=inputs.regex,
        ignore_case=inputs.ignore_case,
        limit=inputs.offset + inputs.limit + 1,
        seconds=inputs.seconds,
    )
    page = Page.cut(results.hits, inputs.offset, inputs.limit)
    if results.timed_out:
        call.warnings.append(f"Time ran out after {inputs.seconds:g} seconds, before all files were searched.")
    if not results.hits and not inputs.regex and not results.timed_out and (near := near_line(inputs.query, jobs)):
        call.warnings.append(near)
    call.warnings += _too_large_to_search(jobs)
    rest = ", and there are more" if page.has_more else ""
    case = "case ignored" if inputs.ignore_case else "case matters; ignoreCase: true ignores it"
    searched = f" of {len(jobs)}" if not page.items else ""
    files = count_noun(len({hit.name for hit in page.items}), "file")
    call.summary = f"{count_noun(len(page.items), 'line')} in {files}{searched}{rest} ({case})."
    return Matches(
        matches=[
            Match(path=f"res://{hit.name}", line=hit.line, column=hit.column, text=hit.text) for hit in page.items
        ],
        files=len(jobs),
        timed_out=results.timed_out,
        next_offset=page.next_offset,
    )


class UsageQuery(Inputs, frozen=True, kw_only=True):
    target: Annotated[str, about("File or folder (res://, uid://), class_name, or signal.", min_length=1)] | None = None
    kind: Annotated[Literal["auto", "file", "class", "signal"], about("What target is.")] = "auto"
    scene_path: Annotated[str, about("Instead of target: the scene of nodePath.")] | None = None
    node_path: Annotated[str, about("Instead of target: the node whose script is meant.")] | None = None
    limit: Annotated[int, about("Usages per page.", ge=1, le=1000)] = 200
    offset: Annotated[int, about("Usages to skip, from nextOffset.", ge=0)] = 0


class UsageRow(Record, frozen=True, kw_only=True):
    path: Annotated[str, about("res:// path of the file that refers to it.")]
    line: Annotated[int, about("Line, from 1.")]
    kind: Annotated[str, about("scene, node, property, connection, resource, setting, script, shader, import, text.")]
    text: Annotated[str, about("The line.")]
    where: Annotated[str, about("Node or inner resource that has it.")] | None = None


class UsageList(Outputs, frozen=True, kw_only=True):
    target: Annotated[str, about("What was looked for.")]
    kind: Annotated[str, about("file, class or signal.")]
    usages: Annotated[list[UsageRow], about("By file and line.")]
    total: Annotated[int, about("How many there are in all.")]
    files: Annotated[int, about("In how many files.")]
    next_offset: NextOffset = None


@operation(
    id="godot.file.usages",
    category="asset",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="find_usages",
    manager="godot_asset_manager",
    notes="Paths that a script puts together at run time, and compressed binary resources, cannot be seen.",
    examples=(
        Example(
            "Of a script",
            {"target": "res://player.gd"},
            {
                "target": "res://player.gd",
                "kind": "file",
                "total": 1,
                "files": 1,
                "usages": [
                    {
                        "path": "res://main.tscn",
                        "line": 3,
                        "kind": "scene",
                        "text": '[ext_resource type="Script" path="res://player.gd" id="1_p"]',
                    }
                ],
            },
        ),
    ),
)
def find_usages(call: Call, inputs: UsageQuery) -> UsageList:
    """Lists the scenes, resources, settings and scripts that refer to a file, class, signal or a node's script."""
    from scenewright.godot.project.usages import Usages

    workspace = open_workspace(call)
    kind, target, usages = _usages_of(call, Usages(workspace), inputs)
    page = Page.cut(usages, inputs.offset, inputs.limit)
    files = len({usage.path for usage in usages})
    call.summary = f"{target}: {count_noun(len(usages), 'usage')} in {count_noun(files, 'file')}."
    return UsageList(
        target=target,
        kind=kind,
        usages=[
            UsageRow(path=usage.path, line=usage.line, kind=usage.kind, text=usage.text, where=usage.where)
            for usage in page.items
        ],
        total=len(usages),
        files=files,
        next_offset=page.next_offset,
    )


class MoveInputs(Inputs, frozen=True, kw_only=True):
    path: Annotated[str, about("File or folder, res:// or from the project's root.", min_length=1)]
    new_path: Annotated[str, about("New path; a folder that exists, or a final /, keeps the name.", min_length=1)]


class Reference(Record, frozen=True, kw_only=True):
    path: Annotated[str, about("res:// path, as it is now.")]
    line: Annotated[int, about("Line; 0 in a binary file.")]
    text: Annotated[str, about("The line as it was.")]


class FileMoved(Outputs, frozen=True, kw_only=True):
    path: Annotated[str, about("res:// path now.")]
    previous_path: Annotated[str, about("res:// path before.")]
    files: Annotated[int, about("Files that moved, companions included.")]
    references: Annotated[list[Reference], about("References that were changed, the first 200.")]
    total_references: Annotated[int, about("How many were changed in all.")]
    unseen: Annotated[list[Reference], about("Places to look at by hand: paths made at run time.")] | None = None


@operation(
    id="godot.file.move",
    category="asset",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="move_file",
    manager="godot_asset_manager",
    action="file.move",
    notes="Moves .uid and .import companions too. The engine's caches in .godot follow with its next scan.",
    examples=(
        Example(
            "A scene into a folder",
            {"path": "player.tscn", "newPath": "actors/player.tscn"},
            {
                "path": "res://actors/player.tscn",
                "previousPath": "res://player.tscn",
                "files": 1,
                "references": [
                    {
                        "path": "res://main.tscn",
                        "line": 3,
                        "text": '[ext_resource type="PackedScene" path="res://player.tscn" id="1"]',
                    }
                ],
                "totalReferences": 1,
            },
        ),
    ),
)
def move_file(call: Call, inputs: MoveInputs) -> FileMoved:
    """Moves or renames a file or folder and changes every reference to it, in scenes, settings and scripts."""
    return moved(call, inputs.path, inputs.new_path)


OPERATIONS = (search_files, find_usages, move_file)


def moved(call: Call, path: str, new_path: str) -> FileMoved:
    """Stage a move and describe it."""
    from scenewright.godot.project.relocation import Relocation

    # On the files, also of open scenes: an editor cannot be given a resource that is not at its new place yet, and
    # takes the scenes in together with it.
    with call.files.as_saved():
        relocation = Relocation(open_workspace(call), path, new_path)
        unseen = relocation.unseen()
        mended = relocation.apply()
    for mention in unseen[:5]:
        call.warnings.append(f"Check res://{mention.path}, line {mention.line}: it may still name the old path.")
    if call.stage is None and relocation.stale_caches():  # an editor that is open scans what it is told of
        call.warnings.append(
            "The engine's caches still name the old path: open the editor or run godot --headless --import "
            "before running the game."
        )
    call.summary = (
        f"Moved res://{relocation.old} to res://{relocation.new}; {count_noun(len(mended), 'reference')} changed."
    )
    return FileMoved(
        path=f"res://{relocation.new}",
        previous_path=f"res://{relocation.old}",
        files=len(relocation.moves),
        references=[_reference_row(mention) for mention in mended[:200]],
        total_references=len(mended),
        unseen=[_reference_row(mention) for mention in unseen[:50]] or None,
    )


def _reference_row(mended: Mended) -> Reference:
    return Reference(path=f"res://{mended.path}", line=mended.line, text=mended.text[:300])


def _search_by_name(call: Call, workspace: Workspace, inputs: SearchQuery) -> Matches:
    if inputs.name is None and inputs.include is None:
        raise Invalid(
            "Give query, name or include.",
            path="input.query",
            rule="required",
            hint="query searches in files, name in their paths.",
        )
    file_paths = [f"res://{path}" for path in _asked_for(workspace, inputs)]
    page = Page.cut(file_paths, inputs.offset, inputs.limit)
    call.summary = f"{count_noun(len(file_paths), 'file')}." if file_paths else _why_no_file(workspace, inputs)
    return Matches(matches=[], paths=page.items, files=len(file_paths), next_offset=page.next_offset)


def _asked_for(workspace: Workspace, inputs: SearchQuery) -> Iterator[str]:
    start = workspace.folder(inputs.folder)
    for path in workspace.listing(""):
        if path.startswith(start) and (inputs.recursive or "/" not in path[len(start) :]) and _is_asked(path, inputs):
            yield path


def _search_jobs(workspace: Workspace, inputs: SearchQuery) -> list[Job]:
    from scenewright.core.text.grep import Job as Made

    staged = {**workspace.files.unsaved_texts(), **{change.path: change.after for change in workspace.files.changes()}}
    project = workspace.files.project
    jobs = []
    for path in _asked_for(workspace, inputs):
        place = project.root.joinpath(path).resolve()
        if place.is_relative_to(project.root):
            content = staged.get(path)
            jobs.append(Made(path, str(place), None if content is None else content.decode("utf-8", "replace")))
    return jobs


def _too_large_to_search(jobs: Sequence[Job]) -> list[str]:
    from scenewright.core.text.patterns import LARGEST
    from scenewright.core.writes.file_sizes import is_text

    names = [job.name for job in jobs if job.text is None and is_text(job.name) and _size_of(job.place) > LARGEST]
    if not names:
        return []
    shown = ", ".join(names[:3]) + (", …" if len(names) > 3 else "")
    return [f"Not searched, for they have more than {LARGEST >> 20} MB: {shown}."]


def _size_of(place: str) -> int:
    try:
        return os.stat(place).st_size
    except OSError:
        return 0


def _is_asked(path: str, inputs: SearchQuery) -> bool:
    included = inputs.include is None or any(matches_path(path, pattern) for pattern in inputs.include)
    included = included and (inputs.name is None or _is_named(path, inputs.name))
    return included and not any(matches_path(path, pattern) for pattern in inputs.exclude or ())


def _is_named(path: str, name: str) -> bool:
    """Whether a path has a name in it, or fits it as a pattern; case never matters here."""
    if is_path_pattern(name):
        return matches_path(path, name, ignore_case=True)
    return name.removeprefix("res://").lower() in path.lower()


def _why_no_file(workspace: Workspace, inputs: SearchQuery) -> str:
    """Say which filter leaves nothing to look at."""
    start, known = workspace.folder(inputs.folder), workspace.listing("")
    filters = {
        f"folder '{inputs.folder}'": inputs.folder is None or any(path.startswith(start) for path in known),
        f"name '{inputs.name}' (case ignored)": inputs.name is None or any(_is_named(p, inputs.name) for p in known),
        f"include {inputs.include} (case matters)": inputs.include is None
        or any(matches_path(path, pattern) for path in known for pattern in inputs.include),
    }
    empty = [told for told, fits in filters.items() if not fits]
    if empty:
        return f"No file matches {' nor '.join(empty)}, so nothing was searched."
    return f"No file passes all filters together ({count_noun(len(known), 'file')} in the project)."


def _usages_of(call: Call, usages: Usages, inputs: UsageQuery) -> tuple[str, str, list[Usage]]:
    if (inputs.target is None) == (inputs.node_path is None or inputs.scene_path is None):
        raise Invalid(
            "Give target, or scenePath and nodePath.",
            path="input.target",
            rule="oneOf",
            hint="target is a file, a class_name or a signal.",
        )
    workspace = open_workspace(call)
    target = inputs.target or _script_of(workspace, inputs)
    place = _find_file(workspace, target) if inputs.kind in ("auto", "file") else None
    if place is not None:
        return "file", f"res://{place}", usages.of_file(place)
    script = _project_classes(call).get(target) if inputs.kind in ("auto", "class") else None
    if script is not None:
        return "class", target, usages.of_class(target, workspace.place(script))
    if inputs.kind in ("auto", "signal") and target.isidentifier():
        signal_usages = usages.of_signal(target)
        if signal_usages or inputs.kind == "signal":
            return "signal", target, signal_usages
    known = [*(f"res://{path}" for path in workspace.listing("")), *_project_classes(call)]
    sought = "file, class or signal" if inputs.kind == "auto" else inputs.kind
    raise NotFound(f"There is no {sought} '{target}'.", hint=did_you_mean(target, known))


def _script_of(workspace: Workspace, inputs: UsageQuery) -> str:
    from scenewright.godot.scenes.outline import SceneOutline

    outline = SceneOutline(workspace, inputs.scene_path or "")
    script = outline.script(outline.node(inputs.node_path or ""))
    if script is None or not script.startswith(("res://", "uid://")):
        raise NotFound(f"'{inputs.node_path}' has no script file.", hint="get_node_tree shows which nodes have one.")
    return script


def _find_file(workspace: Workspace, target: str) -> str | None:
    place = workspace.place(target)
    root = workspace.files.project.root
    if place != "." and (root.joinpath(place).is_dir() or workspace.files.exists(place)):
        return place
    return None


def _project_classes(call: Call) -> dict[str, str]:
    return open_workspace(call).scripts(class_index(call)).classes()
