"""Nodes added, changed, removed, renamed, moved and copied: the text of the file, and what is refused."""

from __future__ import annotations

import difflib

import pytest
from tests.godot.documents.game import scene, tree_of

from scenewright.core.faults import Fault, NotFound
from scenewright.godot.documents.connections import set_editable
from scenewright.godot.documents.errors import EditError
from scenewright.godot.documents.node_moves import duplicate_node, move_node, rename_node
from scenewright.godot.documents.nodes import (
    NewNode,
    add_node,
    override_node,
    remove_node,
    remove_properties,
    set_groups,
    set_properties,
)
from scenewright.godot.documents.scene import Scene
from scenewright.godot.documents.variant import Vector2


def changes(before: Scene, after: Scene) -> list[str]:
    """The lines that went and came, without blank ones."""
    lines = difflib.ndiff(before.document.text.splitlines(), after.document.text.splitlines())
    return [line for line in lines if line[0] in "+-" and line[2:].strip()]


def test_a_node_goes_behind_the_last_of_its_siblings() -> None:
    level = scene("level")
    after = add_node(level, NewNode("New", "Timer", properties={"one_shot": True}, groups=("b", "a")), "World")
    number = after.node("World/New").unique_id
    assert number is not None
    assert number > 0
    assert changes(level, after) == [
        f'+ [node name="New" type="Timer" parent="World" unique_id={number} groups=["a", "b"]]',
        "+ one_shot = true",
    ]
    assert [node.path for node in after.nodes].index("World/New") == [node.path for node in after.nodes].index(
        "Boss"
    ) - 1


def test_a_file_without_ids_gets_none() -> None:
    old = scene("old")
    after = add_node(old, NewNode("New", "Node"), "Box")
    assert changes(old, after) == ['+ [node name="New" type="Node" parent="Box"]']


def test_a_node_goes_before_the_sibling_that_is_named() -> None:
    after = add_node(scene("level"), NewNode("New", "Node"), "World", before="World/Door")
    assert [node.name for node in after.children("World")] == ["New", "Door", "Player"]
    boss = scene("boss")
    after = add_node(boss, NewNode("Tail", "Node2D"), before="Body", tree=tree_of(boss))
    assert [child.name for child in tree_of(after).root.children] == ["Tail", "Body", "Aura", "Timer"]
    assert [(node.name, node.index) for node in after.nodes[1:]] == [
        ("Tail", 0),
        ("Body", 1),
        ("Horns", 2),
        ("Aura", 2),
    ]
    assert [child.name for child in tree_of(remove_node(after, "Tail")).root.children] == ["Body", "Aura", "Timer"]
    assert remove_node(after, "Tail").document.text == boss.document.text


@pytest.mark.parametrize(
    ("node", "parent", "before", "reason"),
    [
        (NewNode("Door", "Node"), "World", None, "There is a node at 'World/Door' already"),
        (NewNode("Timer", "Node"), "World/Player", None, "There is a node at 'World/Player/Timer' already"),
        (NewNode("A/B", "Node"), "World", None, "cannot be the name"),
        (NewNode("", "Node"), "World", None, "cannot be the name"),
        (NewNode(" A", "Node"), "World", None, "cannot be the name"),
        (NewNode("New"), "World", None, "needs one of type, instance or placeholder"),
        (NewNode("New", "Node", "1_actor"), "World", None, "needs one of type, instance or placeholder"),
        (NewNode("New", "Node"), "Nowhere", None, "There is no node at 'Nowhere'"),
        (NewNode("New", "Node"), "World", "World/Nobody", "no node at 'World/Nobody'"),
        (NewNode("New", "Node"), "World", "Boss", "not directly below 'World'"),
        (NewNode("New", "Node"), "Boss/Body", None, "not editable here"),
        (NewNode("New", "Node"), "World/Player", "World/Player/Timer", "behind the instance's own"),
        (NewNode("New", "Node"), "World/Player/Body", "World/Door", "no 'World/Door' below"),
        (
            NewNode("Door", "Node", properties={"unique_name_in_owner": True}),
            "Boss",
            None,
            "'World/Door' is known as %Door already",
        ),
    ],
)
def test_a_node_that_cannot_be_is_refused(node: NewNode, parent: str, before: str | None, reason: str) -> None:
    level = scene("level")
    with pytest.raises(Fault, match=reason):
        add_node(level, node, parent, before=before, tree=tree_of(level))


