"""Checks Luau sources with the engine's own compiler, and finds the column that its messages leave out.

Luau changes several times a year, and only its compiler knows all of it; the grammars for editors that we tried call
attributes and type functions errors.
"""

from __future__ import annotations

import re
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from scenewright.core.faults import Invalid

__all__ = ["SyntaxProblem", "available", "check", "find_problem"]

_MESSAGE = re.compile(r"syntax error: (\d+): (.*)", re.DOTALL)
_TOKEN = re.compile(
    r"""--\[\[.*|--.*|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|\w+(?:\.\d+)?"""
    r"""|\.\.\.|\.\.=?|//=?|[=~<>+\-*/%^]=|::|->|[^\w\s]"""
)
_PLACED = re.compile(r" \(to close [^)]*\)")


@dataclass(frozen=True, slots=True)
class SyntaxProblem:
    """Where a source stops making sense; lines and columns start at 1."""

    line: int
    column: int
    message: str


def check(source: str, *, field: str, name: str) -> bool:
    """Return whether a source could be checked here at all.

    Raises:
        Invalid: it is not Luau.
    """
    problem = find_problem(source)
    if problem is not None:
        lines = source.split("\n")
        shown = lines[problem.line - 1].strip()[:120] if problem.line <= len(lines) else ""
        raise Invalid(
            f"The source of '{name}' is not Luau: line {problem.line}, column {problem.column}: {problem.message}",
            path=f"input.{field}",
            rule="syntax",
            hint=f"The line is: {shown}" if shown else "The source ends too early.",
            details={"line": problem.line, "column": problem.column, "message": problem.message},
        )
    return available()


def available() -> bool:
    return _compiler() is not None


def find_problem(source: str) -> SyntaxProblem | None:
    """Return the first syntax error; None where there is none, or no compiler to tell."""
    compile_source = _compiler()
    if compile_source is None:
        return None
    problem = _message(compile_source, source)
    if problem is None:
        return None
    line, message = problem
    return SyntaxProblem(line, _column(compile_source, source, line, message), message)


def _message(compile_source: Callable[[str], object], source: str) -> tuple[int, str] | None:
    try:
        compile_source(source)
    except RuntimeError as error:
        match = _MESSAGE.match(str(error))
        return (int(match.group(1)), match.group(2)) if match else (1, str(error))
    return None


def _column(compile_source: Callable[[str], object], source: str, line: int, message: str) -> int:
    """Return the last place of the line before which a line break moves the error to the next line."""
    lines = source.split("\n")
    text = lines[line - 1] if line <= len(lines) else ""
    if "got <eof>" in message:
        return len(text) + 1
    before, after = lines[: line - 1], lines[line:]
    places = [token.start() for token in _TOKEN.finditer(text)] or [0]
    plain = _PLACED.sub("", message)
    low, high = 0, len(places) - 1
    while low < high:
        middle = (low + high + 1) // 2
        split = [text[: places[middle]], text[places[middle] :]]
        moved = _message(compile_source, "\n".join([*before, *split, *after]))
        if moved is not None and moved[0] == line + 1 and _PLACED.sub("", moved[1]) == plain:
            low = middle
        else:
            high = middle - 1
    return places[low] + 1


@cache
def _compiler() -> Callable[[str], object] | None:
    try:
        if sys.version_info < (3, 12) and "pluau.args" not in sys.modules:
            # That module is written for 3.12 and holds nothing but the name of a type.
            stand_in = types.ModuleType("pluau.args")
            stand_in.Argument = object  # type: ignore[attr-defined]
            sys.modules["pluau.args"] = stand_in
        compiler = import_module("pluau").Compiler(1, 1, 0, 0)
    except ImportError:
        return None
    compile_source: Callable[[str], object] = compiler.compile
    return compile_source
