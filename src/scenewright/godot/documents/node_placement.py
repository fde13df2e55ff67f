"""Where a node goes in a scene file, and how its header says so.

Nodes stand in the order of the tree, each behind its parent. A plain scene needs no more; where other scenes bring the
parent or some siblings, the header also has an index and the parent's ids.
"""

from __future__ import annotations

from scenewright.core.faults import NotFound, did_you_mean
from scenewright.godot.documents import paths
from scenewright.godot.documents.document import Source
from scenewright.godot.documents.edit_batch import Batch
from scenewright.godot.documents.errors import EditError
from scenewright.godot.documents.scene import Node, Scene
from scenewright.godot.documents.section import Section
from scenewright.godot.documents.tree import Tree, TreeNode
from scenewright.godot.documents.variant import PackedInt32Array, Variant

__all__ = [
    "Attributes",
    "check_editable",
    "check_free",
    "check_unique_name",
    "last_before",
    "parent_attributes",
    "place_for",
    "shift_indexes",
    "whereabouts",
]

Attributes = list[tuple[str, "Variant | Source"]]


def check_free(scene: Scene, path: str, tree: Tree | None) -> None:
    """Refuse a path that is taken."""
    if path in scene.by_path or (tree is not None and path in tree.nodes):
        raise EditError(f"There is a node at '{path}' already.", hint="Choose another name.")


def check_unique_name(scene: Scene, path: str, name: str) -> None:
    """Refuse a second node that scripts would reach as `%Name`."""
    known = scene.unique_names.get(name)
    if known not in (None, path):
        raise EditError(f"'{known}' is known as %{name} already.", hint="Rename one of the two.")


def check_editable(scene: Scene, node: TreeNode) -> None:
    """Refuse a node inside an instance whose inner nodes this scene may not change."""
    if node.depth and node.owner not in scene.editable:
        raise EditError(
            f"'{node.path}' is inside the instance '{node.owner}', which is not editable here.",
            hint=make_editable_hint(node.owner or ""),
        )


def make_editable_hint(instance: str) -> str:
    """Return a hint at how this scene can change what is inside an instance."""
    return f"First have edit_node set editableChildren of '{instance}' to true, or change its own scene."


def whereabouts(scene: Scene, parent: str, before: str | None, tree: Tree | None) -> tuple[Attributes, int | None]:
    """Return the attributes that say where a node goes, and its index if it has one."""
    known = scene.by_path.get(parent)
    if known is None:
        _check_foreign_parent(scene, parent, tree)
    attributes = parent_attributes(scene, parent, tree)
    branch = tree.find(parent) if tree is not None else None
    if branch is None or not (scene.is_inherited or known is None or known.is_override):
        return attributes, None
    siblings = [child.path for child in branch.children]
    if before is not None and paths.normal(before) not in siblings:
        raise NotFound(f"There is no '{before}' below '{parent}'.", hint=did_you_mean(before, siblings))
    index = len(siblings) if before is None else siblings.index(paths.normal(before))
    return [*attributes, ("index", str(index))], index


def parent_attributes(scene: Scene, parent: str, tree: Tree | None) -> Attributes:
    """Return `parent`, and its ids where this file has no section for it."""
    attributes: Attributes = [("parent", parent)]
    branch = tree.find(parent) if tree is not None else None
    if parent not in scene.by_path and tree is not None and branch is not None and scene.root.unique_id is not None:
        ids = tree.id_path(branch)
        attributes += [("parent_id_path", PackedInt32Array(ids))] if ids else []
    return attributes


def place_for(scene: Scene, parent: str, before: str | None, tree: Tree | None) -> Section:
    """Return the section behind which a node goes."""
    if before is not None:
        return _place_before(scene, parent, paths.normal(before), tree)
    below = scene.subtree(parent)
    if below:
        return below[-1].section
    if tree is not None and tree.find(parent) is not None:
        return last_before(scene, tree, parent)
    return scene.subtree(_nearest_known(scene, parent).path)[-1].section


def last_before(scene: Scene, tree: Tree, path: str) -> Section:
    """Return the last node of this file that comes before another in the order of the tree."""
    order = {node.path: number for number, node in enumerate(tree.root.walk())}
    limit = order[path]
    earlier = [node.section for node in scene.nodes if order.get(node.path, limit) < limit]
    return earlier[-1]


def shift_indexes(scene: Scene, parent: str, start: int, by: int) -> Scene:
    """Return the scene with the indexes of later siblings shifted."""
    batch = Batch(scene.document)
    for sibling in scene.children(parent):
        if sibling.index is not None and sibling.index >= start:
            batch.set_attribute(sibling.section, "index", str(sibling.index + by))
    return Scene(batch.done())


def _place_before(scene: Scene, parent: str, before: str, tree: Tree | None) -> Section:
    if before in scene.by_path:
        sibling = scene.by_path[before]
        if sibling.parent != parent:
            raise EditError(f"'{before}' is not directly below '{parent}'.")
        return scene.document.sections[sibling.section.index - 2]
    if tree is None or tree.find(before) is None:
        raise NotFound(
            f"There is no node at '{before}'.",
            hint=did_you_mean(before, list(scene.by_path), "get_node_tree shows the nodes of a scene."),
        )
    known = scene.by_path.get(parent)
    if known is not None and not known.is_override and not scene.is_inherited:
        raise EditError("The engine keeps nodes that are added to an instance behind the instance's own.")
    return last_before(scene, tree, before)


def _check_foreign_parent(scene: Scene, parent: str, tree: Tree | None) -> None:
    """Refuses a parent that no scene brings."""
    if tree is not None:
        branch = tree.find(parent)
        if branch is None:
            raise NotFound(
                f"There is no node at '{parent}'.",
                hint=did_you_mean(parent, list(tree.nodes), "get_node_tree shows the nodes of a scene."),
            )
        check_editable(scene, branch)
        return
    nearest = _nearest_known(scene, parent)
    if nearest.instance is None and not nearest.is_override:
        scene.node(parent)  # says what is there instead
    if nearest.parent is not None and not any(paths.is_within(parent, marked) for marked in scene.editable):
        raise EditError(
            f"'{parent}' is inside '{nearest.path}', which is not editable here.",
            hint=make_editable_hint(nearest.path),
        )


def _nearest_known(scene: Scene, path: str) -> Node:
    """The closest node above a path that this file has."""
    while path != "." and path not in scene.by_path:
        path = paths.parent_of(path)
    return scene.by_path[path]
