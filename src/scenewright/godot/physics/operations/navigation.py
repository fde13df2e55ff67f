"""Navigation: regions in scenes, and baking what can be walked on in the real engine."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid, NotFound
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.core.text.counts import count_noun, with_article
from scenewright.godot.project.openers import class_index, open_edit, open_workspace
from scenewright.godot.scenes.operations.node_properties import NodeWritten
from scenewright.godot.scenes.operations.ready_made_node import Is3D, ReadyMadeNode, given, is_3d, put, written

if TYPE_CHECKING:
    from scenewright.godot.assets.resource_file import ResourceFile
    from scenewright.godot.documents.tree import TreeNode
    from scenewright.godot.scenes.node_resources import Held
    from scenewright.godot.scenes.scene_edit import SceneEdit

__all__ = ["OPERATIONS"]

_MESHES = {True: ("navigation_mesh", "NavigationMesh"), False: ("navigation_polygon", "NavigationPolygon")}


class RegionInputs(ReadyMadeNode, frozen=True, kw_only=True):
    is_3d: Is3D | None = msgspec.field(default=None, name="is3D")
    navigation_mesh_path: (
        Annotated[str, about("NavigationMesh or NavigationPolygon file; a new one if left out.")] | None
    ) = None
    outlines: Annotated[list[Any], about("2D: outlines of the walkable area, lists of corner points.")] | None = None
    mesh: (
        Annotated[dict[str, Any], about("Properties of the new one: agent_radius, cell_size, source_geometry_mode, …")]
        | None
    ) = None


@operation(
    id="godot.navigation.region.create",
    category="navigation",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="create_navigation_region",
    manager="godot_physics_manager",
    action="region.create",
    notes="bake_navigation_mesh then finds the floor: inside the outlines in 2D, on meshes or bodies below it in 3D.",
    examples=(
        Example(
            "A room",
            {
                "scenePath": "room.tscn",
                "nodeName": "Floor",
                "mesh": {"agent_radius": 12},
                "outlines": [[[0, 0], [640, 0], [640, 360], [0, 360]]],
            },
            {"scenePath": "res://room.tscn", "nodePath": "Floor"},
        ),
    ),
)
def create_navigation_region(call: Call, inputs: RegionInputs) -> NodeWritten:
    """Adds a NavigationRegion2D or 3D, where pathfinding lets enemies and other agents go, to be baked."""
    from scenewright.godot.scenes.node_resources import inline

    edit = open_edit(call, inputs.scene_path)
    three = is_3d(edit, inputs.parent_node_path, wanted=inputs.is_3d)
    name, kind = _MESHES[three]
    if inputs.navigation_mesh_path is not None:
        if inputs.mesh or inputs.outlines:
            raise Invalid(
                "The file has its own settings.",
                path="input.navigationMeshPath",
                rule="oneOf",
                hint="Leave mesh and outlines out, or navigationMeshPath.",
            )
        mesh: Any = edit.workspace.resource_path(inputs.navigation_mesh_path)
    else:
        mesh = inline(kind, {**(inputs.mesh or {}), **_outline_values(inputs, three=three)})
    kind = f"NavigationRegion{'3D' if three else '2D'}"
    return written(call, edit, put(edit, kind, inputs, {name: mesh}), kind)


class BakeInputs(Inputs, frozen=True, kw_only=True):
    scene_path: Annotated[str, about("Scene with the region; if left out, only meshPath is set up.")] | None = None
    node_path: Annotated[str, about("Region; the scene's only one if left out.")] | None = None
    mesh_path: Annotated[str, about("File to save the mesh in (.tres).")] | None = None
    is_3d: Annotated[bool, about("3D or 2D, for a new meshPath without a scene.")] | None = msgspec.field(
        default=None, name="is3D"
    )
    agent_radius: Annotated[float, about("Distance kept from edges.", ge=0)] | None = None
    agent_height: Annotated[float, about("3D: room needed above.", ge=0)] | None = None
    agent_max_climb: Annotated[float, about("3D: highest step.", ge=0)] | None = None
    agent_max_slope: Annotated[float, about("3D: steepest slope in degrees.", ge=0, le=90)] | None = None


class Baked(Outputs, frozen=True, kw_only=True):
    polygons: Annotated[int, about("Number of walkable polygons.")]
    scene_path: Annotated[str, about("Scene.")] | None = None
    node_path: Annotated[str, about("Region.")] | None = None
    mesh_path: Annotated[str, about("File with the mesh.")] | None = None


@operation(
    id="godot.navigation.bake",
    category="navigation",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="bake_navigation_mesh",
    manager="godot_physics_manager",
    action="region.bake",
    idempotent=True,
    timeout=180.0,
    notes="Needs Godot, for the bake. Scripts are taken off first, so that no _ready or _process runs.",
    executes="always",
    examples=(
        Example(
            "The floor",
            {"scenePath": "level.tscn", "nodePath": "Floor", "agentRadius": 0.4},
            {"scenePath": "res://level.tscn", "nodePath": "Floor", "polygons": 12},
        ),
    ),
)
def bake_navigation_mesh(call: Call, inputs: BakeInputs) -> Baked:
    """Bakes a navigation region from the scene's geometry in the real engine, into the scene or a file."""
    import anyio.from_thread

    settings = given(
        agent_radius=inputs.agent_radius,
        agent_height=inputs.agent_height,
        agent_max_climb=inputs.agent_max_climb,
        agent_max_slope=inputs.agent_max_slope,
    )
    if inputs.scene_path is None:
        return _only_settings(call, inputs, settings)
    edit = open_edit(call, inputs.scene_path)
    region = _find_region(edit, inputs.node_path)
    mesh = _prepare_mesh(edit, region, inputs.mesh_path, settings)
    result = anyio.from_thread.run(_bake_in_engine, call, edit, region, mesh)
    mesh.set({name: {"$literal": result[name]} for name in ("vertices", "polygons")})
    edit.save()
    call.summary = f"Baked '{region.path}': {count_noun(int(result['count']), 'polygon')}."
    path = mesh.place if mesh.place != edit.path else None
    return Baked(polygons=int(result["count"]), scene_path=edit.path, node_path=region.path, mesh_path=path)


