"""What we say of exported variables is what the real engine lists."""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.godot.classes.real_engine import ask, learn_classes

from scenewright.godot.classes.index import ClassIndex
from scenewright.godot.classes.records import Property
from scenewright.godot.classes.variant import VARIANT_TYPES
from scenewright.godot.language.inspector_names import capitalized
from scenewright.godot.language.project_scripts import ProjectScripts

pytestmark = pytest.mark.godot

SAMPLES = Path(__file__).with_name("samples")

LISTED = """
func answer(paths: PackedStringArray) -> Variant:
	var found: Dictionary = {}
	for path: String in paths:
		var script: Script = load(path)
		var listed: Array[Dictionary] = []
		for property: Dictionary in script.get_script_property_list():
			if property.usage & PROPERTY_USAGE_DEFAULT and not property.usage & 448:
				property.default = var_to_str(script.get_property_default_value(property.name))
				listed.append(property)
		found[path] = listed
	return found
"""

# Our literals, read by the engine and compared with the values it has itself.
EQUAL = """
func answer(asked: PackedStringArray) -> Variant:
	var wrong: Array[String] = []
	for line: String in asked:
		var parts: PackedStringArray = line.split("|", true, 2)
		var expected: Variant = (load(parts[0]) as Script).get_property_default_value(parts[1])
		var value: Variant = str_to_var(parts[2])
		if typeof(expected) != typeof(value):
			expected = type_convert(expected, typeof(value))
		if expected != value and not is_same(expected, value):
			wrong.append(line + " but " + var_to_str(expected))
	return wrong
"""


def compare(scripts: ProjectScripts, godot: Path, paths: list[str]) -> int:
    """Asks the engine about all these scripts; returns how many properties were compared."""
    told: dict[str, list[dict[str, Any]]] = ask(godot, scripts.root, LISTED, *paths)
    wrong, literals = [], []
    for path, listed in told.items():
        ours = scripts.exported(path)
        assert [found.name for found in ours] == [expected["name"] for expected in listed], path
        for found, expected in zip(ours, listed, strict=True):
            if _facts(found) != _told(expected):
                wrong.append((path, found.name, _facts(found), _told(expected)))
            if found.default is not None:
                literals.append(f"{path}|{found.name}|{found.default}")
    assert wrong == []
    assert ask(godot, scripts.root, EQUAL, *literals) == []
    unknown = [found.name for path in told for found in scripts.exported(path) if found.default is None]
    assert len(unknown) < 10, unknown
    return sum(map(len, told.values()))


def _facts(found: Property) -> tuple[object, ...]:
    return found.variant, int(found.hint), found.hint_string, found.usage, found.enum


def _told(expected: dict[str, Any]) -> tuple[object, ...]:
    enum = expected["class_name"] if expected["type"] == 2 else ""
    return VARIANT_TYPES[expected["type"]], expected["hint"], expected["hint_string"], expected["usage"], enum


def test_every_way_to_export_is_listed_as_the_engine_does(index: ClassIndex, godot: Path, project: Path) -> None:
    shutil.copytree(SAMPLES, project, dirs_exist_ok=True)
    (project / "project.godot").write_text("config_version=5\n")
    learn_classes(godot, project)
    scripts = ProjectScripts(project, index)
    paths = [f"res://{path.name}" for path in sorted(SAMPLES.glob("*.gd")) if path.name != "broken.gd"]
    assert compare(scripts, godot, paths) > 190