def test_without_the_whole_tree_a_parent_inside_an_instance_is_taken_on_trust() -> None:
    level = scene("level")
    after = add_node(level, NewNode("New", "Node"), "World/Player/Body/Sprite")
    assert after.node("World/Player/Body/Sprite/New").index is None
    assert [node.name for node in after.nodes][-5:] == ["New", "Backpack", "Boss", "Watcher", "AnimationPlayer"]
    with pytest.raises(EditError, match="not editable"):
        add_node(level, NewNode("New", "Node"), "Boss/Body")
    with pytest.raises(NotFound):
        add_node(level, NewNode("New", "Node"), "World/Nothing")
    with pytest.raises(NotFound, match="no node at 'World/Player/Timer'"):
        add_node(level, NewNode("New", "Node"), "World/Player", before="World/Player/Timer")


def test_properties_are_set_and_taken_back() -> None:
    level = scene("level")
    after = set_properties(level, "World/Door", {"position": Vector2(3, 4), "z_index": 2})
    assert changes(level, after) == ["- position = Vector2(0, 0)", "+ position = Vector2(3, 4)", "+ z_index = 2"]
    with pytest.raises(EditError, match="no property 'nope'"):
        remove_properties(level, "World", ["nope"])
    after = remove_properties(level, "World/Door/Shape", ["shape"])
    assert [line for line in changes(level, after) if "[" in line] == [
        '- [sub_resource type="RectangleShape2D" id="RectangleShape2D_door1"]'
    ]
    after = remove_properties(level, "Watcher", ["target"])
    assert "node_paths" not in after.node("Watcher").section.text
    with pytest.raises(EditError, match="known as %Door"):
        set_properties(
            rename_node(level, "World/Door/Shape", "Door"), "World/Door/Door", {"unique_name_in_owner": True}
        )


def test_groups_are_sorted_and_empty_ones_vanish() -> None:
    level = scene("level")
    assert set_groups(level, "World", ["b", "a", "b"]).node("World").groups == ("a", "b")
    assert "groups" not in set_groups(level, "World/Door", []).node("World/Door").section.text


def test_a_node_of_another_scene_gets_a_place_for_changes() -> None:
    level = scene("level")
    assert override_node(level, "World/Player/Body", tree_of(level)) is level
    after = override_node(level, "World/Player/Timer", tree_of(level))
    assert changes(level, after) == ['+ [node name="Timer" parent="World/Player" index="1" unique_id=1005]']
    with pytest.raises(EditError, match="'Boss/Timer' is inside the instance 'Boss'"):
        override_node(level, "Boss/Timer", tree_of(level))
    with pytest.raises(NotFound, match="no node at 'Boss/Tmer'"):
        override_node(level, "Boss/Tmer", tree_of(level))
    editable = set_editable(level, "Boss", editable=True)
    after = override_node(editable, "Boss/Body/Horns", tree_of(editable))
    assert changes(editable, after) == [
        '+ [node name="Horns" parent="Boss/Body" parent_id_path=PackedInt32Array(3008, 1002) index="2" unique_id=2002]'
    ]