OPERATIONS = (create_navigation_region, bake_navigation_mesh)


def _outline_values(inputs: RegionInputs, *, three: bool) -> dict[str, Any]:
    if inputs.outlines is None:
        return {}
    if three:
        raise Invalid(
            "Outlines are for 2D.",
            path="input.outlines",
            rule="dimension",
            hint="In 3D the floor is baked from meshes or bodies.",
        )
    return {"outlines": {"$type": "Array[PackedVector2Array]", "value": inputs.outlines}}


def _only_settings(call: Call, inputs: BakeInputs, settings: dict[str, Any]) -> Baked:
    """A mesh file with its settings, as there is no scene to bake it from."""
    if inputs.mesh_path is None:
        raise Invalid("Give scenePath to bake, or meshPath to set one up.", path="input.scenePath", rule="required")
    resource, place = _mesh_file(call, inputs.mesh_path, _MESHES[bool(inputs.is_3d)][1])
    placed = resource.set(settings)
    open_workspace(call).save(place, placed.document)
    call.warnings.append("Nothing is baked yet: that needs a scene with a region (scenePath and nodePath).")
    call.summary = f"Set up res://{place}."
    return Baked(polygons=0, mesh_path=f"res://{place}")


def _mesh_file(call: Call, path: str, kind: str) -> tuple[ResourceFile, str]:
    from scenewright.godot.assets.resource_file import ResourceFile, new_resource

    workspace, index = open_workspace(call), class_index(call)
    place = workspace.place(path)
    if not place.endswith(".tres"):
        raise Invalid("A mesh's file name ends in .tres.", path="input.meshPath", rule="suffix")
    if not call.files.exists(place):
        return new_resource(workspace, index, kind), place
    resource = ResourceFile(workspace, index, workspace.document(place), f"res://{place}")
    if resource.native != kind:
        raise Invalid(
            f"'res://{place}' is {with_article(resource.type)}, not {with_article(kind)}.",
            path="input.meshPath",
            rule="class",
        )
    return resource, place


