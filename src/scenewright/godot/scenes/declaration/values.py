"""The properties and groups of a declared node, each set only where the file does not mean it already."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scenewright.core.operations.sent_values import says_the_same
from scenewright.godot.documents import nodes
from scenewright.godot.documents.scene import Node, Scene
from scenewright.godot.documents.variant import PackedStringArray, Variant
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
    declared = _Values(draft, path).set_all(values) if values or path in draft.added else set()
    if draft.remove_extra:
        kept = {"script", *(_libraries(draft, path) if node.animations is not None else ())}
        _reset_others(draft, path, declared | kept)
    groups = node.groups if node.groups is not None else [] if draft.remove_extra else None
    if groups is not None:
        _set_groups(draft, path, set(groups))


class _Values:
    def __init__(self, draft: SceneDraft, path: str) -> None:
        self._draft = draft
        self._path = path
        self._declared: set[str] = set()
        self._implied: dict[str, Any] = {}  # what the editor writes beside the declared values
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
        implied = self._properties.layout_beside(values, is_new=self._path in self._draft.added and not self._inherits)
        stored = self._properties.stored({**implied, **values})
        self._implied, self._declared = implied, set(values)
        for name, value in sorted(stored.items(), key=lambda item: self._properties.rank(item[0])):
            placed = self._properties.place(self._draft.scene.document, {name: value}, keep_defaults=self._inherits)
            self._set_value(name, value, placed)
        return set(stored)

    def _set_value(self, name: str, value: Any, placed: Placed) -> None:
        own = self._draft.scene.by_path.get(self._path)
        here = own.section.find(name) if own is not None else None
        before = Meaning(self._draft.scene.document).shown(here.value) if here is not None else None
        wanted = Meaning(placed.document).shown(placed.values[name])
        if name in placed.defaults and name in self._implied:
            return
        if name in placed.defaults:
            if name in self._declared:
                self._draft.unwritten.append(f"{self._path}:{name}")
            if here is not None:
                changed = nodes.remove_properties(self._draft.scene, self._path, [name])
                self._draft.take(changed, DeclarationStep("reset", self._path, name, before=before, after=wanted))
        elif here is None and self._is_already(name, placed, wanted):
            return
        elif here is None or not (same(before, wanted) and self._is_shared_alike(name, here.value, placed)):
            self._note_arrival(name, value, wanted)
            self._write_value(value, placed, DeclarationStep("set", self._path, name, before=before, after=wanted))

    def _note_arrival(self, name: str, declared: Any, wanted: Any) -> None:
        is_shared = isinstance(declared, dict) and "$ref" in declared
        is_composed = name == "transform" and name not in self._declared  # of the position and rotation that were sent
        if name in self._implied or is_shared or is_composed or says_the_same(wanted, declared):
            return
        if not (isinstance(declared, str) and isinstance(wanted, int) and self._is_called(name, declared, wanted)):
            self._draft.arrived[f"{self._path}:{name}"] = wanted

    def _is_called(self, name: str, declared: str, number: int) -> bool:
        choices = self._properties.index.choices(self._properties.declared_property(name))
        return choices is not None and choices.is_called(declared, number)

    def _is_shared_alike(self, name: str, value: Variant, placed: Placed) -> bool:
        return self._draft.sharing.is_kept(placed.coerced[name], value, self._draft.scene.document)

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
        known = draft.scene if placed.document is draft.scene.document else Scene(placed.document)
        scene = nodes.set_properties(known, self._path, {name: placed.values[name]}, rank=placed.rank)
        if placed.nodes and name not in (node := scene.node(self._path)).node_paths:
            listed = PackedStringArray((*node.node_paths, name))
            scene = Scene(scene.document.set_attribute(node.section, "node_paths", listed))
        if name in self._implied:
            draft.scene = scene
        else:
            draft.take(scene, step)


def _reset_others(draft: SceneDraft, path: str, declared: set[str]) -> None:
    own = draft.scene.by_path.get(path)
    for property_ in own.section.properties if own is not None else ():
        if property_.name not in declared and not _is_bookkeeping(property_.name, property_.value):
            before = Meaning(draft.scene.document).shown(draft.scene.node(path).section.value(property_.name))
            changed = nodes.remove_properties(draft.scene, path, [property_.name])
            draft.take(changed, DeclarationStep("reset", path, property_.name, before=before))


def _libraries(draft: SceneDraft, path: str) -> set[str]:
    """The properties that hold the animations of a player, which are declared on their own."""
    own = draft.scene.by_path.get(path)
    return {part.name for part in own.section.properties if part.name.startswith("libraries")} if own else set()


def _is_bookkeeping(name: str, value: Variant) -> bool:
    """Whether only the editor keeps a value, beside the anchors that are declared or not."""
    return name == "layout_mode" or (name == "anchors_preset" and value in (0, -1))


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
