"""Renaming, moving and copying nodes: everything in the file that names them by path follows."""

from __future__ import annotations

from collections.abc import Iterator

from scenewright.godot.documents import ids, paths
from scenewright.godot.documents.chunk import Chunk
from scenewright.godot.documents.edit_batch import Batch
from scenewright.godot.documents.edits import remove_property, set_attribute
from scenewright.godot.documents.errors import EditError
from scenewright.godot.documents.node_placement import (
    check_free,
    check_unique_name,
    place_for,
    shift_indexes,
    whereabouts,
)
from scenewright.godot.documents.node_references import repoint
from scenewright.godot.documents.scene import Node, Scene
from scenewright.godot.documents.section import Section
from scenewright.godot.documents.strings import quoted_name
from scenewright.godot.documents.tree import Tree
from scenewright.godot.documents.variant_writer import write_variant

__all__ = ["duplicate_node", "move_node", "rename_node"]


def rename_node(scene: Scene, path: str, name: str, *, tree: Tree | None = None) -> Scene:
    """Give a node another name.

    Raises:
        EditError: the name is taken or not allowed, or another scene brings the node.
    """
    node = _check_own(scene, path, tree)
    if name == node.name:
        return scene
    paths.check_name(name)
    if node.unique_name:
        check_unique_name(scene, node.path, name)
    if node.parent is None:
        return Scene(scene.document.set_attribute(node.section, "name", name))
    new = paths.join(node.parent, name)
    check_free(scene, new, tree)
    return _rename_mentions(scene, node.path, new)


def move_node(scene: Scene, path: str, parent: str, *, before: str | None = None, tree: Tree | None = None) -> Scene:
    """Put a node with everything below it under a parent, also its own, last or before a sibling.

    Raises:
        NotFound: there is no such node, parent or sibling.
        EditError: the place is taken, below the node itself, or inside an instance that is not editable.
    """
    node = _check_own(scene, path, tree)
    parent = paths.normal(parent)
    if node.parent is None:
        raise EditError("The root of a scene cannot be moved.")
    if paths.is_within(parent, node.path):
        raise EditError(f"'{node.path}' cannot go below itself.")
    new = paths.join(parent, node.name)
    if new != node.path:
        check_free(scene, new, tree)
    if before is not None and paths.normal(before) == node.path:
        return scene
    return _move_sections(scene, node, parent, before, tree)


def duplicate_node(scene: Scene, path: str, name: str, *, tree: Tree | None = None) -> Scene:
    """Copy a node with everything below it, and their connections, behind the original.

    Resources inside the file are shared, as in the editor; paths inside the copy lead to the copy.
    """
    node = _check_own(scene, path, tree)
    if node.parent is None:
        raise EditError("The root of a scene cannot be copied into itself.")
    new = paths.join(node.parent, paths.check_name(name))
    check_free(scene, new, tree)
    if node.index is not None:
        scene = shift_indexes(scene, node.parent, node.index + 1, 1)
    used_ids = {unique_id for unique_id in (known.unique_id for known in scene.nodes) if unique_id is not None}
    texts = [_copy_section(original, node.path, new, used_ids) for original in scene.subtree(node.path)]
    document = scene.document.insert_all(texts, scene.subtree(node.path)[-1].section)
    copy = Scene(document)
    for wire in reversed(scene.connections):
        if paths.is_within(wire.source, node.path):
            section = copy.document.sections[wire.section.index - 1 + len(texts)]
            text = set_attribute(section.chunk, "from", quoted_name(paths.rebased(wire.source, node.path, new)))
            text = set_attribute(_tags_chunk(text), "to", quoted_name(paths.rebased(wire.target, node.path, new)))
            copy = Scene(copy.document.insert(text, section))
    marks = [marked for marked in scene.editable if paths.is_within(marked, node.path)]
    for marked in marks:
        text = copy.document.new_section("editable", [("path", paths.rebased(marked, node.path, new))])
        copy = Scene(copy.document.insert(text, copy.document.sections[-1]))
    return copy


