"""Godot 3 projects to 4, by the engine's own converter on a copy."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from scenewright.core.calls.call import Call
from scenewright.core.faults import Conflict, Denied, Invalid, NotFound
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about
from scenewright.core.operations.paging import NextOffset, Page
from scenewright.core.text.counts import count_noun
from scenewright.core.writes.disk import read_if_there
from scenewright.godot.engine.verdicts import ScriptError, script_errors
from scenewright.godot.project.openers import open_workspace

if TYPE_CHECKING:
    from scenewright.godot.engine.commands import Done

__all__ = ["OPERATIONS"]

_SECONDS = 600.0
_MOST = 200
SourcePath = Annotated[str, about("Folder of the Godot 3 project; this project's root otherwise.", min_length=1)]


class ConvertInputs(Inputs, frozen=True, kw_only=True):
    source_path: SourcePath = "."
    target_path: Annotated[str, about("New folder in the project for the result; in place otherwise.")] | None = None


class Converted(Outputs, frozen=True, kw_only=True):
    path: Annotated[str, about("Folder that has the result.")]
    changed: Annotated[list[str], about("Files that the engine changed.")]
    total: Annotated[int, about("How many it changed.")]
    problems: Annotated[list[ScriptError], about("What still does not compile; fix it by hand.")]
    issues: Annotated[list[str], about("What the converter reported.")]


@operation(
    id="godot.conversion.run",
    category="project",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="convert_3to4",
    manager="godot_workspace_manager",
    timeout=_SECONDS,
    notes="Needs Godot, which works on a copy: the files are written at the end, all or none, and can be undone. "
    "projectPath is the old project; a targetPath gets a whole copy of it.",
    executes="always",
    examples=(
        Example(
            "In place",
            {},
            {
                "path": ".",
                "changed": ["player.gd", "project.godot"],
                "total": 2,
                "issues": [],
                "problems": [{"path": "res://player.gd", "line": 9, "message": "Identifier 'foo' not declared."}],
            },
        ),
    ),
)
async def convert_3to4(call: Call, inputs: ConvertInputs) -> Converted:
    """Converts a Godot 3 project to Godot 4 with the engine's converter, and says what is left to fix."""
    from scenewright.godot.project.conversion.copying import copy_texts, differences

    source = _locate_source(call, inputs.source_path)
    target = _locate_target(call, source, inputs.target_path)
    with tempfile.TemporaryDirectory(prefix="scenewright-conversion-") as scratch:
        copy = Path(scratch)
        copied = copy_texts(source, copy)
        done = await _run_converter(call, copy, "--convert-3to4")
        changed = differences(source, copy, copied)
        if not changed:
            raise _conversion_refusal(done)
        problems = await _check_scripts(call, copy)
    base = call.state.project.root
    _stage_result(call, source, target, changed, base)
    call.summary = f"{count_noun(len(changed), 'file')} converted, {count_noun(len(problems), 'problem')} left."
    return Converted(
        path=target.relative_to(base).as_posix(),
        changed=list(changed)[:_MOST],
        total=len(changed),
        problems=problems[:_MOST],
        issues=[complaint.message for complaint in done.complaints[:50]],
    )


class PlanInputs(Inputs, frozen=True, kw_only=True):
    source_path: SourcePath = "."
    limit: Annotated[int, about("Most changes to return.", ge=1, le=2000)] = 200
    offset: Annotated[int, about("Changes to skip, from nextOffset.", ge=0)] = 0


class PlannedRow(Record, frozen=True, kw_only=True):
    path: Annotated[str, about("File.")]
    line: Annotated[int, about("Line; 1 where the engine does not say.")]
    change: Annotated[str, about("What changes into what.")]


class ConversionPlan(Outputs, frozen=True, kw_only=True):
    changes: Annotated[list[PlannedRow], about("What would be renamed or rewritten.")]
    total: Annotated[int, about("How many changes.")]
    files: Annotated[int, about("Files that would change.")]
    issues: Annotated[list[str], about("What the converter reported.")]
    next_offset: NextOffset = None


