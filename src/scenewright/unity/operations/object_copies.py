"""Objects made of others: duplicates, instances of prefabs and models, and prefabs of objects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from scenewright.core.calls.call import Call
from scenewright.core.faults import Conflict, Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
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
    from scenewright.unity.editing.session import EditSession
    from scenewright.unity.objects.nodes import ObjectNode, ObjectTree

__all__ = ["OPERATIONS"]

Position = Annotated[list[float], about("Local x, y, z.", min_length=3, max_length=3)]


class DuplicateInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    game_object_path: ObjectPath
    new_name: (
        Annotated[str, about("Name of the copy; left out, it is numbered.", min_length=1, max_length=200)] | None
    ) = None


@operation(
    id="scene.object.duplicate",
    name="Duplicate GameObject",
    category="scene",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    manager=MANAGER,
    action="object.duplicate",
    aliases=("go.duplicate",),
    examples=(
        Example(
            "A second player",
            {"scenePath": "Assets/Scenes/Main.unity", "gameObjectPath": "Player"},
            {"scenePath": "Assets/Scenes/Main.unity", "gameObjectPath": "Player (1)", "fileId": "1708927363"},
        ),
    ),
)
def duplicate_object(call: Call, inputs: DuplicateInputs) -> ObjectChanged:
    """Duplicates a GameObject with all below it, beside it; references among its parts lead to the copies."""
    from scenewright.unity.building.copies import duplicate
    from scenewright.unity.building.menu_objects import free_name
    from scenewright.unity.editing.objects import Hierarchy

    session = open_session(call, inputs.scene_path)
    node = node_at(session, inputs.game_object_path)
    parent = _parent_of(session, node)
    if parent is None and session.file.path.endswith(".prefab"):
        raise Invalid("A prefab has one root.", path="input.gameObjectPath", rule="tree")
    siblings = session.tree.roots if parent is None else parent.children
    name = inputs.new_name or free_name(node.name, siblings)
    hierarchy = Hierarchy(session)
    made = duplicate(hierarchy, node, parent)
    tree = saved_tree(session, hierarchy)
    session = open_session(call, inputs.scene_path)
    copy = _made(session.tree, made)
    if name != copy.name:
        set_and_read(call, session, copy, copy, {"m_Name": name})
        tree = open_session(call, inputs.scene_path).tree
    return _told(call, _made(tree, made), f"Duplicated '{node.path}' as")


class InstantiateInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    asset_path: Annotated[str, about("Prefab or model, such as 'Assets/Prefabs/Enemy.prefab'.", min_length=1)]
    parent_path: Annotated[str, about("Parent; left out, it becomes a root of the scene.")] | None = None
    name: Annotated[str, about("Name; left out, the prefab's.", min_length=1, max_length=200)] | None = None
    position: Position | None = None
    rotation: Annotated[list[float], about("Local x, y, z in degrees.", min_length=3, max_length=3)] | None = None
    scale: Annotated[list[float], about("Local x, y, z.", min_length=3, max_length=3)] | None = None


@operation(
    id="asset.prefab.instantiate",
    name="Instantiate Prefab",
    category="asset",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    manager=MANAGER,
    action="prefab.instantiate",
    aliases=("prefab.instantiate",),
    common=True,
    examples=(
        Example(
            "One more enemy",
            {
                "scenePath": "Assets/Scenes/Main.unity",
                "assetPath": "Assets/Prefabs/Enemy.prefab",
                "parentPath": "Enemies",
                "name": "Scout",
                "position": [2, 0, 1.5],
            },
            {"scenePath": "Assets/Scenes/Main.unity", "gameObjectPath": "Enemies/Scout"},
        ),
    ),
)
def instantiate_prefab(call: Call, inputs: InstantiateInputs) -> ObjectChanged:
    """Puts an instance of a prefab or model into a scene or another prefab."""
    from scenewright.unity.building.menu_objects import free_name
    from scenewright.unity.building.prefab_instances import add_instance, source_of
    from scenewright.unity.editing.documents import quaternion
    from scenewright.unity.editing.objects import Hierarchy

    session = open_session(call, inputs.scene_path)
    workspace = session.workspace
    if workspace.place(inputs.asset_path) == session.file.path or _holds(session, inputs.asset_path):
        raise Conflict(f"'{inputs.asset_path}' would be inside itself.", retryable=False)
    source = source_of(workspace, inputs.asset_path)
    parent = None if inputs.parent_path is None else node_at(session, inputs.parent_path)
    values: dict[str, Any] = {"m_LocalPosition": inputs.position, "m_LocalScale": inputs.scale}
    if inputs.rotation is not None:
        turned = {key: round(value, 7) + 0.0 for key, value in quaternion(inputs.rotation).items()}
        values |= {"m_LocalRotation": turned, "m_LocalEulerAnglesHint": inputs.rotation}
    siblings = session.tree.roots if parent is None else parent.children
    hierarchy = Hierarchy(session)
    made = add_instance(hierarchy, source, parent, values, inputs.name or free_name(source.name, siblings))
    tree = saved_tree(session, hierarchy)
    return _told(call, _made(tree, made), f"Put '{workspace.place(inputs.asset_path)}' as")


class PrefabInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    game_object_path: ObjectPath
    asset_path: Annotated[str, about("Prefab to make, such as 'Assets/Prefabs/Crate.prefab'.", min_length=1)]
    replace: Annotated[bool, about("Whether the object becomes an instance of the prefab.")] = True


class PrefabMade(Outputs, frozen=True, kw_only=True):
    asset_path: Annotated[str, about("Path of the prefab.")]
    guid: Annotated[str, about("Its guid.")]
    game_object_path: Annotated[str, about("The object, now an instance where it was replaced.")]
    variant: Annotated[bool, about("Whether it is a variant of the prefab that the object came from.")] = False


@operation(
    id="asset.prefab.create",
    name="Create Prefab",
    category="asset",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    manager=MANAGER,
    action="prefab.create",
    aliases=("prefab.create",),
    notes="References to other objects of the scene stay, as overrides of the instance. An instance makes a variant.",
    examples=(
        Example(
            "A prefab of the player",
            {
                "scenePath": "Assets/Scenes/Main.unity",
                "gameObjectPath": "Player",
                "assetPath": "Assets/Prefabs/Player.prefab",
            },
            {"assetPath": "Assets/Prefabs/Player.prefab", "guid": "0" * 32, "gameObjectPath": "Player"},
        ),
    ),
)
def create_prefab(call: Call, inputs: PrefabInputs) -> PrefabMade:
    """Makes a prefab of a GameObject of a scene, which becomes an instance of it."""
    from scenewright.unity.assets.records import own_guid
    from scenewright.unity.building.prefab_files import prefab_text, put_instance_in_place
    from scenewright.unity.editing.objects import Hierarchy
    from scenewright.unity.meta_files import meta_for

    session = open_session(call, inputs.scene_path)
    path = session.workspace.place(inputs.asset_path)
    if not path.startswith(("Assets/", "Packages/")) or not path.endswith(".prefab"):
        raise Invalid(
            f"'{path}' is no place for a prefab.", path="input.assetPath", rule="pattern", hint="Assets/….prefab"
        )
    if call.files.exists(path):
        raise Conflict(f"There is a file '{path}' already.", retryable=False)
    node = node_at(session, inputs.game_object_path)
    if session.file.path.endswith(".prefab") and node is session.tree.roots[0]:
        raise Invalid("It is the root of a prefab already.", path="input.gameObjectPath", rule="tree")
    text, ids = prefab_text(session, node)
    content = text.encode("utf-8", "surrogateescape")
    meta = meta_for(session.workspace.graph, path, content)
    call.files.write(path, content)
    call.files.write(f"{path}.meta", meta)
    guid, where = own_guid(meta), node.path
    if inputs.replace:
        hierarchy = Hierarchy(session)
        made = put_instance_in_place(hierarchy, node, _parent_of(session, node), guid, ids)
        where = _made(saved_tree(session, hierarchy), made).path
    call.summary = f"Made '{path}' of '{node.path}'."
    return PrefabMade(asset_path=path, guid=guid, game_object_path=where, variant=node.instance is not None)


OPERATIONS = (duplicate_object, instantiate_prefab, create_prefab)


def _parent_of(session: EditSession, node: ObjectNode) -> ObjectNode | None:
    return next((other for other in session.tree if any(child is node for child in other.children)), None)


def _made(tree: ObjectTree, file_id: int) -> ObjectNode:
    """Return the object with an id, or the root of the instance with it."""
    if file_id in tree.nodes:
        return tree.nodes[file_id]
    return next(node for node in tree if node.instance is not None and node.instance.file_id == file_id)


def _holds(session: EditSession, asset_path: str) -> bool:
    """Return whether the prefab that is changed is inside the one to be put into it."""
    workspace = session.workspace
    own = workspace.graph.assets.get(session.file.path)
    other = workspace.graph.assets.get(workspace.place(asset_path))
    if not session.file.path.endswith(".prefab") or own is None or other is None:
        return False
    return own.path in workspace.graph.reached_from([other])


def _told(call: Call, node: ObjectNode, what: str) -> ObjectChanged:
    call.summary = f"{what} '{node.path}'."
    return ObjectChanged(scene_path=node.file.path, game_object_path=node.path, file_id=written_id(node))
