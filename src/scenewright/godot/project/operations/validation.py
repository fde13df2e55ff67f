"""What is wrong in a project: found in its files, and by having the engine load its scenes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import anyio
import anyio.to_thread

from scenewright.core.calls.call import Call
from scenewright.core.faults import Fault
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about
from scenewright.core.text.counts import count_noun
from scenewright.godot.assets.operations.imports import mind_unimported
from scenewright.godot.project.checks.issues import in_order
from scenewright.godot.project.openers import ScenePath, class_index, open_workspace

if TYPE_CHECKING:
    from scenewright.godot.engine.scene_loading import Loaded
    from scenewright.godot.project.checks.issues import Issue

__all__ = ["OPERATIONS"]

_MOST = 200


class ValidateInputs(Inputs, frozen=True, kw_only=True):
    check_scripts: Annotated[bool, about("Syntax of scripts, and files they name.")] = True
    check_scenes: Annotated[bool, about("Nodes, connections, files and instances of scenes.")] = True
    check_resources: Annotated[bool, about("Resource files, and files that nothing mentions.")] = True
    load_scenes: Annotated[bool, about("Also have Godot load each scene and make its nodes, on all cores.")] = False
    max_issues: Annotated[int, about("Most issues to return, the worst first.", ge=1, le=2000)] = 200
    time_budget: Annotated[float, about("Seconds after which the rest is left out.", ge=0, le=300)] = 20


class IssueRow(Record, frozen=True, kw_only=True):
    severity: Annotated[Literal["error", "warning", "info"], about("How bad it is.")]
    code: Annotated[str, about("What kind of issue it is, such as missing_file.")]
    path: Annotated[str, about("File.")]
    message: Annotated[str, about("What is wrong.")]
    line: Annotated[int, about("Line of the file.")] | None = None
    node: Annotated[str, about("Node of the scene.")] | None = None
    fix: Annotated[str, about("How to fix it.")] | None = None


class Validation(Outputs, frozen=True, kw_only=True):
    valid: Annotated[bool, about("Whether no error was found.")]
    issues: Annotated[list[IssueRow], about("Issues, the worst first, then by file and line.")]
    errors: Annotated[int, about("Errors in all.")]
    warnings: Annotated[int, about("Warnings in all.")]
    infos: Annotated[int, about("Remarks in all.")]
    files: Annotated[int, about("Scripts, scenes and resources looked at.")]
    partial: Annotated[bool, about("Whether time ran out before everything was looked at.")] = False
    truncated: Annotated[bool, about("Whether maxIssues left some out.")] = False


@operation(
    id="godot.project.validate",
    category="project",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="validate_project",
    manager="godot_workspace_manager",
    timeout=600.0,
    notes="Without loadScenes it works without Godot and does not compile scripts: types and names inside them are not "
    "checked. The time budget does not limit loadScenes.",
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
    looked, engine_issues = await _check_files_and_engine(call, inputs)
    issues = in_order([*looked.issues, *engine_issues])
    counts = {kind: sum(issue.severity == kind for issue in issues) for kind in ("error", "warning", "info")}
    rest = "; time ran out before everything was checked" if looked.partial else ""
    errors, warnings = (count_noun(counts[kind], kind) for kind in ("error", "warning"))
    call.summary = f"{errors}, {warnings} in {count_noun(looked.files, 'file')}{rest}."
    return Validation(
        valid=not counts["error"],
        issues=[_issue_row(issue) for issue in issues[: inputs.max_issues]],
        errors=counts["error"],
        warnings=counts["warning"],
        infos=counts["info"],
        files=looked.files,
        partial=looked.partial,
        truncated=len(issues) > inputs.max_issues,
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
    issues = _issues_of(loaded)
    mind_unimported(call, (issue.message for issue in issues))
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


async def _check_files_and_engine(call: Call, inputs: ValidateInputs) -> tuple[_CheckedFiles, list[Issue]]:
    """What the files say, and meanwhile the engine, if it is to be asked."""
    engine_issues: list[Issue] = []
    faults: list[Fault] = []

    async def load() -> None:
        try:
            await _load_all(call, engine_issues)
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
    return looked, engine_issues


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
    return _CheckedFiles(issues, checks.files, checks.is_partial)


async def _load_all(call: Call, engine_issues: list[Issue]) -> None:
    """Adds what the engine says of every scene."""
    from scenewright.core.writes.changeset import Changeset
    from scenewright.godot.engine.scene_loading import load_scenes
    from scenewright.godot.project.workspace import Workspace

    # What the engine has: the disk, or what a batch has made of it.
    files = call.files if call.shares_changes else Changeset(call.state.project)
    scenes = Workspace(files).listing(".tscn", ".scn")
    for loaded in await load_scenes(call, [f"res://{path}" for path in scenes]):
        engine_issues += _issues_of(loaded)


def _issues_of(loaded: Loaded) -> list[Issue]:
    """What the engine says of a scene; a complaint about another file names it."""
    from scenewright.godot.project.checks.issues import Issue

    issues: list[Issue] = []
    for complaint in loaded.complaints:
        elsewhere = complaint.path is not None and complaint.path != loaded.path
        message = f"{complaint.path}:{complaint.line}: {complaint.message}" if elsewhere else complaint.message
        line = None if elsewhere else complaint.line
        issues.append(Issue(complaint.severity, "engine", loaded.path, message, line))
    if not loaded.loads and not any(issue.severity == "error" for issue in issues):
        issues.append(Issue("error", "engine", loaded.path, "The engine cannot load it."))
    return in_order(issues)


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