TYPES = {
    "bool": ["true", "false", "not true"],
    "int": ["3", "-7", "0x1F", "1 << 4", "LIMIT * 2", "Mode.B", "7 / 2", "-7 % 4"],
    "float": ["1.5", "2", "-0.25", "LIMIT / 2.0", "1e-3", "PI"],
    "String": ['"text"', "'it'", '"a" + "b"', '"q\\"uote"', '"tab\\there"'],
    "StringName": ['&"name"', '"name"'],
    "NodePath": ['^"A/B"', '"A/B:position"', 'NodePath("C")'],
    "Vector2": ["Vector2(1, 2.5)", "Vector2.ONE", "Vector2.UP * 3", "Vector2(1, 2) - Vector2.LEFT"],
    "Vector2i": ["Vector2i(1, 2)", "Vector2i.DOWN"],
    "Vector3": ["Vector3(1, 2, 3)", "-Vector3.FORWARD", "Vector3.ONE * 0.1"],
    "Vector4": ["Vector4(1, 2, 3, 4)"],
    "Rect2": ["Rect2(0, 0, 10, 20)", "Rect2(Vector2.ZERO, Vector2(3, 4))"],
    "Color": ["Color.RED", "Color(0.1, 0.2, 0.3)", 'Color("#ff8800")', "Color(Color.BLUE, 0.5)", 'Color("tomato")'],
    "Transform2D": ["Transform2D.IDENTITY"],
    "Quaternion": ["Quaternion.IDENTITY"],
    "Array": ["[]", '[1, "a", null]', "[Vector2.UP, [true]]"],
    "Array[int]": ["[1, 2]", "[]", "[LIMIT, Mode.B]"],
    "Array[Vector2]": ["[Vector2.UP]"],
    "Array[Mode]": ["[Mode.A]"],
    "Dictionary": ["{}", '{"a": 1}', "{a = [1]}"],
    "Dictionary[String, int]": ['{"a": 1}', "{}"],
    "PackedStringArray": ['["a", "b"]', '["a"]'],
    "PackedVector2Array": ["[Vector2(1, 2)]"],
    "PackedInt32Array": ["[1, 2, 3]"],
    "Mode": ["Mode.B", "Mode.A"],
    "Side": ["SIDE_TOP"],
    "Control.FocusMode": ["Control.FOCUS_ALL"],
}
HINTS = {
    "int": ["@export_range(0, 10)", '@export_enum("A", "B:7")', '@export_flags("X", "Y")', "@export_flags_3d_physics"],
    "float": ['@export_range(-1, 1, 0.01, "or_less")', "@export_exp_easing", '@export_range(0, LIMIT, 1, "suffix:m")'],
    "String": ["@export_multiline", '@export_file("*.json")', '@export_enum("x", "y")', '@export_placeholder("p")'],
    "NodePath": ['@export_node_path("Node2D")'],
    "Color": ["@export_color_no_alpha"],
    "Array[int]": ["@export_range(0, 5)", '@export_enum("A", "B")'],
    "PackedStringArray": ['@export_file("*.png")', "@export_multiline"],
}


def generated(chance: random.Random) -> str:
    lines = ["extends Node", "", "enum Mode { A = 2, B, C = B * 2 }", "const LIMIT := 6", ""]
    for number in range(25):
        type_ = chance.choice(list(TYPES))
        annotation = chance.choice(["@export", "@export", *HINTS.get(type_, ()), "@export_storage"])
        value = chance.choice(TYPES[type_])
        form = chance.choice([": {type} = {value}", ": {type}", " := {value}", " = {value}"])
        # Without its type an array is one of anything, which these annotations do not take.
        if (
            "[" in type_
            or type_.startswith(("Packed", "Array", "Dict"))
            or annotation not in ("@export", "@export_storage")
        ):
            form = chance.choice([": {type} = {value}", ": {type}"])
        lines.append(f"{annotation} var v{number}{form.format(type=type_, value=value)}")
    return "\n".join(lines) + "\n"


def test_generated_scripts_are_listed_as_the_engine_does(index: ClassIndex, godot: Path, project: Path) -> None:
    chance = random.Random(20)
    for number in range(30):
        (project / f"s{number}.gd").write_text(generated(chance))
    assert compare(ProjectScripts(project, index), godot, [f"res://s{number}.gd" for number in range(30)]) > 700


CAPITALIZED = """
func answer(names: PackedStringArray) -> Variant:
	return Array(names).map(func(name: String) -> String: return name.capitalize())
"""


def test_names_are_shown_as_the_engine_shows_them(index: ClassIndex, godot: Path, project: Path) -> None:
    names = {value.name for name in index.class_names for enum in index.class_info(name).enums for value in enum.values}
    asked = [*sorted(names)[::9], "HTTPServer", "a1b", "X2D", "some_snake-kebab", "item2Name", "A", "v2", "Ünï"]
    assert [capitalized(name) for name in asked] == ask(godot, project, CAPITALIZED, *asked)
