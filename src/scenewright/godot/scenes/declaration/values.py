"""The properties and groups of a declared node, each set only where the file does not mean it already."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scenewright.godot.documents import nodes
from scenewright.godot.documents.scene import Node, Scene
from scenewright.godot.documents.variant import PackedStringArray
from scenewright.godot.documents.variant_writer import write_variant
from scenewright.godot.project.checks.members import script_of
from scenewright.godot.scenes.comparison.meaning import Meaning, same
from scenewright.godot.scenes.declaration.draft import DeclarationStep, SceneDraft
from scenewright.godot.scenes.property_access import NodeProperties, Placed

if TYPE_CHECKING:
    from scenewright.godot.scenes.declared_scene import DeclaredNode

__all__ = ["set_values"]


def set_values(draft: SceneDraft, path: str, node: DeclaredNode) -> None:
    """Make a node's values match the declared ones."""
    values = {name: value for name, value in (node.properties or {}).items() if name != "script"}
    if node.unique_name is not None:
        values["unique_name_in_owner"] = node.unique_name
    declared = _Values(draft, path).set_all(values) if values else set()
    if draft.remove_extra:
        _reset_others(draft, path, {*declared, "script"})
    groups = node.groups if node.groups is not None else [] if draft.remove_extra else None
    if groups is not None:
        _set_groups(draft, path, set(groups))


class _Values:
    def __init__(self, draft: SceneDraft, path: str) -> None:
        self._draft = draft
        self._path = path
        tree = draft.tree
        node = tree.nodes[path]
        own = draft.scene.by_path.get(path)
        self._brought = draft.brought_layers(path)
        self._inherits = own is None or own.instance is not None or own.is_override
        self._properties = NodeProperties(
            draft.workspace, draft.index, tree=tree, path=path, kind=node.type or "", script=script_of(node)
        )
        self._properties.scripts = draft.members.scripts

    def set_all(self, values: dict[str, Any]) -> set[str]:
        """Set the values and return the names under which they are stored."""
        stored = self._properties.stored(values)
        for name, value in stored.items():
            placed = self._properties.place(self._draft.scene.document, {name: value}, keep_defaults=self._inherits)
            self._set_value(name, value, placed)
        return set(stored)

    def _set_value(self, name: str, value: Any, placed: Placed) -> None:
        own = self._draft.scene.by_path.get(self._path)
        here = own.section.find(name) if own is not None else None
        before = Meaning(self._draft.scene.document).shown(here.value) if here is not None else None
        wanted = Meaning(placed.document).shown(placed.values[name])
        if name in placed.defaults:
            self._draft.unwritten.append(f"{self._path}:{name}")
            if here is not None:
                changed = nodes.remove_properties(self._draft.scene, self._path, [name])
                self._draft.take(changed, DeclarationStep("reset", self._path, name, before=before, after=wanted))
        elif here is None and self._is_already(name, placed, wanted):
            return
        elif here is None or not same(before, wanted):
            self._write_value(value, placed, DeclarationStep("set", self._path, name, before=before, after=wanted))

    def _is_already(self, name: str, placed: Placed, wanted: Any) -> bool:
        """Whether the scene that brings the node gives it the value, or its class does."""
        for layer in reversed(self._brought):
            brought = layer.node.section.find(name)
            if brought is not None:
                return same(Meaning(brought.section.document).shown(brought.value), wanted)
        return write_variant(placed.values[name]) == self._properties.declared_property(name).default

    def _write_value(self, value: Any, placed: Placed, step: DeclarationStep) -> None:
        draft, name = self._draft, step.name
        if self._path not in draft.scene.by_path:
            draft.make_editable(self._path)
            draft.scene = nodes.override_node(draft.scene, self._path, draft.tree)
            placed = self._properties.place(draft.scene.document, {name: value}, keep_defaults=True)
        scene = nodes.set_properties(Scene(placed.document), self._path, {name: placed.values[name]})
        node = scene.node(self._path)
        if placed.nodes and name not in node.node_paths:
            listed = PackedStringArray((*node.node_paths, name))
            scene = Scene(scene.document.set_attribute(node.section, "node_paths", listed))
        draft.take(scene, step)


def _reset_others(draft: SceneDraft, path: str, declared: set[str]) -> None:
    own = draft.scene.by_path.get(path)
    for property_ in own.section.properties if own is not None else ():
        if property_.name not in declared:
            before = Meaning(draft.scene.document).shown(draft.scene.node(path).section.value(property_.name))
            changed = nodes.remove_properties(draft.scene, path, [property_.name])
            draft.take(changed, DeclarationStep("reset", path, property_.name, before=before))


def _set_groups(draft: SceneDraft, path: str, wanted: set[str]) -> None:
    own: Node | None = draft.scene.by_path.get(path)
    brought = {group for layer in draft.brought_layers(path) for group in layer.node.groups}
    here = set(own.groups) if own is not None else set()
    if here - brought == wanted - brought:
        return
    if own is None:
        draft.make_editable(path)
        draft.scene = nodes.override_node(draft.scene, path, draft.tree)
    step = DeclarationStep("groups", path, before=sorted(here | brought), after=sorted(wanted | brought))
    draft.take(nodes.set_groups(draft.scene, path, wanted - brought), step)
