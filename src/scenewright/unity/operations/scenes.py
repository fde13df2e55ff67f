"""Scenes and prefabs: their hierarchy, and finding GameObjects in them."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Annotated

from scenewright.core.calls.call import Call
from scenewright.core.faults import Fault
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.core.operations.paging import NextOffset, Page
from scenewright.core.text.counts import count_noun
from scenewright.unity.operations.objects import ObjectRow, Rows, TreeRow
from scenewright.unity.operations.openers import (
    Diagnostics,
    Limit,
    Offset,
    ScenePath,
    find_object,
    open_workspace,
)

if TYPE_CHECKING:
    from scenewright.unity.object_filters import ObjectFilter
    from scenewright.unity.workspace import Workspace

__all__ = ["OPERATIONS", "scene_order"]

SECONDS = 15.0


class HierarchyQuery(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    root_path: Annotated[str, about("Only this GameObject and what is below it.")] | None = None
    max_depth: Annotated[int, about("Levels below the roots.", ge=0, le=100)] = 50
    limit: Annotated[int, about("Most GameObjects to return, level by level.", ge=1, le=20000)] = 500


class Hierarchy(Outputs, frozen=True, kw_only=True):
    scene_path: Annotated[str, about("Path to the scene that was dumped.")]
    root_objects: Annotated[list[TreeRow], about("Root GameObjects in the scene, in their order.")]
    total_objects: Annotated[int, about("GameObjects in all, those of prefabs included.")]
    truncated: Annotated[bool, about("Whether maxDepth or limit left some out; ask for a part with rootPath.")] = False
    diagnostics: Diagnostics | None = None


@operation(
    id="scene.hierarchy.dump",
    name="Dump Scene Hierarchy",
    category="scene",
    safety=Safety.READ_ONLY,
    needs_project=True,
    contract="editormcp",
    definition_version="0.1",
    notes="Prefab instances are expanded with what they change, remove and add. instanceId is made from the file, "
    "because the editor's own ids only exist while it runs.",
    examples=(
        Example(
            "A part of a scene",
            {"scenePath": "Assets/Scenes/Main.unity", "rootPath": "Player"},
            {
                "scenePath": "Assets/Scenes/Main.unity",
                "totalObjects": 13,
                "rootObjects": [
                    {
                        "name": "Player",
                        "path": "Player",
                        "instanceId": 2026687781,
                        "fileId": "200",
                        "tag": "Player",
                        "components": ["Transform", "PlayerController", "BoxCollider"],
                        "children": [
                            {
                                "name": "Health: Bar",
                                "path": "Player/Health: Bar",
                                "instanceId": 1641544804,
                                "fileId": "210",
                                "components": ["Transform"],
                                "children": [],
                                "active": False,
                            }
                        ],
                    }
                ],
            },
        ),
    ),
)
def dump_hierarchy(call: Call, inputs: HierarchyQuery) -> Hierarchy:
    """Returns the complete GameObject hierarchy of a scene or prefab, with components, paths and prefab instances."""
    from scenewright.unity.project import ProjectSettings

    workspace = open_workspace(call)
    tree = workspace.tree(inputs.scene_path)
    roots = tree.roots if inputs.root_path is None else [find_object(tree, inputs.root_path)]
    rows = Rows(workspace, ProjectSettings(workspace), tree.file.path)
    shown, count = rows.tree(roots, inputs.max_depth, inputs.limit)
    return Hierarchy(
        scene_path=tree.file.path,
        root_objects=shown,
        total_objects=sum(1 for _ in tree),
        truncated=count < sum(1 for root in roots for _ in root.walk()),
        diagnostics=tree.diagnostics or None,
    )


class ObjectQuery(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    component_type: Annotated[str, about("Class of a component it must have, such as 'Camera'.")] | None = None
    name_pattern: Annotated[str, about("Part of the name, or with * and ? a pattern for all of it.")] | None = None
    tag: Annotated[str, about("Tag it must have.")] | None = None
    layer: Annotated[str, about("Layer it must be on, by name or number.")] | None = None
    limit: Limit = 100
    offset: Offset = 0


class ObjectMatches(Outputs, frozen=True, kw_only=True):
    scene_path: Annotated[str, about("Scene that was searched.")]
    matches: Annotated[list[ObjectRow], about("GameObjects that fit, in the order of the hierarchy.")]
    total: Annotated[int, about("How many fit in all.")]
    next_offset: NextOffset = None
    diagnostics: Diagnostics | None = None


@operation(
    id="scene.objects.find",
    name="Find Scene Objects",
    category="scene",
    safety=Safety.READ_ONLY,
    needs_project=True,
    contract="editormcp",
    definition_version="0.1",
    examples=(
        Example(
            "Everything with a camera",
            {"scenePath": "Assets/Scenes/Main.unity", "componentType": "Camera"},
            {
                "scenePath": "Assets/Scenes/Main.unity",
                "total": 1,
                "matches": [
                    {
                        "name": "Main Camera",
                        "path": "Main Camera",
                        "instanceId": 2055893884,
                        "fileId": "100",
                        "components": ["Transform", "Camera", "AudioListener"],
                        "tag": "MainCamera",
                    }
                ],
            },
        ),
    ),
)
def find_objects(call: Call, inputs: ObjectQuery) -> ObjectMatches:
    """Finds GameObjects of a scene or prefab by component, name, tag and layer; all that are given must fit."""
    from scenewright.unity.object_filters import ObjectFilter
    from scenewright.unity.project import ProjectSettings

    workspace = open_workspace(call)
    tree = workspace.tree(inputs.scene_path)
    settings = ProjectSettings(workspace)
    wanted = ObjectFilter(
        component_type=inputs.component_type, name_pattern=inputs.name_pattern, tag=inputs.tag, layer=inputs.layer
    )
    nodes = list(wanted.matches(tree, workspace.naming, settings))
    page = Page.cut(nodes, inputs.offset, inputs.limit)
    rows = Rows(workspace, settings, tree.file.path)
    diagnostics = [*tree.diagnostics, *([] if nodes else wanted.why_none(tree, workspace.naming))]
    return ObjectMatches(
        scene_path=tree.file.path,
        matches=[rows.row(node) for node in page.items],
        total=len(nodes),
        next_offset=page.next_offset,
        diagnostics=diagnostics or None,
    )


class GoQuery(Inputs, frozen=True, kw_only=True):
    hierarchy_path: (
        Annotated[str, about("Path with * for a part of a name and ** for any levels, such as 'Enemies/**'.")] | None
    ) = None
    component_type: Annotated[str, about("Class of a component it must have.")] | None = None
    name_pattern: Annotated[str, about("Part of the name, or with * and ? a pattern for all of it.")] | None = None
    tag: Annotated[str, about("Tag it must have.")] | None = None
    layer: Annotated[str, about("Layer it must be on, by name or number.")] | None = None
    scene_path: Annotated[str, about("Only this scene or prefab; left out, every scene is searched.")] | None = None
    limit: Annotated[int, about("Most GameObjects to return.", ge=1, le=1000)] = 100
    offset: Annotated[int, about("GameObjects to skip.", ge=0)] = 0


class GoMatches(Outputs, frozen=True, kw_only=True):
    matches: Annotated[list[ObjectRow], about("GameObjects that fit; scenes of the build first.")]
    truncated: Annotated[bool, about("Whether there are more than that.")] = False
    next_offset: Annotated[int, about("Where the rest starts; absent where there is no more.")] | None = None
    diagnostics: Diagnostics | None = None


@operation(
    id="go.find",
    name="Find GameObjects",
    category="scene",
    safety=Safety.READ_ONLY,
    needs_project=True,
    contract="editormcp",
    contract_words={"limit": "maxResults"},
    contract_only=frozenset(("truncated",)),
    definition_version="0.1",
    timeout=60,
    notes="Stops after 15 seconds and then says which scenes were not searched.",
    examples=(
        Example(
            "Direct children of Enemies",
            {"hierarchyPath": "Enemies/*", "namePattern": "Grunt"},
            {
                "matches": [
                    {
                        "name": "Grunt",
                        "path": "Enemies/Grunt",
                        "instanceId": 307220667,
                        "fileId": "402",
                        "scenePath": "Assets/Scenes/Main.unity",
                        "tag": "Enemy",
                        "layer": "Enemies",
                        "components": ["Transform", "EnemyAI", "BoxCollider", "Rigidbody"],
                        "prefab": "Assets/Prefabs/Enemy.prefab",
                    }
                ]
            },
        ),
    ),
)
def find_game_objects(call: Call, inputs: GoQuery) -> GoMatches:
    """Finds GameObjects across the project's scenes by path, component, name, tag and layer."""
    from scenewright.unity.object_filters import ObjectFilter

    workspace = open_workspace(call, SECONDS)
    wanted = ObjectFilter(
        component_type=inputs.component_type,
        name_pattern=inputs.name_pattern,
        tag=inputs.tag,
        layer=inputs.layer,
        hierarchy_path=inputs.hierarchy_path,
    )
    scenes = scene_order(workspace) if inputs.scene_path is None else [workspace.place(inputs.scene_path)]
    return _search(workspace, wanted, scenes, inputs.offset, inputs.limit)


