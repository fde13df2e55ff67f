"""Defaults worked out without the engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from scenewright.godot.classes.index import ClassIndex
from scenewright.godot.classes.records import Property
from scenewright.godot.classes.variant import Hint, PropertyUsage
from scenewright.godot.language.project_scripts import ProjectScripts

HEAD = """class_name Thing extends Node2D
enum Mode { SLOW, VERY_FAST = 3, LAST = VERY_FAST * 2 }
const LIMIT = 7
const TABLE = {"a": [1, 2.5], "b": Vector2.ONE}
class Inner:
	const DEEP = LIMIT + 1
"""


@pytest.fixture
def exported(project: Path, index: ClassIndex):
    """Exports one variable and says what becomes of it."""

    def export(declaration: str) -> Property:
        (project / "thing.gd").write_text(f"{HEAD}@export {declaration}\n")
        (found,) = ProjectScripts(project, index).exported("Thing")
        return found

    return export


@pytest.mark.parametrize(
    ("value", "type_", "default"),
    [
        ("1_000", "int", "1000"),
        ("0xff", "int", "255"),
        ("0b101", "int", "5"),
        ("-3", "int", "-3"),
        ("~1", "int", "-2"),
        ("7 / 2", "int", "3"),
        ("-7 / 2", "int", "-3"),
        ("-7 % 4", "int", "-3"),
        ("2 ** 5", "int", "32"),
        ("1 << 3 | 1", "int", "9"),
        ("5.0 / 2", "float", "2.5"),
        ("1e3", "float", "1000.0"),
        ("INF", "float", "inf"),
        ("LIMIT + Inner.DEEP", "int", "15"),
        ("Mode.LAST", "int", "6"),
        ("TABLE.a[1]", "float", "2.5"),
        ('TABLE["b"]', "Vector2", "Vector2(1, 1)"),
        ("1 > 2 or true", "bool", "true"),
        ('"a" if LIMIT > 3 else "b"', "String", '"a"'),
        ('"tab\\t\\"q\\" \\u00e9"', "String", '"tab\t\\"q\\" é"'),
        ('r"raw\\n"', "String", '"raw\\\\n"'),
        ("'''it's'''", "String", '"it\'s"'),
        ('&"name"', "StringName", '&"name"'),
        ('^"A/B"', "NodePath", 'NodePath("A/B")'),
        ("Vector2.UP * 2 - Vector2(1, 0.5)", "Vector2", "Vector2(-1, -2.5)"),
        ("Vector3(Vector2(1, 2), 3)", "Vector3", None),
        ("Rect2(Vector2.ZERO, Vector2(3, 4))", "Rect2", "Rect2(0, 0, 3, 4)"),
        ('Color("#f80")', "Color", "Color(1, 0.53333336, 0, 1)"),
        ('Color("tomato", 0.5)', "Color", "Color(1, 0.3882353, 0.2784314, 0.5)"),
        ("[1, [true, null]]", "Array", "[1, [true, null]]"),
        ('{"a": 1, b = 2}', "Dictionary", '{\n"a": 1,\n"b": 2\n}'),
        ("KEY_ESCAPE", "int", "4194305"),
        ("Control.FOCUS_ALL", "int", "2"),
        ("deg_to_rad(90)", "float", None),
        ("unknown_thing", "Nil", None),
        ('preload("res://a.tscn")', "Object", 'Resource("res://a.tscn")'),
        ("1 / 0", "Nil", None),
        ("1 << 100", "Nil", None),
    ],
)
def test_an_initial_value_gives_type_and_default(exported, value: str, type_: str, default: str | None) -> None:
    found = exported(f"var x = {value}")
    assert (found.variant, found.default) == (type_, default)


@pytest.mark.parametrize(
    ("declaration", "default"),
    [
        ("var x: float = 3", "3.0"),
        ("var x: int = 3.0", "3"),
        ('var x: StringName = "abc"', '&"abc"'),
        ("var x: Vector2 = Vector2i(1, 2)", "Vector2(1, 2)"),
        ('var x: PackedStringArray = ["a"]', 'PackedStringArray("a")'),
        ("var x: PackedVector2Array = [Vector2(1, 2), Vector2.UP]", "PackedVector2Array(1, 2, 0, -1)"),
        ("var x: Array[int] = [1]", "Array[int]([1])"),
        ("var x: Array[Thing]", "[]"),
        ("var x: Dictionary[String, int]", "Dictionary[String, int]({})"),
        ("var x: Color", "Color(0, 0, 0, 1)"),
        ("var x: Transform2D", "Transform2D(1, 0, 0, 1, 0, 0)"),
        ("var x: Texture2D", "null"),
        ("var x: Mode", "0"),
    ],
)
def test_a_declared_type_shapes_the_default(exported, declaration: str, default: str) -> None:
    assert exported(declaration).default == default


def test_an_enumeration_of_the_script_names_its_values(exported, index: ClassIndex) -> None:
    found = exported("var mode: Mode = Mode.VERY_FAST")
    assert (found.enum, found.hint, found.hint_string) == ("Thing.Mode", Hint.ENUM, "Slow:0,Very Fast:3,Last:6")
    assert found.usage & PropertyUsage.CLASS_IS_ENUM
    choices = index.choices(found)
    assert choices is not None
    assert choices.value("very fast") == 3


def test_a_node_and_a_resource_are_told_apart(exported) -> None:
    node, resource = exported("var x: Thing"), exported("var x: Texture2D")
    assert (node.hint, node.hint_string, node.classes) == (Hint.NODE_TYPE, "Thing", ("Thing",))
    assert (resource.hint, resource.hint_string) == (Hint.RESOURCE_TYPE, "Texture2D")
