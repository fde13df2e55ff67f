"""What the engine says of a whole project: its scripts and shaders compiled, its scenes loaded, as issues."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from scenewright.core.faults import Denied, NotConnected, TimedOut, Unsupported
from scenewright.godot.assets.missing_imports import set_apart_unimported
from scenewright.godot.engine.requests import ask_engine
from scenewright.godot.engine.scene_loading import load_scenes
from scenewright.godot.engine.verdicts import ScriptError, script_errors, shader_errors
from scenewright.godot.project.checks.issues import Issue

if TYPE_CHECKING:
    from scenewright.core.calls.call import Call
    from scenewright.godot.engine.complaints import Complaint
    from scenewright.godot.project.workspace import Workspace

__all__ = ["SYNTAX", "judge_syntax", "review_project", "unknown_to"]

SYNTAX = "syntax_error"
_COMPILE = "compile_error"
_LOST = ("missing_file", "missing_script")
_QUOTED = re.compile(r"'(res://[^']+)'")
_PLACED = re.compile(r"(?P<path>res://[^:]+):(?P<line>\d+) - (?P<message>.+)", re.DOTALL)
_SECONDS = 110.0


class _Complained(NamedTuple):
    """A complaint, and the scene it was made about."""

    scene: str
    complaint: Complaint


async def judge_syntax(call: Call, issues: Sequence[Issue]) -> list[Issue]:
    """Let the engine judge scripts whose syntax looks bad without it, where it can be asked: its word counts."""
    doubted = sorted({issue.path for issue in issues if issue.code == SYNTAX})
    if not doubted:
        return list(issues)
    try:
        complaints = await _compile_scripts(call, doubted)
    except (Denied, NotConnected, TimedOut, Unsupported):
        call.warnings.append(
            f"The syntax of {', '.join(doubted[:3])}{' …' if len(doubted) > 3 else ''} was judged without Godot, "
            "which may take what is called an error here."
        )
        return list(issues)
    complaints = set_apart_unimported(call, complaints, lambda each: each.message, lambda each: each.path)
    sure = [_compile_issue(error, SYNTAX) for error in script_errors(complaints) if error.path in doubted]
    return [*(issue for issue in issues if issue.code != SYNTAX), *sure]


def unknown_to(known: Sequence[Issue], engine_issues: Sequence[Issue]) -> list[Issue]:
    """Return what the engine says beyond that a file is missing which the scene's own check names, with what to do."""
    lost = {(issue.path, quoted) for issue in known if issue.code in _LOST for quoted in _QUOTED.findall(issue.message)}
    return [issue for issue in engine_issues if not any(path == issue.path and _names(issue, at) for path, at in lost)]


def _names(issue: Issue, path: str) -> bool:
    at = issue.message.find(path)
    return issue.code == "engine" and at >= 0 and not re.match(r"[\w/-]|\.\w", issue.message[at + len(path) :])


async def review_project(call: Call, workspace: Workspace) -> list[Issue]:
    """Have the engine compile every script and shader, and load every scene."""
    loaded = await load_scenes(call, _listed(workspace, ".tscn", ".scn"))
    said = [_Complained(each.path, complaint) for each in loaded for complaint in each.complaints]
    said += [_Complained("", each) for each in await _compile_scripts(call, _listed(workspace, ".gd"))]
    silent = {each.path for each in loaded if not each.loads} - {each.scene for each in said}
    said = set_apart_unimported(call, said, lambda each: each.complaint.message, lambda each: each.complaint.path)
    issues = [issue for each in said if (issue := _issue(each)) is not None]
    issues += [_compile_issue(each, _COMPILE) for each in await _compile_shaders(call, _listed(workspace, ".gdshader"))]
    return [*issues, *(Issue("error", "engine", path, "The engine cannot load it.") for path in silent)]


def _listed(workspace: Workspace, *endings: str) -> list[str]:
    return [f"res://{path}" for path in workspace.listing(*endings)]


async def _compile_scripts(call: Call, paths: Sequence[str]) -> list[Complaint]:
    if not paths:
        return []
    return (await ask_engine(call, "scripts.check", {"paths": paths}, timeout=_SECONDS)).complaints


async def _compile_shaders(call: Call, paths: Sequence[str]) -> list[ScriptError]:
    if not paths:
        return []
    reply = await ask_engine(call, "shaders.check", {"paths": paths}, timeout=_SECONDS)
    return [error for path in paths for error in shader_errors(reply.about.get(path, ()), path)]


def _compile_issue(error: ScriptError, code: str) -> Issue:
    return Issue("warning" if error.severity == "warning" else "error", code, error.path, error.message, error.line)


def _issue(said: _Complained) -> Issue | None:
    """Of the scene, or of the script that is wrong, whichever scenes use it."""
    complaint = said.complaint
    if (error := next(iter(script_errors([complaint])), None)) is not None:
        return _compile_issue(error, _COMPILE)
    if not said.scene:
        return None  # how autoloads of the project fared while scripts were compiled
    here = complaint.path in (None, said.scene)
    if here and (placed := _PLACED.fullmatch(complaint.message)) and placed["path"] == said.scene:
        return Issue(complaint.severity, "engine", said.scene, placed["message"], int(placed["line"]))
    message = complaint.message if here else f"{complaint.path}:{complaint.line}: {complaint.message}"
    return Issue(complaint.severity, "engine", said.scene, message, complaint.line if here else None)