OPERATIONS = (dump_hierarchy, find_objects, find_game_objects)


def scene_order(workspace: Workspace) -> list[str]:
    """Return the project's scenes: those of the build first, in its order, then the others by path."""
    from scenewright.unity.project import ProjectSettings

    there = [asset.path for asset in workspace.graph.files() if asset.suffix == ".unity"]
    built = [path for path, enabled, _ in ProjectSettings(workspace).build_scenes if enabled and path in there]
    return [*built, *(path for path in there if path not in built)]


def _search(workspace: Workspace, wanted: ObjectFilter, scenes: list[str], offset: int, limit: int) -> GoMatches:
    from scenewright.unity.project import ProjectSettings

    settings = ProjectSettings(workspace)
    most = offset + limit
    objects: list[ObjectRow] = []
    diagnostics: list[str] = []
    for number, scene in enumerate(scenes):
        if workspace.deadline.passed:
            diagnostics += workspace.deadline.note(f"{count_noun(len(scenes) - number, 'scene')} not searched")
            break
        try:
            tree = workspace.tree(scene)
        except Fault as problem:
            if len(scenes) == 1:
                raise
            diagnostics.append(problem.message)
            continue
        rows = Rows(workspace, settings, scene)
        matches = wanted.matches(tree, workspace.naming, settings)
        objects += [rows.row(node, scene) for node in islice(matches, most + 1 - len(objects))]
        if len(objects) > most:
            break
    return GoMatches(
        matches=objects[offset:most],
        truncated=len(objects) > most,
        next_offset=most if len(objects) > most else None,
        diagnostics=diagnostics or None,
    )
