"""Changes to the hierarchy of scenes and prefabs: GameObjects come, go, move and change their names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

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
    warn_of_needs,
    written_id,
)

if TYPE_CHECKING:
    from scenewright.unity.editing.session import EditSession
    from scenewright.unity.objects.nodes import ObjectNode

__all__ = ["OPERATIONS"]

# As scenewright.unity.building.recipes has them, which is loaded by the first call only.
Kind = Literal[
    "Empty",
    "Cube",
    "Sphere",
    "Capsule",
    "Cylinder",
    "Plane",
    "Quad",
    "Camera",
    "DirectionalLight",
    "PointLight",
    "SpotLight",
    "AudioSource",
    "Sprite",
    "ParticleSystem",
    "Canvas",
    "EventSystem",
    "Panel",
    "Image",
    "RawImage",
    "Text",
    "Button",
    "Toggle",
    "Slider",
    "Scrollbar",
    "ScrollView",
    "InputField",
]


class AddInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    name: (
        Annotated[str, about("Name; left out, the kind's, numbered where it is taken.", min_length=1, max_length=200)]
        | None
    ) = None
    kind: Annotated[Kind, about("What the editor's menu makes, with all that belongs to it; UI gets its canvas.")] = (
        "Empty"
    )
    parent_path: Annotated[str, about("Parent; left out, it becomes a root of the scene.")] | None = None
    components: Annotated[list[str], about("Components to put on it, by class.", max_length=20)] | None = None
    position: Annotated[list[float], about("Local x, y, z; of UI the anchored x, y.", min_length=2, max_length=3)] | (
        None
    ) = None
    rotation: Annotated[list[float], about("Local x, y, z in degrees.", min_length=3, max_length=3)] | None = None
    scale: Annotated[list[float], about("Local x, y, z.", min_length=3, max_length=3)] | None = None
    tag: Annotated[str, about("Tag.")] | None = None
    layer: Annotated[int | str, about("Layer, by name or number.")] | None = None
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
    notes="Objects and components are written whole, as the project's version of Unity would.",
    common=True,
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
        Example(
            "A button with its canvas",
            {"scenePath": "Assets/Scenes/Menu.unity", "kind": "Button", "name": "Start", "position": [0, -40]},
            {"scenePath": "Assets/Scenes/Menu.unity", "gameObjectPath": "Canvas/Start", "fileId": "1470579753"},
        ),
    ),
)
def add_object(call: Call, inputs: AddInputs) -> ObjectChanged:
    """Adds a GameObject under a parent or as a root: empty, a primitive, a light or a UI element, with components."""
    from scenewright.unity.building.menu_objects import canvas_for, free_name, missing_event_system, recipe_in
    from scenewright.unity.building.object_trees import add_tree
    from scenewright.unity.building.recipes import Recipe
    from scenewright.unity.editing.components import add_component
    from scenewright.unity.editing.objects import Hierarchy
    from scenewright.unity.editing.requirements import needs_rectangle

    path = inputs.scene_path
    session = open_session(call, path)
    parent = None if inputs.parent_path is None else node_at(session, inputs.parent_path)
    hierarchy = Hierarchy(session)
    events = missing_event_system(session, inputs.kind)
    above = canvas_for(session, inputs.kind, parent)
    if isinstance(above, Recipe):
        canvas_id = add_tree(hierarchy, above, parent, name=free_name(above.name, _siblings(session, parent)))
        above = saved_tree(session, hierarchy).nodes[canvas_id]
        session = open_session(call, path)
        hierarchy = Hierarchy(session)
        above = session.tree.nodes[canvas_id]
    parent = above or parent
    scripts = session.types.scripts
    is_rect = _is_rectangle(parent) or any(needs_rectangle(name, scripts) for name in inputs.components or ())
    recipe = Recipe("GameObject", is_rect=is_rect) if inputs.kind == "Empty" else recipe_in(session, inputs.kind)
    name = inputs.name or free_name(recipe.name, _siblings(session, parent))
    fields = {"name": name, "active": inputs.active, "transform": _placed(inputs, is_rect=recipe.is_rect)}
    file_id = add_tree(hierarchy, recipe, parent, **fields, **_tag_and_layer(session, inputs))
    tree = saved_tree(session, hierarchy)
    brought: set[str] = set()
    for component in inputs.components or ():
        if component in brought:
            continue
        session = open_session(call, path)
        hierarchy = Hierarchy(session)
        added = add_component(hierarchy, session.tree.nodes[file_id], component)
        brought.update(added.brought)
        warn_of_needs(call, component, added.not_known)
        tree = saved_tree(session, hierarchy)
    if events is not None:
        hierarchy = Hierarchy(open_session(call, path))
        add_tree(hierarchy, events, None)
        tree = saved_tree(hierarchy.session, hierarchy)
    placed = tree.nodes[file_id].path
    call.summary = f"Added '{placed}'."
    return ObjectChanged(scene_path=session.file.path, game_object_path=placed, file_id=str(file_id))


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
    layer: Annotated[int | str, about("Layer, by name or number.")] | None = None


@operation(
    id="scene.object.edit",
    name="Edit GameObject",
    category="scene",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    manager=MANAGER,
    action="object.edit",
    common=True,
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
        "m_TagString": None if inputs.tag is None else settings.tag(inputs.tag),
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


def _siblings(session: EditSession, parent: ObjectNode | None) -> list[ObjectNode]:
    return session.tree.roots if parent is None else parent.children


def _is_rectangle(node: ObjectNode | None) -> bool:
    return node is not None and bool(node.parts) and node.parts[0].class_id == 224


def _placed(inputs: AddInputs, *, is_rect: bool) -> dict[str, Any]:
    """Return the values of a transform that are asked for."""
    from scenewright.unity.editing.documents import quaternion

    values: dict[str, Any] = {"m_LocalScale": inputs.scale}
    if inputs.position is not None and is_rect:
        values["m_AnchoredPosition"] = inputs.position[:2]
    elif inputs.position is not None:
        values["m_LocalPosition"] = [*inputs.position, 0][:3]
    if inputs.rotation is not None:
        turned = {key: round(value, 7) + 0.0 for key, value in quaternion(inputs.rotation).items()}
        values |= {"m_LocalRotation": turned, "m_LocalEulerAnglesHint": inputs.rotation}
    return values


def _tag_and_layer(session: EditSession, inputs: AddInputs) -> dict[str, Any]:
    from scenewright.unity.project import ProjectSettings

    settings = ProjectSettings(session.workspace)
    return {
        "tag": None if inputs.tag is None else settings.tag(inputs.tag),
        "layer": None if inputs.layer is None else settings.layer_number(inputs.layer),
    }
