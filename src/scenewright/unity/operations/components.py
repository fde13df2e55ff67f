"""Components and their serialized fields, as they are in effect."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from scenewright.core.calls.call import Call
from scenewright.core.faults import Fault, NotFound, did_you_mean
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about
from scenewright.unity.operations.objects import Rows
from scenewright.unity.operations.openers import (
    INSPECT,
    Diagnostics,
    ObjectPath,
    ScenePath,
    find_object,
    open_workspace,
)
from scenewright.unity.operations.scenes import scene_order

if TYPE_CHECKING:
    from scenewright.unity.objects.nodes import Component, ObjectNode, ObjectTree
    from scenewright.unity.workspace import Workspace

__all__ = ["OPERATIONS"]

MOST_FIELDS = 50


class FieldRow(Record, frozen=True, kw_only=True):
    name: Annotated[str, about("Name of the field.")]
    type: Annotated[str, about("Kind of value, as far as the file shows.")]
    value: Annotated[
        Any, about("Value; a reference has fileId, guid and path, and is absent if it refers to nothing.")
    ] = None
    overridden: Annotated[bool, about("Whether the prefab instance changes it.")] = False
    truncated: Annotated[bool, about("Whether a long list was cut.")] = False


class ComponentRow(Record, frozen=True, kw_only=True):
    type: Annotated[str, about("Class of the component.")]
    instance_id: Annotated[int, about("Number that stays the same as long as the file has the component.")]
    serialized_fields: Annotated[list[FieldRow], about("Serialized fields, in the order of the file.")] | None = None
    file_id: Annotated[str, about("Id in the file; absent where only a prefab has it.")] | None = None
    script_path: Annotated[str, about("Script that makes it, where the project has it.")] | None = None
    script_guid: Annotated[str, about("Guid of a script that the project does not have.")] | None = None
    hidden_fields: Annotated[int, about("Fields left out because there are too many.")] | None = None


class ComponentQuery(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    game_object_path: ObjectPath
    component_type: Annotated[str, about("Only components of this class.")] | None = None
    max_items: Annotated[int, about("Items of a list to show.", ge=1, le=10000)] = 20


class ComponentList(Outputs, frozen=True, kw_only=True):
    scene_path: Annotated[str, about("Scene or prefab.")]
    game_object_path: Annotated[str, about("Path of the GameObject.")]
    components: Annotated[list[ComponentRow], about("Its components, in their order.")]
    diagnostics: Diagnostics | None = None


@operation(
    id="scene.components.list",
    name="List Scene Components",
    category="scene",
    safety=Safety.READ_ONLY,
    needs_project=True,
    contract="editormcp",
    definition_version="0.1",
    notes="Values are those in effect, with what prefab instances override. Numbers and truth values look the same in "
    "the file, so true is 1 and false is 0.",
    examples=(
        Example(
            "The collider of the player",
            {"scenePath": "Assets/Scenes/Main.unity", "gameObjectPath": "Player", "componentType": "BoxCollider"},
            {
                "scenePath": "Assets/Scenes/Main.unity",
                "gameObjectPath": "Player",
                "components": [
                    {
                        "type": "BoxCollider",
                        "instanceId": 1640340639,
                        "fileId": "203",
                        "serializedFields": [
                            {"name": "m_Material", "type": "reference"},
                            {"name": "m_IsTrigger", "type": "integer", "value": 0},
                            {"name": "m_Enabled", "type": "integer", "value": 1},
                            {"name": "m_Size", "type": "vector3", "value": {"x": 1, "y": 2, "z": 1}},
                            {"name": "m_Center", "type": "vector3", "value": {"x": 0, "y": 1, "z": 0}},
                        ],
                    }
                ],
            },
        ),
    ),
)
def list_components(call: Call, inputs: ComponentQuery) -> ComponentList:
    """Lists the components of a GameObject with their serialized fields."""
    workspace = open_workspace(call)
    tree = workspace.tree(inputs.scene_path)
    node = find_object(tree, inputs.game_object_path)
    reader = _Reader(workspace, tree.file.path, inputs.max_items)
    return ComponentList(
        scene_path=tree.file.path,
        game_object_path=node.path,
        components=[reader.row(part) for part in _choose_components(workspace, node, inputs.component_type)],
        diagnostics=tree.diagnostics or None,
    )


class GoComponentQuery(Inputs, frozen=True, kw_only=True):
    hierarchy_path: ObjectPath
    scene_path: Annotated[str, about("Scene or prefab; left out, the first scene that has the GameObject.")] | None = (
        None
    )
    include_properties: Annotated[bool, about("Add the serialized fields, at most 50 for each component.")] = False


@operation(
    id="component.list",
    name="List Components",
    category="scene",
    safety=Safety.READ_ONLY,
    needs_project=True,
    contract="editormcp",
    definition_version="0.1",
    examples=(
        Example(
            "The components of the player",
            {"hierarchyPath": "Player"},
            {
                "scenePath": "Assets/Scenes/Main.unity",
                "gameObjectPath": "Player",
                "components": [
                    {"type": "Transform", "instanceId": 265026995, "fileId": "201"},
                    {
                        "type": "PlayerController",
                        "instanceId": 381856777,
                        "fileId": "202",
                        "scriptPath": "Assets/Scripts/PlayerController.cs",
                    },
                    {"type": "BoxCollider", "instanceId": 1640340639, "fileId": "203"},
                ],
            },
        ),
    ),
)
def list_go_components(call: Call, inputs: GoComponentQuery) -> ComponentList:
    """Lists the components of a GameObject, found in the given scene or the first one that has it."""
    workspace = open_workspace(call)
    tree, node = _first_object(workspace, inputs)
    reader = _Reader(workspace, tree.file.path, 20, MOST_FIELDS if inputs.include_properties else 0)
    return ComponentList(
        scene_path=tree.file.path,
        game_object_path=node.path,
        components=[reader.row(part) for part in node.parts],
        diagnostics=tree.diagnostics or None,
    )


class ReferenceQuery(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    include_objects: Annotated[bool, about("Name the GameObjects that use each asset, at most 20.")] = True


class ReferenceRow(Record, frozen=True, kw_only=True):
    guid: Annotated[str, about("Guid of the asset.")]
    status: Annotated[str, about("ok, package (known script of a package), unresolved-package or missing.")]
    count: Annotated[int, about("How often the file refers to it.")]
    path: Annotated[str, about("Path of the asset.")] | None = None
    type: Annotated[str, about("Type of the asset.")] | None = None
    used_by: Annotated[list[str], about("GameObjects that use it, in the order of the file.")] | None = None


class ReferenceList(Outputs, frozen=True, kw_only=True):
    scene_path: Annotated[str, about("Scene or prefab.")]
    references: Annotated[list[ReferenceRow], about("Assets it refers to, sorted by path and guid.")]


@operation(
    id="scene.references.list",
    name="List Scene References",
    category="scene",
    safety=Safety.READ_ONLY,
    needs_project=True,
    contract="editormcp",
    definition_version="0.1",
    manager=INSPECT,
    action="scene.references.list",
    beyond_contract=True,
    examples=(
        Example(
            "What the weapon needs",
            {"scenePath": "Assets/Prefabs/Weapon.prefab"},
            {
                "scenePath": "Assets/Prefabs/Weapon.prefab",
                "references": [
                    {
                        "guid": "a7000000000000000000000000000001",
                        "status": "ok",
                        "count": 1,
                        "type": "Material",
                        "path": "Assets/Materials/Red.mat",
                        "usedBy": ["Weapon"],
                    }
                ],
            },
        ),
    ),
)
def list_references(call: Call, inputs: ReferenceQuery) -> ReferenceList:
    """Lists the assets that a scene or prefab refers to, and which of its GameObjects use them."""
    from scenewright.unity.references import References

    workspace = open_workspace(call)
    tree = workspace.tree(inputs.scene_path)
    references = References(workspace)
    rows = []
    for guid, users in references.users(tree).items():
        asset = workspace.graph.by_guid.get(guid)
        rows.append(
            ReferenceRow(
                guid=guid,
                status=references.status(guid),
                count=sum(users.values()),
                path=asset.path if asset else None,
                type=workspace.naming.asset(asset) if asset else workspace.naming.package_script(guid),
                used_by=[user for user in users if user][:20] or None if inputs.include_objects else None,
            )
        )
    rows.sort(key=lambda row: (row.path is None, row.path or "", row.guid))
    return ReferenceList(scene_path=tree.file.path, references=rows)


OPERATIONS = (list_components, list_go_components, list_references)


class _Reader:
    """Makes rows of components."""

    def __init__(self, workspace: Workspace, path: str, items: int, fields: int = 10_000) -> None:
        from scenewright.unity.presentation import Presenter
        from scenewright.unity.project import ProjectSettings

        self._workspace = workspace
        self._guid = Rows(workspace, ProjectSettings(workspace), path).guid
        self._presenter = Presenter(workspace.graph, items)
        self._fields = fields

    def row(self, part: Component) -> ComponentRow:
        from scenewright.unity.component_names import instance_id

        fields = self._read_fields(part) if self._fields else None
        script = self._workspace.graph.path_of(part.script) if part.script else None
        return ComponentRow(
            type=self._workspace.naming.component(part),
            instance_id=instance_id(self._guid, part),
            serialized_fields=fields[: self._fields] if fields is not None else None,
            hidden_fields=len(fields) - self._fields if fields and len(fields) > self._fields else None,
            file_id=str(part.file_id) if part.file_id in part.file.by_id else None,
            script_path=script,
            script_guid=part.script if part.script and script is None else None,
        )

    def _read_fields(self, part: Component) -> list[FieldRow]:
        from scenewright.unity.objects.overrides import effective_data, overridden
        from scenewright.unity.presentation import HIDDEN, kind_of_value

        changed = {path.partition(".")[0] for path in overridden(part)}
        rows = []
        for name, value in effective_data(part).items():
            if name in HIDDEN or name == "m_Script":
                continue
            shown = self._presenter.show(value, name)
            rows.append(
                FieldRow(
                    name=name,
                    type=kind_of_value(value),
                    value=shown,
                    overridden=name in changed,
                    truncated=self._presenter.cut,
                )
            )
        return rows


def _choose_components(workspace: Workspace, node: ObjectNode, wanted: str | None) -> list[Component]:
    names = workspace.naming.components(node)
    if wanted is None:
        return node.parts
    plain = wanted.rpartition(".")[2]
    chosen = [part for part, name in zip(node.parts, names, strict=True) if name == plain]
    if not chosen:
        raise NotFound(
            f"'{node.path}' has no component '{wanted}'.",
            hint=did_you_mean(plain, names) or f"It has: {', '.join(names)}.",
        )
    return chosen


def _first_object(workspace: Workspace, inputs: GoComponentQuery) -> tuple[ObjectTree, ObjectNode]:
    """Return the GameObject in the given scene, or in the first that has it."""
    if inputs.scene_path is not None:
        tree = workspace.tree(inputs.scene_path)
        return tree, find_object(tree, inputs.hierarchy_path)
    missed: Fault | None = None
    for scene in scene_order(workspace):
        try:
            tree = workspace.tree(scene)
            return tree, find_object(tree, inputs.hierarchy_path)
        except Fault as problem:
            missed = missed or problem
    raise missed or NotFound("The project has no scene.", hint="Pass scenePath with the path of a prefab.")
