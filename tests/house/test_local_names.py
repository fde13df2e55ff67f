"""Names of locals say what they hold, not that it was found."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src"
SAYS_NOTHING = "found"


def _functions_with_a_local(name: str) -> Iterator[str]:
    for file in sorted(SOURCE.rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        if name not in text:
            continue
        for function in ast.walk(ast.parse(text)):
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) and name in set(_locals(function)):
                yield f"{file.relative_to(SOURCE).as_posix()}: {function.name}"


def _locals(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    for node in ast.walk(function):
        if isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def test_no_local_says_only_that_it_was_found() -> None:
    assert list(_functions_with_a_local(SAYS_NOTHING)) == []
