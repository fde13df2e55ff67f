"""The index agrees with a real editor."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.godot.classes.real_engine import ask

from scenewright.godot.classes.engine import version_of
from scenewright.godot.classes.families import FAMILIES
from scenewright.godot.classes.index import ClassIndex
from scenewright.godot.classes.library import cached, for_binary
from scenewright.godot.classes.variant import VARIANT_TYPES, PropertyUsage
from scenewright.godot.documents.variant_reader import parse_variant
from scenewright.godot.values.literals import type_name

pytestmark = pytest.mark.godot

CLASSES = """
    AnimatedSprite2D AnimationPlayer Area2D AudioStreamPlayer BoxShape3D Button Camera2D Camera3D CanvasLayer
    CharacterBody2D CheckBox CodeEdit CollisionShape2D ColorRect CPUParticles2D CurveTexture DirectionalLight3D
    Environment Gradient GPUParticles3D GridContainer HSlider ItemList Label Line2D MarginContainer MeshInstance3D
    NavigationAgent2D Node ParticleProcessMaterial Path2D Polygon2D RayCast2D RichTextLabel RigidBody3D Skeleton3D
    Sprite2D Sprite3D StandardMaterial3D StyleBoxFlat SubViewport TabContainer TextureRect TileMapLayer TileSet Timer
    Tree VBoxContainer Window WorldEnvironment
"""
SAMPLE = CLASSES.split()

# Told by the class database itself; the index is made from objects instead.
PROPERTIES = """
func answer(classes: PackedStringArray) -> Variant:
	var found: Dictionary = {}
	for name: String in classes:
		for property: Dictionary in ClassDB.class_get_property_list(name):
			if property.usage & (PROPERTY_USAGE_CATEGORY | PROPERTY_USAGE_GROUP | PROPERTY_USAGE_SUBGROUP):
				continue
			var value: Variant = ClassDB.class_get_property_default_value(name, property.name)
			property.default = var_to_str(value)
			found[name + ":" + property.name] = property
	return found
"""

ENUMS = """
func answer(classes: PackedStringArray) -> Variant:
	var found: Dictionary = {}
	for name: String in classes:
		for enumeration: String in ClassDB.class_get_enum_list(name, true):
			var values: Dictionary = {}
			for constant: String in ClassDB.class_get_enum_constants(name, enumeration, true):
				values[constant] = ClassDB.class_get_integer_constant(name, constant)
			found[name + "." + enumeration] = values
	return found
"""

MEMBERS = """
func answer(classes: PackedStringArray) -> Variant:
	var found: Dictionary = {}
	for name: String in classes:
		found[name] = {
			parent = ClassDB.get_parent_class(name),
			instantiable = ClassDB.can_instantiate(name),
			signals = ClassDB.class_get_signal_list(name, true).map(func(each: Dictionary) -> String: return each.name),
			methods = ClassDB.class_get_method_list(name, true).map(func(each: Dictionary) -> String: return each.name),
		}
	return found
