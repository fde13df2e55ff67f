"""What is wrong in a project: found in its files, and by having the engine load its scenes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import anyio
import anyio.to_thread
import msgspec

from scenewright.core.calls.call import Call
from scenewright.core.faults import Fault
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about
from scenewright.core.operations.paging import NextOffset, Page
from scenewright.core.text.counts import count_noun
from scenewright.godot.project.checks.issues import in_order
from scenewright.godot.project.openers import ScenePath, class_index, open_workspace

if TYPE_CHECKING:
    from scenewright.godot.engine.scene_loading import Loaded
    from scenewright.godot.project.checks.issues import Issue

__all__ = ["OPERATIONS", "IssueRow"]

_MOST = 200


class ValidateInputs(Inputs, frozen=True, kw_only=True):
    check_scripts: Annotated[bool, about("Syntax of scripts, and files they name.")] = True
    check_scenes: Annotated[bool, about("Nodes, connections, files and instances of scenes.")] = True
    check_resources: Annotated[bool, about("Resource files, and files that nothing mentions.")] = True
    load_scenes: Annotated[
        bool, about("Also have Godot load each scene and compile each script and shader, on all cores.")
    ] = False
    limit: Annotated[int, about("Rows per page.", ge=1, le=2000)] = 100
    offset: Annotated[int, about("Rows to skip, from nextOffset.", ge=0)] = 0
    time_budget: Annotated[float, about("Seconds after which the rest is left out.", ge=0, le=300)] = 20


class IssuePlace(Record, frozen=True, kw_only=True):
    path: Annotated[str, about("File; absent where it is that of the row.")] | None = None
    line: Annotated[int, about("Line of the file.")] | None = None
    node: Annotated[str, about("Node of the scene.")] | None = None


class IssueRow(Record, frozen=True, kw_only=True):
    severity: Annotated[Literal["error", "warning", "info"], about("How bad it is.")]
    code: Annotated[str, about("What kind of issue it is, such as missing_file.")]
    path: Annotated[str, about("File.")]
    message: Annotated[str, about("What is wrong.")]
    line: Annotated[int, about("Line of the file.")] | None = None
    node: Annotated[str, about("Node of the scene.")] | None = None
    fix: Annotated[str, about("How to fix it.")] | None = None
    also: Annotated[list[IssuePlace], about("Where else the same is wrong.")] | None = None

    def each(self) -> Iterator[IssueRow]:
        """Yield a row for each place."""
        yield msgspec.structs.replace(self, also=None)
        for place in self.also or ():
            path = place.path or self.path
            yield msgspec.structs.replace(self, also=None, path=path, line=place.line, node=place.node)


class Validation(Outputs, frozen=True, kw_only=True):
    valid: Annotated[bool, about("Whether no error was found.")]
    issues: Annotated[
        list[IssueRow], about("Issues, equal ones in one row: the project's, then those of addons; the worst first.")
    ]
    errors: Annotated[int, about("Errors in all.")]
    warnings: Annotated[int, about("Warnings in all.")]
    infos: Annotated[int, about("Remarks in all.")]
    in_addons: Annotated[int, about("How many of all are in addons.")] = 0
    files: Annotated[int, about("Scripts, scenes and resources looked at.")]
    not_checked: Annotated[list[str], about("What was not looked at, and what does.")] | None = None
    partial: Annotated[bool, about("Whether time ran out before everything was looked at.")] = False
    next_offset: NextOffset = None


@operation(
    id="godot.project.validate",
    category="project",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="validate_project",
    manager="godot_workspace_manager",
    timeout=600.0,
    parameter_aliases={"maxIssues": "limit"},
    notes="Without loadScenes it needs no Godot and compiles no scripts, but for those whose syntax looks bad, which "
    "Godot judges where there is one. The time budget does not limit loadScenes.",
    executes="sometimes",
    examples=(
        Example(
            "A script that was deleted",
            {},
            {
                "valid": False,
                "errors": 1,
                "warnings": 0,
                "infos": 0,
                "files": 12,
                "notChecked": ["5 scripts were not compiled, 6 scenes not loaded: loadScenes does that."],
                "issues": [
                    {
                        "severity": "error",
                        "code": "missing_script",
                        "path": "res://main.tscn",
                        "message": "There is no file 'res://mian.gd'.",
                        "line": 3,
                        "fix": "Did you mean 'res://main.gd'?",
                    }
                ],
            },
        ),
    ),
)
async def validate_project(call: Call, inputs: ValidateInputs) -> Validation:
    """Finds broken paths and uids, bad syntax, dead connections, cycles, unknown classes and unused files."""
    from scenewright.godot.project.checks.issues import group_issues, is_in_addon

    looked, engine_issues = await _check_files_and_engine(call, inputs)
    issues = in_order([*looked.issues, *engine_issues])
    counts = {kind: sum(issue.severity == kind for issue in issues) for kind in ("error", "warning", "info")}
    rest = "; time ran out before everything was checked" if looked.partial else ""
    errors, warnings = (count_noun(counts[kind], kind) for kind in ("error", "warning"))
    call.summary = f"{errors}, {warnings} in {count_noun(looked.files, 'file')}{rest}."
    page = Page.cut([_group_row(group) for group in group_issues(issues)], inputs.offset, inputs.limit)
    return Validation(
        valid=not counts["error"],
        issues=page.items,
        errors=counts["error"],
        warnings=counts["warning"],
        infos=counts["info"],
        in_addons=sum(map(is_in_addon, issues)),
        files=looked.files,
        not_checked=looked.not_checked or None,
        partial=looked.partial,
        next_offset=page.next_offset,
    )


class ValidateSceneInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath


class SceneValidation(Outputs, frozen=True, kw_only=True):
    valid: Annotated[bool, about("Whether it loads without an error.")]
    scene_path: Annotated[str, about("Scene.")]
    nodes: Annotated[int, about("Nodes it makes, those of its instances included.")]
    issues: Annotated[list[IssueRow], about("The engine's errors and warnings.")]


@operation(
    id="godot.scene.validate",
    category="scene",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="validate_scene",
    manager="godot_scene_manager",
    action="validate",
    timeout=130.0,
    notes="Needs Godot. The scene does not run: no code of its nodes is called on entering the tree.",
    executes="always",
    examples=(
        Example(
            "A good one",
            {"scenePath": "main.tscn"},
            {"valid": True, "scenePath": "res://main.tscn", "nodes": 12, "issues": []},
        ),
    ),
)
async def validate_scene(call: Call, inputs: ValidateSceneInputs) -> SceneValidation:
    """Has the real engine load a scene and create its nodes, and lists its errors and warnings."""
    from scenewright.godot.editor.live.access import warn_of_unsaved
    from scenewright.godot.engine.scene_loading import load_scenes

    await warn_of_unsaved(call)
    workspace = open_workspace(call)
    path = workspace.resource_path(inputs.scene_path)
    if not path.endswith(".scn"):
        workspace.document(path)  # refused with a hint where it is not there
    loaded = (await load_scenes(call, [path]))[0]
    issues = _issues_of(call, loaded)
    valid = loaded.loads and not any(issue.severity == "error" for issue in issues)
    call.summary = (
        f"{path} loads with {count_noun(loaded.nodes, 'node')}."
        if valid
        else f"{path} has {count_noun(len(issues), 'issue')}."
    )
    return SceneValidation(
        valid=valid, scene_path=path, nodes=loaded.nodes, issues=[_issue_row(issue) for issue in issues[:_MOST]]
    )


OPERATIONS = (validate_project, validate_scene)


class _CheckedFiles(NamedTuple):
    issues: list[Issue]
    files: int
    partial: bool
    not_checked: list[str]


async def _check_files_and_engine(call: Call, inputs: ValidateInputs) -> tuple[_CheckedFiles, list[Issue]]:
    """What the files say, and meanwhile the engine, if it is to be asked."""
    from scenewright.godot.engine.project_review import SYNTAX, judge_syntax, unknown_to

    engine_issues: list[Issue] = []
    faults: list[Fault] = []

    async def load() -> None:
        try:
            engine_issues.extend(await _ask_engine(call))
        except Fault as problem:  # a task group would wrap it
            faults.append(problem)

    async with anyio.create_task_group() as tasks:
        if inputs.load_scenes:
            tasks.start_soon(load)
        looked = await anyio.to_thread.run_sync(_try_to_check_files, call, inputs)
    if isinstance(looked, Fault):
        faults.append(looked)
    if faults:
        raise faults[0]
    assert not isinstance(looked, Fault)
    if inputs.load_scenes:  # which has compiled every script
        known = [issue for issue in looked.issues if issue.code != SYNTAX]
        return looked._replace(issues=known), unknown_to(known, engine_issues)
    return looked._replace(issues=await judge_syntax(call, looked.issues)), []


def _try_to_check_files(call: Call, inputs: ValidateInputs) -> _CheckedFiles | Fault:
    try:
        return _check_files(call, inputs)
    except Fault as problem:
        return problem


def _check_files(call: Call, inputs: ValidateInputs) -> _CheckedFiles:
    """What can be found in the files themselves."""
    from time import monotonic

    from scenewright.godot.project.checks.members import Members
    from scenewright.godot.project.checks.project import Kinds, ProjectChecks

    end = monotonic() + inputs.time_budget
    workspace = open_workspace(call)
    members = Members(workspace.scripts(class_index(call)))
    checks = ProjectChecks(workspace, members, lambda: monotonic() >= end)
    issues = checks.run(Kinds(inputs.check_scripts, inputs.check_scenes, inputs.check_resources))
    return _CheckedFiles(issues, checks.files, checks.is_partial, checks.not_checked(loads=inputs.load_scenes))


async def _ask_engine(call: Call) -> list[Issue]:
    """What the engine says of every script, shader and scene."""
    from scenewright.core.writes.changeset import Changeset
    from scenewright.godot.engine.project_review import review_project
    from scenewright.godot.project.workspace import Workspace

    # What the engine has: the disk, or what a batch has made of it.
    files = call.files if call.shares_changes else Changeset(call.state.project)
    return await review_project(call, Workspace(files))


def _issues_of(call: Call, loaded: Loaded) -> list[Issue]:
    """What the engine says of a scene; a complaint about another file names it."""
    from scenewright.godot.assets.missing_imports import set_apart_unimported
    from scenewright.godot.project.checks.issues import Issue

    issues: list[Issue] = []
    complaints = set_apart_unimported(call, loaded.complaints, lambda each: each.message, lambda each: each.path)
    for complaint in complaints:
        elsewhere = complaint.path is not None and complaint.path != loaded.path
        message = f"{complaint.path}:{complaint.line}: {complaint.message}" if elsewhere else complaint.message
        line = None if elsewhere else complaint.line
        issues.append(Issue(complaint.severity, "engine", loaded.path, message, line))
    if not loaded.loads and not any(complaint.severity == "error" for complaint in loaded.complaints):
        issues.append(Issue("error", "engine", loaded.path, "The engine cannot load it."))
    return in_order(issues)


def _group_row(group: list[Issue]) -> IssueRow:
    first = group[0]
    places = [
        IssuePlace(path=None if issue.path == first.path else issue.path, line=issue.line, node=issue.node)
        for issue in group[1:]
    ]
    return msgspec.structs.replace(_issue_row(first), also=places or None)


def _issue_row(issue: Issue) -> IssueRow:
    return IssueRow(
        severity=issue.severity,
        code=issue.code,
        path=issue.path,
        message=issue.message,
        line=issue.line,
        node=issue.node,
        fix=issue.fix,
    )
