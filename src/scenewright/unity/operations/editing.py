"""Changes to GameObjects and components of scenes and prefabs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from scenewright.core.call import Call
from scenewright.core.faults import Invalid
from scenewright.core.model import Inputs, about
from scenewright.core.operation import Example, Safety, operation
from scenewright.unity.operations.opening import ObjectPath, ScenePath
from scenewright.unity.operations.writing import (
    MANAGER,
    ObjectChanged,
    Properties,
    Value,
    node_at,
    open_session,
    saved_tree,
    shown_properties,
)

if TYPE_CHECKING:
    from scenewright.unity.editing.session import Session
    from scenewright.unity.objects.nodes import Node, Part

__all__ = ["OPERATIONS"]

ComponentType = Annotated[str, about("Class of the component, such as 'BoxCollider' or one of the game's scripts.")]
ComponentIndex = Annotated[int, about("Which of several components of the class, from 0.", ge=0)]


class SetInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    game_object_path: ObjectPath
    component_type: ComponentType | None = None
    component_index: ComponentIndex | None = None
    property_path: Annotated[str, about("Property, such as 'm_Size.x' or 'items[0].count'.", min_length=1)]
    value: Value
    create: Annotated[bool, about("Add the field where the file does not write it yet.")] = False


@operation(
    id="scene.property.set", name="Set Serialized Property", category="scene", safety=Safety.SAFE_WRITE,
    needs_project=True, action=(MANAGER, "property.set"), idempotent=True,
    notes="On an object that a prefab instance brings, this writes an override. Without componentType the property "
    "is one of the GameObject itself.",
    examples=(
        Example(
            "A faster player",
            {"scenePath": "Assets/Scenes/Main.unity", "gameObjectPath": "Player",
             "componentType": "PlayerController", "propertyPath": "speed", "value": 7.5},
            {"scenePath": "Assets/Scenes/Main.unity", "gameObjectPath": "Player", "fileId": "202",
             "componentType": "PlayerController", "properties": {"speed": 7.5}},
        ),
    ),
)  # fmt: skip
def set_property(call: Call, inputs: SetInputs) -> ObjectChanged:
    """Sets one serialized property of a component or GameObject, in the shape the property has."""
    session = open_session(call, inputs.scene_path)
    node = node_at(session, inputs.game_object_path)
    found = _found(session, node, inputs.component_type, inputs.component_index)
    return _set(call, session, node, found, {inputs.property_path: inputs.value}, create=inputs.create)


class AddInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    name: Annotated[str, about("Name of the new GameObject.", min_length=1, max_length=200)]
    parent_path: Annotated[str, about("Parent; left out, it becomes a root of the scene.")] | None = None
    components: Annotated[list[str], about("Components to put on it, by class.", max_length=20)] | None = None
    tag: Annotated[str, about("Tag.")] = "Untagged"
    layer: Annotated[str, about("Layer, by name or number.")] = "0"
    active: Annotated[bool, about("Whether it is switched on.")] = True


@operation(
    id="scene.object.add", name="Add GameObject", category="scene", safety=Safety.SAFE_WRITE, needs_project=True,
    action=(MANAGER, "object.add"), aliases=("go.create",),
    notes="New objects and components are written with few fields; Unity fills in the others when it loads the file.",
    examples=(
        Example(
            "An object with a collider",
            {"scenePath": "Assets/Scenes/Main.unity", "name": "Wall", "parentPath": "Player",
             "components": ["BoxCollider"]},
            {"scenePath": "Assets/Scenes/Main.unity", "gameObjectPath": "Player/Wall", "fileId": "1708927363"},
        ),
    ),
)  # fmt: skip
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
    id="scene.object.remove", name="Remove GameObject", category="scene", safety=Safety.SAFE_WRITE, needs_project=True,
    action=(MANAGER, "object.remove"), aliases=("go.delete",),
    examples=(
        Example(
            "An enemy",
            {"scenePath": "Assets/Scenes/Main.unity", "gameObjectPath": "Enemies/Enemy"},
            {"scenePath": "Assets/Scenes/Main.unity", "clearedReferences": 0},
        ),
    ),
)  # fmt: skip
def remove_object(call: Call, inputs: RemoveInputs) -> ObjectChanged:
    """Removes a GameObject with all below it and empties references to them; in a prefab instance it is an override."""
    from scenewright.unity.editing.objects import Hierarchy

    session = open_session(call, inputs.scene_path)
    node = node_at(session, inputs.game_object_path)
    if session.file.path.endswith(".prefab") and node is session.tree.roots[0]:
        raise Invalid("A prefab cannot be without its root.", path="input.gameObjectPath", rule="tree")
    hierarchy = Hierarchy(session)
    cleared = hierarchy.remove(node)
    saved_tree(session, hierarchy)
    call.summary = f"Removed '{node.path}'."
    return ObjectChanged(
        scene_path=session.file.path, cleared_references=cleared, is_override=not hierarchy.removed
    )  # fmt: skip


class EditInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    game_object_path: ObjectPath
    name: Annotated[str, about("New name.", min_length=1, max_length=200)] | None = None
    active: Annotated[bool, about("Whether it is switched on.")] | None = None
    tag: Annotated[str, about("Tag, one that the project has.")] | None = None
    layer: Annotated[str, about("Layer, by name or number.")] | None = None


@operation(
    id="scene.object.edit", name="Edit GameObject", category="scene", safety=Safety.SAFE_WRITE, needs_project=True,
    action=(MANAGER, "object.edit"), idempotent=True,
    examples=(
        Example(
            "Another tag and layer",
            {"scenePath": "Assets/Scenes/Main.unity", "gameObjectPath": "Player", "tag": "Enemy", "layer": "Enemies"},
            {"scenePath": "Assets/Scenes/Main.unity", "gameObjectPath": "Player", "fileId": "200",
             "properties": {"m_TagString": "Enemy", "m_Layer": 8}},
        ),
    ),
)  # fmt: skip
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
    return _set(call, session, node, node, wanted)


class RenameInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    game_object_path: ObjectPath
    new_name: Annotated[str, about("New name.", min_length=1, max_length=200)]


@operation(
    id="scene.object.rename", name="Rename GameObject", category="scene", safety=Safety.SAFE_WRITE, needs_project=True,
    action=(MANAGER, "object.rename"),
    examples=(
        Example(
            "An instance of a prefab",
            {"scenePath": "Assets/Scenes/Main.unity", "gameObjectPath": "Enemies/Grunt", "newName": "Chief"},
            {"scenePath": "Assets/Scenes/Main.unity", "gameObjectPath": "Enemies/Chief", "fileId": "402",
             "properties": {"m_Name": "Chief"}, "isOverride": True},
        ),
    ),
)  # fmt: skip
def rename_object(call: Call, inputs: RenameInputs) -> ObjectChanged:
    """Renames a GameObject; for one of a prefab instance this is an override."""
    session = open_session(call, inputs.scene_path)
    node = node_at(session, inputs.game_object_path)
    return _set(call, session, node, node, {"m_Name": inputs.new_name})


class ReparentInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    game_object_path: ObjectPath
    new_parent_path: Annotated[str, about("New parent; left out, it becomes a root.")] | None = None
    index: Annotated[int, about("Place among its new siblings; last if left out.", ge=0)] | None = None


@operation(
    id="scene.object.reparent", name="Reparent GameObject", category="scene", safety=Safety.SAFE_WRITE,
    needs_project=True, action=(MANAGER, "object.reparent"), aliases=("go.setParent",),
    notes="Local position, rotation and scale stay as they are written, so the object may move in the world.",
    examples=(
        Example(
            "The hat goes to the player",
            {"scenePath": "Assets/Scenes/Main.unity", "gameObjectPath": "Enemies/Grunt/Hat", "newParentPath": "Player"},
            {"scenePath": "Assets/Scenes/Main.unity", "gameObjectPath": "Player/Hat", "fileId": "410"},
        ),
    ),
)  # fmt: skip
def reparent_object(call: Call, inputs: ReparentInputs) -> ObjectChanged:
    """Hangs a GameObject, or a whole prefab instance, on another parent or makes it a root."""
    from scenewright.unity.editing.objects import Hierarchy
    from scenewright.unity.naming import key_of

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
        scene_path=session.file.path, game_object_path=moved.path, file_id=_file_id(moved),
        is_override=node.instance is not None,
    )  # fmt: skip


class AddComponentInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    game_object_path: ObjectPath
    component_type: ComponentType
    properties: Properties | None = None


@operation(
    id="scene.component.add", name="Add Component", category="scene", safety=Safety.SAFE_WRITE, needs_project=True,
    action=(MANAGER, "component.add"), aliases=("component.add",),
    notes="A field of a script that is given and not written yet is added. Unity fills in the other fields.",
    examples=(
        Example(
            "A script with a value",
            {"scenePath": "Assets/Scenes/Main.unity", "gameObjectPath": "Main Camera", "componentType": "EnemyAI",
             "properties": {"speed": 2}},
            {"scenePath": "Assets/Scenes/Main.unity", "gameObjectPath": "Main Camera", "fileId": "1708927363",
             "componentType": "EnemyAI", "properties": {"speed": 2}},
        ),
    ),
)  # fmt: skip
def add_component_to(call: Call, inputs: AddComponentInputs) -> ObjectChanged:
    """Puts a component of the engine or of a script on a GameObject."""
    from scenewright.unity.editing.components import add_component
    from scenewright.unity.editing.objects import Hierarchy

    session = open_session(call, inputs.scene_path)
    node = node_at(session, inputs.game_object_path)
    hierarchy = Hierarchy(session)
    file_id = add_component(hierarchy, node, inputs.component_type)
    tree = saved_tree(session, hierarchy)
    call.summary = f"Added {inputs.component_type} to '{node.path}'."
    if inputs.properties:
        session = open_session(call, inputs.scene_path)
        part = session.tree.parts[file_id]
        return _set(call, session, session.tree.owners[file_id], part, inputs.properties, create=True)
    return ObjectChanged(
        scene_path=session.file.path, game_object_path=tree.owners[file_id].path, file_id=str(file_id),
        component_type=session.workspace.naming.component(tree.parts[file_id]),
    )  # fmt: skip


class RemoveComponentInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    game_object_path: ObjectPath
    component_type: ComponentType
    component_index: ComponentIndex | None = None


@operation(
    id="scene.component.remove", name="Remove Component", category="scene", safety=Safety.SAFE_WRITE,
    needs_project=True, action=(MANAGER, "component.remove"), aliases=("component.remove",),
    examples=(
        Example(
            "The collider of the player",
            {"scenePath": "Assets/Scenes/Main.unity", "gameObjectPath": "Player", "componentType": "BoxCollider"},
            {"scenePath": "Assets/Scenes/Main.unity", "gameObjectPath": "Player", "componentType": "BoxCollider",
             "clearedReferences": 0},
        ),
    ),
)  # fmt: skip
def remove_component_from(call: Call, inputs: RemoveComponentInputs) -> ObjectChanged:
    """Takes a component off a GameObject; for one that a prefab brings this is an override."""
    from scenewright.unity.editing.components import remove_component, the_component
    from scenewright.unity.editing.objects import Hierarchy

    session = open_session(call, inputs.scene_path)
    node = node_at(session, inputs.game_object_path)
    part = the_component(session.workspace, node, inputs.component_type, inputs.component_index)
    hierarchy = Hierarchy(session)
    cleared = remove_component(hierarchy, node, part)
    saved_tree(session, hierarchy)
    call.summary = f"Removed {inputs.component_type} from '{node.path}'."
    return ObjectChanged(
        scene_path=session.file.path, game_object_path=node.path, component_type=inputs.component_type,
        cleared_references=cleared, is_override=part.inner is not None,
    )  # fmt: skip


Vector = Annotated[list[float], about("x, y and z.", min_length=3, max_length=3)]
Pair = Annotated[list[float], about("x and y.", min_length=2, max_length=2)]


class TransformInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    game_object_path: ObjectPath
    position: Annotated[list[float], about("Local position: x, y, z.", min_length=3, max_length=3)] | None = None
    rotation: (
        Annotated[list[float], about("Local rotation: x, y, z in degrees.", min_length=3, max_length=3)] | None
    ) = None
    scale: Annotated[list[float], about("Local scale: x, y, z.", min_length=3, max_length=3)] | None = None
    anchored_position: Annotated[list[float], about("UI: x, y.", min_length=2, max_length=2)] | None = None
    size_delta: Annotated[list[float], about("UI: width, height.", min_length=2, max_length=2)] | None = None
    anchor_min: Annotated[list[float], about("UI: x, y from 0 to 1.", min_length=2, max_length=2)] | None = None
    anchor_max: Annotated[list[float], about("UI: x, y from 0 to 1.", min_length=2, max_length=2)] | None = None
    pivot: Annotated[list[float], about("UI: x, y from 0 to 1.", min_length=2, max_length=2)] | None = None


@operation(
    id="scene.transform.set", name="Set Transform", category="scene", safety=Safety.SAFE_WRITE, needs_project=True,
    action=(MANAGER, "transform.set"), aliases=("go.setTransform",), idempotent=True,
    examples=(
        Example(
            "A quarter turn",
            {"scenePath": "Assets/Scenes/Main.unity", "gameObjectPath": "Player", "position": [1, 2.5, 0],
             "rotation": [0, 90, 0]},
            {"scenePath": "Assets/Scenes/Main.unity", "gameObjectPath": "Player", "fileId": "201",
             "componentType": "Transform", "properties": {
                "m_LocalPosition": {"x": 1, "y": 2.5, "z": 0},
                "m_LocalRotation": {"x": 0, "y": 0.7071068, "z": 0, "w": 0.7071068},
                "m_LocalEulerAnglesHint": {"x": 0, "y": 90, "z": 0}}},
        ),
    ),
)  # fmt: skip
def set_transform(call: Call, inputs: TransformInputs) -> ObjectChanged:
    """Sets the local position, rotation and scale of a GameObject, or the rectangle of a UI element."""
    from scenewright.unity.editing.documents import quaternion

    session = open_session(call, inputs.scene_path)
    node = node_at(session, inputs.game_object_path)
    wanted: dict[str, Any] = {"m_LocalPosition": inputs.position, "m_LocalScale": inputs.scale}
    if inputs.rotation is not None:
        turned = {key: round(value, 7) + 0.0 for key, value in quaternion(inputs.rotation).items()}
        wanted |= {"m_LocalRotation": turned, "m_LocalEulerAnglesHint": inputs.rotation}
    wanted |= {
        "m_AnchoredPosition": inputs.anchored_position, "m_SizeDelta": inputs.size_delta,
        "m_AnchorMin": inputs.anchor_min, "m_AnchorMax": inputs.anchor_max, "m_Pivot": inputs.pivot,
    }  # fmt: skip
    wanted = {key: value for key, value in wanted.items() if value is not None}
    if not wanted:
        raise Invalid("Nothing to set.", path="input", rule="minProperties", hint="Pass position, rotation or scale.")
    if not node.parts:
        raise Invalid(f"'{node.path}' has no transform.", path="input.gameObjectPath", rule="tree")
    return _set(call, session, node, node.parts[0], wanted, create=True)


OPERATIONS = (
    set_property, add_object, remove_object, edit_object, rename_object, reparent_object, add_component_to,
    remove_component_from, set_transform,
)  # fmt: skip


def _found(session: Session, node: Node, component: str | None, index: int | None) -> Node | Part:
    from scenewright.unity.editing.components import the_component

    return node if component is None else the_component(session.workspace, node, component, index)


def _set(
    call: Call, session: Session, node: Node, found: Node | Part, wanted: dict[str, Any], *, create: bool = False
) -> ObjectChanged:
    """Sets properties, reads them back and says so."""
    from scenewright.unity.editing.properties import set_property as put
    from scenewright.unity.naming import key_of
    from scenewright.unity.objects.nodes import Part

    for path, value in wanted.items():
        put(session, found, path, value, create=create)
    key, name = key_of(found), key_of(node)
    kind = session.workspace.naming.component(found) if isinstance(found, Part) else None
    tree = saved_tree(session)
    now = next(other for other in tree if key_of(other) == name)
    shown = shown_properties(session, tree, key, list(wanted), kind)
    call.summary = f"Set {', '.join(wanted)} of '{now.path}'."
    return ObjectChanged(
        scene_path=session.file.path, game_object_path=now.path, component_type=kind, properties=shown,
        file_id=_file_id(found), is_override=session.own(found) is None,
    )  # fmt: skip


def _file_id(found: Node | Part) -> str | None:
    return str(found.file_id) if found.file_id in found.file.by_id else None


def _tag(settings: Any, tag: str) -> str:
    from scenewright.unity.project import BUILT_IN_TAGS

    known = [*BUILT_IN_TAGS, *settings.tags]
    if tag not in known:
        raise Invalid(
            f"The project has no tag '{tag}'.", path="input.tag", rule="enum",
            hint=f"It has: {', '.join(known)}. project.tags-layers.edit adds one.",
        )  # fmt: skip
    return tag
