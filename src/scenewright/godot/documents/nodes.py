"""Adding, changing and removing nodes of a scene, each as the engine would write it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from scenewright.core.faults import NotFound, did_you_mean
from scenewright.godot.documents import ids, paths
from scenewright.godot.documents.document import Document, Source
from scenewright.godot.documents.edit_batch import Batch
from scenewright.godot.documents.errors import EditError
from scenewright.godot.documents.node_placement import (
    Attributes,
    check_editable,
    check_free,
    check_unique_name,
    last_before,
    parent_attributes,
    place_for,
    shift_indexes,
    whereabouts,
)
from scenewright.godot.documents.node_references import repoint, write_node_paths
from scenewright.godot.documents.references import references, resource_sections
from scenewright.godot.documents.resources import remove_sections
from scenewright.godot.documents.scene import Scene
from scenewright.godot.documents.section import Section
from scenewright.godot.documents.tree import Tree
from scenewright.godot.documents.variant import Array, ExtResource, PackedStringArray, Variant

__all__ = [
    "NewNode",
    "add_node",
    "override_node",
    "remove_node",
    "remove_properties",
    "set_groups",
    "set_properties",
    "set_unique_name",
]


class NewNode(msgspec.Struct, frozen=True):
    """A node to be: of a type, an instance of a scene by its id in the file, or a placeholder for one by its path."""

    name: str
    type: str | None = None
    instance: str | None = None
    placeholder: str | None = None
    properties: Mapping[str, Variant | Source] = {}
    groups: tuple[str, ...] = ()
    node_paths: tuple[str, ...] = ()
    """The properties among these whose NodePaths the engine is to turn into nodes."""


def add_node(
    scene: Scene, node: NewNode, parent: str = ".", *, before: str | None = None, tree: Tree | None = None
) -> Scene:
    """Add a node below another, last or before a sibling.

    `tree`, the expanded scene, is needed where the parent or some of its children come from other scenes: for the place
    among them, and to see that the name is free.

    Raises:
        NotFound: there is no such parent or sibling.
        EditError: the name is taken or not allowed, or the parent is inside an instance that is not editable.
    """
    if sum(source is not None for source in (node.type, node.instance, node.placeholder)) != 1:
        raise EditError("A new node needs one of type, instance or placeholder.")
    parent = paths.normal(parent)
    check_free(scene, paths.join(parent, paths.check_name(node.name)), tree)
    if node.properties.get("unique_name_in_owner") is True:
        check_unique_name(scene, "", node.name)
    where, index = whereabouts(scene, parent, before, tree)
    attributes: Attributes = [("name", node.name), *([("type", node.type)] if node.type else []), *where]
    used_ids = {unique_id for unique_id in (known.unique_id for known in scene.nodes) if unique_id is not None}
    if used_ids:
        attributes.append(("unique_id", ids.new_node_id(used_ids)))
    if node.node_paths:
        attributes.append(("node_paths", PackedStringArray(node.node_paths)))
    if node.groups:
        attributes.append(("groups", Array(tuple(sorted(set(node.groups))))))
    if node.placeholder is not None:
        attributes.append(("instance_placeholder", node.placeholder))
    if node.instance is not None:
        attributes.append(("instance", ExtResource(node.instance)))
    text = scene.document.new_section("node", attributes, node.properties.items())
    if index is not None:
        scene = shift_indexes(scene, parent, index, 1)
    return Scene(scene.document.insert(text, place_for(scene, parent, before, tree)))


def set_properties(
    scene: Scene, path: str, properties: Mapping[str, Variant | Source], *, rank: Callable[[str], Any] | None = None
) -> Scene:
    """Set properties of a node that this file has; new ones stand by their rank, without ranks last.

    Raises:
        EditError: it is to have a unique name that another node has.
    """
    node = scene.node(path)
    if properties.get("unique_name_in_owner") is True and not node.is_override:
        check_unique_name(scene, node.path, node.name)
    batch = Batch(scene.document)
    for name, value in properties.items():
        batch.set_property(node.section, name, value, rank=rank)
    return Scene(batch.done())


def remove_properties(scene: Scene, path: str, names: Iterable[str]) -> Scene:
    """Reset properties to their default, and drop resources that only they used."""
    node = scene.node(path)
    batch = Batch(scene.document)
    gone = set(names)
    for name in gone:
        batch.remove_property(node.section, name)
    if gone.intersection(node.node_paths):
        write_node_paths(batch, node, tuple(name for name in node.node_paths if name not in gone))
    return Scene(_without_released(scene, batch))


def set_groups(scene: Scene, path: str, groups: Iterable[str]) -> Scene:
    """Put a node that this file has into exactly these groups."""
    section = scene.node(path).section
    names = tuple(sorted(set(groups)))
    if names:
        return Scene(scene.document.set_attribute(section, "groups", Array(names)))
    return Scene(scene.document.remove_attribute(section, "groups"))


def set_unique_name(scene: Scene, path: str, tree: Tree, *, unique: bool) -> Scene:
    """Let scripts reach a node as `%Name`, or no longer.

    Raises:
        EditError: another node of the same owner is reached so.
    """
    node = tree.nodes[path]
    same = [other for other in tree.nodes.values() if (other.owner, other.name) == (node.owner, node.name)]
    holder = next((other.path for other in same if other.unique_name and other is not node), None)
    if unique and holder is not None:
        raise EditError(f"'{holder}' is known as %{node.name} already.", hint="Rename one of the two.")
    scene = override_node(scene, path, tree)
    is_set = scene.node(path).section.find("unique_name_in_owner") is not None
    if unique or len(node.layers) > 1 or not is_set:
        return set_properties(scene, path, {"unique_name_in_owner": unique})
    return remove_properties(scene, path, ["unique_name_in_owner"])


def override_node(scene: Scene, path: str, tree: Tree) -> Scene:
    """Make room in this file for changes to a node that another scene brings.

    Raises:
        NotFound: no scene brings one at that path.
        EditError: it is inside an instance that is not editable.
    """
    path = paths.normal(path)
    if path in scene.by_path:
        return scene
    node = tree.find(path)
    if node is None:
        raise NotFound(
            f"There is no node at '{path}'.",
            hint=did_you_mean(path, list(tree.nodes), "get_node_tree shows the nodes of a scene."),
        )
    if path == ".":
        raise EditError("The scene has no root: its first node has a parent.", hint="Mend the file; apply_scene can.")
    parent = paths.parent_of(path)
    check_editable(scene, node)
    attributes: Attributes = [("name", node.name), *parent_attributes(scene, parent, tree)]
    siblings = [child.path for child in tree.nodes[parent].children]
    attributes.append(("index", str(siblings.index(path))))
    if node.unique_id is not None and scene.root.unique_id is not None:
        attributes.append(("unique_id", node.unique_id))
    text = scene.document.new_section("node", attributes)
    return Scene(scene.document.insert(text, last_before(scene, tree, path)))


def remove_node(scene: Scene, path: str) -> Scene:
    """Remove a node with everything below it, its connections, and resources that nothing else uses.

    Properties that held the node are emptied, as when it is deleted in the editor.

    Raises:
        EditError: it is the root, or another scene brings it.
    """
    node = scene.node(path)
    if node.parent is None:
        raise EditError("The root of a scene cannot be removed.")
    if node.is_override:
        raise EditError(f"'{node.path}' comes from another scene and cannot be removed here.")
    batch = Batch(scene.document)
    repoint(scene, batch, lambda other: None if paths.is_within(other, node.path) else other)
    scene = Scene(batch.done())
    if node.index is not None:
        scene = shift_indexes(scene, node.parent, node.index + 1, -1)
    return Scene(remove_sections(scene.document, _sections_of(scene, node.path)))


def _sections_of(scene: Scene, path: str) -> list[Section]:
    """A node's sections, those below it, and the connections and editable marks that need them."""
    nodes = [node.section for node in scene.subtree(path)]
    wires = [
        wire.section
        for wire in scene.connections
        if paths.is_within(wire.source, path) or paths.is_within(wire.target, path)
    ]
    marks = [section for marked, section in scene.editable.items() if paths.is_within(marked, path)]
    return [*nodes, *wires, *marks]


def _without_released(scene: Scene, batch: Batch) -> Document:
    """The edited document without the resources that the edit left unused."""
    document = batch.done()
    before = {name for section in scene.document.sections for name in references(section.text)}
    after = {name for section in document.sections for name in references(section.text)}
    declared = resource_sections(document)
    released = [declared[name] for name in before - after if name in declared]
    return remove_sections(document, released) if released else document