def _check_own(scene: Scene, path: str, tree: Tree | None) -> Node:
    node = scene.by_path.get(paths.normal(path))
    if node.is_override if node is not None else tree is not None and tree.find(path) is not None:
        raise EditError(
            f"'{path}' comes from another scene and can only be changed there.",
            hint="get_node_tree with expand shows which scene brings it.",
        )
    return scene.node(path)


def _rename_mentions(scene: Scene, old_path: str, new_path: str) -> Scene:
    """Every mention of a node and of those below it, by its new path; the sections stay where they are."""
    batch = Batch(scene.document)

    def moved(path: str) -> str:
        return paths.rebased(path, old_path, new_path)

    section = scene.node(old_path).section
    batch.set_attribute(section, "name", paths.name_of(new_path))
    batch.set_attribute(section, "parent", paths.parent_of(new_path))
    for section, name, path in _node_attributes(scene):
        if paths.is_within(path, old_path):
            batch.set_attribute(section, name, moved(path))
    repoint(scene, batch, moved)
    return Scene(batch.done())


def _node_attributes(scene: Scene) -> Iterator[tuple[Section, str, str]]:
    """Every attribute that names a node by its path from the root."""
    for node in scene.nodes:
        if node.parent is not None:
            yield node.section, "parent", node.parent
        if " owner=" in node.section.text and node.owner is not None:
            yield node.section, "owner", node.owner
    for wire in scene.connections:
        yield wire.section, "from", wire.source
        yield wire.section, "to", wire.target
    for marked, section in scene.editable.items():
        yield section, "path", marked


def _move_sections(scene: Scene, node: Node, parent: str, before: str | None, tree: Tree | None) -> Scene:
    """The node's sections at their new place, with the attributes that belong there."""
    attributes, index = whereabouts(scene, parent, before, tree)
    if node.index is not None and node.parent is not None:
        scene = shift_indexes(scene, node.parent, node.index + 1, -1)
        if index is not None and node.parent == parent and node.index < index:
            index -= 1
    if index is not None:
        scene = shift_indexes(scene, parent, index, 1)
    new = paths.join(parent, node.name)
    scene = _rename_mentions(scene, node.path, new)
    batch = Batch(scene.document)
    section = scene.node(new).section
    new_attributes = dict(attributes)
    for name in ("parent_id_path", "index"):
        if name in new_attributes:
            batch.set_attribute(section, name, str(index) if name == "index" else new_attributes[name])
        else:
            batch.remove_attribute(section, name)
    return _sections_moved(Scene(batch.done()), new, parent, before, tree)


def _sections_moved(scene: Scene, path: str, parent: str, before: str | None, tree: Tree | None) -> Scene:
    subtree = scene.subtree(path)
    texts = [node.section.text[: node.section.chunk.body_end] for node in subtree]
    rest = Scene(scene.document.remove([node.section for node in subtree]))
    return Scene(rest.document.insert_all(texts, place_for(rest, parent, before, tree)))


def _copy_section(node: Node, old_path: str, new_path: str, used_ids: set[int]) -> str:
    chunk = node.section.chunk
    text = chunk.text[: chunk.body_end]
    if node.path == old_path:
        text = set_attribute(_tags_chunk(text), "name", quoted_name(paths.name_of(new_path)))
        if node.index is not None:
            text = set_attribute(_tags_chunk(text), "index", quoted_name(str(node.index + 1)))
    elif node.parent is not None:
        text = set_attribute(_tags_chunk(text), "parent", quoted_name(paths.rebased(node.parent, old_path, new_path)))
    if node.unique_name and not node.is_override:
        text = remove_property(_tags_chunk(text), "unique_name_in_owner")  # only one node can have the name
    if node.unique_id is not None and not node.is_override:
        number = ids.new_node_id(used_ids)
        used_ids.add(number)
        text = set_attribute(_tags_chunk(text), "unique_id", write_variant(number))
    return text


def _tags_chunk(text: str) -> Chunk:
    return Chunk(text, "tags")
