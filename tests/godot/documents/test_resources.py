"""Resources of scene and resource files: declared, changed, renamed, removed; ids and uids."""

from __future__ import annotations

import re
from random import Random

import pytest
from tests.godot.documents.game import load, scene

from scenewright.core.faults import NotFound
from scenewright.godot.documents.creation import inherited_scene, new_resource, new_scene
from scenewright.godot.documents.document import Document
from scenewright.godot.documents.errors import EditError
from scenewright.godot.documents.ids import (
    new_ext_resource_id,
    new_node_id,
    new_sub_resource_id,
    new_uid,
    number_from_uid,
    uid_from_number,
)
from scenewright.godot.documents.references import references
from scenewright.godot.documents.resources import (
    add_external_file,
    add_inner_resource,
    remove_resource,
    rename_resource_id,
    resource_section,
    set_resource_properties,
)
from scenewright.godot.documents.variant import ExtResource, SubResource


def test_a_file_is_declared_behind_the_others_and_only_once() -> None:
    document = load("res://old.tscn")
    after, name = add_external_file(document, "Script", "res://actor.gd", "uid://babc")
    assert re.fullmatch("2_[a-y0-8]{5}", name)
    assert after.text.startswith(
        '[gd_scene load_steps=5 format=3 uid="uid://cold000scene1"]\n\n'
        '[ext_resource type="PackedScene" uid="uid://cactor0scene1" path="res://actor.tscn" id="1_k2f0x"]\n'
        f'[ext_resource type="Script" uid="uid://babc" path="res://actor.gd" id="{name}"]\n\n[sub_resource '
    )
    assert add_external_file(after, "Script", "res://actor.gd") == (after, name)
    assert add_external_file(after, "Script", "res://moved.gd", "uid://babc") == (after, name)
    assert remove_resource(after, ExtResource(name)).text == document.text


def test_the_first_file_and_the_first_resource_find_their_place() -> None:
    document = Document.parse('[gd_resource type="Theme" format=3]\n\n[resource]\n', "a.tres")
    after, inner = add_inner_resource(document, "StyleBoxFlat", {"border_width_left": 1})
    after, file = add_external_file(after, "Script", "res://a.gd")
    assert after.text == (
        '[gd_resource type="Theme" format=3]\n\n'
        f'[ext_resource type="Script" path="res://a.gd" id="{file}"]\n\n'
        f'[sub_resource type="StyleBoxFlat" id="{inner}"]\nborder_width_left = 1\n\n[resource]\n'
    )
    after, other = add_inner_resource(after, "Gradient")
    assert [section.attribute("id") for section in after.tagged("sub_resource")] == [inner, other]
    after = remove_resource(remove_resource(after, SubResource(other)), SubResource(inner))
    assert remove_resource(after, ExtResource(file)).text == document.text


def test_a_resource_stands_before_what_refers_to_it() -> None:
    document, outer = add_inner_resource(load("res://level.tscn"), "GradientTexture2D")
    document, middle = add_inner_resource(document, "Gradient")
    document, inner = add_inner_resource(document, "Resource", before=resource_section(document, SubResource(outer)))
    order = [section.string("id") for section in document.tagged("sub_resource")][-3:]
    assert order == [inner, outer, middle]
    document = set_resource_properties(document, SubResource(outer), {"gradient": SubResource(middle)})
    document = set_resource_properties(document, SubResource(inner), {"metadata/x": SubResource(outer)})
    order = [section.string("id") for section in document.tagged("sub_resource")][-3:]
    assert order == [middle, outer, inner]
    with pytest.raises(EditError, match="would contain itself"):
        set_resource_properties(document, SubResource(middle), {"metadata/x": SubResource(inner)})


def test_a_resource_in_use_is_not_removed() -> None:
    with pytest.raises(EditError, match=r"'RectangleShape2D_door1' is still used on line \d+"):
        remove_resource(load("res://level.tscn"), SubResource("RectangleShape2D_door1"))
    with pytest.raises(NotFound) as caught:
        remove_resource(load("res://level.tscn"), SubResource("RectangleShape2D_dor1"))
    assert "RectangleShape2D_door1" in (caught.value.hint or "")
    with pytest.raises(NotFound, match="no file with the id"):
        remove_resource(load("res://level.tscn"), ExtResource("nope"))