@operation(
    id="godot.conversion.plan",
    category="project",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="validate_conversion_3to4",
    timeout=_SECONDS,
    manager="godot_workspace_manager",
    notes="Needs Godot; nothing is changed.",
    executes="always",
    examples=(
        Example(
            "What would change",
            {},
            {
                "changes": [{"path": "player.gd", "line": 1, "change": "KinematicBody2D -> CharacterBody2D"}],
                "total": 1,
                "files": 1,
                "issues": [],
            },
        ),
    ),
)
async def validate_conversion(call: Call, inputs: PlanInputs) -> ConversionPlan:
    """Shows what the engine's converter would change in a Godot 3 project, without changing it."""
    from scenewright.godot.project.conversion.copying import copy_texts
    from scenewright.godot.project.conversion.report import read_plan

    source = _locate_source(call, inputs.source_path)
    with tempfile.TemporaryDirectory(prefix="scenewright-conversion-") as scratch:
        copy_texts(source, Path(scratch))
        done = await _run_converter(call, Path(scratch), "--validate-conversion-3to4")
    planned = read_plan(done.lines)
    if not planned and done.errors:
        raise _conversion_refusal(done)
    page = Page.cut(planned, inputs.offset, inputs.limit)
    call.summary = f"{count_noun(len(planned), 'change')}."
    return ConversionPlan(
        changes=[PlannedRow(path=change.path, line=change.line, change=change.change) for change in page.items],
        total=len(planned),
        files=len({change.path for change in planned}),
        issues=[complaint.message for complaint in done.complaints[:50]],
        next_offset=page.next_offset,
    )


OPERATIONS = (convert_3to4, validate_conversion)


async def _run_converter(call: Call, copy: Path, how: str) -> Done:
    from scenewright.godot.engine.commands import run_engine

    return await run_engine(call, ["--headless", how], project=copy, timeout=_SECONDS - 100)


async def _check_scripts(call: Call, copy: Path) -> list[ScriptError]:
    """What Godot 4 says of the converted scripts."""
    from scenewright.godot.engine.requests import ask_engine_at
    from scenewright.godot.project.conversion.copying import files_of

    paths = [f"res://{path}" for path in sorted(files_of(copy)) if path.endswith(".gd")]
    reply = await ask_engine_at(call, copy, "scripts.check", {"paths": paths})
    return script_errors(reply.complaints)


def _locate_source(call: Call, path: str) -> Path:
    project = call.state.project
    try:
        place = project.locate(open_workspace(call).place(path))
    except Denied as problem:
        hint = "Pass it as projectPath, without sourcePath."
        raise Denied(f"'{path}' is outside the project.", hint=hint) from problem
    if not (place / "project.godot").is_file():
        raise NotFound(f"There is no project.godot in '{path}'.", hint="sourcePath is the folder of a project.")
    return place


def _locate_target(call: Call, source: Path, path: str | None) -> Path:
    if path is None:
        return source
    place = call.state.project.locate(open_workspace(call).place(path))
    if place != source and place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise Conflict(f"'{path}' already exists.", hint="Name a new folder as targetPath.", retryable=False)
    return place


def _stage_result(call: Call, source: Path, target: Path, changed: dict[str, bytes | None], base: Path) -> None:
    """Puts the result where it belongs; in a new folder together with all that did not change."""
    from scenewright.godot.project.conversion.copying import files_of

    wanted: dict[str, bytes | None] = dict(changed)
    if target != source:
        for path in files_of(source):
            if path not in changed and not (source / path).is_relative_to(target):
                wanted[path] = read_if_there(source / path)
    for path, content in wanted.items():
        place = (target / path).relative_to(base).as_posix()
        if content is not None:
            call.files.write(place, content)
        elif target == source:
            call.files.delete(place)


def _conversion_refusal(done: Done) -> Invalid:
    first = done.errors[0].message if done.errors else "there is nothing to convert."
    return Invalid(f"The project was not converted: {first}", rule="conversion", hint="Is it a Godot 3 project?")
