"""What a scene file says, and the expanded tree of several."""

from __future__ import annotations

import pytest
from tests.godot.documents.game import FILES, load, scene, tree_of

from scenewright.core.faults import NotFound
from scenewright.godot.documents.document import Document
from scenewright.godot.documents.errors import EditError
from scenewright.godot.documents.scene import Scene
from scenewright.godot.documents.tree import Load, expand


def test_nodes_have_the_facts_of_their_headers() -> None:
    level = scene("level")
    player = level.node("World/Player")
    assert (player.name, player.type, player.parent, player.instance) == ("Player", None, "World", "1_actor")
    assert player.node_paths == ("target", "friends", "by_name")
    assert (player.unique_id, player.index, player.owner, player.is_override) == (3005, None, None, False)
    body = level.node("World/Player/Body")
    assert (body.is_override, body.index, body.instance, body.groups) == (True, 0, None, ())
    door = level.node("World/Door")
    assert (door.groups, door.unique_name, door.placeholder) == (("doors", "solid"), True, None)
    assert level.root.path == "."
    assert dict(level.unique_names) == {"Door": "World/Door"}


def test_rare_headers_are_read_too() -> None:
    text = (
        '[gd_scene format=3]\n\n[node type="Node" name="Root"]\n\n'
        '[node name="A\\"B" parent="./" instance_placeholder="res://a.tscn"]\n\n'
        '[node name="C" parent="A\\"B" owner="." type="Node" index="x" parent_id_path=PackedInt32Array(1, 2)]\n\n'
        '[connection signal="a" from="." to="A\\"B"]\n\n'
        '[connection signal="a" from="." to="C" method="m" binds=[1, 2]]\n'
    )
    found = Scene.parse(text)
    assert [node.path for node in found.nodes] == [".", 'A"B', 'A"B/C']
    second, third = found.nodes[1:]
    assert (second.placeholder, second.is_override) == ("res://a.tscn", False)
    assert (third.owner, third.index, third.parent_ids) == (".", None, (1, 2))
    assert [(wire.target, wire.binds, wire.flags, wire.unbinds) for wire in found.connections] == [("C", (1, 2), 2, 0)]


def test_nodes_are_found_by_path_and_a_wrong_one_gets_a_hint() -> None:
    level = scene("level")
    assert level.node("./World/Door/").name == "Door"
    assert [node.name for node in level.children("World")] == ["Door", "Player"]
    assert [node.path for node in level.subtree("World/Door")] == ["World/Door", "World/Door/Shape"]
    with pytest.raises(NotFound) as caught:
        level.node("World/Dor")
    assert caught.value.hint is not None
    assert caught.value.hint.startswith("Did you mean 'World/Door' or ")


def test_connections_resources_and_editable_instances_are_listed() -> None:
    level = scene("level")
    wire = level.connections[1]
    assert (wire.signal, wire.source, wire.target, wire.method) == ("hit", "World/Player", "Watcher", "_on_hit")
    assert (wire.flags, wire.binds, wire.unbinds) == (3, (7,), 0)
    file = level.external_files[0]
    assert (file.id, file.type, file.path, file.uid) == (
        "1_actor",
        "PackedScene",
        "res://actor.tscn",
        "uid://cactor0scene1",
    )
    assert [resource.id for resource in level.inner_resources] == [
        "RectangleShape2D_door1",
        "Animation_walk1",
        "AnimationLibrary_main1",
    ]
    assert list(level.editable) == ["World/Player"]


def test_a_file_without_nodes_or_without_a_scene_is_refused() -> None:
    with pytest.raises(EditError, match="not a scene"):
        Scene(load("res://look.tres"))
    with pytest.raises(EditError, match="no nodes"):
        _ = Scene.parse("[gd_scene format=3]\n").root


def test_a_broken_property_does_not_hide_the_nodes() -> None:
    text = FILES["level.tscn"].decode().replace("Vector2(40, 0)", "Vector2(40, ")
    assert [node.path for node in Scene.parse(text).nodes] == [node.path for node in scene("level").nodes]


def test_an_inherited_scene_has_the_nodes_of_its_base() -> None:
    tree = tree_of(scene("boss"))
    assert [(node.path, node.type, node.depth) for node in tree.root.walk()] == [
        (".", "Node2D", 0),
        ("Body", "Node2D", 0),
        ("Body/Sprite", "Sprite2D", 0),
        ("Body/Shape", "CollisionShape2D", 0),
        ("Body/Horns", "Node2D", 0),
        ("Aura", "Node2D", 0),
        ("Timer", "Timer", 0),
    ]
    assert (tree.root.name, tree.root.instance, tree.root.groups) == ("Boss", "res://actor.tscn", ("actors", "bosses"))
    body = tree.nodes["Body"]
    assert [layer.scene for layer in body.layers] == ["res://actor.tscn", "res://boss.tscn"]
    assert {name: found.raw for name, found in body.properties.items()} == {
        "position": "Vector2(0, -8)",
        "scale": "Vector2(2, 2)",
    }