def test_an_id_is_changed_wherever_it_is_used() -> None:
    document = load("res://level.tscn")
    after = rename_resource_id(document, SubResource("Animation_walk1"), "Walk")
    assert after.text == document.text.replace("Animation_walk1", "Walk")
    assert rename_resource_id(after, SubResource("Walk"), "Animation_walk1").text == document.text
    after = rename_resource_id(document, ExtResource("1_actor"), "9_x")
    assert after.text == document.text.replace('"1_actor"', '"9_x"')
    with pytest.raises(EditError, match="taken"):
        rename_resource_id(document, ExtResource("1_actor"), "2_boss")


def test_what_a_string_only_talks_about_is_no_reference() -> None:
    text = 'a = "ExtResource( 1 ) and SubResource(\\"x\\")"\nb = [ExtResource("2"), SubResource( 3 )]'
    assert references(text) == {ExtResource("2"), SubResource("3")}
    document = Document.parse(
        f'[gd_scene format=2]\n\n[ext_resource path="a" type="X" id=1]\n\n[node name="A"]\n{text}\n', "a.tscn"
    )
    assert "ExtResource( 1 ) and" in rename_resource_id(document, ExtResource("1"), "new").text


def test_ids_look_like_the_engines_and_are_free() -> None:
    dice = Random(1)
    taken = {"1_aaaaa", "7", "nonsense"}
    assert re.fullmatch("8_[a-y0-8]{5}", new_ext_resource_id(taken, random=dice))
    assert re.fullmatch("1_[a-y0-8]{5}", new_ext_resource_id((), random=dice))
    assert re.fullmatch("Gradient_[a-y0-8]{5}", new_sub_resource_id("Gradient", (), random=dice))
    assert 0 < new_node_id({1, 2}, random=dice) < 2**31
    uid = new_uid(random=dice)
    assert uid_from_number(number_from_uid(uid)) == uid


def test_a_taken_id_is_not_given_again() -> None:
    first = new_sub_resource_id("A", (), random=Random(3))
    assert new_sub_resource_id("A", {first}, random=Random(3)) != first
    number = new_node_id((), random=Random(3))
    assert new_node_id({number}, random=Random(3)) != number
    uid = new_uid(random=Random(3))
    assert new_uid({uid}, random=Random(3)) != uid


@pytest.mark.parametrize(
    ("number", "uid"),
    [(0, "uid://a"), (1, "uid://b"), (25, "uid://0"), (34, "uid://ba"), (2**63 - 1, "uid://d4n4ub6itg400")],
)
def test_uids_are_numbers_in_the_engines_letters(number: int, uid: str) -> None:
    assert uid_from_number(number) == uid
    assert number_from_uid(uid) == number


def test_what_is_no_uid_has_no_number() -> None:
    assert [number_from_uid(text) for text in ("uid://<invalid>", "res://a", "uid://A")] == [-1, -1, -1]
    assert uid_from_number(-1) == "uid://<invalid>"


def test_new_files_are_as_the_engine_saves_them() -> None:
    made = new_scene("Main", "Node2D", uid="uid://babc", random=Random(1))
    number = made.root.unique_id
    assert made.document.text == (
        f'[gd_scene format=3 uid="uid://babc"]\n\n[node name="Main" type="Node2D" unique_id={number}]\n'
    )
    made = inherited_scene("Boss", "res://actor.tscn", "uid://cactor0scene1")
    file = made.external_files[0].id
    assert made.document.text == (
        "[gd_scene format=3]\n\n"
        f'[ext_resource type="PackedScene" uid="uid://cactor0scene1" path="res://actor.tscn" id="{file}"]\n\n'
        f'[node name="Boss" unique_id={made.root.unique_id} instance=ExtResource("{file}")]\n'
    )
    resource = new_resource("Resource", {"x": 1}, script_class="Item", uid="uid://b")
    assert resource.text == (
        '[gd_resource type="Resource" script_class="Item" format=3 uid="uid://b"]\n\n[resource]\nx = 1\n'
    )
    with pytest.raises(EditError, match="cannot be the name"):
        new_scene("a/b", "Node")


def test_only_scenes_and_resources_declare_resources() -> None:
    with pytest.raises(EditError, match="does not start with"):
        add_external_file(Document.parse("[a]\n", "a.cfg"), "Script", "res://a.gd")
    assert scene("old").document.format == 3
