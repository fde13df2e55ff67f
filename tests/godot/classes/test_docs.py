"""Answers about documentation, in the shapes of the Godoty protocol."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from scenewright.core.faults import Invalid, NotFound
from scenewright.godot.classes.docs import SEARCH_IN, Docs
from scenewright.godot.classes.index import ClassIndex


@pytest.fixture(scope="module")
def docs(index: ClassIndex) -> Docs:
    return Docs(index)


def wire(answer: Any) -> Any:
    """The answer as it goes over the wire."""
    return msgspec.json.decode(msgspec.json.encode(answer))


def named(members: list[dict[str, Any]], name: str) -> dict[str, Any]:
    return next(member for member in members if member["name"] == name)


def test_class_docs_have_the_shape_of_the_godoty_protocol(docs: Docs) -> None:
    answer = wire(docs.class_docs("CharacterBody3D"))
    head = ("success", "class_name", "inherits", "brief_description", "description", "methods", "properties")
    assert {*head, "signals", "enums", "constants"} <= set(answer)
    assert answer["success"] is True
    assert (answer["class_name"], answer["inherits"]) == ("CharacterBody3D", "PhysicsBody3D")
    assert answer["brief_description"] == "A 3D physics body specialized for characters moved by script."
    slide = named(answer["methods"], "move_and_slide")
    assert (slide["return_type"], slide["arguments"]) == ("bool", [])
    assert slide["description"].startswith("Moves the body based on")
    velocity = named(answer["properties"], "velocity")
    assert velocity["type"] == "Vector3"
    assert velocity["default"] == "Vector3(0, 0, 0)"
    assert (velocity["setter"], velocity["getter"]) == ("set_velocity", "get_velocity")
    assert named(answer["properties"], "floor_max_angle")["default"].startswith("0.785398")
    motion = named(answer["enums"], "MotionMode")
    assert [value["name"] for value in motion["values"]] == ["MOTION_MODE_GROUNDED", "MOTION_MODE_FLOATING"]


def test_only_own_members_unless_inherited_ones_are_asked_for(docs: Docs) -> None:
    own = wire(docs.class_docs("CharacterBody3D"))
    every = wire(docs.class_docs("CharacterBody3D", include_inherited=True))
    assert all("inherited_from" not in member for member in own["methods"] + own["properties"])
    assert named(every["methods"], "add_child")["inherited_from"] == "Node"
    assert named(every["properties"], "collision_layer")["inherited_from"] == "CollisionObject3D"
    assert named(every["signals"], "ready")["inherited_from"] == "Node"
    assert own["ancestors"][0] == "PhysicsBody3D"


def test_built_in_types_and_scopes_are_classes_too(docs: Docs) -> None:
    vector = wire(docs.class_docs("Vector2"))
    assert named(vector["constants"], "UP")["value"] == "Vector2(0, -1)"
    assert vector["constructors"]
    assert vector["operators"]
    assert named(wire(docs.class_docs("@GDScript"))["annotations"], "@export_range")["arguments"]


def test_method_docs_have_the_shape_of_the_godoty_protocol(docs: Docs) -> None:
    answer = wire(docs.method_docs("Node", "add_child"))
    assert (answer["success"], answer["class_name"]) == (True, "Node")
    method = answer["method"]
    assert (method["name"], method["return_type"]) == ("add_child", "void")
    node, readable, internal = method["arguments"]
    assert (node["name"], node["type"], node["default"]) == ("node", "Node", None)
    assert (readable["type"], readable["default"]) == ("bool", "false")
    assert (internal["type"], internal["default"], internal["enum"]) == ("int", "0", "Node.InternalMode")
    assert "`force_readable_name`" in readable["description"]


def test_an_inherited_method_an_accessor_a_constructor_and_an_annotation_are_found(docs: Docs) -> None:
    assert wire(docs.method_docs("Sprite2D", "add_child"))["method"]["inherited_from"] == "Node"
    assert docs.method_docs("Label", "set_text").method.description == "Sets `text`. The text to display on screen."
    assert docs.method_docs("Label", "get_text").method.return_type == "String"
    assert len(docs.method_docs("Vector2", "Vector2").overloads) >= 3
    assert docs.method_docs("@GDScript", "@tool").method.name == "@tool"
    assert docs.method_docs("@GlobalScope", "lerp").method.arguments[0].name == "from"


def test_what_is_not_there_is_refused_with_a_hint(docs: Docs) -> None:
    with pytest.raises(NotFound) as no_class:
        docs.class_docs("CharacterBody")
    assert "CharacterBody2D" in (no_class.value.hint or "")
    with pytest.raises(NotFound) as no_method:
        docs.method_docs("Node", "addchild")
    assert "'add_child'" in (no_method.value.hint or "")


def test_search_results_have_the_shape_of_the_godoty_protocol(docs: Docs) -> None:
    answer = wire(docs.search("collision layer", search_in=["classes", "methods", "properties"], limit=10))
    assert (answer["success"], answer["query"]) == (True, "collision layer")
    assert len(answer["results"]) == 10
    assert answer["total_count"] >= 10
    first = answer["results"][0]
    assert {"type", "class_name", "name", "description", "relevance"} <= set(first)
    assert (first["type"], first["name"]) == ("property", "collision_layer")
    assert first["description"]
    ranks = [result["relevance"] for result in answer["results"]]
    assert ranks == sorted(ranks, reverse=True)
    assert 0 < ranks[-1] <= ranks[0] <= 1


@pytest.mark.parametrize(
    ("query", "best"),
    [
        ("move_and_slide", "move_and_slide"),
        ("CharacterBody2D", "CharacterBody2D"),
        ("characterbody", "CharacterBody2D"),
        ("character body 2d", "CharacterBody2D"),
        ("Node.add_child", "add_child"),
        ("Sprite2D.add_child", "add_child"),
        ("KEY_ESCAPE", "KEY_ESCAPE"),
        ("tween property", "tween_property"),
        ("window size", "size"),
        ("json parse", "parse"),
        ("rotate towards", "rotate_toward"),
        ("raycast", "RayCast2D"),
        ("http request", "HTTPRequest"),
        ("@export_range", "@export_range"),
        ("export range", "@export_range"),
    ],
)
def test_what_one_means_comes_first(docs: Docs, query: str, best: str) -> None:
    assert docs.search(query).results[0].name == best


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("play animation", ("AnimationPlayer", "play")),
        ("camera smooth follow", ("Camera2D", "Camera2D")),
        ("signal emitted when button pressed", ("BaseButton", "pressed")),
        ("set_text", ("Label", "text")),
        ("font color", ("Label", "font_color")),
        ("quit the game", ("SceneTree", "quit")),
        ("body_entered", ("Area2D", "body_entered")),
        ("main scene setting", ("ProjectSettings", "application/run/main_scene")),
    ],
)
def test_what_one_means_is_among_the_first(docs: Docs, query: str, wanted: tuple[str, str]) -> None:
    assert wanted in [(result.class_name, result.name) for result in docs.search(query, limit=8).results]


def test_a_search_can_be_narrowed_to_kinds(docs: Docs) -> None:
    for plural, kind in SEARCH_IN.items():
        results = docs.search("animation", search_in=[plural], limit=5).results
        assert {result.type for result in results} <= {kind}
    assert docs.search("pressed", search_in=["signals"]).results[0].type == "signal"
    assert docs.search("tree_e", search_in=["signals"], limit=2).results[0].name == "tree_exited"
    assert docs.search("emitted", search_in=["signals"], limit=3).total_count > 100


def test_an_unknown_kind_is_refused(docs: Docs) -> None:
    with pytest.raises(Invalid) as refused:
        docs.search("x", search_in=["method"])
    assert "'methods'" in (refused.value.hint or "")


@pytest.mark.parametrize("query", ["", "   ", '"', "*", "a AND (", "NEAR(", "ünïcode ☃", "';--", "x" * 5000, "0"])
def test_any_query_is_answered(docs: Docs, query: str) -> None:
    answer = docs.search(query, limit=3)
    assert answer.total_count >= len(answer.results)


def test_descriptions_come_in_the_markup_asked_for(index: ClassIndex) -> None:
    markdown, plain, bbcode = (Docs(index, markup).class_docs("Node").description for markup in _MARKUPS)
    assert "[SceneTree]" in bbcode
    assert "`SceneTree`" in markdown
    assert "`" not in plain.split("\n", 1)[0]


_MARKUPS: tuple[Any, ...] = ("markdown", "plain", "bbcode")
