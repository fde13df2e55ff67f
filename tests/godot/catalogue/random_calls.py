"""Random calls of Godot operations on a random scene, each drawn for the scene as it then is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from hypothesis import strategies as st
from tests.godot.documents.strategies import by_type

from scenewright.godot.documents.paths import parent_of, relative
from scenewright.godot.documents.tree import Tree
from scenewright.godot.documents.variant_writer import write_variant
from scenewright.godot.values.presentation import present

__all__ = ["BAG", "CALLS", "Dice", "Scenery"]

BAG = "extends Node2D\n\nsignal emptied\n\n@export var held: Node\n@export var anything: Variant\n" + "".join(
    f"@export var a_{name.lower()}: {name}\n" for name in by_type
)
TYPES = {"anything": "Variant"} | {f"a_{name.lower()}": name for name in by_type}
NAMES = ["Alpha", "Beta", "Gamma", "It's", "Door", "Body", "Shape", "é"]
GROUPS = ["one", "two", "three"]


class Dice:
    """Chooses: among a few things evenly, which Hypothesis alone would not, and values as Hypothesis does."""

    def __init__(self, random: Random, draw: Callable[[st.SearchStrategy[Any]], Any]) -> None:
        self.random = random
        self._draw = draw

    def one(self, among: Sequence[Any]) -> Any:
        return self.random.choice(among)

    def some(self, among: Sequence[Any], most: int) -> list[Any]:
        return self.random.sample(among, self.random.randrange(1, most + 1))

    def chance(self, of: float) -> bool:
        return self.random.random() < of

    def value(self, kind: str) -> Any:
        """A value in one of the forms it can be sent in."""
        value = self._draw(st.one_of(*by_type.values()) if kind == "Variant" else by_type[kind])
        return self.one([present(value), {"$literal": write_variant(value)}])


class Scenery:
    """What a call can be about: the scene, its tree, and which nodes have the script with all kinds of values."""

    def __init__(self, tree: Tree, own: Sequence[str], scripted: Sequence[str]) -> None:
        self.tree = tree
        self.own = own
        self.scripted = scripted

    def node(self, dice: Dice) -> str:
        """Any node, but mostly one that this scene has."""
        return str(dice.one(self.own if dice.chance(0.7) else list(self.tree.nodes)))

    def name(self, dice: Dice, parent: str) -> str:
        """A name, mostly one that is free."""
        taken = {child.name for child in self.tree.nodes[parent].children}
        free = [name for name in NAMES if name not in taken]
        return str(dice.one(free if free and dice.chance(0.9) else NAMES))

    def sibling(self, dice: Dice, parent: str) -> dict[str, str]:
        names = [child.name for child in self.tree.nodes[parent].children]
        return {"before": dice.one(names)} if names and dice.chance(0.5) else {}


Arguments = dict[str, Any]


def _add(scenery: Scenery, dice: Dice) -> Arguments:
    parent = scenery.node(dice)
    return {
        "nodeName": scenery.name(dice, parent),
        "nodeType": dice.one(["Node2D", "Node2D", "Timer", "Label"]),
        "parentNodePath": parent,
        "groups": dice.some(GROUPS, 2),
        **scenery.sibling(dice, parent),
    }


def _add_bag(scenery: Scenery, dice: Dice) -> Arguments:
    parent, held = scenery.node(dice), dice.some(list(TYPES), 3)
    properties = {"script": "res://bag.gd"} | {name: dice.value(TYPES[name]) for name in held}
    return {
        "nodeName": scenery.name(dice, parent),
        "nodeType": "Node2D",
        "parentNodePath": parent,
        "properties": properties,
    }


def _shape(scenery: Scenery, dice: Dice) -> Arguments:
    shape = {"$resource": "CircleShape2D", "props": {"radius": dice.random.randrange(1, 9)}}
    parent = scenery.node(dice)
    return {
        "nodeName": scenery.name(dice, parent),
        "nodeType": "CollisionShape2D",
        "parentNodePath": parent,
        "properties": {"shape": shape},
    }


def _place(scenery: Scenery, dice: Dice) -> Arguments:
    return {"nodePath": scenery.node(dice), "properties": {"position": [dice.random.randrange(-9, 9) / 4, 2]}}


def _edit(scenery: Scenery, dice: Dice) -> Arguments:
    names = dice.some(list(TYPES), 3)
    properties = {name: dice.value(TYPES[name]) for name in names}
    return {"nodePath": dice.one(scenery.scripted or scenery.own), "properties": properties}


def _hold(scenery: Scenery, dice: Dice) -> Arguments:
    path = dice.one(scenery.scripted or scenery.own)
    return {"nodePath": path, "properties": {"held": {"$node": relative(path, scenery.node(dice))}}}


def _node(scenery: Scenery, dice: Dice) -> Arguments:
    return {"nodePath": scenery.node(dice)}


def _rename(scenery: Scenery, dice: Dice) -> Arguments:
    path = scenery.node(dice)
    return {"nodePath": path, "newName": scenery.name(dice, parent_of(path))}


def _move(scenery: Scenery, dice: Dice) -> Arguments:
    parent = scenery.node(dice)
    return {"nodePath": scenery.node(dice), "newParentPath": parent, **scenery.sibling(dice, parent)}


def _reorder(scenery: Scenery, dice: Dice) -> Arguments:
    return {"nodePath": scenery.node(dice), "index": dice.one([-2, -1, 0, 1, 2])}


def _groups(scenery: Scenery, dice: Dice) -> Arguments:
    return {"nodePath": scenery.node(dice), "groups": dice.some(GROUPS, 2)}


def _unique(scenery: Scenery, dice: Dice) -> Arguments:
    return {"nodePath": scenery.node(dice), "unique": dice.chance(0.7)}


def _connect(scenery: Scenery, dice: Dice) -> Arguments:
    flags = dice.some(["deferred", "one_shot", "append_source"], 2) if dice.chance(0.5) else []
    binds = [dice.value("int"), dice.value("String")] if dice.chance(0.5) else []
    return {
        "fromNodePath": scenery.node(dice),
        "signal": "ready",
        "toNodePath": scenery.node(dice),
        "method": "queue_free",
        "flags": flags,
        "binds": binds,
    }


def _disconnect(scenery: Scenery, dice: Dice) -> Arguments:
    if not scenery.tree.wires:
        return {"fromNodePath": ".", "signal": "ready", "toNodePath": ".", "method": "queue_free"}
    wire = dice.one(scenery.tree.wires)
    return {
        "fromNodePath": wire.source,
        "signal": wire.connection.signal,
        "toNodePath": wire.target,
        "method": wire.connection.method,
    }


def _instance(scenery: Scenery, dice: Dice) -> Arguments:
    parent = scenery.node(dice)
    return {
        "instancePath": dice.one(["actor.tscn", "old.tscn"]),
        "parentNodePath": parent,
        "nodeName": scenery.name(dice, parent),
    }


def _attach(scenery: Scenery, dice: Dice) -> Arguments:
    return {"nodePath": scenery.node(dice), "scriptPath": "bag.gd"}


def _detach(scenery: Scenery, dice: Dice) -> Arguments:
    return {"nodePath": dice.one(scenery.scripted) if scenery.scripted else scenery.node(dice)}


def _save_as(_: Scenery, dice: Dice) -> Arguments:
    return {"newPath": f"saved_{dice.random.randrange(1 << 30)}.tscn"}


def _apply(scenery: Scenery, dice: Dice) -> Arguments:
    """The children of the root in another order, and one more node."""
    names = [child.name for child in scenery.tree.root.children]
    dice.random.shuffle(names)
    children: list[Arguments] = [{"name": name} for name in names]
    new = scenery.name(dice, ".")
    if new not in names:
        children.append({"name": new, "type": "Node2D", "uniqueName": True, "properties": {"position": [1, 2]}})
    return {"tree": {"name": scenery.tree.root.name, "children": children}, "mode": "apply"}


CALLS: list[tuple[str, Callable[[Scenery, Dice], Arguments]]] = [
    ("add_node", _add),
    ("add_node", _add_bag),
    ("add_node", _add_bag),
    ("add_node", _shape),
    ("edit_node", _edit),
    ("edit_node", _edit),
    ("edit_node", _place),
    ("edit_node", _hold),
    ("remove_node", _node),
    ("rename_node", _rename),
    ("rename_node", _rename),
    ("move_node", _move),
    ("move_node", _move),
    ("reorder_node", _reorder),
    ("duplicate_node", _node),
    ("add_to_groups", _groups),
    ("remove_from_groups", _groups),
    ("set_groups", _groups),
    ("set_unique_name", _unique),
    ("connect_signal", _connect),
    ("disconnect_signal", _disconnect),
    ("instance_scene", _instance),
    ("attach_script", _attach),
    ("detach_script", _detach),
    ("save_scene", _save_as),
    ("apply_scene", _apply),
]
"""Tools, the commoner ones more than once, each with what draws its arguments; `history_undo` takes none."""
