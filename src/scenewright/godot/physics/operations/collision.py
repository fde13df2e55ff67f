"""Physics: collision shapes, rigid bodies, and which layers there are and who is on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec

from scenewright.core.calls.call import Call
from scenewright.core.faults import Conflict, Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.core.text.counts import count_noun, with_article
from scenewright.godot.physics.layers import LAYERS, layer_names
from scenewright.godot.project.openers import NodePath, ScenePath, open_configuration, open_edit
from scenewright.godot.scenes.operations.node_properties import NodeWritten, Values
from scenewright.godot.scenes.operations.ready_made_node import Is3D, chosen, given, is_3d, written

if TYPE_CHECKING:
    from scenewright.godot.documents.tree import TreeNode
    from scenewright.godot.physics.shapes import Shape
    from scenewright.godot.scenes.scene_edit import SceneEdit

__all__ = ["OPERATIONS"]


class ShapeInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    parent_node_path: Annotated[str, about("Body or area that gets the shape.", min_length=1)]
    shape_type: Annotated[
        str,
        about(
            "rectangle, circle, capsule, polygon, box, sphere, cylinder, convex, concave, segment, separation_ray, "
            "world_boundary or heightmap."
        ),
    ]
    node_name: (
        Annotated[str, about("Name; the class's, such as CollisionShape2D, if left out.", max_length=200)] | None
    ) = None
    is_3d: Is3D | None = msgspec.field(default=None, name="is3D")
    shape_params: (
        Annotated[
            dict[str, Any],
            about("sizeX, sizeY, sizeZ, radius, height, points (corners), or properties of the shape's class."),
        ]
        | None
    ) = None
    fit: Annotated[str, about("Sibling sprite or mesh whose size and place it takes.")] | None = None
    properties: Values | None = None


@operation(
    id="godot.physics.shape.create",
    category="physics",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="create_collision_shape",
    manager="godot_physics_manager",
    action="shape.create",
    notes="A hitbox or hurtbox is an Area2D or Area3D, of the player or an enemy, with such a shape. A one-way "
    "platform is a StaticBody2D whose shape has one_way_collision among its properties.",
    examples=(
        Example(
            "A box around the hero",
            {
                "scenePath": "hero.tscn",
                "parentNodePath": ".",
                "shapeType": "rectangle",
                "shapeParams": {"sizeX": 32, "sizeY": 48},
            },
            {"scenePath": "res://hero.tscn", "nodePath": "CollisionShape2D"},
        ),
        Example(
            "As large as the sprite",
            {"scenePath": "hero.tscn", "parentNodePath": ".", "shapeType": "capsule", "fit": "Sprite2D"},
            {"scenePath": "res://hero.tscn", "nodePath": "CollisionShape2D"},
        ),
    ),
)
def create_collision_shape(call: Call, inputs: ShapeInputs) -> NodeWritten:
    """Gives a body or area a collision shape of a given size, or one that fits a sprite or mesh beside it."""
    from scenewright.godot.physics.shapes import SHAPES, shape_of
    from scenewright.godot.scenes.scene_edit import Addition

    edit = open_edit(call, inputs.scene_path)
    name = chosen(inputs.shape_type, SHAPES, "shapeType")
    parent = edit.node(inputs.parent_node_path, parameter="parentNodePath")
    three = is_3d(
        edit, parent.path, wanted=inputs.is_3d if inputs.is_3d is not None else _only_side(edit, parent, name)
    )
    params, place = dict(inputs.shape_params or {}), dict[str, Any]()
    if inputs.fit is not None:
        params, place = _fit_params(edit, inputs.fit, parent, name, params)
    shape = shape_of(name, params, three=three)
    kind = shape.kind if shape.is_node else f"CollisionShape{'3D' if three else '2D'}"
    _look_at_parent(call, edit, parent, kind)
    node = edit.add(
        Addition(
            name=inputs.node_name or edit.free_name(parent.path, kind),
            kind=kind,
            parent=parent.path,
            properties={**_shape_values(shape), **place, **(inputs.properties or {})},
        )
    )
    return written(call, edit, node, shape.kind)


class BodyInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    node_path: Annotated[str, about("Rigid body; created under its parent if missing.", min_length=1)]
    body_type: (
        Annotated[
            Literal["dynamic", "static", "kinematic"], about("Moved by forces, frozen, or frozen and moved by code.")
        ]
        | None
    ) = None
    mass: Annotated[float, about("In kilograms.", gt=0)] | None = None
    gravity_scale: Annotated[float, about("Multiplier of gravity.")] | None = None
    linear_damp: Annotated[float, about("Loss of speed.", ge=0)] | None = None
    angular_damp: Annotated[float, about("Loss of spin.", ge=0)] | None = None
    physics_material: Annotated[
        Any, about('Resource path, or {"friction": 0.2, "bounce": 0.8, "rough": false, "absorbent": false}.')
    ] = None
    is_3d: Is3D | None = msgspec.field(default=None, name="is3D")
    properties: Values | None = None


@operation(
    id="godot.physics.body.setup",
    name="Set Up Rigid Body",
    category="physics",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="setup_rigidbody",
    manager="godot_physics_manager",
    action="body.setup",
    idempotent=True,
    notes="properties takes the rest: continuous_cd, contact_monitor, max_contacts_reported, lock_rotation, …",
    examples=(
        Example(
            "A ball that bounces",
            {"scenePath": "main.tscn", "nodePath": "Ball", "mass": 2, "physicsMaterial": {"bounce": 0.8}},
            {
                "scenePath": "res://main.tscn",
                "nodePath": "Ball",
                "properties": {"mass": 2.0, "physics_material_override": {"bounce": 0.8}},
            },
        ),
    ),
)
def setup_rigidbody(call: Call, inputs: BodyInputs) -> NodeWritten:
    """Configures a RigidBody2D or RigidBody3D, or makes one: mass, gravity, damping, freezing, friction and bounce."""
    edit = open_edit(call, inputs.scene_path)
    path, is_new = _find_or_add_body(edit, inputs)
    values = given(
        mass=inputs.mass,
        gravity_scale=inputs.gravity_scale,
        linear_damp=inputs.linear_damp,
        angular_damp=inputs.angular_damp,
    )
    values |= _freeze_values(inputs.body_type)
    values |= inputs.properties or {}
    shown = edit.set(path, values).values if values else {}
    if inputs.physics_material is not None:
        shown["physics_material_override"] = _with_material(edit, path, inputs.physics_material)
    edit.save()
    call.summary = f"{'Added' if is_new else 'Set up'} '{path}'."
    return NodeWritten(scene_path=edit.path, node_path=path, properties=shown or None)


class LayerName(Inputs, frozen=True, kw_only=True):
    layer: Annotated[int, about("Number of the layer.", ge=1, le=LAYERS)]
    name: Annotated[str, about("Name; empty to remove it.", max_length=100)]


class LayersInputs(Inputs, frozen=True, kw_only=True):
    dimension: Annotated[Literal["2d", "3d"], about("Which physics.")]
    layers: Annotated[list[LayerName], about("Layers and their names.", min_length=1, max_length=LAYERS)]


class LayersWritten(Outputs, frozen=True, kw_only=True):
    dimension: Annotated[str, about("Which physics.")]
    layers: Annotated[dict[str, str], about("All names now, by number.")]


@operation(
    id="godot.physics.layers.configure",
    category="physics",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="configure_physics_layers",
    manager="godot_physics_manager",
    action="layers.name",
    idempotent=True,
    examples=(
        Example(
            "Two layers",
            {"dimension": "2d", "layers": [{"layer": 1, "name": "world"}, {"layer": 2, "name": "mobs"}]},
            {"dimension": "2d", "layers": {"1": "world", "2": "mobs"}},
        ),
    ),
)
def configure_physics_layers(call: Call, inputs: LayersInputs) -> LayersWritten:
    """Names the physics layers of the project, so that collision layers and masks can be set by name."""
    settings = open_configuration(call)
    start = f"layer_names/{inputs.dimension}_physics/layer_"
    for layer in inputs.layers:
        _name_layer(settings, start, layer)
    names = {number: settings.text(f"{start}{number}") for number in range(1, LAYERS + 1)}
    layer_names = {str(number): name for number, name in names.items() if name}
    if len(set(layer_names.values())) < len(layer_names):
        twice = next(name for name in layer_names.values() if list(layer_names.values()).count(name) > 1)
        raise Conflict(
            f"Two layers would be called '{twice}'.",
            hint="Give each its own name, or the other an empty one.",
            retryable=False,
        )
    settings.save()
    call.summary = f"Named {count_noun(len(inputs.layers), f'{inputs.dimension} physics layer')}."
    return LayersWritten(dimension=inputs.dimension, layers=layer_names)


Layers = Annotated[list[Any], about("Layers by number (1 to 32) or name.")]


class CollisionInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    node_path: NodePath
    collision_layer: Annotated[Any, about("Layers it is on: a bit mask, a name or names.")] = None
    collision_mask: Annotated[Any, about("Layers it scans, in the same form.")] = None
    collision_layer_bits: Layers | None = None
    collision_mask_bits: Layers | None = None


@operation(
    id="godot.physics.layers.set",
    category="physics",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="set_collision_layer",
    manager="godot_inspector_manager",
    idempotent=True,
    examples=(
        Example(
            "On layer 2, looks for the world",
            {"scenePath": "mob.tscn", "nodePath": ".", "collisionLayerBits": [2], "collisionMaskBits": ["world"]},
            {"scenePath": "res://mob.tscn", "nodePath": ".", "properties": {"collision_layer": 2, "collision_mask": 1}},
        ),
    ),
)
def set_collision_layer(call: Call, inputs: CollisionInputs) -> NodeWritten:
    """Sets the collision layer and mask of a body, area, ray or tile layer, by mask, layer numbers or layer names."""
    edit = open_edit(call, inputs.scene_path)
    values = given(
        collision_layer=_read_mask(inputs.collision_layer, inputs.collision_layer_bits, "collisionLayer"),
        collision_mask=_read_mask(inputs.collision_mask, inputs.collision_mask_bits, "collisionMask"),
    )
    if not values:
        raise Invalid(
            "Give collisionLayer or collisionMask, or their bits.", path="input.collisionLayer", rule="required"
        )
    node = edit.set(inputs.node_path, values)
    edit.save()
    call.summary = f"Set the collision layers of '{node.path}'."
    return NodeWritten(scene_path=edit.path, node_path=node.path, properties=node.values)


OPERATIONS = (create_collision_shape, setup_rigidbody, configure_physics_layers, set_collision_layer)


def _only_side(edit: SceneEdit, parent: TreeNode, name: str) -> bool | None:
    """The side of a shape that exists on one only, or is called as one is there, where the parent has none."""
    if edit.index.is_a(parent.type or "", "CanvasItem") or edit.index.is_a(parent.type or "", "Node3D"):
        return None
    return {"box": True, "sphere": True, "cylinder": True, "heightmap": True}.get(name)


def _shape_values(shape: Shape) -> dict[str, Any]:
    from scenewright.godot.scenes.node_resources import inline

    return shape.props if shape.is_node else {"shape": inline(shape.kind, shape.props)}


def _look_at_parent(call: Call, edit: SceneEdit, parent: TreeNode, kind: str) -> None:
    wanted = f"CollisionObject{kind[-2:]}"
    if parent.type in edit.index and not edit.index.is_a(parent.type or "", wanted):
        call.warnings.append(
            f"'{parent.path}' is {with_article(parent.type)}: {with_article(kind)} only has an effect"
            f" under a body or an area ({wanted})."
        )


def _fit_params(
    edit: SceneEdit, fit: str, parent: TreeNode, name: str, params: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The size of a node beside the shape as parameters, and its place."""
    from scenewright.godot.documents import paths
    from scenewright.godot.physics.extents import extent_of

    node = edit.node(fit, parameter="fit")
    if paths.parent_of(node.path) != parent.path:
        raise Invalid(
            f"'{node.path}' is not a child of '{parent.path}'.",
            path="input.fit",
            rule="sibling",
            hint=f"Name a child of it, such as {', '.join(child.path for child in parent.children[:5]) or 'a sprite'}.",
        )
    extent = extent_of(edit, node)
    size = extent.size
    wide = max(size[0], size[-1]) if len(size) == 3 else size[0]
    params = _sizes(name, size, wide) | params
    return params, {"position": list(extent.middle)} if any(extent.middle) else {}


