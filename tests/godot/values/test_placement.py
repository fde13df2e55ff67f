"""What a value needs goes into the document in front of whatever refers to it."""

from __future__ import annotations

from tests.godot.values.samples import InMemory, wanting

from scenewright.godot.classes.index import ClassIndex
from scenewright.godot.documents import variant as v
from scenewright.godot.documents.creation import new_scene
from scenewright.godot.documents.document import Document
from scenewright.godot.values.coercion import coerce
from scenewright.godot.values.placement import place
from scenewright.godot.values.tree import File, NodeTarget

SCENE = """[gd_scene load_steps=2 format=3]

[sub_resource type="BoxMesh" id="BoxMesh_a"]

[node name="Root" type="Node3D"]
"""


def test_files_and_resources_are_declared_where_the_engine_declares_them(context: InMemory, index: ClassIndex) -> None:
    document = Document.parse(SCENE, "a.tscn")
    holder = document.tagged("sub_resource")[0]
    sent = {"$resource": "StandardMaterial3D", "props": {"albedo_texture": "res://icon.png"}}
    coerced = coerce(sent, index.property("BoxMesh", "material"), context)
    document, value = place(document, coerced, before=holder)
    assert [section.tag for section in document.sections] == [
        "gd_scene",
        "ext_resource",
        "sub_resource",
        "sub_resource",
        "node",
    ]
    file, material, mesh = document.sections[1:4]
    assert (file.string("type"), file.string("uid")) == ("Texture2D", "uid://icon")
    assert value == v.SubResource(material.string("id") or "")
    assert material.value("albedo_texture") == v.ExtResource(file.string("id") or "")
    assert mesh.string("id") == "BoxMesh_a"
    assert document.sections[0].attribute("load_steps") == 4


def test_a_file_used_twice_is_declared_once(context: InMemory) -> None:
    sent = [{"$path": "res://icon.png"}, {"$path": "uid://icon"}]
    document, value = place(new_scene("Root", "Node").document, coerce(sent, wanting("Array"), context))
    assert len(document.tagged("ext_resource")) == 1
    assert isinstance(value, v.Array)
    assert value.items[0] == value.items[1]


def test_resources_never_go_between_nodes(context: InMemory, index: ClassIndex) -> None:
    document = Document.parse(SCENE + '\n[node name="A" type="Node3D" parent="."]\n', "a.tscn")
    coerced = coerce("SphereMesh", index.property("MeshInstance3D", "mesh"), context)
    document, _ = place(document, coerced, before=document.sections[-1])
    assert [section.tag for section in document.sections] == [
        "gd_scene",
        "sub_resource",
        "sub_resource",
        "node",
        "node",
    ]


def test_a_plain_value_leaves_the_document_alone(context: InMemory) -> None:
    document = Document.parse(SCENE, "a.tscn")
    assert place(document, 5) == (document, 5)
    assert place(document, NodeTarget("A")) == (document, v.NodePath("A"))


def test_configuration_holds_files_and_resources_in_place(context: InMemory) -> None:
    document = Document.parse("config_version=5\n", "project.godot")
    sent = {"events": [{"$resource": "InputEventKey", "props": {"keycode": "KEY_A"}}], "icon": {"$path": "uid://icon"}}
    same, value = place(document, coerce(sent, wanting("Dictionary"), context))
    assert same is document
    assert value == v.Dictionary(
        (
            ("events", v.Array((v.Object("InputEventKey", (("keycode", 65),)),))),
            ("icon", v.Resource("res://icon.png", "uid://icon")),
        )
    )
    assert place(document, File("res://a.png"))[1] == v.Resource("res://a.png")
