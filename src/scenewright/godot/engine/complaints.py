"""Reads what the engine prints as errors and warnings: the message, and the place in the project it is about."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

__all__ = ["Complaint", "Frame", "plain", "printed", "read_complaints"]

Severity = Literal["error", "warning"]

_HEAD = re.compile(r"^\s*(?P<kind>USER |SCRIPT |SHADER )?(?P<level>ERROR|WARNING): (?P<text>.*)$")
_AT = re.compile(r"^\s+at: (?P<function>.*?) \((?P<file>[^()]*?):(?P<line>\d+)\)\s*$")
_FRAME = re.compile(r"^\s+\[\d+\] (?P<function>.*?) \((?P<file>.*):(?P<line>\d+)\)\s*$")
_BACKTRACE = re.compile(r"^\s+\w+ backtrace \(most recent call first\):\s*$")
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
# What the headless engine says when it leaves, whatever it did before.
_FAREWELLS = ("leaked at exit", "still in use at exit", "were leaked", "was leaked")
_NO_GRAB = "NO GRAB"  # a window that nobody sees yet cannot hold the mouse, which the game does not notice


@dataclass(frozen=True, slots=True)
class Frame:
    """One line of a stack trace."""

    function: str
    path: str
    line: int


@dataclass(frozen=True, slots=True)
class Complaint:
    """An error or a warning."""

    severity: Severity
    kind: str  # script, shader, user, or engine
    message: str
    path: str | None = None  # a file of the project
    line: int | None = None
    stack: tuple[Frame, ...] = field(default=())


def plain(raw: str) -> str:
    """Return a line without its end and its colours."""
    return _COLOURS.sub("", raw.rstrip("\r\n"))


def printed(lines: Iterable[str]) -> list[str]:
    """Return the lines that are no part of a complaint."""
    lines_printed: list[str] = []
    complaining = False
    for raw in lines:
        line = plain(raw)
        if _HEAD.match(line):
            complaining = True
        elif complaining and (_AT.match(line) or _FRAME.match(line) or _BACKTRACE.match(line)):
            continue
        elif line.strip() or not complaining:
            complaining = False
            lines_printed.append(line)
    return lines_printed


def read_complaints(lines: Iterable[str]) -> list[Complaint]:
    """Return the complaints among lines of output, in their order."""
    complaints: list[Complaint] = []
    in_message = False
    for raw in lines:
        line = plain(raw)
        if head := _HEAD.match(line):
            severity: Severity = "error" if head["level"] == "ERROR" else "warning"
            complaints.append(Complaint(severity, (head["kind"] or "engine").strip().lower(), head["text"]))
            in_message = True
        elif not complaints:
            continue
        elif at := _AT.match(line):
            complaints[-1] = _with_place(complaints[-1], at)
            in_message = False
        elif frame := _FRAME.match(line):
            complaints[-1] = _with_frame(complaints[-1], frame)
        elif _BACKTRACE.match(line):
            in_message = False
        elif in_message and line.strip():
            complaints[-1] = replace(complaints[-1], message=f"{complaints[-1].message}\n{line}")
        else:
            in_message = False
    return [
        complaint
        for complaint in complaints
        if complaint.message != _NO_GRAB and not any(end in complaint.message for end in _FAREWELLS)
    ]


def _with_place(complaint: Complaint, at: re.Match[str]) -> Complaint:
    """Where it happened, unless that is in the engine's own source."""
    if complaint.kind == "shader" and not at["file"]:
        return replace(complaint, line=int(at["line"]))  # the engine does not say of which shader
    if not _of_project(at["file"]):
        return complaint
    return replace(complaint, path=at["file"], line=int(at["line"]))


def _with_frame(complaint: Complaint, match: re.Match[str]) -> Complaint:
    if not _of_project(match["file"]) or complaint.kind == "shader":
        return complaint  # who set a shader's code is not where it is wrong
    frame = Frame(match["function"], match["file"], int(match["line"]))
    placed = complaint if complaint.path else replace(complaint, path=frame.path, line=frame.line)
    return replace(placed, stack=(*complaint.stack, frame))


def _of_project(path: str) -> bool:
    return path.startswith(("res://", "user://"))