def _sizes(name: str, size: tuple[float, ...], wide: float) -> dict[str, Any]:
    if name in ("rectangle", "box"):
        return dict(zip(("sizeX", "sizeY", "sizeZ"), size, strict=False))
    if name in ("circle", "sphere"):
        return {"radius": max(size) / 2}
    if name in ("capsule", "cylinder"):
        tall = max(size[1], wide) if name == "capsule" else size[1]
        return {"radius": wide / 2, "height": tall}
    raise Invalid(
        f"A {name} cannot take its size from another node.",
        path="input.fit",
        rule="shape",
        hint="Fit a rectangle, circle, capsule, box, sphere or cylinder.",
    )


def _find_or_add_body(edit: SceneEdit, inputs: BodyInputs) -> tuple[str, bool]:
    """The path of the body, and whether it is new."""
    from scenewright.godot.documents import paths
    from scenewright.godot.project.workspace import node_path
    from scenewright.godot.scenes.scene_edit import Addition

    path = node_path(edit.scene, inputs.node_path)
    node = edit.tree.find(path)
    if node is None:
        parent = paths.parent_of(path)
        kind = f"RigidBody{'3D' if is_3d(edit, parent, wanted=inputs.is_3d) else '2D'}"
        return edit.add(Addition(name=paths.name_of(path), kind=kind, parent=parent)).path, True
    side = "3D" if node.type in edit.index and edit.index.is_a(node.type or "", "Node3D") else "2D"
    edit.node(path, wanted=f"RigidBody{side}")
    if inputs.is_3d is not None and inputs.is_3d is not (side == "3D"):
        raise Invalid(
            f"'{path}' is {with_article(node.type)}.", path="input.is3D", rule="class", hint="Leave is3D out."
        )
    return path, False


