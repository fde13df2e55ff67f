"""Luau checked by its own compiler, to the column."""

from __future__ import annotations

import pytest

from scenewright.core.faults import Invalid
from scenewright.roblox.syntax import check, find_problem

WRONG = [
    ("x = = 1", 1, 5),
    ("local function f(\n  return 1\nend", 2, 3),
    ("local a = 1\nlocal b = a +* 3 + foo('x = =')", 2, 14),
    ("local t = {1,2,,}", 1, 16),
    ("local s = 'abc", 1, 11),
    ("print('a'\n\n", 3, 1),
    ("return 1 +", 1, 11),
    ("if a == = b then end", 1, 9),
    ("for i = 1 2 do end", 1, 11),
]
RIGHT = [
    "",
    "export type Point = { x: number, y: number }\nreturn {}",
    "type function f() end",
    "@native\nlocal function f() end",
    "local v = if x then 1 else 2\nv += 1\nreturn `hi {v}`",
    "for i, v in {1, 2} do continue end",
]


@pytest.mark.parametrize(("source", "line", "column"), WRONG)
def test_an_error_is_placed_where_it_is(source: str, line: int, column: int) -> None:
    found = find_problem(source)
    assert found is not None
    assert (found.line, found.column) == (line, column)
    with pytest.raises(Invalid, match=rf"line {line}, column {column}: ") as caught:
        check(source, field="source", name="Main")
    assert caught.value.details["line"] == line


@pytest.mark.parametrize("source", RIGHT)
def test_all_of_todays_luau_is_taken(source: str) -> None:
    assert check(source, field="source", name="Main") is True
