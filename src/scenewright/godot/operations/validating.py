"""What is wrong in a project, found without the engine."""

from __future__ import annotations

from typing import Annotated, Literal

from scenewright.core.call import Call
from scenewright.core.model import Inputs, Outputs, Record, about
from scenewright.core.operation import Example, Safety, operation
from scenewright.godot.operations.opening import class_index, open_workspace

__all__ = ["OPERATIONS"]


class ValidateInputs(Inputs, frozen=True, kw_only=True):
    check_scripts: Annotated[bool, about("Syntax of scripts, and files they name.")] = True
    check_scenes: Annotated[bool, about("Nodes, connections, files and instances of scenes.")] = True
    check_resources: Annotated[bool, about("Resource files, and files that nothing mentions.")] = True
    max_issues: Annotated[int, about("Most issues to return, the worst first.", ge=1, le=2000)] = 200
    time_budget: Annotated[float, about("Seconds after which the rest is left out.", ge=0, le=300)] = 20


class IssueRow(Record, frozen=True, kw_only=True):
    severity: Annotated[Literal["error", "warning", "info"], about("How bad it is.")]
    code: Annotated[str, about("What kind of issue it is, such as missing_file.")]
    path: Annotated[str, about("File.")]
    message: Annotated[str, about("What is wrong.")]
    line: Annotated[int, about("Line of the file.")] | None = None
    node: Annotated[str, about("Node of the scene.")] | None = None
    fix: Annotated[str, about("What would help.")] | None = None


class Validation(Outputs, frozen=True, kw_only=True):
    valid: Annotated[bool, about("Whether there is no error among what was looked at.")]
    issues: Annotated[list[IssueRow], about("Issues, the worst first, then by file and line.")]
    errors: Annotated[int, about("Errors in all.")]
    warnings: Annotated[int, about("Warnings in all.")]
    infos: Annotated[int, about("Remarks in all.")]
    files: Annotated[int, about("Scripts, scenes and resources looked at.")]
    partial: Annotated[bool, about("Whether time ran out before everything was looked at.")] = False
    truncated: Annotated[bool, about("Whether maxIssues left some out.")] = False


@operation(
    id="godot.project.validate", name="Validate Project", category="project", safety=Safety.READ_ONLY,
    needs_project=True, tool="validate_project", action=("godot_workspace_manager", "validate_project"),
    notes="Works without the engine, so it does not compile scripts: types and names inside them are not checked.",
    examples=(
        Example("A script that was deleted", {},
                {"valid": False, "errors": 1, "warnings": 0, "infos": 0, "files": 12,
                 "issues": [{"severity": "error", "code": "missing_script", "path": "res://main.tscn",
                             "message": "There is no file 'res://mian.gd'.", "line": 3,
                             "fix": "Did you mean 'res://main.gd'?"}]}),
    ),
)  # fmt: skip
def validate_project(call: Call, inputs: ValidateInputs) -> Validation:
    """Finds broken paths and uids, bad syntax, dead connections, circles, unknown classes and unused files."""
    from time import monotonic

    from scenewright.godot.checks.members import Members
    from scenewright.godot.checks.project import Kinds, ProjectChecks

    end = monotonic() + inputs.time_budget
    workspace = open_workspace(call)
    members = Members(workspace.scripts(class_index()))
    checks = ProjectChecks(workspace, members, lambda: monotonic() >= end)
    found = checks.run(Kinds(inputs.check_scripts, inputs.check_scenes, inputs.check_resources))
    counts = {kind: sum(issue.severity == kind for issue in found) for kind in ("error", "warning", "info")}
    rows = [
        IssueRow(severity=each.severity, code=each.code, path=each.path, message=each.message, line=each.line,
                 node=each.node, fix=each.fix)
        for each in found[: inputs.max_issues]
    ]  # fmt: skip
    call.summary = f"{counts['error']} errors, {counts['warning']} warnings in {checks.files} files."
    return Validation(
        valid=not counts["error"], issues=rows, errors=counts["error"], warnings=counts["warning"],
        infos=counts["info"], files=checks.files, partial=checks.is_partial, truncated=len(found) > inputs.max_issues,
    )  # fmt: skip


OPERATIONS = (validate_project,)