def test_a_node_goes_with_all_that_belongs_to_it() -> None:
    level = scene("level")
    after = remove_node(level, "World/Player")
    gone = [line.partition(" unique_id")[0].partition(" id=")[0] for line in changes(level, after) if "- [" in line]
    assert gone == [
        '- [ext_resource type="PackedScene" uid="uid://cactor0scene1" path="res://actor.tscn"',
        '- [node name="Player" parent="World"',
        '- [node name="Body" parent="World/Player" index="0"',
        '- [node name="Hat" type="Node2D" parent="World/Player/Body" index="2"',
        '- [node name="Backpack" type="Node2D" parent="World/Player"',
        '- [node name="Watcher" type="Node2D" parent="."',
        '- [connection signal="hit" from="World/Player" to="Watcher" method="_on_hit" flags=3 binds= [7]]',
        '- [connection signal="draw" from="World/Player/Body" to="Watcher" method="_on_hit"]',
        '- [editable path="World/Player"]',
    ]
    watcher = after.node("Watcher")
    assert (watcher.node_paths, watcher.section.value("target")) == ((), None)


def test_load_steps_stay_right_where_they_are() -> None:
    old = scene("old")
    after = remove_node(old, "Box")
    assert after.document.text.startswith('[gd_scene load_steps=3 format=3 uid="uid://cold000scene1"]\n\n[ext_')
    after = remove_node(remove_node(after, "Ball"), "Actor")
    assert after.document.text == ('[gd_scene format=3 uid="uid://cold000scene1"]\n\n[node name="Old" type="Node2D"]\n')


@pytest.mark.parametrize(
    ("path", "reason"),
    [(".", "root"), ("World/Player/Body", "comes from another scene"), ("World/Player/Timer", "no node at")],
)
def test_what_cannot_be_removed_stays(path: str, reason: str) -> None:
    with pytest.raises(Fault, match=reason):
        remove_node(scene("level"), path)


def test_a_rename_reaches_everything_that_names_the_node() -> None:
    level = scene("level")
    assert sorted(changes(level, rename_node(level, "World/Door", "Gate")), key=lambda line: line[2:]) == [
        '- "door": NodePath("../Door/Shape")',
        '+ "door": NodePath("../Gate/Shape")',
        '- [connection signal="body_entered" from="World/Door" to="Watcher" method="_on_hit"]',
        '+ [connection signal="body_entered" from="World/Gate" to="Watcher" method="_on_hit"]',
        '- [node name="Door" type="Area2D" parent="World" unique_id=3003 groups=["doors", "solid"]]',
        '+ [node name="Gate" type="Area2D" parent="World" unique_id=3003 groups=["doors", "solid"]]',
        '- [node name="Shape" type="CollisionShape2D" parent="World/Door" unique_id=3004]',
        '+ [node name="Shape" type="CollisionShape2D" parent="World/Gate" unique_id=3004]',
        '- friends = [NodePath("../Door"), NodePath("../../Boss")]',
        '+ friends = [NodePath("../Gate"), NodePath("../../Boss")]',
        '- target = NodePath("../Door")',
        '+ target = NodePath("../Gate")',
        '- tracks/0/path = NodePath("World/Door:position")',
        '+ tracks/0/path = NodePath("World/Gate:position")',
        '- way = NodePath("%Door/Shape")',
        '+ way = NodePath("%Gate/Shape")',
        '- way = NodePath("../Door/Shape:shape:size")',
        '+ way = NodePath("../Gate/Shape:shape:size")',
    ]


def test_a_rename_and_its_inverse_give_the_file_back() -> None:
    level = scene("level")
    for path in [node.path for node in level.nodes if not node.is_override]:
        renamed = rename_node(level, path, "Other")
        there = next(node for node in renamed.nodes if node.name == "Other").path
        assert rename_node(renamed, there, level.node(path).name).document.text == level.document.text
    assert rename_node(level, "World", "World") is level


@pytest.mark.parametrize(
    ("path", "name", "reason"),
    [
        ("World/Door", "Player", "already"),
        ("World/Door", "a:b", "cannot be the name"),
        ("World/Player/Body", "Torso", "another scene"),
        ("World/Nobody", "X", "no node at"),
        ("World/Player/Backpack", "Timer", "already"),
    ],
)
def test_a_rename_that_would_break_something_is_refused(path: str, name: str, reason: str) -> None:
    level = scene("level")
    with pytest.raises(Fault, match=reason):
        rename_node(level, path, name, tree=tree_of(level))


