"""What the shipped index says of classes and members."""

from __future__ import annotations

import pytest

from scenewright.core.faults import NotFound
from scenewright.godot.classes.index import GLOBAL, ClassIndex
from scenewright.godot.documents.variant_reader import parse_variant
from scenewright.godot.values.literals import type_name


def test_a_class_knows_its_ancestors(index: ClassIndex) -> None:
    assert index.chain("Label") == ("Label", "Control", "CanvasItem", "Node", "Object")
    assert index.is_a("Label", "Node")
    assert index.is_a("Label", "Label")
    assert not index.is_a("Node", "Label")
    assert not index.is_a("Nothing", "Nothing")


def test_subclasses_are_all_below_or_only_the_nearest(index: ClassIndex) -> None:
    assert index.subclasses("PhysicsBody2D", direct=True) == ("CharacterBody2D", "RigidBody2D", "StaticBody2D")
    assert set(index.subclasses("PhysicsBody2D")) == {
        "AnimatableBody2D",
        "CharacterBody2D",
        "PhysicalBone2D",
        "RigidBody2D",
        "StaticBody2D",
    }


def test_what_a_scene_can_hold_leaves_out_abstract_and_editor_classes(index: ClassIndex) -> None:
    nodes = index.node_classes()
    assert {"Node", "Sprite2D", "Camera3D"} <= set(nodes)
    assert {"CanvasItem", "Light2D", "EditorInspector", "Texture2D"}.isdisjoint(nodes)
    assert "CanvasItem" in index.node_classes(instantiable=False)
    resources = index.resource_classes()
    assert {"Resource", "GradientTexture1D", "RectangleShape2D"} <= set(resources)
    assert {"Shape2D", "Shape3D", "Node"}.isdisjoint(resources)


def test_a_property_comes_with_type_hint_default_and_accessors(index: ClassIndex) -> None:
    found = index.property("Sprite2D", "texture")
    assert (found.type, found.variant, found.classes, found.default) == ("Texture2D", "Object", ("Texture2D",), "null")
    assert (found.setter, found.getter, found.stored, found.read_only) == ("set_texture", "get_texture", True, False)
    assert found.description.startswith("[Texture2D] object to draw.")


def test_a_default_is_that_of_the_class_asked(index: ClassIndex) -> None:
    assert index.property("Control", "mouse_filter").default == "0"
    assert index.property("Label", "mouse_filter").default == "2"
    listed = {found.name: found for found in index.properties("Label")}
    assert listed["mouse_filter"].default == "2"
    assert listed["mouse_filter"].owner == "Control"


def test_a_property_of_an_abstract_class_has_the_default_of_those_below(index: ClassIndex) -> None:
    assert not index.row("CanvasItem").instantiable
    assert index.property("CanvasItem", "modulate").default == "Color(1, 1, 1, 1)"
    assert index.property("CanvasItem", "physics_interpolation_mode").default == "0"
    assert index.property("Control", "physics_interpolation_mode").default == "2"


def test_several_classes_can_be_taken_by_one_property(index: ClassIndex) -> None:
    found = index.property("Sprite2D", "material")
    assert found.classes == ("CanvasItemMaterial", "ShaderMaterial")
    assert found.type == "Material"


@pytest.mark.parametrize(
    ("class_name", "name", "type_"),
    [
        ("Label", "theme_override_colors/font_color", "Color"),
        ("Label", "theme_override_font_sizes/font_size", "int"),
        ("Label", "theme_override_colors/of_my_own", "Color"),
        ("Node", "metadata/anything", "Variant"),
        ("Node", "script", "Script"),
        ("PopupMenu", "item_12/text", "String"),
        ("OptionButton", "popup/item_0/icon", "Texture2D"),
        ("Curve2D", "point_7/in", "Vector2"),
        ("TileSet", "physics_layer_1/collision_mask", "int"),
        ("ShaderMaterial", "shader_parameter/speed", "Variant"),
        ("AnimationPlayer", "libraries/", "AnimationLibrary"),
        ("AnimationPlayer", "libraries", "Dictionary"),
        ("MeshInstance3D", "surface_material_override/0", "Material"),
        ("AudioListener2D", "current", "bool"),
        ("Control", "layout_mode", "int"),
        ("ProjectSettings", "application/config/name", "String"),
        ("ProjectSettings", "my_game/anything", "Variant"),
    ],
)
def test_properties_that_objects_make_themselves_are_known(
    index: ClassIndex, class_name: str, name: str, type_: str
) -> None:
    found = index.property(class_name, name)
    assert (found.name, found.type) == (name, type_)
    assert found.stored


def test_an_object_of_a_made_property_must_be_of_its_class(index: ClassIndex) -> None:
    assert index.property("Label", "theme_override_fonts/font").classes == ("Font",)
    assert index.property("Theme", "Button/styles/normal").classes == ("StyleBox",)


def test_a_property_without_setter_is_read_only_unless_it_is_stored(index: ClassIndex) -> None:
    assert index.property("PhysicsDirectBodyState2D", "step").read_only
    assert not index.property("Animation", "capture_included").read_only
    assert not index.property("Node", "name").read_only


def test_vector_parts_and_constants_are_members_of_the_built_in_type(index: ClassIndex) -> None:
    assert [found.name for found in index.properties("Vector2")] == ["x", "y"]
    assert index.constant("Vector2", "UP").value == "Vector2(0, -1)"
    assert index.method("Vector2", "lerp").returns == "Vector2"


