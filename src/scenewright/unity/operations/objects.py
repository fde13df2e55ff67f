"""GameObjects as rows of a reply."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from scenewright.core.operations.model import Record, about

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scenewright.unity.objects.nodes import ObjectNode
    from scenewright.unity.project import ProjectSettings
    from scenewright.unity.workspace import Workspace

__all__ = ["ObjectRow", "Rows", "TreeRow"]


class TreeRow(Record, frozen=True, kw_only=True):
    name: Annotated[str, about("Name.")]
    path: Annotated[str, about("Path from the root; of several with the same, the second ends in [1].")]
    instance_id: Annotated[int, about("Number that stays the same as long as the file has the object.")]
    components: Annotated[list[str], about("Components by class, in their order.")]
    children: Annotated[list[TreeRow], about("Objects below, in their order.")]
    file_id: Annotated[str, about("Id in the file; absent where only a prefab has the object.")] | None = None
    active: Annotated[bool, about("False if switched off.")] = True
    tag: Annotated[str, about("Tag, if it has one.")] | None = None
    layer: Annotated[str, about("Layer, if not the default.")] | None = None
    prefab: Annotated[str, about("Prefab or model that this is an instance of.")] | None = None
    hidden_children: Annotated[int, about("Children left out by maxDepth or limit.")] | None = None


class ObjectRow(Record, frozen=True, kw_only=True):
    name: Annotated[str, about("Name.")]
    path: Annotated[str, about("Path from the root; of several with the same, the second ends in [1].")]
    instance_id: Annotated[int, about("Number that stays the same as long as the file has the object.")]
    components: Annotated[list[str], about("Components by class, in their order.")]
    scene_path: Annotated[str, about("Scene that has it, where several were searched.")] | None = None
    file_id: Annotated[str, about("Id in the file; absent where only a prefab has the object.")] | None = None
    active: Annotated[bool, about("False if switched off.")] = True
    tag: Annotated[str, about("Tag, if it has one.")] | None = None
    layer: Annotated[str, about("Layer, if not the default.")] | None = None
    prefab: Annotated[str, about("Prefab or model that this is an instance of.")] | None = None


class Rows:
    """Makes rows of the GameObjects of one file."""

    def __init__(self, workspace: Workspace, settings: ProjectSettings, path: str) -> None:
        self._workspace = workspace
        self._layers: Mapping[int, str] = settings.layers
        asset = workspace.graph.assets.get(path)
        self.guid = asset.guid if asset is not None else path

    def row(self, node: ObjectNode, scene_path: str | None = None) -> ObjectRow:
        return ObjectRow(scene_path=scene_path, **self._common(node))  # type: ignore[arg-type]

    def tree(self, roots: list[ObjectNode], max_depth: int, limit: int) -> tuple[list[TreeRow], int]:
        """Return roots with what is below them, level by level until there are enough; and how many rows that is."""
        level = roots[:limit]
        shown: set[int] = set()
        depth = 0
        while level and depth <= max_depth and len(shown) < limit:
            shown.update(id(node) for node in level)
            level = [child for node in level for child in node.children][: limit - len(shown)]
            depth += 1
        return [self._below(root, shown) for root in roots if id(root) in shown], len(shown)

    def _below(self, node: ObjectNode, shown: set[int]) -> TreeRow:
        below = [self._below(child, shown) for child in node.children if id(child) in shown]
        return TreeRow(
            children=below,
            hidden_children=len(node.children) - len(below) or None,
            **self._common(node),  # type: ignore[arg-type]
        )

    def _common(self, node: ObjectNode) -> dict[str, object]:
        from scenewright.unity.component_names import instance_id

        return {
            "name": node.name,
            "path": node.path,
            "instance_id": instance_id(self.guid, node),
            "components": self._workspace.naming.components(node),
            "file_id": str(node.file_id) if node.file_id and node.file_id in node.file.by_id else None,
            "active": node.active,
            "tag": None if node.tag == "Untagged" else node.tag,
            "layer": self._layers.get(node.layer, str(node.layer)) if node.layer else None,
            "prefab": (self._workspace.graph.path_of(node.prefab) or node.prefab) if node.prefab else None,
        }