"""


@pytest.fixture(scope="module")
def same(index: ClassIndex, godot: Path) -> ClassIndex:
    """The shipped index, if the editor at hand is of its version."""
    build = version_of(godot)
    if not build.startswith(f"{index.version}."):
        pytest.skip(f"the shipped index is of {index.version}, this editor of {build}")
    return index


def test_every_property_has_the_declared_type_hint_and_default(same: ClassIndex, godot: Path, project: Path) -> None:
    told: dict[str, Any] = ask(godot, project, PROPERTIES, *SAMPLE)
    assert len(told) > 2000
    wrong: list[Any] = []
    for key, expected in told.items():
        found = same.property(*key.split(":", 1))
        # Some are declared as one type and hold another; then what they hold counts.
        held = type_name(parse_variant(expected["default"]))
        declared = VARIANT_TYPES[expected["type"]]
        type_ = held if found.variant == held and held != "Nil" else declared
        facts = (type_, expected["hint"], expected["hint_string"], expected["usage"])
        if (found.variant, found.hint, found.hint_string, found.usage) != facts:
            wrong.append((key, found, facts))
        # The class database knows no default of what an object hides as long as it is of no use to it.
        known = expected["default"] != "null" and expected["usage"] & PropertyUsage.DEFAULT
        if known and found.default != expected["default"]:
            wrong.append((key, found.default, expected["default"]))
    assert wrong == []


def test_every_enumeration_has_the_engines_numbers(same: ClassIndex, godot: Path, project: Path) -> None:
    told = ask(godot, project, ENUMS, *same.node_classes(instantiable=False), *same.resource_classes())
    documented = {name for name in told if not name.split(".")[1].startswith("_")}
    assert len(documented) > 200
    unknown = []
    for name in documented:
        owner, short = name.split(".")
        found = next((enum for enum in same.enums(owner, inherited=False) if enum.name == short), None)
        if found is None:
            unknown.append(name)
        else:
            assert found.numbers == told[name]
    assert unknown == []


def test_every_class_has_the_engines_parent_signals_and_methods(same: ClassIndex, godot: Path, project: Path) -> None:
    told = ask(godot, project, MEMBERS, *same.node_classes(instantiable=False))
    for name, facts in told.items():
        assert (same.row(name).inherits, same.row(name).instantiable) == (facts["parent"], facts["instantiable"])
        assert sorted(found.name for found in same.signals(name, inherited=False)) == sorted(facts["signals"])
        public = {method for method in facts["methods"] if not method.startswith("_")}
        assert public <= {found.name for found in same.methods(name, accessors=True)}


def test_an_index_made_from_the_binary_is_the_shipped_one_and_is_kept(
    same: ClassIndex, godot: Path, tmp_path: Path
) -> None:
    made = for_binary(godot, tmp_path)
    missing = set(same.class_names) ^ set(made.class_names)
    shared = set(same.class_names) - missing
    differing = {name for name in shared if made.class_info(name) != same.class_info(name)}
    # Another build of the same version may leave out modules, but says the same of what it has.
    assert len(missing | differing) < (20 if made.store.build != same.store.build else 1)
    made.close()
    kept = cached(version_of(godot), tmp_path)
    assert kept is not None
    kept.close()


# A value for one name of each family, and what must be there first for the engine to take it.
FAMILY_SAMPLES = {
    ("Node", "metadata/x"): "1",
    ("ShaderMaterial", "shader_parameter/x"): "1.0",
    ("Label", "theme_override_colors/x"): "Color(1, 0, 0, 1)",
    ("Label", "theme_override_constants/x"): "3",
    ("Label", "theme_override_font_sizes/x"): "3",
    ("Label", "theme_override_fonts/x"): "SystemFont",
    ("Label", "theme_override_icons/x"): "GradientTexture1D",
    ("Label", "theme_override_styles/x"): "StyleBoxFlat",
    ("Window", "theme_override_colors/x"): "Color(1, 0, 0, 1)",
    ("Window", "theme_override_constants/x"): "3",
    ("Window", "theme_override_fonts/x"): "SystemFont",
    ("Window", "theme_override_icons/x"): "GradientTexture1D",
    ("Window", "theme_override_styles/x"): "StyleBoxFlat",
    ("Theme", "Button/colors/x"): "Color(1, 0, 0, 1)",
    ("Theme", "Button/constants/x"): "3",
    ("Theme", "Button/fonts/x"): "SystemFont",
    ("Theme", "Button/icons/x"): "GradientTexture1D",
    ("Theme", "Button/styles/x"): "StyleBoxFlat",
    ("Theme", "Mine/base_type"): '&"Button"',
    ("AnimationPlayer", "libraries/x"): "AnimationLibrary",
    ("AnimationNodeStateMachine", "states/x/node"): "AnimationNodeAnimation",
    ("AnimationNodeBlendTree", "nodes/x/node"): "AnimationNodeAnimation",
    ("TileSet", "sources/0"): "TileSetAtlasSource",
    ("TileSet", "terrain_set_0/mode"): "1",
    ("AudioStreamRandomizer", "stream_0/stream"): "AudioStreamGenerator",
    ("AudioBusLayout", "bus/1/name"): '&"Music"',
    ("GraphNode", "slot/0/left_enabled"): "true",
    ("MeshLibrary", "item/0/name"): '"x"',
    ("Skin", "bind/0/name"): '&"x"',
    ("SceneReplicationConfig", "properties/0/path"): 'NodePath("a:b")',
    ("BoneMap", "bone_map/x"): '&"x"',
    ("VisualShader", "varyings/x"): '"0,0"',
    ("PopupMenu", "item_0/text"): '"x"',
    ("Curve2D", "point_0/position"): "Vector2(1, 2)",
    ("LabelSettings", "stacked_outline_0/size"): "3",
    ("ProjectSettings", "mine/x"): "1",
}
COUNTS = {
    "PopupMenu": "item_count",
    "Curve2D": "point_count",
    "LabelSettings": "stacked_outline_count",
    "Skin": "bind_count",
    "AudioStreamRandomizer": "streams_count",
}
TAKEN = """
func answer(asked: PackedStringArray) -> Variant:
	var refused: Array[String] = []
	for line: String in asked:
		var parts: PackedStringArray = line.split("|")
		var object: Object = ProjectSettings if parts[0] == "ProjectSettings" else ClassDB.instantiate(parts[0])
		if parts[3]:
			object.set(parts[3], 1)
		if parts[0] == "BoneMap":
			var profile: SkeletonProfile = SkeletonProfile.new()
			profile.bone_size = 1
			profile.set("bones/0/bone_name", &"x")
			object.set("profile", profile)
		if parts[0] == "ShaderMaterial":
			var shader: Shader = Shader.new()
			shader.code = "shader_type canvas_item; uniform float x;"
			object.set("shader", shader)
		var value: Variant = ClassDB.instantiate(parts[2]) if ClassDB.class_exists(parts[2]) else str_to_var(parts[2])
		object.set(parts[1], value)
		if object.get(parts[1]) != value:
			refused.append(line + " -> " + str(object.get(parts[1])))
	return refused
"""


def test_the_engine_takes_properties_of_every_family_with_the_type_we_say(
    index: ClassIndex, godot: Path, project: Path
) -> None:
    for (class_name, name), value in FAMILY_SAMPLES.items():
        found = index.property(class_name, name)
        if value in index:
            assert any(index.is_a(value, wanted) for wanted in found.classes), (class_name, name)
    lines = [f"{key[0]}|{key[1]}|{value}|{COUNTS.get(key[0], '')}" for key, value in FAMILY_SAMPLES.items()]
    assert ask(godot, project, TAKEN, *lines) == []


def test_every_family_belongs_to_a_class_there_is(index: ClassIndex) -> None:
    assert [family.owner for family in FAMILIES if family.owner not in index] == []