def test_methods_and_signals_are_found_in_ancestors(index: ClassIndex) -> None:
    method = index.method("Sprite2D", "add_child")
    assert method.owner == "Node"
    assert method.signature == (
        "add_child(node: Node, force_readable_name: bool = false, internal: Node.InternalMode = 0) -> void"
    )
    assert index.signal("Button", "pressed").owner == "BaseButton"
    assert index.signal("Area2D", "body_entered").signature == "body_entered(body: Node2D)"
    assert index.method("Node", "_process").is_virtual
    assert index.method(GLOBAL, "print").is_vararg


def test_accessors_are_methods_but_only_listed_on_request(index: ClassIndex) -> None:
    assert index.has_method("Label", "set_text")
    assert index.method("Label", "set_text").accessor_of == "text"
    assert "set_text" not in [method.name for method in index.methods("Label")]
    assert "set_text" in [method.name for method in index.methods("Label", accessors=True)]


def test_own_members_can_be_had_alone(index: ClassIndex) -> None:
    assert {found.owner for found in index.properties("Label", inherited=False)} == {"Label"}
    assert {found.owner for found in index.properties("Label")} == {"Label", "Control", "CanvasItem", "Node", "Object"}
    assert index.signals("Label", inherited=False) == []
    assert index.constants("Node", inherited=False)
    assert index.enums("Node", inherited=False)


def test_an_enumeration_is_found_by_full_and_by_short_name(index: ClassIndex) -> None:
    assert index.enum("Control.FocusMode").numbers["FOCUS_ALL"] == 2
    assert index.enum("FocusMode", within="Button").qualified == "Control.FocusMode"
    assert index.enum("Side").qualified == "Side"
    assert index.enum("Variant.Type").numbers["TYPE_VECTOR2"] == 5
    assert index.enum("Control.SizeFlags").is_flags
    assert index.constant("Button", "FOCUS_ALL").value == "2"


@pytest.mark.parametrize(
    ("ask", "hint"),
    [
        (lambda index: index.class_info("Sprite2d"), "'Sprite2D'"),
        (lambda index: index.property("Label", "txt"), "'text'"),
        (lambda index: index.property("Labl", "text"), "'Label'"),
        (lambda index: index.method("Node", "add_chlid"), "'add_child'"),
        (lambda index: index.signal("Button", "presed"), "'pressed'"),
        (lambda index: index.constant("Control", "FOCUS_AL"), "'FOCUS_ALL'"),
        (lambda index: index.enum("FocusMod", within="Control"), "'Control.FocusMode'"),
        (lambda index: index.subclasses("Nod"), "'Node'"),
    ],
)
def test_an_unknown_name_is_refused_with_the_closest_known(index: ClassIndex, ask, hint: str) -> None:
    with pytest.raises(NotFound) as refused:
        ask(index)
    assert hint in (refused.value.hint or "")


def test_asking_whether_something_is_there_does_not_raise(index: ClassIndex) -> None:
    assert index.has_property("Label", "text")
    assert not index.has_property("Label", "texture")
    assert not index.has_property("Nothing", "text")
    assert index.has_signal("Button", "pressed")
    assert not index.has_signal("Node2D", "pressed")
    assert not index.has_method("Node", "nothing")
    assert "Label" in index
    assert "Nothing" not in index


def test_every_enumeration_a_property_names_gives_choices(index: ClassIndex) -> None:
    named = [found for name in index.class_names for found in index.class_info(name).properties if found.enum]
    assert len(named) > 400
    assert [found.name for found in named if found.variant == "int" and index.choices(found) is None] == []


def test_settings_have_descriptions_and_defaults(index: ClassIndex) -> None:
    width = index.property("ProjectSettings", "display/window/size/viewport_width")
    assert width.default == "1152"
    assert width.description
    assert index.property("ProjectSettings", "layer_names/2d_physics/layer_3").description
    assert '"deadzone": 0.5' in (index.property("ProjectSettings", "input/ui_accept").default or "")


def test_a_property_starts_with_a_value_of_its_type(index: ClassIndex) -> None:
    also = {("int", "float"), ("bool", "int")}
    wrong = {
        f"{found.owner}.{found.name}"
        for name in index.class_names
        for found in index.properties(name, inherited=False)
        if found.default not in (None, "null") and found.variant not in ("Nil", "Object")
        for shown in [type_name(parse_variant(found.default or ""))]
        if shown != found.variant and (shown, found.variant) not in also
    }
    # The engine declares these settings as whole numbers and gives them texts.
    assert {name for name in wrong if not name.startswith("ProjectSettings.xr/openxr/")} == set()


@pytest.mark.parametrize(
    ("owner", "name", "type_", "default"),
    [
        ("PhysicsShapeQueryParameters2D", "margin", "float", "0.0"),
        ("AStarGrid2D", "cell_size", "Vector2", "Vector2(1, 1)"),
        ("RDVertexAttribute", "offset", "int", "0"),
        ("XRPose", "transform", "Transform3D", "Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0)"),
        ("AudioBusLayout", "bus/1/send", "StringName", '&""'),
        ("Control", "theme_type_variation", "StringName", '&""'),
        ("Object", "script", "Script", "null"),
    ],
)
def test_a_property_has_the_type_its_value_has(
    index: ClassIndex, owner: str, name: str, type_: str, default: str
) -> None:
    found = index.property(owner, name)
    assert (found.type, found.default) == (type_, default)