def _freeze_values(body_type: str | None) -> dict[str, Any]:
    if body_type is None:
        return {}
    if body_type == "dynamic":
        return {"freeze": False}
    return {"freeze": True, "freeze_mode": f"FREEZE_MODE_{body_type.upper()}"}


def _with_material(edit: SceneEdit, path: str, material: Any) -> Any:
    """Friction and bounce: those given on top of what the body has, or another material."""
    from scenewright.godot.scenes.node_resources import held_or_new

    name = "physics_material_override"
    if not isinstance(material, dict) or any(str(key).startswith("$") for key in material):
        return edit.set(path, {name: material}).values[name]
    return held_or_new(edit, path, name, "PhysicsMaterial").set(material)


def _name_layer(settings: Any, start: str, layer: LayerName) -> None:
    name = f"{start}{layer.layer}"
    if layer.name:
        settings.set(name, layer.name)
    elif settings.has(name):
        settings.remove(name)


def _read_mask(value: Any, bits: list[Any] | None, parameter: str) -> Any:
    """What a mask is given as; layers by number are named as the inspector does."""
    if bits is None:
        return value
    if value is not None:
        raise Invalid(f"Give {parameter} or {parameter}Bits, not both.", path=f"input.{parameter}Bits", rule="oneOf")
    return layer_names(bits, f"input.{parameter}Bits")
