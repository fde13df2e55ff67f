"""An AnimationTree of a scene and the graph of animation nodes in it: state machines and blend trees hold others.

A node of the graph goes by its way from the top, `Moves/Run`, as in the tree's parameters; the top itself is empty.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from scenewright.core.faults import Conflict, Invalid, NotFound, did_you_mean
from scenewright.core.text.counts import with_article
from scenewright.godot.animation.inner_resources import HeldResource, ReachedResources
from scenewright.godot.animation.players import Player
from scenewright.godot.documents import nodes, paths
from scenewright.godot.documents import variant as v
from scenewright.godot.documents.resources import used_resources, without_released
from scenewright.godot.scenes.property_access import Properties
from scenewright.godot.scenes.scene_edit import SceneEdit
from scenewright.godot.values.coercion import coerce
from scenewright.godot.values.elements import of_type
from scenewright.godot.values.placement import place
from scenewright.godot.values.tree import Coerced, Inline

__all__ = ["BLEND_TREE", "RESERVED", "STATE_MACHINE", "WIRES", "Graph", "children"]

STATE_MACHINE = "AnimationNodeStateMachine"
BLEND_TREE = "AnimationNodeBlendTree"
RESERVED = {STATE_MACHINE: ("Start", "End"), BLEND_TREE: ("output",)}
_FOLDERS = {STATE_MACHINE: "states", BLEND_TREE: "nodes"}
# What joins the nodes; the engine needs it behind them.
WIRES = {STATE_MACHINE: "transitions", BLEND_TREE: "node_connections"}
_FORBIDDEN = "/:.,[%"


class Graph:
    """The tree that a call changes."""

    def __init__(self, edit: SceneEdit, path: str) -> None:
        self.edit = edit
        self.parts = ReachedResources(edit)
        self.path = edit.node(path, wanted="AnimationTree", parameter="animTreePath").path
        own = edit.scene.by_path.get(self.path)
        if own is None or own.is_override or own.instance is not None:
            raise Conflict(
                f"'{self.path}' comes with an instance: its animation tree belongs to another scene.",
                hint="Make the call on that scene.",
                retryable=False,
            )
        self._known = self._playable_animations()

    def find(self, way: str) -> HeldResource | None:
        """Return the node at a path through the graph, or None if there is none."""
        part = self.parts.follow(self.edit, self.edit.scene.node(self.path).section.value("tree_root"))
        for name in way.split("/") if way else ():
            if part is None:
                return None
            value = part.value(f"{_FOLDERS.get(part.type, '?')}/{name}/node")
            part = self.parts.follow(part.holder, value)
        return part

    def put(self, way: str, resource: Inline, position: v.Vector2 | None = None) -> HeldResource:
        """Put a node at a path through the graph, replacing one that is there.

        Raises:
            NotFound: what is to hold it is not there.
            Invalid: that cannot hold others.
        """
        self._forget_parameters(way, resource.class_name)
        if not way:
            self._set_properties({"tree_root": resource})
        else:
            above, _, name = way.rpartition("/")
            holder = self.holder(above)
            self.check_name(holder, name)
            folder = _FOLDERS[holder.type]
            values: dict[str, Coerced] = {f"{folder}/{name}/node": resource}
            if position is not None or holder.section.find(f"{folder}/{name}/position") is None:
                values[f"{folder}/{name}/position"] = position or _free_place(holder, folder)
            holder.set(values)
            holder.move_last(WIRES[holder.type])
        node = self.find(way)
        assert node is not None  # just put there
        return node

    def holder(self, way: str) -> HeldResource:
        """Return the state machine or blend tree at a path through the graph.

        Raises:
            NotFound: there is none there.
        """
        part = self.find(way)
        if part is None or part.type not in _FOLDERS:
            what = with_article(part.type) if part is not None else "nothing"
            raise NotFound(
                f"There is {what} at '{way or 'tree_root'}' of '{self.path}', which cannot contain other nodes.",
                hint="setup_state_machine, or blend_animations with type tree, makes one that can.",
            )
        return part

    def check_name(self, holder: HeldResource, name: str) -> None:
        reserved = RESERVED[holder.type]
        if not name or name in reserved or any(letter in name for letter in _FORBIDDEN):
            raise Invalid(
                f"'{name}' cannot be the name of a node in an animation tree.",
                rule="name",
                hint=f"Use a name other than {' and '.join(reserved)}, without any of {' '.join(_FORBIDDEN)}.",
            )

    def animation(self, name: str, parameter: str) -> Inline:
        """Build a node that plays an animation.

        Raises:
            NotFound: the tree's player has none of that name.
        """
        if self._known is not None and name not in self._known:
            raise NotFound(
                f"{parameter}: the player of '{self.path}' has no animation '{name}'.",
                hint=did_you_mean(name, self._known) or "add_animation makes one.",
            )
        return Inline("AnimationNodeAnimation", (("animation", v.StringName(name)),))

    def has_animation(self, name: str) -> bool:
        return self._known is not None and name in self._known

    def made(self, kind: str, props: Mapping[str, Any]) -> Inline:
        """Build a resource of the graph, its properties by their declared types."""
        context = Properties(self.edit.workspace, self.edit.index, kind="AnimationTree", script=None)
        wanted = of_type(kind, "AnimationTree", kind, self.edit.index)
        resource = coerce({"$resource": kind, "props": dict(props)}, wanted, context)
        assert isinstance(resource, Inline)  # that is what the form asks for
        return resource

    def set_parameter(self, way: str, name: str, value: v.Variant, *, keep: bool = False) -> str:
        """Set the initial value of a parameter; with `keep`, only if it has none yet."""
        full = "/".join(part for part in ("parameters", way, name) if part)
        if not keep or self.edit.scene.node(self.path).section.find(full) is None:
            self.edit.scene = nodes.set_properties(self.edit.scene, self.path, {full: value})
        return full

    def value(self, raw: Any, kind: str, name: str) -> v.Variant:
        """Return a parameter's value by its type."""
        context = Properties(self.edit.workspace, self.edit.index, kind="AnimationTree", script=None)
        self.edit.document, placed = place(
            self.edit.document, coerce(raw, of_type(kind, "AnimationTree", name, self.edit.index), context)
        )
        return placed

    def _forget_parameters(self, way: str, kind: str) -> None:
        """Drops where the parameters of a node start that makes way for another."""
        previous = self.find(way)
        if previous is None or (previous.type == kind and kind not in _FOLDERS):
            return
        start = f"parameters/{way}/" if way else "parameters/"
        section = self.edit.scene.node(self.path).section
        stale = [property_.name for property_ in section.properties if property_.name.startswith(start)]
        if stale:
            self.edit.scene = nodes.remove_properties(self.edit.scene, self.path, stale)

    def _set_properties(self, values: Mapping[str, Coerced]) -> None:
        before = used_resources(self.edit.document)
        placed = {}
        for name, value in values.items():
            self.edit.document, placed[name] = place(self.edit.document, value)
        self.edit.scene = nodes.set_properties(self.edit.scene, self.path, placed)
        self.edit.document = without_released(self.edit.document, before)

    def _playable_animations(self) -> list[str] | None:
        """What the tree can play, None where that cannot be told."""
        way = self.edit.tree.nodes[self.path].find("anim_player")
        text = way.value.text if way is not None and isinstance(way.value, v.NodePath) else ""
        unique = {node.name: node.path for node in self.edit.tree.nodes.values() if node.unique_name}
        target = paths.resolve(self.path, text, unique) if text else None
        if target is None or self.edit.tree.find(target) is None:
            return None
        player = Player(self.edit, target)
        names = list(player.animations())
        return None if player.sealed else names


def children(part: HeldResource) -> list[str]:
    """Return the names of the nodes that a state machine or blend tree holds."""
    pattern = re.compile(rf"{_FOLDERS.get(part.type, '?')}/(.+)/node")
    return [match[1] for name in part.names() if (match := pattern.fullmatch(name))]


def _free_place(holder: HeldResource, folder: str) -> v.Vector2:
    """A place to the right of all others."""
    places = [holder.value(f"{folder}/{name}/position") for name in children(holder)]
    right = [place.x for place in places if isinstance(place, v.Vector2)]
    return v.Vector2(max(right, default=200.0) + 200.0, 100.0)
