"""Changes to the hierarchy of scenes and prefabs: GameObjects come, go, move and change their names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, about
from scenewright.unity.operations.openers import ObjectPath, ScenePath
from scenewright.unity.operations.scene_changes import (
    MANAGER,
    ObjectChanged,
    node_at,
    open_session,
    saved_tree,
    set_and_read,
    written_id,
)

if TYPE_CHECKING:
    from scenewright.unity.project import ProjectSettings

__all__ = ["OPERATIONS"]


class AddInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    name: Annotated[str, about("Name of the new GameObject.", min_length=1, max_length=200)]
    parent_path: Annotated[str, about("Parent; left out, it becomes a root of the scene.")] | None = None
    components: Annotated[list[str], about("Components to put on it, by class.", max_length=20)] | None = None
    tag: Annotated[str, about("Tag.")] = "Untagged"
    layer: Annotated[str, about("Layer, by name or number.")] = "0"
    active: Annotated[bool, about("Whether it is switched on.")] = True


@operation(
    id="scene.object.add",
    name="Add GameObject",
    category="scene",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    manager=MANAGER,
    action="object.add",
    aliases=("go.create",),
    notes="New objects and components are written with few fields; Unity fills in the others when it loads the file.",
    examples=(
        Example(
            "An object with a collider",
            {
                "scenePath": "Assets/Scenes/Main.unity",
                "name": "Wall",
                "parentPath": "Player",
                "components": ["BoxCollider"],
            },
            {"scenePath": "Assets/Scenes/Main.unity", "gameObjectPath": "Player/Wall", "fileId": "1708927363"},
        ),
    ),
)
def add_object(call: Call, inputs: AddInputs) -> ObjectChanged:
    """Adds a GameObject with a transform, under a parent or as a root, on request with components."""
    from scenewright.unity.editing.components import add_component
    from scenewright.unity.editing.objects import Hierarchy
    from scenewright.unity.project import ProjectSettings

    session = open_session(call, inputs.scene_path)
    settings = ProjectSettings(session.workspace)
    hierarchy = Hierarchy(session)
    parent = None if inputs.parent_path is None else node_at(session, inputs.parent_path)
    fields = {"tag": _tag(settings, inputs.tag), "layer": settings.layer_number(inputs.layer), "active": inputs.active}
    file_id = hierarchy.add(inputs.name, parent, **fields)
    tree = saved_tree(session, hierarchy)
    for name in inputs.components or ():
        session = open_session(call, inputs.scene_path)
        hierarchy = Hierarchy(session)
        add_component(hierarchy, session.tree.nodes[file_id], name)
        tree = saved_tree(session, hierarchy)
    path = tree.nodes[file_id].path
    call.summary = f"Added '{path}'."
    return ObjectChanged(scene_path=session.file.path, game_object_path=path, file_id=str(file_id))


class RemoveInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    game_object_path: ObjectPath


@operation(
    id="scene.object.remove",
    name="Remove GameObject",
    category="scene",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    manager=MANAGER,
    action="object.remove",
    aliases=("go.delete",),
    examples=(
        Example(
            "An enemy",
            {"scenePath": "Assets/Scenes/Main.unity", "gameObjectPath": "Enemies/Enemy"},
            {"scenePath": "Assets/Scenes/Main.unity", "clearedReferences": 0},
        ),
    ),
)
def remove_object(call: Call, inputs: RemoveInputs) -> ObjectChanged:
    """Removes a GameObject with all below it and empties references to them; in a prefab instance it is an override."""
    from scenewright.unity.editing.objects import Hierarchy

    session = open_session(call, inputs.scene_path)
    node = node_at(session, inputs.game_object_path)
    if session.file.path.endswith(".prefab") and node is session.tree.roots[0]:
        raise Invalid("A prefab needs its root.", path="input.gameObjectPath", rule="tree")
    hierarchy = Hierarchy(session)
    cleared = hierarchy.remove(node)
    saved_tree(session, hierarchy)
    call.summary = f"Removed '{node.path}'."
    return ObjectChanged(scene_path=session.file.path, cleared_references=cleared, is_override=not hierarchy.removed)


class EditInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    game_object_path: ObjectPath
    name: Annotated[str, about("New name.", min_length=1, max_length=200)] | None = None
    active: Annotated[bool, about("Whether it is switched on.")] | None = None
    tag: Annotated[str, about("Tag, one that the project has.")] | None = None
    layer: Annotated[str, about("Layer, by name or number.")] | None = None


@operation(
    id="scene.object.edit",
    name="Edit GameObject",
    category="scene",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    manager=MANAGER,
    action="object.edit",
    idempotent=True,
    examples=(
        Example(
            "Another tag and layer",
            {"scenePath": "Assets/Scenes/Main.unity", "gameObjectPath": "Player", "tag": "Enemy", "layer": "Enemies"},
            {
                "scenePath": "Assets/Scenes/Main.unity",
                "gameObjectPath": "Player",
                "fileId": "200",
                "properties": {"m_TagString": "Enemy", "m_Layer": 8},
            },
        ),
    ),
)
def edit_object(call: Call, inputs: EditInputs) -> ObjectChanged:
    """Changes the name, tag, layer or active state of a GameObject."""
    from scenewright.unity.project import ProjectSettings

    session = open_session(call, inputs.scene_path)
    settings = ProjectSettings(session.workspace)
    wanted: dict[str, Any] = {
        "m_Name": inputs.name,
        "m_IsActive": inputs.active,
        "m_TagString": None if inputs.tag is None else _tag(settings, inputs.tag),
        "m_Layer": None if inputs.layer is None else settings.layer_number(inputs.layer),
    }
    wanted = {key: value for key, value in wanted.items() if value is not None}
    if not wanted:
        raise Invalid("Nothing to change.", path="input", rule="minProperties", hint="Pass name, active, tag or layer.")
    node = node_at(session, inputs.game_object_path)
    return set_and_read(call, session, node, node, wanted)


class RenameInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    game_object_path: ObjectPath
    new_name: Annotated[str, about("New name.", min_length=1, max_length=200)]


@operation(
    id="scene.object.rename",
    name="Rename GameObject",
    category="scene",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    manager=MANAGER,
    action="object.rename",
    examples=(
        Example(
            "An instance of a prefab",
            {"scenePath": "Assets/Scenes/Main.unity", "gameObjectPath": "Enemies/Grunt", "newName": "Chief"},
            {
                "scenePath": "Assets/Scenes/Main.unity",
                "gameObjectPath": "Enemies/Chief",
                "fileId": "402",
                "properties": {"m_Name": "Chief"},
                "isOverride": True,
            },
        ),
    ),
)
def rename_object(call: Call, inputs: RenameInputs) -> ObjectChanged:
    """Renames a GameObject; for one of a prefab instance this is an override."""
    session = open_session(call, inputs.scene_path)
    node = node_at(session, inputs.game_object_path)
    return set_and_read(call, session, node, node, {"m_Name": inputs.new_name})


class ReparentInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    game_object_path: ObjectPath
    new_parent_path: Annotated[str, about("New parent; left out, it becomes a root.")] | None = None
    index: Annotated[int, about("Place among its new siblings; last if left out.", ge=0)] | None = None


@operation(
    id="scene.object.reparent",
    name="Reparent GameObject",
    category="scene",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    manager=MANAGER,
    action="object.reparent",
    aliases=("go.setParent",),
    notes="Local position, rotation and scale stay as they are written, so the object may move in the world.",
    examples=(
        Example(
            "The hat goes to the player",
            {"scenePath": "Assets/Scenes/Main.unity", "gameObjectPath": "Enemies/Grunt/Hat", "newParentPath": "Player"},
            {"scenePath": "Assets/Scenes/Main.unity", "gameObjectPath": "Player/Hat", "fileId": "410"},
        ),
    ),
)
def reparent_object(call: Call, inputs: ReparentInputs) -> ObjectChanged:
    """Moves a GameObject, or a whole prefab instance, to another parent or makes it a root."""
    from scenewright.unity.component_names import key_of
    from scenewright.unity.editing.objects import Hierarchy

    session = open_session(call, inputs.scene_path)
    node = node_at(session, inputs.game_object_path)
    parent = None if inputs.new_parent_path is None else node_at(session, inputs.new_parent_path)
    if session.file.path.endswith(".prefab") and (parent is None or node is session.tree.roots[0]):
        raise Invalid("A prefab has one root, which stays where it is.", path="input.newParentPath", rule="tree")
    hierarchy = Hierarchy(session)
    hierarchy.move(node, parent, inputs.index)
    key = key_of(node)
    tree = saved_tree(session, hierarchy)
    moved = next(other for other in tree if key_of(other) == key)
    call.summary = f"'{node.path}' is now '{moved.path}'."
    return ObjectChanged(
        scene_path=session.file.path,
        game_object_path=moved.path,
        file_id=written_id(moved),
        is_override=node.instance is not None,
    )


OPERATIONS = (add_object, remove_object, edit_object, rename_object, reparent_object)


def _tag(settings: ProjectSettings, tag: str) -> str:
    from scenewright.unity.project import BUILT_IN_TAGS

    known = [*BUILT_IN_TAGS, *settings.tags]
    if tag not in known:
        raise Invalid(
            f"The project has no tag '{tag}'.",
            path="input.tag",
            rule="enum",
            hint=f"It has: {', '.join(known)}. project.tags-layers.edit adds one.",
        )
    return tag
