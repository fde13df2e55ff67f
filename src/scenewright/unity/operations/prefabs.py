"""Prefabs: what they hold, what they inherit, and what instances override."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any

from scenewright.core.calls.call import Call
from scenewright.core.faults import NotFound
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about
from scenewright.core.operations.paging import NextOffset, Page
from scenewright.unity.operations.objects import Rows, TreeRow
from scenewright.unity.operations.openers import (
    INSPECT,
    Diagnostics,
    Limit,
    Offset,
    ScenePath,
    find_object,
    open_workspace,
)

if TYPE_CHECKING:
    from scenewright.unity.objects.facts import Instance
    from scenewright.unity.objects.nodes import ObjectNode, ObjectTree
    from scenewright.unity.workspace import Workspace

__all__ = ["OPERATIONS"]


class PrefabQuery(Inputs, frozen=True, kw_only=True):
    asset_path: Annotated[str, about("Path to the prefab, such as 'Assets/Prefabs/Enemy.prefab'.", min_length=1)]
    max_depth: Annotated[int, about("Levels below the root.", ge=0, le=100)] = 50
    limit: Annotated[int, about("Most GameObjects to return, level by level.", ge=1, le=20000)] = 200


class PrefabDescribed(Outputs, frozen=True, kw_only=True):
    path: Annotated[str, about("Path of the prefab.")]
    guid: Annotated[str, about("Guid of the prefab.")]
    root: Annotated[TreeRow, about("Its hierarchy.")]
    total_objects: Annotated[int, about("GameObjects in all, those of nested prefabs included.")]
    component_counts: Annotated[dict[str, int], about("How many components there are of each class.")]
    used_by: Annotated[list[str], about("Scenes, prefabs and assets that refer to it, sorted, at most 100.")]
    variant_of: Annotated[str, about("Prefab that this one is a variant of.")] | None = None
    nested_prefabs: Annotated[list[str], about("Prefabs and models inside it, sorted.")] | None = None
    truncated: Annotated[bool, about("Whether maxDepth or limit left some out.")] = False
    diagnostics: Diagnostics | None = None


@operation(
    id="asset.prefab.describe",
    name="Describe Prefab",
    category="asset",
    safety=Safety.READ_ONLY,
    needs_project=True,
    contract="editormcp",
    definition_version="0.1",
    manager=INSPECT,
    action="asset.prefab.describe",
    beyond_contract=True,
    examples=(
        Example(
            "A simple prefab",
            {"assetPath": "Assets/Prefabs/Weapon.prefab"},
            {
                "path": "Assets/Prefabs/Weapon.prefab",
                "guid": "f0000000000000000000000000000002",
                "totalObjects": 2,
                "root": {
                    "name": "Weapon",
                    "path": "Weapon",
                    "instanceId": 107452775,
                    "fileId": "6210000000000000001",
                    "components": ["Transform", "MeshFilter", "MeshRenderer"],
                    "children": [
                        {
                            "name": "Tip",
                            "path": "Weapon/Tip",
                            "instanceId": 17456510,
                            "fileId": "6210000000000000005",
                            "components": ["Transform"],
                            "children": [],
                        }
                    ],
                },
                "componentCounts": {"MeshFilter": 1, "MeshRenderer": 1, "Transform": 2},
                "usedBy": ["Assets/Prefabs/Enemy.prefab"],
                "diagnostics": [
                    "Not looked into: 1 git-LFS pointer ('Assets/Baked/Terrain.asset'). `git lfs pull` gets it."
                ],
            },
        ),
    ),
)
def describe_prefab(call: Call, inputs: PrefabQuery) -> PrefabDescribed:
    """Describes a prefab: its hierarchy, components, nested prefabs, what it is a variant of and who uses it."""
    from scenewright.unity.project import ProjectSettings
    from scenewright.unity.unread_files import unread_notes

    workspace = open_workspace(call)
    tree = workspace.tree(inputs.asset_path)
    if not tree.roots:
        raise NotFound(f"'{tree.file.path}' holds no GameObject.")
    asset = workspace.graph.asset(tree.file.path)
    rows = Rows(workspace, ProjectSettings(workspace), asset.path)
    shown, count = rows.tree(tree.roots[:1], inputs.max_depth, inputs.limit)
    nodes = list(tree)
    names = Counter(name for node in nodes for name in workspace.naming.components(node))
    nested = {_source(workspace, node) for node in nodes if node.prefab and node is not tree.roots[0]}
    return PrefabDescribed(
        path=asset.path,
        guid=asset.guid,
        root=shown[0],
        total_objects=len(nodes),
        component_counts=dict(sorted(names.items())),
        used_by=[other.path for other in workspace.graph.referred_by(asset)][:100],
        variant_of=_source(workspace, tree.roots[0]) if tree.roots[0].prefab else None,
        nested_prefabs=sorted(nested) or None,
        truncated=count < len(nodes),
        diagnostics=[*tree.diagnostics, *unread_notes(workspace.graph.files())] or None,
    )


class OverrideQuery(Inputs, frozen=True, kw_only=True):
    asset_path: ScenePath
    game_object_path: Annotated[str, about("Only the prefab instance at this GameObject.")] | None = None
    limit: Limit = 200
    offset: Offset = 0


class OverrideRow(Record, frozen=True, kw_only=True):
    instance: Annotated[str, about("Path of the instance's root.")]
    instance_file_id: Annotated[str, about("Id of the prefab instance in the file.")]
    kind: Annotated[str, about("property, removed-component, removed-object, added-component or added-object.")]
    target: Annotated[str, about("GameObject it is about, or its id where the prefab no longer has it.")]
    component: Annotated[str, about("Class of the component it is about.")] | None = None
    property: Annotated[str, about("Property that is changed.")] | None = None
    value: Annotated[Any, about("New value; a reference has fileId, guid and path.")] = None
    prefab_value: Annotated[Any, about("Value in the prefab.")] = None
    stale: Annotated[bool, about("Whether the prefab no longer has what this is about.")] = False


class OverrideList(Outputs, frozen=True, kw_only=True):
    path: Annotated[str, about("Scene or prefab.")]
    overrides: Annotated[list[OverrideRow], about("Changes of its prefab instances, in the order of the file.")]
    total: Annotated[int, about("How many there are in all.")]
    next_offset: NextOffset = None


@operation(
    id="asset.prefab.overrides.list",
    name="List Prefab Overrides",
    category="asset",
    safety=Safety.READ_ONLY,
    needs_project=True,
    contract="editormcp",
    definition_version="0.1",
    manager=INSPECT,
    action="asset.prefab.overrides.list",
    beyond_contract=True,
    examples=(
        Example(
            "What the nested weapon of the enemy changes",
            {"assetPath": "Assets/Prefabs/Enemy.prefab"},
            {
                "path": "Assets/Prefabs/Enemy.prefab",
                "total": 2,
                "overrides": [
                    {
                        "instance": "Enemy/Sword",
                        "instanceFileId": "7310000000000000010",
                        "kind": "property",
                        "target": "Enemy/Sword",
                        "component": "Transform",
                        "property": "m_LocalPosition.x",
                        "value": 0.5,
                        "prefabValue": 0,
                    },
                    {
                        "instance": "Enemy/Sword",
                        "instanceFileId": "7310000000000000010",
                        "kind": "property",
                        "target": "Enemy/Sword",
                        "component": "GameObject",
                        "property": "m_Name",
                        "value": "Sword",
                        "prefabValue": "Weapon",
                    },
                ],
            },
        ),
    ),
)
def list_overrides(call: Call, inputs: OverrideQuery) -> OverrideList:
    """Lists what the prefab instances of a scene or prefab change, remove and add."""
    workspace = open_workspace(call)
    tree = workspace.tree(inputs.asset_path)
    only = None
    if inputs.game_object_path is not None:
        only = find_object(tree, inputs.game_object_path).instance
        if only is None:
            raise NotFound(f"'{inputs.game_object_path}' is not part of a prefab instance.")
    lister = _Overrides(workspace, tree)
    rows = [row for instance in lister.instances if only in (None, instance) for row in lister.rows(instance)]
    page = Page.cut(rows, inputs.offset, inputs.limit)
    return OverrideList(path=tree.file.path, overrides=page.items, total=len(rows), next_offset=page.next_offset)


OPERATIONS = (describe_prefab, list_overrides)


def _source(workspace: Workspace, node: ObjectNode) -> str:
    return workspace.graph.path_of(node.prefab) or node.prefab


class _Overrides:
    """Rows for the changes of the instances of one file."""

    def __init__(self, workspace: Workspace, tree: ObjectTree) -> None:
        from scenewright.unity.presentation import Presenter

        self._workspace = workspace
        self._presenter = Presenter(workspace.graph)
        self._nodes: dict[tuple[int, int], ObjectNode] = {}
        self._roots: dict[int, ObjectNode] = {}
        self.instances: list[Instance] = []
        for node in tree:
            if node.instance is not None:
                self._learn(node, node.instance)

    def _learn(self, node: ObjectNode, instance: Instance) -> None:
        if instance.file_id not in self._roots:
            self._roots[instance.file_id] = node
            self.instances.append(instance)
        for inner in (node.inner, *(part.inner for part in node.parts)):
            if inner is not None:
                self._nodes[instance.file_id, inner.file_id] = node

    def rows(self, instance: Instance) -> list[OverrideRow]:
        from scenewright.unity.objects.prefab_expansion import modifications_of

        rows = [self._property(instance, row) for row in modifications_of(instance)]
        for key, kind in (
            ("m_RemovedComponents", "removed-component"),
            ("m_RemovedGameObjects", "removed-object"),
            ("m_AddedGameObjects", "added-object"),
            ("m_AddedComponents", "added-component"),
        ):
            listed = instance.modification.get(key)
            rows += [self._part(instance, kind, row) for row in listed] if isinstance(listed, list) else []
        return rows

    def _property(self, instance: Instance, row: dict[str, Any]) -> OverrideRow:
        from scenewright.unity.objects.facts import target_of

        source, _ = target_of(row.get("target"))
        node = self._nodes.get((instance.file_id, source))
        reference, path = row.get("objectReference"), str(row.get("propertyPath", ""))
        value = reference if target_of(reference)[0] else row.get("value", "")
        component, before = self._inner_value(node, source, path)
        return self._row(
            instance,
            kind="property",
            target=node.path if node else str(source),
            component=component,
            property=path,
            value=self._presenter.show(value, path.rpartition(".")[2]),
            prefab_value=before,
            stale=node is None and not self._roots[instance.file_id].opaque,
        )

    def _part(self, instance: Instance, kind: str, row: Any) -> OverrideRow:
        from scenewright.unity.objects.facts import target_of

        about_it = row.get("targetCorrespondingSourceObject", row) if isinstance(row, dict) else row
        source, _ = target_of(about_it)
        node = self._nodes.get((instance.file_id, source))
        component = self._removed_class(instance, source) if kind == "removed-component" else None
        return self._row(instance, kind=kind, target=node.path if node else str(source), component=component)

    def _row(self, instance: Instance, **fields: Any) -> OverrideRow:
        root = self._roots[instance.file_id]
        return OverrideRow(instance=root.path, instance_file_id=str(instance.file_id), **fields)

    def _inner_value(self, node: ObjectNode | None, source: int, path: str) -> tuple[str | None, Any]:
        """Return the class of what an override is about, and the property's value in the prefab."""
        from scenewright.unity.objects.overrides import effective_data, value_at
        from scenewright.unity.yaml.property_spans import property_path

        if node is None or node.inner is None:
            return None, None
        parts = [part for part in node.parts if part.inner is not None and part.inner.file_id == source]
        inner = parts[0].inner if parts else node.inner
        assert inner is not None
        name = self._workspace.naming.component(parts[0]) if parts else "GameObject"
        return name, self._presenter.show(value_at(effective_data(inner), property_path(path)), path)

    def _removed_class(self, instance: Instance, source: int) -> str | None:
        inner = self._roots[instance.file_id].inner
        tree = self._workspace.prefab(instance.guid) if inner is not None else None
        part = tree.parts.get(source) if tree is not None else None
        return self._workspace.naming.component(part) if part is not None else None
