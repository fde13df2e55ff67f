from __future__ import annotations

import pytest

from scenewright.godot.classes.index import ClassIndex
from scenewright.godot.engine.comparisons import comparisons_in
from scenewright.godot.engine.conditions import for_expression


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("$Player.position.x > 9", 'get_node("Player").position.x > 9'),
        ("$World/Coins.get_child_count() == 2", 'get_node("World/Coins").get_child_count() == 2'),
        ('$"Big Room/Door".open', 'get_node("Big Room/Door").open'),
        ("$Box/%Label.text == '$5 %d'", "get_node(\"Box/%Label\").text == '$5 %d'"),
        ("$/root/Main.name", 'get_node("/root/Main").name'),
        (
            "%Play.has_focus() and not %Quit.has_focus()",
            'get_node("%Play").has_focus() and not get_node("%Quit").has_focus()',
        ),
        ("lives %count == 1 and (3)%two == 1", "lives %count == 1 and (3)%two == 1"),
        ("'a %s' % name", "'a %s' % name"),
        ("velocity == Vector2.ZERO", "velocity == Vector2(0, 0)"),
        ("modulate != Color.GOLD", "modulate != Color(1, 0.84313726, 0, 1)"),
        ("reach == Vector2.INF", "reach == Vector2(INF, INF)"),
        ("mouse_filter == Control.MOUSE_FILTER_IGNORE", "mouse_filter == 2"),
        ("Input.is_key_pressed(KEY_A)", "Input.is_key_pressed(65)"),
        ("Game.MAX_LIVES == MAX_LIVES", "Game.MAX_LIVES == MAX_LIVES"),
        ("transform == Transform2D.IDENTITY", "transform == Transform2D.IDENTITY"),
        ("name == &'Door' and path != ^\"A/B\"", "name == StringName('Door') and path != NodePath(\"A/B\")"),
        ("a &&'b' and c & d", "a &&'b' and c & d"),
        ("save() == OK and text == 'OK'", "save() == 0 and text == 'OK'"),
        ("größe.$Höhe", 'größe.get_node("Höhe")'),
    ],
)
def test_a_condition_is_written_for_the_engines_expressions(written: str, read: str, index: ClassIndex) -> None:
    assert for_expression(written, index) == read


@pytest.mark.parametrize(
    ("text", "sides"),
    [
        ("frame == 22", [("frame", "==", "22")]),
        ("$Player.position.x > 9 and lives != 3", [("$Player.position.x", ">", "9"), ("lives", "!=", "3")]),
        ("a <= b && 'x == y' == name", [("a", "<=", "b"), ("'x == y'", "==", "name")]),
        ("max(a, b < c) >= [1 == 1][0]", [("max(a, b < c)", ">=", "[1 == 1][0]")]),
        ("a == 1 or b == 2", []),
        ("not a == 1", []),
        ("visible", []),
        ("visible and lives == 3", []),
        ("a == b == c", []),
        ("a ==", []),
        ("1 << 2 == 4", [("1 << 2", "==", "4")]),
        ("", []),
    ],
)
def test_a_condition_is_taken_apart_where_it_only_compares(text: str, sides: list[tuple[str, str, str]]) -> None:
    assert [(each.left, each.operator, each.right) for each in comparisons_in(text)] == sides
