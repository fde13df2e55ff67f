"""Several nodes at once, and what nodes are made up of: components, textures, inner resources, single properties."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from scenewright.core.calls.call import Call
from scenewright.core.faults import Fault, Invalid, naming
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.core.text.counts import count_noun, with_article
from scenewright.godot.project.openers import NodePath, ScenePath, open_edit, open_workspace
from scenewright.godot.scenes.operations.node_properties import (
    Components,
    NewNodeInputs,
    NodeWritten,
    Unwritten,
    Values,
    add_to,
)

__all__ = ["OPERATIONS"]


class BatchInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    items: Annotated[
        list[NewNodeInputs],
        about("Nodes, each as create takes one; parents before children.", min_length=1, max_length=500),
    ]


class NodesWritten(Outputs, frozen=True, kw_only=True):
    writes_what_was_sent: ClassVar = True

    scene_path: Annotated[str, about("res:// path.")]
    nodes: Annotated[list[str], about("Paths of all nodes that were added.")]


@operation(
    id="godot.node.add_many",
    category="scene",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="batch_create_nodes",
    common=True,
    manager="godot_scene_manager",
    action="batch_create",
    examples=(
        Example(
            "A player with its picture",
            {
                "scenePath": "main.tscn",
                "items": [
                    {"nodeName": "Player", "nodeType": "CharacterBody2D", "components": {"shape": "circle"}},
                    {"nodeName": "Body", "nodeType": "Sprite2D", "parentNodePath": "Player"},
                ],
            },
            {"scenePath": "res://main.tscn", "nodes": ["Player", "Player/CollisionShape2D", "Player/Body"]},
        ),
    ),
)
def batch_create(call: Call, inputs: BatchInputs) -> NodesWritten:
    """Adds several nodes to a scene in one call, all of them or none."""
    edit = open_edit(call, inputs.scene_path)
    edit.workspace.named.collect([item.properties for item in inputs.items])
    made: list[str] = []
    for number, item in enumerate(inputs.items):
        with naming(f"items[{number}]"):
            written, more = add_to(edit, item, f"input.items[{number}]")
        made += [written.path, *more]
    edit.save()
    call.summary = f"Added {count_noun(len(made), 'node')}."
    return NodesWritten(scene_path=edit.path, nodes=made)


class ComponentInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    node_path: NodePath
    components: Components


@operation(
    id="godot.node.components",
    category="scene",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="attach_components",
    manager="godot_scene_manager",
    examples=(
        Example(
            "A crate",
            {
                "scenePath": "main.tscn",
                "nodePath": "Crate",
                "components": {"mesh": "box", "shape": {"type": "box", "size": [1, 1, 1]}},
            },
            {"scenePath": "res://main.tscn", "nodes": ["Crate/MeshInstance3D", "Crate/CollisionShape3D"]},
        ),
    ),
)
def attach_components(call: Call, inputs: ComponentInputs) -> NodesWritten:
    """Gives a node what it is made of: mesh, collision shape, sprite, script, further nodes."""
    from scenewright.godot.building.components import attach

    if not inputs.components:
        raise Invalid(
            "Give at least one component.",
            path="input.components",
            rule="minProperties",
            hint="mesh, shape, sprite, script or nodes.",
        )
    edit = open_edit(call, inputs.scene_path)
    made = attach(edit, inputs.node_path, inputs.components)
    edit.save()
    call.summary = f"Gave '{inputs.node_path}' {', '.join(inputs.components)}."
    return NodesWritten(scene_path=edit.path, nodes=made)


class SpriteInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    node_path: NodePath
    texture_path: Annotated[str, about("Picture or texture of the project.", min_length=1)]


@operation(
    id="godot.node.texture",
    category="scene",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="load_sprite",
    manager="godot_asset_manager",
    action="load_texture",
    idempotent=True,
    examples=(
        Example(
            "The player's picture",
            {"scenePath": "main.tscn", "nodePath": "Player/Body", "texturePath": "art/player.png"},
            {
                "scenePath": "res://main.tscn",
                "nodePath": "Player/Body",
                "properties": {"texture": "res://art/player.png"},
            },
        ),
    ),
)
def load_sprite(call: Call, inputs: SpriteInputs) -> NodeWritten:
    """Gives a texture to a node that shows one: a sprite, TextureRect, TextureButton, Polygon2D and the like."""
    edit = open_edit(call, inputs.scene_path)
    node = edit.node(inputs.node_path)
    shown = next(
        (
            name
            for name in ("texture", "texture_normal", "icon")
            if node.type in edit.index and edit.index.has_property(node.type or "", name)
        ),
        None,
    )
    if shown is None:
        raise Invalid(
            f"'{node.path}' is {with_article(node.type)}, which shows no texture.",
            path="input.nodePath",
            rule="class",
            hint="Add a Sprite2D, or use attach_components with sprite.",
        )
    written = edit.set(node.path, {shown: edit.workspace.resource_path(inputs.texture_path)})
    edit.save()
    call.summary = f"'{node.path}' shows {inputs.texture_path}."
    return NodeWritten(scene_path=edit.path, node_path=node.path, properties=written.values)


class ResourceInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    node_path: NodePath
    property: Annotated[str, about("Property that holds it, such as 'shape'.", min_length=1)]
    resource_type: Annotated[str, about("Class of the new resource, or a resource's file.", min_length=1)]
    properties: Values | None = None
    resource_path: Annotated[str, about("File to keep it in; inside the scene if left out.", min_length=1)] | None = (
        None
    )


@operation(
    id="godot.node.resource",
    category="scene",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="add_resource",
    manager="godot_inspector_manager",
    action="resource.add",
    idempotent=True,
    parameter_aliases={"props": "properties"},
    examples=(
        Example(
            "A round shape",
            {
                "scenePath": "main.tscn",
                "nodePath": "Player/CollisionShape2D",
                "property": "shape",
                "resourceType": "CircleShape2D",
                "properties": {"radius": 8},
            },
            {
                "scenePath": "res://main.tscn",
                "nodePath": "Player/CollisionShape2D",
                "properties": {"shape": {"$resource": "CircleShape2D", "id": "CircleShape2D_a1b2c"}},
            },
        ),
    ),
)
def add_resource(call: Call, inputs: ResourceInputs) -> NodeWritten:
    """Makes a resource inside the scene or in a file, and gives it to a property of a node."""
    value = _resource_value(call, inputs)
    edit = open_edit(call, inputs.scene_path)
    written = edit.set(inputs.node_path, {inputs.property: value})
    edit.save()
    call.summary = f"'{written.path}' has {with_article(inputs.resource_type)} as its {inputs.property}."
    return NodeWritten(scene_path=edit.path, node_path=written.path, properties=written.values)


class SetInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    node_path: NodePath
    property: Annotated[str, about("Property.", min_length=1)]
    value: Annotated[Any, about("Value, as update takes it.")]


class OneProperty(Outputs, frozen=True, kw_only=True):
    writes_what_was_sent: ClassVar = True

    scene_path: Annotated[str, about("res:// path.")]
    node_path: Annotated[str, about("Path from the scene's root.")]
    property: Annotated[str, about("Property.")]
    value: Annotated[Any, about("Its effective value.")]
    unwritten: Unwritten | None = None


class PropertySet(OneProperty, frozen=True, kw_only=True):
    previous: Annotated[Any, about("Its effective value before.")] = None


_MOVED = {"scenePath": "res://main.tscn", "nodePath": "Player", "property": "position", "value": "Vector2(8, 0)"}


@operation(
    id="godot.node.set_property",
    category="scene",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="set_property",
    manager="godot_inspector_manager",
    idempotent=True,
    examples=(
        Example(
            "Move it", {"scenePath": "main.tscn", "nodePath": "Player", "property": "position", "value": [8, 0]}, _MOVED
        ),
    ),
)
def set_property(call: Call, inputs: SetInputs) -> PropertySet:
    """Sets one property of a node; the value is read back."""
    previous = _value_before(call, inputs)
    edit = open_edit(call, inputs.scene_path)
    written = edit.set(inputs.node_path, {inputs.property: inputs.value})
    edit.save()
    default = " to its default, which the file leaves out" if written.unwritten else ""
    call.summary = f"Set {inputs.property} of '{written.path}'{default}."
    shown = written.values.get(inputs.property, inputs.value)
    return PropertySet(
        scene_path=edit.path,
        node_path=written.path,
        property=inputs.property,
        value=shown,
        previous=previous,
        unwritten=written.unwritten or None,
    )


def _value_before(call: Call, inputs: SetInputs) -> Any:
    asked = GetInputs(scene_path=inputs.scene_path, node_path=inputs.node_path, property=inputs.property)
    try:
        return _read_property(call, asked).value
    except Fault:
        return None  # what is wrong with the call is told by the write


class GetInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    node_path: NodePath
    property: Annotated[str, about("Property.", min_length=1)]


@operation(
    id="godot.node.get_property",
    category="scene",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="get_property",
    manager="godot_inspector_manager",
    examples=(
        Example("Where is it?", {"scenePath": "main.tscn", "nodePath": "Player", "property": "position"}, _MOVED),
    ),
)
def get_property(call: Call, inputs: GetInputs) -> OneProperty:
    """Returns one property of a node: what the scenes set, or its default."""
    prop = _read_property(call, inputs)
    call.summary = f"{inputs.property} of '{prop.node_path}'."
    return prop


def _read_property(call: Call, inputs: GetInputs) -> OneProperty:
    from scenewright.godot.scenes.operations.node_properties import ReadInputs, read_node

    asked = ReadInputs(scene_path=inputs.scene_path, node_path=inputs.node_path, names=[inputs.property])
    node = read_node.handler(call, asked)
    value = node.properties[inputs.property]
    return OneProperty(scene_path=node.scene_path, node_path=node.node_path, property=inputs.property, value=value)


def _resource_value(call: Call, inputs: ResourceInputs) -> Any:
    """The value for a property that is to hold a resource: one made in place, or the path of a file."""
    from scenewright.godot.assets.operations.resource_files import NewResource, create_resource

    if "://" in inputs.resource_type or "." in inputs.resource_type:
        if inputs.properties or inputs.resource_path:
            raise Invalid(
                "resourceType is a file; it is taken as it is.",
                path="input.resourceType",
                rule="class",
                hint="Leave properties and resourcePath out, or name a class.",
            )
        return open_workspace(call).resource_path(inputs.resource_type)
    if inputs.resource_path is None:
        return {"$resource": inputs.resource_type, "props": inputs.properties or {}}
    asked = NewResource(
        resource_path=inputs.resource_path, resource_type=inputs.resource_type, properties=inputs.properties
    )
    return create_resource.handler(call, asked).resource_path


OPERATIONS = (batch_create, attach_components, load_sprite, add_resource, set_property, get_property)