def test_a_unique_name_is_not_taken_twice() -> None:
    level = rename_node(scene("level"), "World/Door/Shape", "Frame")
    level = set_properties(level, "World/Door/Frame", {"unique_name_in_owner": True})
    with pytest.raises(EditError, match="'World/Door' is known as %Door already"):
        rename_node(level, "World/Door/Frame", "Door")


def test_a_moved_node_keeps_its_relations() -> None:
    level = scene("level")
    after = move_node(level, "World/Player", ".", before="Boss")
    assert [node.name for node in after.children(".")] == ["World", "Player", "Boss", "Watcher", "AnimationPlayer"]
    assert changes(level, after)[-1] == '+ [editable path="Player"]'
    assert move_node(after, "Player", "World").document.text == level.document.text
    after = move_node(level, "AnimationPlayer", "World/Door")
    path = after.document.find("sub_resource", id="Animation_walk1")
    assert path is not None
    assert str(path.value("tracks/0/path")) == "NodePath(text='.:position')"


def test_a_node_moved_among_its_siblings_changes_nothing_else() -> None:
    level = scene("level")
    after = move_node(level, "Boss", ".", before="World")
    assert sorted(after.document.text.splitlines()) == sorted(level.document.text.splitlines())
    assert [node.name for node in after.children(".")] == ["Boss", "World", "Watcher", "AnimationPlayer"]
    assert move_node(after, "Boss", ".", before="Watcher").document.text == level.document.text
    assert move_node(level, "Boss", ".", before="Boss") is level


def test_a_node_moved_in_an_inherited_scene_gets_its_index() -> None:
    boss = scene("boss")
    after = move_node(boss, "Aura", ".", tree=tree_of(boss))
    assert [child.name for child in tree_of(after).root.children] == ["Body", "Timer", "Aura"]
    assert after.node("Aura").index == 2
    back = move_node(after, "Aura", ".", before="Timer", tree=tree_of(after))
    assert back.document.text == boss.document.text
    below = move_node(boss, "Aura", "Body", before="Body/Sprite", tree=tree_of(boss))
    assert [child.name for child in tree_of(below).nodes["Body"].children] == ["Aura", "Sprite", "Shape", "Horns"]


@pytest.mark.parametrize(
    ("path", "parent", "reason"),
    [
        (".", "World", "root"),
        ("World", "World/Door", "below itself"),
        ("World/Player/Body", ".", "another scene"),
        ("World/Door", "Boss/Body", "not editable"),
        ("World/Door", "Nowhere", "no node at"),
    ],
)
def test_a_move_that_cannot_be_is_refused(path: str, parent: str, reason: str) -> None:
    level = scene("level")
    with pytest.raises(Fault, match=reason):
        move_node(level, path, parent, tree=tree_of(level))


def test_a_copy_has_its_own_ids_and_connections() -> None:
    level = scene("level")
    after = duplicate_node(level, "World/Door", "Gate")
    copy = after.node("World/Gate")
    assert copy.unique_id not in {None, *(node.unique_id for node in level.nodes)}
    assert (copy.groups, copy.unique_name) == (("doors", "solid"), False)
    assert [node.name for node in after.children("World")] == ["Door", "Gate", "Player"]
    assert [(wire.source, wire.target) for wire in after.connections[:2]] == [
        ("World/Door", "Watcher"),
        ("World/Gate", "Watcher"),
    ]
    after = duplicate_node(level, "World/Player", "Clone")
    assert list(after.editable) == ["World/Player", "World/Clone"]
    assert after.node("World/Clone/Body").unique_id == 1002
    boss = duplicate_node(scene("boss"), "Aura", "Aura2")
    assert [child.name for child in tree_of(boss).root.children] == ["Body", "Aura", "Aura2", "Timer"]
    with pytest.raises(EditError, match="root"):
        duplicate_node(level, ".", "X")
