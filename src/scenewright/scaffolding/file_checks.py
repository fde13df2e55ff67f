"""Whether files of a Godot project are sound, each by itself."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from scenewright.core.calls.call import Call
from scenewright.core.operations.model import Outputs, Record, about

__all__ = ["SceneCheckRow", "ScenesChecked", "check_scenes"]

MAX_ISSUES = 2000


class SceneCheckRow(Record, frozen=True, kw_only=True):
    path: Annotated[str, about("The file.")]
    valid: Annotated[bool, about("Whether it exists and has no error.")]
    issues: Annotated[list[dict[str, Any]], about("severity, code, message, line, node, fix.")] = msgspec.field(
        default_factory=list
    )


class ScenesChecked(Outputs, frozen=True, kw_only=True):
    valid: Annotated[bool, about("Whether all are valid.")]
    scenes: Annotated[list[SceneCheckRow], about("The files, in order.")]


async def check_scenes(call: Call, files: list[str]) -> ScenesChecked:
    """Check some files, given by `res://` path, with the checks of validate_project."""
    from scenewright.core.operations.model import to_wire

    outcome = await call.invoke("validate_project", {"limit": MAX_ISSUES, "timeBudget": 60})
    if outcome.fault is not None:
        raise outcome.fault
    rows: list[SceneCheckRow] = []
    for file in files:
        # That nothing uses a scaffold yet is what it is for.
        issues = [to_wire(each) for row in outcome.call.output.issues for each in row.each() if each.path == file]
        issues = [issue for issue in issues if issue["severity"] != "info"]
        # Not as this call saw it first, which may have been before the file was made.
        if not call.state.project.locate(file.removeprefix("res://")).is_file():
            issues.insert(0, {"severity": "error", "code": "missing_file", "message": f"There is no file '{file}'."})
        valid = not any(issue["severity"] == "error" for issue in issues)
        rows.append(SceneCheckRow(path=file, valid=valid, issues=issues))
    return ScenesChecked(valid=all(row.valid for row in rows), scenes=rows)
