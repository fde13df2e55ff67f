"""Restricted expressions in the real engine: what they compute, and what they cannot reach."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.godot.catalogue.played_scenes import called, refused

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("godot-engines")]


async def test_expressions_are_computed_with_the_values_given(game: Path, caller: Caller) -> None:
    cases: list[tuple[dict[str, Any], str, str]] = [
        ({"expression": "1 + 2 * 3"}, "7", "int"),
        ({"expression": "v.length() * n", "vars": {"v": "Vector2(3, 4)", "n": 2}}, "10.0", "float"),
        ({"expression": '"a.b;c".split(";")[1] + name', "vars": {"name": "x"}}, '"cx"', "String"),
        ({"expression": "items.size() + 1", "vars": {"items": [1, [2], {"a": 3}]}}, "4", "int"),
        ({"expression": "lerp(0.0, 10.0, 0.5)"}, "5.0", "float"),
        ({"expression": "Color(1, 0, 0).to_html()"}, '"ff0000ff"', "String"),
        ({"code": "a = 2; var b = a * x; return b + 1", "vars": {"x": 5}}, "11", "int"),
        ({"code": 'text = "a;b"; text.length() == 3'}, "true", "bool"),
    ]
    for arguments, value, kind in cases:
        found = await called(caller, "godot_code_manager", action="gdscript.eval_restricted", **arguments)
        assert found == {"value": value, "type": kind}, arguments


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({}, "either expression or code"),
        ({"expression": "1", "code": "1"}, "either expression or code"),
        ({"expression": "1 +"}, "engine says"),
        ({"expression": "nothing"}, "engine says"),
        ({"expression": "1\n2"}, "one line"),
        ({"expression": "x" * 2001}, "expression"),
        ({"expression": "OS.get_name()"}, "'OS'"),
        ({"expression": "FileAccess.open('a', 1)"}, "'FileAccess'"),
        ({"expression": "Engine"}, "'Engine'"),
        ({"expression": "instance_from_id(1)"}, "'instance_from_id'"),
        ({"expression": "str_to_var('1')"}, "'str_to_var'"),
        ({"expression": "'a'.repeat(9)"}, "'repeat'"),
        ({"expression": "load('res://a')"}, "'load'"),
        ({"code": "a = 1; print(a)"}, "'print'"),
        ({"code": "load = 1; load"}, "'load'"),
        ({"expression": "x", "vars": {"x": {"$resource": "Gradient"}}}, "plain value"),
        ({"expression": "x", "vars": {"self": 1}}, "cannot be the name"),
        ({"expression": "x", "vars": {"a b": 1}}, "cannot be the name"),
        ({"expression": "x.append(1)", "vars": {"x": [1]}}, "engine says"),
    ],
)
async def test_what_reaches_further_is_refused(
    game: Path, caller: Caller, arguments: dict[str, Any], says: str
) -> None:
    assert says in await refused(caller, "eval_restricted", **arguments)
    assert sorted(path.name for path in game.iterdir() if not path.name.startswith(".")) == ["project.godot"]


@pytest.mark.parametrize(
    "arguments",
    [
        {"expression": "range(1000000000)"},
        {"expression": '"%999999999d" % 1'},
        {"expression": '",".join(range(100000000))'},
        {"code": "; ".join(["a = 'aaaaaaaaaa'", *["a = a.replace('a', 'aaaaaaaaaa')"] * 30, "a.length()"])},
        {"code": "; ".join(["a = [1, 2, 3, 4]", *["a = a + a"] * 40, "a.size()"])},
    ],
    ids=["range", "padding", "join", "replace", "doubling"],
)
async def test_no_expression_takes_all_memory(game: Path, caller: Caller, arguments: dict[str, Any]) -> None:
    said = await refused(caller, "eval_restricted", **arguments)
    assert any(word in said for word in ("256 MB", "engine says", "more than")), said
    assert (await called(caller, "eval_restricted", expression="1 + 1"))["value"] == "2"
