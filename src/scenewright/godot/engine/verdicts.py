"""What the engine's compilers say of scripts and shaders, as replies have it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

from scenewright.core.operations.model import Record, about

if TYPE_CHECKING:
    from scenewright.godot.engine.complaints import Complaint

__all__ = ["ScriptError", "script_errors", "shader_errors"]

_PREFIXES = ("Parse Error: ", "Compile Error: ")


class ScriptError(Record, frozen=True, kw_only=True):
    path: Annotated[str, about("res:// path of the file.")]
    line: Annotated[int, about("Line, from 1; 0 for the file as a whole.")]
    message: Annotated[str, about("What the compiler says.")]
    severity: Annotated[str, about("error or warning.")] = "error"


def script_errors(complaints: Iterable[Complaint]) -> list[ScriptError]:
    """Return the compiler's words, each once, by file and line."""
    errors: dict[tuple[str, int, str], ScriptError] = {}
    for complaint in complaints:
        if complaint.kind != "script" or complaint.path is None:
            continue
        message = complaint.message
        for prefix in _PREFIXES:
            message = message.removeprefix(prefix)
        error = ScriptError(path=complaint.path, line=complaint.line or 0, message=message, severity=complaint.severity)
        errors.setdefault((error.path, error.line, error.message), error)
    return [errors[key] for key in sorted(errors)]


def shader_errors(complaints: Iterable[Complaint], path: str) -> list[ScriptError]:
    """Return the compiler's words on one shader, each once."""
    severities = {
        (each.path or path, each.line or 0, each.message): each.severity for each in complaints if each.kind == "shader"
    }
    return [
        ScriptError(path=where, line=line, message=message, severity=severity)
        for (where, line, message), severity in severities.items()
    ]
