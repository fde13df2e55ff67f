"""Changes to properties, components and transforms of scenes and prefabs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, about
from scenewright.unity.operations.openers import ObjectPath, ScenePath
from scenewright.unity.operations.scene_changes import (
    MANAGER,
    ObjectChanged,
    Properties,
    PropertyChanged,
    Value,
    node_at,
    open_session,
    saved_tree,
    set_and_read,
    set_several,
    shown_property,
    warn_of_needs,
)

if TYPE_CHECKING:
    from scenewright.unity.editing.session import EditSession
    from scenewright.unity.objects.nodes import Component, ObjectNode

__all__ = ["OPERATIONS"]

ComponentType = Annotated[str, about("Class of the component, such as 'BoxCollider' or one of the game's scripts.")]
ComponentIndex = Annotated[int, about("Which of several components of the class, from 0.", ge=0)]


class SetInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    game_object_path: ObjectPath
    component_type: ComponentType | None = None
    component_index: ComponentIndex | None = None
    property: Annotated[str, about("Property, such as 'm_Size.x' or 'items[0].count'.", min_length=1)]
    value: Value
    create: Annotated[bool, about("Add a field of a script whose source is not here.")] = False


@operation(
    id="scene.property.set",
    name="Set Serialized Property",
    category="scene",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    manager=MANAGER,
    action="property.set",
    idempotent=True,
    notes="On an object that a prefab instance brings, this writes an override. Without componentType the property "
    "is one of the GameObject itself.",
    common=True,
    parameter_aliases={"propertyPath": "property"},
    examples=(
        Example(
            "A faster player",
            {
                "scenePath": "Assets/Scenes/Main.unity",
                "gameObjectPath": "Player",
                "componentType": "PlayerController",
                "property": "speed",
                "value": 7.5,
            },
            {
                "scenePath": "Assets/Scenes/Main.unity",
                "gameObjectPath": "Player",
                "fileId": "202",
                "componentType": "PlayerController",
                "property": "speed",
                "value": 7.5,
                "previous": 5,
            },
        ),
    ),
)
def set_property(call: Call, inputs: SetInputs) -> PropertyChanged:
    """Sets one serialized property of a component or GameObject, in the shape the property has."""
    session = open_session(call, inputs.scene_path)
    node = node_at(session, inputs.game_object_path)
    target = _object_or_component(session, node, inputs.component_type, inputs.component_index)
    previous = shown_property(session, target, inputs.property)
    changed = set_and_read(call, session, node, target, {inputs.property: inputs.value}, create=inputs.create)
    value = (changed.properties or {}).get(inputs.property)
    said = msgspec.structs.asdict(changed) | {"properties": None}
    return PropertyChanged(**said, property=inputs.property, value=value, previous=previous)


class AddComponentInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    game_object_path: ObjectPath
    component_type: ComponentType
    properties: Properties | None = None


@operation(
    id="scene.component.add",
    name="Add Component",
    category="scene",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    manager=MANAGER,
    action="component.add",
    aliases=("component.add",),
    notes="Written whole, as the project's version of Unity would. Fields are checked by their class, those of scripts "
    "by their C#; an enum and a layer may be given by name.",
    common=True,
    examples=(
        Example(
            "A script with a value",
            {
                "scenePath": "Assets/Scenes/Main.unity",
                "gameObjectPath": "Main Camera",
                "componentType": "EnemyAI",
                "properties": {"speed": 2},
            },
            {
                "scenePath": "Assets/Scenes/Main.unity",
                "gameObjectPath": "Main Camera",
                "fileId": "1708927363",
                "componentType": "EnemyAI",
                "properties": {"speed": 2},
            },
        ),
    ),
)
def add_component_to(call: Call, inputs: AddComponentInputs) -> ObjectChanged:
    """Puts a component of the engine or of a script on a GameObject."""
    from scenewright.unity.editing.components import add_component
    from scenewright.unity.editing.objects import Hierarchy

    session = open_session(call, inputs.scene_path)
    node = node_at(session, inputs.game_object_path)
    hierarchy = Hierarchy(session)
    added = add_component(hierarchy, node, inputs.component_type)
    file_id = added.file_id
    tree = saved_tree(session, hierarchy)
    also = added.brought or None
    warn_of_needs(call, inputs.component_type, added.not_known)
    if inputs.properties:
        session = open_session(call, inputs.scene_path)
        part = session.tree.parts[file_id]
        owner = session.tree.owners[file_id]
        changed = set_several(call, session, owner, part, inputs.properties)
        return msgspec.structs.replace(changed, also_added=also)
    with_others = f" with {', '.join(added.brought)}" if added.brought else ""
    call.summary = f"Added {inputs.component_type}{with_others} to '{node.path}'."
    return ObjectChanged(
        scene_path=session.file.path,
        game_object_path=tree.owners[file_id].path,
        file_id=str(file_id),
        component_type=session.workspace.naming.component(tree.parts[file_id]),
        also_added=also,
    )


class RemoveComponentInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    game_object_path: ObjectPath
    component_type: ComponentType
    component_index: ComponentIndex | None = None


@operation(
    id="scene.component.remove",
    name="Remove Component",
    category="scene",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    manager=MANAGER,
    action="component.remove",
    aliases=("component.remove",),
    examples=(
        Example(
            "The collider of the player",
            {"scenePath": "Assets/Scenes/Main.unity", "gameObjectPath": "Player", "componentType": "BoxCollider"},
            {
                "scenePath": "Assets/Scenes/Main.unity",
                "gameObjectPath": "Player",
                "componentType": "BoxCollider",
                "clearedReferences": 0,
            },
        ),
    ),
)
def remove_component_from(call: Call, inputs: RemoveComponentInputs) -> ObjectChanged:
    """Takes a component off a GameObject; for one from a prefab this is an override."""
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
        scene_path=session.file.path,
        game_object_path=node.path,
        component_type=inputs.component_type,
        cleared_references=cleared,
        is_override=part.inner is not None,
    )


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
    id="scene.transform.set",
    name="Set Transform",
    category="scene",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    manager=MANAGER,
    action="transform.set",
    common=True,
    aliases=("go.setTransform",),
    asked_for="Move an object, move a GameObject: its position, rotation or scale.",
    idempotent=True,
    examples=(
        Example(
            "A quarter turn",
            {
                "scenePath": "Assets/Scenes/Main.unity",
                "gameObjectPath": "Player",
                "position": [1, 2.5, 0],
                "rotation": [0, 90, 0],
            },
            {
                "scenePath": "Assets/Scenes/Main.unity",
                "gameObjectPath": "Player",
                "fileId": "201",
                "componentType": "Transform",
                "properties": {
                    "m_LocalPosition": {"x": 1, "y": 2.5, "z": 0},
                    "m_LocalRotation": {"x": 0, "y": 0.7071068, "z": 0, "w": 0.7071068},
                    "m_LocalEulerAnglesHint": {"x": 0, "y": 90, "z": 0},
                },
            },
        ),
    ),
)
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
        "m_AnchoredPosition": inputs.anchored_position,
        "m_SizeDelta": inputs.size_delta,
        "m_AnchorMin": inputs.anchor_min,
        "m_AnchorMax": inputs.anchor_max,
        "m_Pivot": inputs.pivot,
    }
    wanted = {key: value for key, value in wanted.items() if value is not None}
    if not wanted:
        raise Invalid("Nothing to set.", path="input", rule="minProperties", hint="Pass position, rotation or scale.")
    if not node.parts:
        raise Invalid(f"'{node.path}' has no transform.", path="input.gameObjectPath", rule="tree")
    return set_and_read(call, session, node, node.parts[0], wanted, create=True)


OPERATIONS = (set_property, add_component_to, remove_component_from, set_transform)


def _object_or_component(
    session: EditSession, node: ObjectNode, component: str | None, index: int | None
) -> ObjectNode | Component:
    from scenewright.unity.editing.components import the_component

    return node if component is None else the_component(session.workspace, node, component, index)
