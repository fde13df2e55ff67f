"""A scene's nodes as rows of a reply: the file's own, or with what other scenes bring."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from scenewright.godot.documents.scene import Scene
from scenewright.godot.documents.section import SectionProperty
from scenewright.godot.documents.tree import Tree, TreeNode
from scenewright.godot.documents.variant import ExtResource
from scenewright.godot.project.workspace import Workspace, no_node, node_path
from scenewright.godot.scenes.tree_rows import TreeQuery, TreeRow

__all__ = ["SceneOutline"]

_LONGEST_VALUE = 300  # the cells of a tile map, the points of a mesh: get_property has them whole


class SceneOutline:
    """One scene, expanded once."""

    def __init__(self, workspace: Workspace, path: str) -> None:
        self._workspace = workspace
        self._scene = workspace.scene(path)
        self.tree: Tree = workspace.tree(self._scene)
        self.path = workspace.resource_path(path)

    def rows(self, query: TreeQuery) -> list[TreeRow]:
        """Return the nodes a query asks for, in the order of the tree, at most one more than its limit."""
        start = self.node(query.root_path or ".")
        near = (row for row in _walk_with_depth(start, expand=query.expand) if row[1] <= query.max_depth)
        page = islice(near, query.offset, query.offset + query.limit + 1)
        return [self._tree_row(node, depth, query) for node, depth in page]

    @property
    def total(self) -> int:
        return len(self._scene.nodes)

    def connections(self) -> list[str]:
        return [f"{wire.source}:{wire.signal} -> {wire.target}:{wire.method}" for wire in self._scene.connections]

    def node(self, written: str) -> TreeNode:
        """Return a node by its path, given in any form.

        Raises:
            NotFound: there is none.
        """
        path = node_path(self._scene, written)
        node = self.tree.find(path)
        if node is None:
            raise no_node(written, path, self.path, self.tree.nodes)
        return node

    def _tree_row(self, node: TreeNode, depth: int, query: TreeQuery) -> TreeRow:
        children = [child for child in node.children if query.expand or child.depth == 0]
        return TreeRow(
            path=node.path,
            name=node.name,
            type=node.type or "",
            instance=node.instance,
            script=self.script(node),
            groups=list(node.groups) or None,
            unique_name=node.unique_name,
            inside=node.depth > 0,
            properties=_raw_properties(node) if query.include_properties else None,
            hidden_children=len(children) if depth == query.max_depth and children else None,
        )

    def script(self, node: TreeNode) -> str | None:
        """Return the script of a node: its file, or as the scene writes a built-in one."""
        for layer in reversed(node.layers):
            script = layer.node.section.find("script")
            if script is not None:
                scene = self._scene if layer.scene is None else self._workspace.scene(layer.scene)
                return _script_path(script, scene)
        return None


def _script_path(property_: SectionProperty, scene: Scene) -> str | None:
    """The file a property refers to, by the ids of the scene that says so; a built-in script as it is written."""
    value = property_.value
    if isinstance(value, ExtResource):
        return next((file.path for file in scene.external_files if file.id == value.id), None)
    return property_.raw if value is not None else None


def _walk_with_depth(node: TreeNode, depth: int = 0, *, expand: bool) -> Iterator[tuple[TreeNode, int]]:
    waiting = [(node, depth)]
    while waiting:
        here, level = waiting.pop()
        yield here, level
        waiting += [(child, level + 1) for child in reversed(here.children) if expand or child.depth == 0]


def _raw_properties(node: TreeNode) -> dict[str, str] | None:
    return {name: _shorten(property_.raw) for name, property_ in node.properties.items() if name != "script"} or None


def _shorten(raw: str) -> str:
    return raw if len(raw) <= _LONGEST_VALUE else f"{raw[:_LONGEST_VALUE]}… ({len(raw):,} characters)"