def _find_region(edit: SceneEdit, path: str | None) -> TreeNode:
    kinds = ("NavigationRegion2D", "NavigationRegion3D")
    if path is not None:
        node = edit.node(path)
        return node if node.type in kinds else edit.node(path, wanted=kinds[1])
    known = [node for node in edit.tree.nodes.values() if node.type in kinds]
    if len(known) != 1:
        raise NotFound(
            f"The scene has {len(known) or 'no'} navigation regions.",
            hint=f"Name one with nodePath: {', '.join(node.path for node in known)}."
            if known
            else "create_navigation_region adds one.",
        )
    return known[0]


def _prepare_mesh(edit: SceneEdit, region: TreeNode, path: str | None, settings: dict[str, Any]) -> Held:
    """The region's mesh with its settings, moved to the file if one is asked for."""
    from scenewright.godot.scenes.node_resources import held_by, held_or_new

    name, kind = _MESHES[region.type == "NavigationRegion3D"]
    mesh = held_by(edit, region.path, name)
    if path is not None and (mesh is None or mesh.place != edit.workspace.resource_path(path)):
        _move_to_file(edit, region, mesh, path, (name, kind))
    if settings:
        held_or_new(edit, region.path, name, kind).set(settings)
    return held_or_new(edit, region.path, name, kind)


def _move_to_file(edit: SceneEdit, region: TreeNode, current: Held | None, path: str, mesh: tuple[str, str]) -> None:
    """Gives the region a file with the settings that its mesh has."""
    from scenewright.godot.assets.resource_file import new_resource

    place = edit.workspace.place(path)
    if not place.endswith(".tres"):
        raise Invalid("A mesh's file name ends in .tres.", path="input.meshPath", rule="suffix")
    values = current.read() if current is not None else {}
    if not edit.workspace.files.exists(place):
        resource = new_resource(edit.workspace, edit.index, mesh[1]).set(values)
        edit.workspace.save(place, resource.document)
    edit.set(region.path, {mesh[0]: f"res://{place}"})


async def _bake_in_engine(call: Call, edit: SceneEdit, region: TreeNode, mesh: Held) -> dict[str, Any]:
    """What the engine makes of the scene as this call sees it, which may not be on disk yet.

    Raises:
        Invalid: nothing can be walked on.
    """
    from scenewright.godot.documents.variant_writer import write_variant
    from scenewright.godot.engine.requests import ask_engine

    # The mesh is handed over as values, as its file may not be on disk yet either.
    settings = {
        message.name: write_variant(message.value) for message in mesh.resource.stored() if message.name not in _RESULT
    }
    with tempfile.TemporaryDirectory(prefix="scenewright-bake-") as folder:
        scene = Path(folder) / "scene.tscn"
        scene.write_bytes(_without_mesh(edit, region).to_bytes())
        params = {"scene": str(scene), "node": region.path, "settings": settings}
        reply = await ask_engine(call, "navigation.bake", params, timeout=150.0)
    result: dict[str, Any] = reply.value
    messages = [complaint.message for complaint in reply.complaints]
    if not result["loads"]:
        raise Invalid(
            f"The engine cannot load {edit.path}: {messages[0] if messages else 'it gives no reason'}",
            path="input.scenePath",
            rule="loads",
        )
    if not result["count"]:
        raise Invalid(
            f"There is nothing to walk on around '{region.path}'.",
            path="input.nodePath",
            rule="geometry",
            details={"said": messages[:5]},
            hint="In 3D put meshes or bodies below the region; in 2D give it outlines; or make agentRadius smaller.",
        )
    # Meshes are slow to bake from while a game runs; here it is what was asked for.
    call.warnings += [message for message in messages if _FROM_MESHES not in message][:3]
    return result


_RESULT = ("vertices", "polygons")
_FROM_MESHES = "had to parse RenderingServer meshes at runtime"


def _without_mesh(edit: SceneEdit, region: TreeNode) -> Any:
    from scenewright.godot.documents import nodes

    name = _MESHES[region.type == "NavigationRegion3D"][0]
    return nodes.remove_properties(edit.scene, region.path, [name]).document
