"""Random edits of random scenes, made with the same dice by Hypothesis and for the real engine."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tests.godot.documents.game import scene, tree_of

from scenewright.core.faults import Invalid
from scenewright.godot.documents.connections import NewConnection, connect, disconnect, set_editable
from scenewright.godot.documents.creation import new_scene
from scenewright.godot.documents.node_moves import duplicate_node, move_node, rename_node
from scenewright.godot.documents.nodes import NewNode, add_node, override_node, remove_node, set_groups, set_properties
from scenewright.godot.documents.paths import relative
from scenewright.godot.documents.resources import add_external_file, add_inner_resource
from scenewright.godot.documents.scene import Scene
from scenewright.godot.documents.variant import Array, ExtResource, NodePath, SubResource, Variant, Vector2

__all__ = ["edited", "start"]

Edit = Callable[[Scene, Random], Scene]
NAMES = ["Alpha", "Beta", "Gamma", "It's", "Door", "Body", "Shape", "é"]


def start(dice: Random) -> Scene:
    """A scene to begin with."""
    name = dice.choice(["level", "boss", "old", "actor", ""])
    return scene(name) if name else new_scene("Fresh", "Node2D")


def edited(which: Scene, dice: Random) -> Scene:
    """The scene after one more edit; one that is refused leaves it as it was."""
    edit = dice.choice(_EDITS)
    try:
        return edit(which, dice)
    except Invalid:
        return which


def _own(which: Scene, dice: Random) -> str:
    return dice.choice([node.path for node in which.nodes if not node.is_override])


def _anywhere(which: Scene, dice: Random) -> str:
    return dice.choice(list(tree_of(which).nodes))


def _add(which: Scene, dice: Random) -> Scene:
    tree = tree_of(which)
    parent = _anywhere(which, dice)
    siblings = [child.path for child in tree.nodes[parent].children]
    before = dice.choice(siblings) if siblings and dice.random() < 0.5 else None
    groups = tuple(dice.sample(["one", "two", "three"], dice.randrange(3)))
    properties: dict[str, Variant] = {"position": _position(dice)} if dice.random() < 0.7 else {}
    return add_node(
        which, NewNode(dice.choice(NAMES), "Node2D", None, None, properties, groups), parent, before=before, tree=tree
    )


def _add_instance(which: Scene, dice: Random) -> Scene:
    name = dice.choice(["actor", "old"])
    if (which.document.path or "").endswith(f"{name}.tscn"):
        return which
    document, file = add_external_file(which.document, "PackedScene", f"res://{name}.tscn")
    return add_node(Scene(document), NewNode(dice.choice(NAMES), instance=file), _own(which, dice), tree=tree_of(which))


def _remove(which: Scene, dice: Random) -> Scene:
    return remove_node(which, _own(which, dice))


def _rename(which: Scene, dice: Random) -> Scene:
    return rename_node(which, _own(which, dice), dice.choice(NAMES), tree=tree_of(which))


def _move(which: Scene, dice: Random) -> Scene:
    tree = tree_of(which)
    parent = _anywhere(which, dice)
    siblings = [child.path for child in tree.nodes[parent].children]
    before = dice.choice(siblings) if siblings and dice.random() < 0.5 else None
    return move_node(which, _own(which, dice), parent, before=before, tree=tree)


def _copy(which: Scene, dice: Random) -> Scene:
    return duplicate_node(which, _own(which, dice), dice.choice(NAMES), tree=tree_of(which))


def _position(dice: Random) -> Vector2:
    return Vector2(dice.randrange(-50, 50) / 4, dice.randrange(-50, 50))


def _set(which: Scene, dice: Random) -> Scene:
    tree = tree_of(which)
    path = _anywhere(which, dice)
    which = override_node(which, path, tree)
    return set_properties(which, path, {"position": _position(dice)})


def _groups(which: Scene, dice: Random) -> Scene:
    return set_groups(which, _own(which, dice), dice.sample(["one", "two", "three"], dice.randrange(3)))


def _unique(which: Scene, dice: Random) -> Scene:
    taken = {node.name for node in which.nodes if node.unique_name}
    node = which.node(_own(which, dice))
    if node.parent is None or node.name in taken or which.is_inherited:
        return which
    return set_properties(which, node.path, {"unique_name_in_owner": True})


def _hold(which: Scene, dice: Random) -> Scene:
    """A node with a script that holds others, by reference and by path."""
    document, script = add_external_file(which.document, "Script", "res://actor.gd")
    which = Scene(document)
    parent, name = _own(which, dice), dice.choice(NAMES)
    path = name if parent == "." else f"{parent}/{name}"
    one, other = (relative(path, _anywhere(which, dice)) for _ in range(2))
    properties: dict[str, Variant] = {
        "script": ExtResource(script),
        "target": NodePath(one),
        "friends": Array((NodePath(one), NodePath(other))),
        "way": NodePath(f"{other}:position:x"),
    }
    new = NewNode(name, "Node2D", None, None, properties, (), ("target", "friends"))
    return add_node(which, new, parent, tree=tree_of(which))


def _shape(which: Scene, dice: Random) -> Scene:
    document, shape = add_inner_resource(which.document, "CircleShape2D", {"radius": float(dice.randrange(1, 9))})
    new = NewNode(dice.choice(NAMES), "CollisionShape2D", properties={"shape": SubResource(shape)})
    return add_node(Scene(document), new, _own(which, dice), tree=tree_of(which))


def _connect(which: Scene, dice: Random) -> Scene:
    wire = NewConnection("ready", _anywhere(which, dice), _anywhere(which, dice), "queue_free", dice.choice([2, 3]))
    return connect(which, wire, tree=tree_of(which))


def _disconnect(which: Scene, dice: Random) -> Scene:
    wires = which.connections
    if not wires:
        return which
    wire = dice.choice(wires)
    return disconnect(which, wire.signal, wire.source, wire.target, wire.method)


def _editable(which: Scene, dice: Random) -> Scene:
    instances = [node.path for node in which.nodes[1:] if node.instance is not None]
    if not instances:
        return which
    return set_editable(which, dice.choice(instances), editable=dice.random() < 0.8)


_EDITS: list[Edit] = [
    *(_add, _add, _add_instance, _remove, _rename, _rename, _move, _move, _move, _copy, _set, _set, _groups),
    *(_unique, _hold, _hold, _shape, _connect, _disconnect, _editable),
]