def test_an_instance_brings_its_nodes_and_their_owners() -> None:
    tree = tree_of(scene("level"))
    horns = tree.nodes["Boss/Body/Horns"]
    assert (horns.owner, horns.depth, tree.id_path(horns)) == ("Boss", 1, (3008, 2002))
    sprite = tree.nodes["World/Player/Body/Sprite"]
    assert (sprite.unique_name, sprite.find("missing"), sprite.unique_id) == (True, None, 1003)
    assert tree.nodes["World/Player/Body/Hat"].owner == "."
    assert tree.find("./Boss/Body") is tree.nodes["Boss/Body"]
    assert [(wire.source, wire.scene) for wire in tree.wires if wire.connection.signal == "hit"] == [
        ("World/Player", "res://actor.tscn"),
        ("Boss", "res://actor.tscn"),
        ("World/Player", "res://level.tscn"),
    ]
    speed = tree.nodes["Boss"].find("speed")
    assert speed is not None
    assert speed.value == 0.5


def test_a_scene_that_cannot_be_had_is_an_unresolved_branch() -> None:
    def nothing(path: str) -> Document:
        raise NotFound(f"There is no {path}.")

    tree = expand(scene("level"), nothing)
    player = tree.nodes["World/Player"]
    assert (player.type, player.instance, player.unresolved) == (
        None,
        "res://actor.tscn",
        "There is no res://actor.tscn.",
    )
    assert [layer.node.path for layer in tree.vanished] == ["World/Player/Body", "World/Player/Body/Hat"]
    assert "World/Player/Backpack" in tree.nodes


def test_a_scene_that_contains_itself_ends() -> None:
    text = '[gd_scene format=3]\n\n[ext_resource type="PackedScene" path="res://me.tscn" id="1"]\n\n'
    text += '[node name="Me" type="Node"]\n\n[node name="Again" parent="." instance=ExtResource("1")]\n'
    document = Document.parse(text, "res://me.tscn")
    tree = expand(Scene(document), lambda _: document)
    assert [node.path for node in tree.root.walk()] == [".", "Again", "Again/Again"]
    assert tree.nodes["Again/Again"].unresolved == "res://me.tscn contains itself."


def loading(**changed: str) -> Load:
    """Loads the game with some of its files changed."""
    return lambda path: (
        Document.parse(changed[name], path) if (name := path[6:].partition(".")[0]) in changed else load(path)
    )


def test_a_renamed_node_of_the_base_is_found_by_its_id() -> None:
    actor = FILES["actor.tscn"].decode().replace('"Body"', '"Torso"')
    tree = expand(scene("boss"), loading(actor=actor))
    assert len(tree.nodes["Torso"].layers) == 2
    assert [layer.node.path for layer in tree.vanished] == ["Body/Horns"]
    tree = expand(scene("level"), loading(actor=actor))
    assert [layer.scene for layer in tree.nodes["World/Player/Torso"].layers] == [
        "res://actor.tscn",
        "res://level.tscn",
    ]


def test_a_parent_that_was_renamed_is_found_by_its_ids() -> None:
    actor = FILES["actor.tscn"].decode().replace('"Body"', '"Torso"')
    boss = new_scene_without_body().replace('parent="Body"', 'parent="Body" parent_id_path=PackedInt32Array(1002)')
    tree = expand(Scene.parse(boss, "res://boss.tscn"), loading(actor=actor))
    assert (tree.vanished, "Torso/Horns" in tree.nodes) == ((), True)


def test_a_node_that_moved_in_the_base_is_found_by_its_id() -> None:
    moved = '[node name="Timer" type="Timer" parent="Body" unique_id=1005]'
    actor = FILES["actor.tscn"].decode().replace(moved.replace('"Body"', '"."'), moved)
    change = '\n[node name="Timer" parent="{}" unique_id=1005]\nwait_time = 2.0\n'
    boss = FILES["boss.tscn"].decode() + change.format(".")
    tree = expand(Scene.parse(boss, "res://boss.tscn"), loading(actor=actor))
    assert len(tree.nodes["Body/Timer"].layers) == 2
    level = FILES["level.tscn"].decode() + change.format("World/Player")
    tree = expand(Scene.parse(level, "res://level.tscn"), loading(actor=actor))
    assert len(tree.nodes["World/Player/Body/Timer"].layers) == 2
    ids = 'World/Player/Gone" parent_id_path=PackedInt32Array(3005, 77) owner="."'
    gone = FILES["level.tscn"].decode() + change.format(ids[:-1])
    tree = expand(Scene.parse(gone, "res://level.tscn"), loading(actor=actor))
    assert len(tree.nodes["World/Player/Body/Timer"].layers) == 2


def test_a_node_without_ids_that_is_gone_has_vanished() -> None:
    old = FILES["old.tscn"].decode() + '\n[node name="Gone" parent="Actor"]\n'
    tree = expand(Scene.parse(old, "res://old.tscn"), load)
    assert [layer.node.path for layer in tree.vanished] == ["Actor/Gone"]
    assert tree.id_path(tree.nodes["Box"]) == ()
    assert tree.id_path(tree.nodes["Actor/Body"]) == (1001, 1002)  # an instance without an id has its scene's


def new_scene_without_body() -> str:
    body = '[node name="Body" parent="." index="0" unique_id=1002]\nscale = Vector2(2, 2)\n\n'
    return FILES["boss.tscn"].decode().replace(body, "")
