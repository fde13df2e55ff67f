"""Ready-made bodies: primitives, rigid bodies, areas that are triggered, pickups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import about
from scenewright.core.text.counts import with_article
from scenewright.godot.building.operations.part_placement import (
    Built,
    PartPlacement,
    Position,
    ScriptPlace,
    built,
    open_site,
)
from scenewright.godot.project.openers import open_workspace
from scenewright.godot.scenes.operations.node_properties import Values

if TYPE_CHECKING:
    from scenewright.godot.building.body_shapes import Solid
    from scenewright.godot.building.node_tree import PlannedNode, Site

__all__ = ["OPERATIONS"]

Shape = Annotated[
    str,
    about(
        "3d: box, sphere, capsule, cylinder, cone, plane, quad, prism, torus. 2d: rectangle, circle, capsule, "
        "triangle, polygon (with points)."
    ),
]
Dimension = Annotated[Literal["2d", "3d"], about("For a shape that exists in both.")]
Size = Annotated[Any, about("A number, or [width, height] or [width, height, depth].")]
Color = Annotated[Any, about("Color, such as '#ff8800' or 'red'.")]
Points = Annotated[list[list[float]], about("Corners [x, y] of a polygon.")]
Texture = Annotated[str, about("Picture to show instead.")]
_SEEN_THROUGH = "#4caf5059"
Group = Annotated[str, about("Only bodies of this group count.")]


class Primitive(PartPlacement, frozen=True, kw_only=True):
    shape: Shape
    dimension: Dimension | None = None
    size: Size = None
    color: Color = None
    position: Position | None = None
    collision: Annotated[
        Literal["none", "static", "animatable", "rigid", "area", "character"],
        about("Put it into a body with its shape; animatable for doors and lifts."),
    ] = "none"
    points: Points | None = None
    properties: Values | None = None


@operation(
    id="godot.build.primitive",
    category="scene.builder",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="create_primitive",
    manager="godot_builder_manager",
    parameter_aliases={"primitive": "shape"},
    examples=(
        Example(
            "A floor to stand on",
            {
                "scenePath": "level.tscn",
                "shape": "plane",
                "nodeName": "Floor",
                "size": [20, 0, 20],
                "color": "#406030",
                "collision": "static",
            },
            {
                "scenePath": "res://level.tscn",
                "nodePath": "Floor",
                "nodes": ["Floor", "Floor/Mesh", "Floor/CollisionShape3D"],
            },
        ),
    ),
)
def create_primitive(call: Call, inputs: Primitive) -> Built:
    """Adds a simple shape: a colored mesh in 3D or polygon in 2D, on request as a body with its collision shape."""
    from scenewright.godot.building.body_shapes import solid, visual

    body = solid(inputs.shape, inputs.dimension, inputs.size, inputs.points)
    name = inputs.node_name or body.name.capitalize()
    given = _position_properties(body, inputs.position) | (inputs.properties or {})
    if inputs.collision == "none":
        shown = visual(body, name, color=inputs.color)
        part = _with_properties(shown, given)
    else:
        part = _body(body, name, inputs.collision, visual(body, _shown_as(body), color=inputs.color), given)
    return built(call, open_site(call, inputs.scene_path), part, inputs.parent_node_path)


class Rigid(PartPlacement, frozen=True, kw_only=True):
    shape: Shape = "box"
    dimension: Dimension | None = None
    size: Size = None
    color: Color = None
    texture_path: Texture | None = None
    mass: Annotated[float, about("Kilograms.", gt=0)] = 1.0
    position: Position | None = None
    points: Points | None = None
    properties: Values | None = None


@operation(
    id="godot.build.rigidbody",
    name="Create Rigid Body",
    category="scene.builder",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="create_rigidbody",
    manager="godot_builder_manager",
    examples=(
        Example(
            "A crate",
            {"scenePath": "level.tscn", "nodeName": "Crate", "mass": 20, "position": [0, 3, 0]},
            {
                "scenePath": "res://level.tscn",
                "nodePath": "Crate",
                "nodes": ["Crate", "Crate/Mesh", "Crate/CollisionShape3D"],
            },
        ),
    ),
)
def create_rigidbody(call: Call, inputs: Rigid) -> Built:
    """Adds a body that falls, rolls and is pushed, with its mesh, polygon or sprite and its collision shape."""
    from scenewright.godot.building.body_shapes import solid, visual

    body = solid(inputs.shape, inputs.dimension, inputs.size, inputs.points)
    given = _position_properties(body, inputs.position) | {"mass": inputs.mass} | (inputs.properties or {})
    shown = visual(
        body, _shown_as(body, inputs.texture_path), color=inputs.color, texture=_address(call, inputs.texture_path)
    )
    name = inputs.node_name or f"RigidBody{body.dimension.upper()}"
    return built(
        call, open_site(call, inputs.scene_path), _body(body, name, "rigid", shown, given), inputs.parent_node_path
    )


class Trigger(PartPlacement, frozen=True, kw_only=True):
    shape: Shape = "box"
    dimension: Dimension | None = None
    size: Size = None
    position: Position | None = None
    group: Group | None = None
    one_shot: Annotated[bool, about("Only the first body counts.")] = False
    script_path: Annotated[str, about("Script to write, or one of yours with _on_body_entered(body).")] | None = None
    debug_mesh: Annotated[bool, about("Show it semi-transparent, in the game too.")] = False
    properties: Values | None = None


@operation(
    id="godot.build.trigger",
    category="scene.builder",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="create_trigger_area",
    manager="godot_builder_manager",
    notes="Its script has the signals triggered(body) and left(body); connect_signal connects them.",
    examples=(
        Example(
            "A goal",
            {
                "scenePath": "level.tscn",
                "nodeName": "Goal",
                "dimension": "2d",
                "size": [32, 64],
                "group": "player",
                "position": [600, 40],
            },
            {
                "scenePath": "res://level.tscn",
                "nodePath": "Goal",
                "nodes": ["Goal", "Goal/CollisionShape2D"],
                "scriptPath": "res://trigger_area_2d.gd",
            },
        ),
    ),
)
def create_trigger_area(call: Call, inputs: Trigger) -> Built:
    """Adds an area with a shape and a connected script that tells when a body enters or leaves."""
    from scenewright.godot.building.body_shapes import solid, visual
    from scenewright.godot.building.node_tree import Wire

    body = solid(inputs.shape, inputs.dimension, inputs.size)
    site = open_site(call, inputs.scene_path)
    ours = f"trigger_area_{body.dimension}.gd"
    given: dict[str, Any] = {"only_group": inputs.group or "", "one_shot": inputs.one_shot}
    methods = {"body_entered": "_on_body_entered", "body_exited": "_on_body_exited"}
    if inputs.script_path and site.has_other_script(inputs.script_path, ours):
        script = site.edit.workspace.resource_path(inputs.script_path)
        place = site.edit.workspace.place(inputs.script_path)
        call.files.write(place, call.files.read(place))  # as it is: what is written is compiled
        given, methods = _of_own_script(site, script, given, methods)
    else:
        script = site.script(inputs.script_path, ours)
    wires = [Wire(".", signal, ".", method) for signal, method in methods.items()]
    shown = visual(body, "DebugMesh", color=_SEEN_THROUGH) if inputs.debug_mesh else None
    part = _body(
        body,
        inputs.node_name or "TriggerArea",
        "area",
        shown,
        {"script": script} | _position_properties(body, inputs.position) | given | (inputs.properties or {}),
    )
    return built(call, site, part, inputs.parent_node_path, wires, script_path=script)


class Pickup(PartPlacement, frozen=True, kw_only=True):
    dimension: Dimension = "3d"
    shape: Annotated[str, about("As of create_primitive; a box or circle if left out.")] | None = None
    size: Size = None
    color: Color = "gold"
    texture_path: Texture | None = None
    look_path: Annotated[str, about("Scene to show instead.")] | None = None
    position: Position | None = None
    spin_speed: Annotated[float, about("Turns per second.")] = 0.5
    group: Group | None = None
    script_path: ScriptPlace | None = None


@operation(
    id="godot.build.pickup",
    category="scene.builder",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="spawn_spinning_pickup",
    manager="godot_builder_manager",
    notes="Its script has the signal collected(by), and frees the pickup then.",
    examples=(
        Example(
            "A coin",
            {"scenePath": "level.tscn", "nodeName": "Coin", "dimension": "2d", "position": [100, 0], "group": "player"},
            {
                "scenePath": "res://level.tscn",
                "nodePath": "Coin",
                "nodes": ["Coin", "Coin/Visual", "Coin/CollisionShape2D"],
                "scriptPath": "res://pickup_2d.gd",
            },
        ),
    ),
)
def spawn_spinning_pickup(call: Call, inputs: Pickup) -> Built:
    """Adds a spinning pickup to collect: an area with its look, shape, script and `collected` signal."""
    from scenewright.godot.building.body_shapes import solid, visual
    from scenewright.godot.building.node_tree import Wire

    flat = inputs.dimension == "2d"
    size = inputs.size if inputs.size is not None else 24.0 if flat else 0.5
    body = solid(inputs.shape or ("circle" if flat else "box"), inputs.dimension, size)
    site = open_site(call, inputs.scene_path)
    script = site.script(inputs.script_path, f"pickup_{inputs.dimension}.gd")
    own = {"script": script, "spin_speed": inputs.spin_speed, "only_group": inputs.group or ""}
    shown = _shown_instance(call, inputs) or visual(
        body, "Visual", color=inputs.color, texture=_address(call, inputs.texture_path)
    )
    part = _body(body, inputs.node_name or "Pickup", "area", shown, own | _position_properties(body, inputs.position))
    wires = [Wire(".", "body_entered", ".", "_on_body_entered")]
    return built(call, site, part, inputs.parent_node_path, wires, script_path=script)


OPERATIONS = (create_primitive, create_rigidbody, create_trigger_area, spawn_spinning_pickup)


def _of_own_script(
    site: Site, script: str, given: dict[str, Any], methods: dict[str, str]
) -> tuple[dict[str, Any], dict[str, str]]:
    """What of our own script's values and methods a caller's has; a value that it would lose is refused."""
    scripts = site.edit.workspace.scripts(site.edit.index)
    exported = {each.name for each in scripts.exported(script)}
    for name, parameter in (("only_group", "group"), ("one_shot", "oneShot")):
        if given[name] and name not in exported:
            raise Invalid(
                f"'{script}' has no exported {name}, which {parameter} sets.",
                path=f"input.{parameter}",
                rule="script",
                hint=f"Leave {parameter} out, export the variable, or give scriptPath a free name.",
            )
    functions = {each.name for each in scripts.functions(script)}
    kept = {signal: name for signal, name in methods.items() if signal == "body_entered" or name in functions}
    return {name: value for name, value in given.items() if name in exported}, kept


def _position_properties(body: Solid, position: list[float] | None) -> dict[str, Any]:
    if position is None:
        return {}
    if len(position) != (2 if body.dimension == "2d" else 3):
        raise Invalid(
            f"A position in {body.dimension} has {body.dimension[0]} numbers.", path="input.position", rule="length"
        )
    return {"position": position}


def _shown_instance(call: Call, inputs: Pickup) -> PlannedNode | None:
    """An instance of the scene that a pickup shows, under the name that its script turns."""
    from scenewright.godot.building.node_tree import PlannedNode
    from scenewright.godot.project.openers import class_index
    from scenewright.godot.scenes.outline import SceneOutline

    if inputs.look_path is None:
        return None
    workspace, wanted = open_workspace(call), {"2d": "Node2D", "3d": "Node3D"}[inputs.dimension]
    path = workspace.resource_path(inputs.look_path)
    kind = SceneOutline(workspace, path).tree.root.type or ""
    if kind in (index := class_index(call)) and not index.is_a(kind, wanted):
        raise Invalid(
            f"'{path}' is {with_article(kind)}, not {with_article(wanted)}.",
            path="input.lookPath",
            rule="class",
            hint="Pass dimension, or another scene.",
        )
    return PlannedNode(kind=wanted, name="Visual", instance=path)


def _address(call: Call, path: str | None) -> str | None:
    return open_workspace(call).resource_path(path) if path else None


def _shown_as(body: Solid, texture: str | None = None) -> str:
    return "Sprite" if texture else "Mesh" if body.mesh is not None else "Polygon"


def _with_properties(part: PlannedNode, given: dict[str, Any]) -> PlannedNode:
    import msgspec

    return msgspec.structs.replace(part, properties=dict(part.properties) | given)


def _body(body: Solid, name: str, sort: str, shown: PlannedNode | None, given: dict[str, Any]) -> PlannedNode:
    from scenewright.godot.building.body_shapes import BODIES, collision
    from scenewright.godot.building.node_tree import part

    if body.hollow and sort in ("rigid", "character"):
        raise Invalid(
            f"A {body.name} is hollow, and moving bodies cannot collide with that.",
            path="input.shape",
            rule="shape",
            hint="Use collision: static or area, or another shape.",
        )
    kind = f"{BODIES[sort]}{body.dimension.upper()}"
    return _with_properties(part(kind, name, shown, collision(body)), given)
