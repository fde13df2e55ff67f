"""Adding nodes with their properties, changing and reading properties; every value by its declared type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid, NotFound
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.core.text.counts import count_noun
from scenewright.godot.project.openers import NodePath, ScenePath, class_index, open_edit, open_workspace

if TYPE_CHECKING:
    from scenewright.godot.scenes.property_access import NodeProperties
    from scenewright.godot.scenes.scene_edit import SceneEdit, Written

__all__ = [
    "OPERATIONS",
    "Components",
    "NewNodeInputs",
    "NodeWritten",
    "ReadInputs",
    "UniqueName",
    "Unwritten",
    "Values",
    "add_to",
    "edit_node",
    "read_node",
    "set_or_default",
]

Values = Annotated[
    dict[str, Any],
    about(
        'Property values: JSON ([0, 1], {"x": 0}, "#ff8800"), the engine\'s literals ("Vector2(0, 1)"), enum names, '
        'resource paths, or {"$resource": "RectangleShape2D", "props": {...}}.'
    ),
]


Unwritten = Annotated[list[str], about("Those equal to the default, which the file leaves out.")]


Components = Annotated[
    dict[str, Any],
    about(
        "Children or own values: mesh and shape ('box', {type, size}, a file), sprite (texture), script, "
        "nodes [{nodeType, nodeName, properties}]."
    ),
]


UniqueName = Annotated[bool, about("Add a number if a sibling has the name.")]
_CAMEL = {"collision_layer": "collisionLayer", "collision_mask": "collisionMask"}


class NewNodeInputs(Inputs, frozen=True, kw_only=True):
    node_name: Annotated[str, about("Name of the new node.", min_length=1, max_length=200)]
    node_type: Annotated[str, about("Class, 'Sprite2D' or one of the project; or give instancePath.")] | None = None
    instance_path: Annotated[str, about("Scene to be an instance of.")] | None = None
    parent_node_path: Annotated[str, about("Parent; the root if left out.")] = "."
    before: Annotated[str, about("Sibling to put it before; last if left out.")] | None = None
    properties: Values | None = None
    groups: Annotated[list[str] | None, about("Groups.")] = None
    components: Components | None = None
    collision_layer: Annotated[Any, about("Physics layers it is on: bits, numbers or names.")] = None
    collision_mask: Annotated[Any, about("Physics layers it scans.")] = None
    ensure_unique_name: UniqueName = False


class AddInputs(NewNodeInputs, frozen=True, kw_only=True):
    scene_path: ScenePath


class NodeWritten(Outputs, frozen=True, kw_only=True):
    writes_what_was_sent: ClassVar = True

    scene_path: Annotated[str, about("res:// path.")]
    node_path: Annotated[str, about("Path from the scene's root.")]
    properties: Annotated[dict[str, Any], about("The values as they arrived.")] | None = None
    unwritten: Unwritten | None = None
    components: Annotated[list[str], about("Nodes that were added to it.")] | None = None
    editable_children: Annotated[bool, about("Whether what is inside the instance can be changed.")] | None = None


@operation(
    id="godot.node.add",
    category="scene",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="add_node",
    manager="godot_scene_manager",
    action="create",
    parameter_aliases={
        "name": "nodeName",
        "type": "nodeType",
        "parent": "parentNodePath",
        "parentPath": "parentNodePath",
        "texture": "properties.texture",
        "texturePath": "properties.texture",
    },
    notes="Any class of nodes, 2D or 3D, the engine's or a script's: a camera with a SpringArm3D, a physics joint "
    "(hinge, pin, slider) between two bodies, a vehicle and its wheels, a path with curve points that others follow, "
    "a multimesh of many instances, a CSG box, a grid map, a ray cast, a skeleton, a timer.",
    examples=(
        Example(
            "A sprite",
            {
                "scenePath": "main.tscn",
                "nodeType": "Sprite2D",
                "nodeName": "Body",
                "properties": {"position": [10, 20], "modulate": "#ff8800"},
            },
            {
                "scenePath": "res://main.tscn",
                "nodePath": "Body",
                "properties": {"position": "Vector2(10, 20)", "modulate": "Color(1, 0.53333336, 0, 1)"},
            },
        ),
    ),
)
def add_node(call: Call, inputs: AddInputs) -> NodeWritten:
    """Adds a node of a class, or an instance of a scene, with its properties set and read back."""
    return _add_node(call, inputs)


class InstanceInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    instance_path: Annotated[str, about("Scene to put in.", min_length=1)]
    parent_node_path: Annotated[str, about("Parent; the root if left out.")] = "."
    node_name: Annotated[str, about("Name; that of the scene's root if left out.")] | None = None
    properties: Values | None = None
    ensure_unique_name: UniqueName = False


@operation(
    id="godot.scene.instance",
    category="scene",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="instance_scene",
    manager="godot_scene_manager",
    action="instance",
    parameter_aliases={
        "name": "nodeName",
        "props": "properties",
        "instanceName": "nodeName",
        "instanceScenePath": "instancePath",
        "sourceScenePath": "instancePath",
    },
    examples=(
        Example(
            "An enemy",
            {"scenePath": "main.tscn", "instancePath": "mob.tscn"},
            {"scenePath": "res://main.tscn", "nodePath": "Mob"},
        ),
    ),
)
def instance_scene(call: Call, inputs: InstanceInputs) -> NodeWritten:
    """Puts an instance of a scene, such as an enemy or a bullet, into another scene."""
    name = inputs.node_name or open_workspace(call).scene(inputs.instance_path).root.name
    return _add_node(
        call,
        AddInputs(
            scene_path=inputs.scene_path,
            node_name=name,
            instance_path=inputs.instance_path,
            parent_node_path=inputs.parent_node_path,
            properties=inputs.properties,
            ensure_unique_name=inputs.ensure_unique_name,
        ),
    )


class EditInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    node_path: NodePath
    properties: Values | None = None
    reset: Annotated[list[str] | None, about("Properties to reset to their default.")] = None
    editable_children: (
        Annotated[bool, about("Of an instance: whether this scene may change the nodes inside it.")] | None
    ) = None


@operation(
    id="godot.node.edit",
    category="scene",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="edit_node",
    common=True,
    manager="godot_scene_manager",
    action="update",
    idempotent=True,
    notes="Whatever a node shows and does is in its properties: position, scale, modulate (the color of a sprite), "
    "visible, texture, text, speed_scale (how slow or fast an animation plays).",
    examples=(
        Example(
            "Move it",
            {"scenePath": "main.tscn", "nodePath": "Body", "properties": {"position": {"x": 5, "y": 0}}},
            {"scenePath": "res://main.tscn", "nodePath": "Body", "properties": {"position": "Vector2(5, 0)"}},
        ),
    ),
)
def edit_node(call: Call, inputs: EditInputs) -> NodeWritten:
    """Sets properties of a node, also of one that an editable instance brings; the values are read back."""
    if inputs.properties is None and inputs.reset is None and inputs.editable_children is None:
        raise Invalid(
            "There is nothing to change.",
            path="input.properties",
            rule="required",
            hint="Give properties, reset or editableChildren.",
        )
    edit = open_edit(call, inputs.scene_path)
    written = _apply_edit(edit, inputs)
    edit.save()
    call.summary = f"{_what_was_done(inputs, written)} of '{written.path}'."
    return NodeWritten(
        scene_path=edit.path,
        node_path=written.path,
        properties=written.values or None,
        unwritten=written.unwritten or None,
        editable_children=inputs.editable_children,
    )


def _apply_edit(edit: SceneEdit, inputs: EditInputs) -> Written:
    from scenewright.godot.scenes.scene_edit import Written

    path = inputs.node_path
    if inputs.editable_children is not None:
        path = edit.set_editable(path, editable=inputs.editable_children)
    if inputs.properties is None and inputs.reset is None:
        return Written(path, {})
    return edit.set(path, inputs.properties or {}, reset=inputs.reset or ())


class ReadInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    node_path: NodePath
    names: Annotated[list[str] | None, about("Only these properties, set or not.")] = None
    include_defaults: Annotated[bool, about("Add what the files do not set, with its default.")] = False


class NodeRead(Outputs, frozen=True, kw_only=True):
    scene_path: Annotated[str, about("res:// path.")]
    node_path: Annotated[str, about("Path from the scene's root.")]
    type: Annotated[str, about("Class.")]
    properties: Annotated[dict[str, Any], about("Effective values.")]
    script: Annotated[str, about("Its script.")] | None = None
    groups: Annotated[list[str], about("Groups.")] | None = None


@operation(
    id="godot.node.read",
    name="Read Node",
    category="scene",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="get_node_properties",
    manager="godot_inspector_manager",
    action="inspect",
    examples=(
        Example(
            "A sprite",
            {"scenePath": "main.tscn", "nodePath": "Body"},
            {
                "scenePath": "res://main.tscn",
                "nodePath": "Body",
                "type": "Sprite2D",
                "properties": {"position": "Vector2(5, 0)"},
            },
        ),
    ),
)
def read_node(call: Call, inputs: ReadInputs) -> NodeRead:
    """Returns the effective properties of a node: what this scene, its bases and instances set, and defaults."""
    from scenewright.godot.documents.variant_reader import parse_variant
    from scenewright.godot.editor.live.node_values import live_values
    from scenewright.godot.scenes.outline import SceneOutline
    from scenewright.godot.scenes.property_access import NodeProperties
    from scenewright.godot.values.presentation import present

    workspace = open_workspace(call)
    outline = SceneOutline(workspace, inputs.scene_path)
    node = outline.node(inputs.node_path)
    asked = inputs.names or ()
    values = {
        name: present(value.value, document=value.section.document)
        for name, value in node.properties.items()
        if name != "script" or name in asked
    }
    properties = NodeProperties(
        workspace,
        class_index(call),
        tree=outline.tree,
        path=node.path,
        kind=node.type or "",
        script=outline.script(node),
    )
    declared, unknown = _requested_properties(properties, node.type or "", inputs)
    for wanted in declared:
        # What is not stored is worked out of the rest, such as rotation_degrees: its default tells nothing.
        if wanted.name not in values and wanted.default is not None and wanted.stored:
            values[wanted.name] = present(parse_variant(wanted.default))
    names = inputs.names if inputs.names is not None else list(values)
    values = live_values(call, workspace.place(inputs.scene_path), node.path, values, names)
    for name, problem in unknown.items():
        if name not in values:
            raise problem
    if inputs.names is not None:
        _warn_of_untold(call, [name for name in names if name not in values])
        values = {name: values.get(name) for name in names}
    call.summary = f"{outline.path}, '{node.path}': {count_noun(len(values), 'property', 'properties')}."
    return NodeRead(
        scene_path=outline.path,
        node_path=node.path,
        type=node.type or "",
        properties=values,
        script=outline.script(node),
        groups=list(node.groups) or None,
    )


def _what_was_done(inputs: EditInputs, written: Written) -> str:
    """Say how many properties were set and reset; of neither, that the children can or cannot be edited now."""
    done = [f"set {set_or_default(written.values, written.unwritten)}"] if inputs.properties else []
    done += [f"reset {count_noun(len(inputs.reset), 'property', 'properties')}"] if inputs.reset else []
    if not done:
        done = [f"{'allowed' if inputs.editable_children else 'ended'} edits of the children"]
    return " and ".join(done).capitalize()


OPERATIONS = (add_node, instance_scene, edit_node, read_node)


def _add_node(call: Call, inputs: AddInputs) -> NodeWritten:
    edit = open_edit(call, inputs.scene_path)
    written, more = add_to(edit, inputs)
    edit.save()
    call.summary = f"Added '{written.path}' ({inputs.instance_path or inputs.node_type})."
    return NodeWritten(
        scene_path=edit.path,
        node_path=written.path,
        properties=written.values or None,
        unwritten=written.unwritten or None,
        components=more or None,
    )


def set_or_default(values: Mapping[str, Any], unwritten: Sequence[str]) -> str:
    """Describe how many values were set, and how many of them are the default, which the file leaves out."""
    count = count_noun(len(values), "property", "properties")
    return f"{count} ({len(unwritten)} to the default, not written)" if unwritten else count


def add_to(edit: SceneEdit, node: NewNodeInputs, where: str = "input") -> tuple[Written, list[str]]:
    """Add a node with its components to a scene; return it, and the paths of the components."""
    from scenewright.godot.scenes.scene_edit import Addition

    if (node.node_type is None) == (node.instance_path is None):
        raise Invalid(
            "Give either nodeType or instancePath.",
            path=f"{where}.nodeType",
            rule="oneOf",
            hint="nodeType is a class such as Sprite2D; instancePath is a scene.",
        )
    name = edit.free_name(node.parent_node_path, node.node_name) if node.ensure_unique_name else node.node_name
    layers = {"collision_layer": node.collision_layer, "collision_mask": node.collision_mask}
    layer_values = {name: _layer_value(value, name, where) for name, value in layers.items() if value is not None}
    written = edit.add(
        Addition(
            name=name,
            kind=node.node_type,
            instance=node.instance_path,
            parent=node.parent_node_path,
            before=node.before,
            properties=layer_values | (node.properties or {}),
            groups=tuple(node.groups or ()),
        )
    )
    if not node.components:
        return written, []
    from scenewright.godot.building.components import attach

    return written, attach(edit, written.path, node.components, f"{where}.components")


def _layer_value(value: Any, name: str, where: str) -> Any:
    from scenewright.godot.physics.layers import layer_names

    return layer_names(value, f"{where}.{_CAMEL[name]}") if isinstance(value, list) else value


def _requested_properties(
    properties: NodeProperties, kind: str, inputs: ReadInputs
) -> tuple[list[Any], dict[str, NotFound]]:
    """What is declared of the properties that are asked for; and those that nothing declares, which a node may know."""
    if inputs.names is None:
        index = properties.index
        stored = [property_ for property_ in index.properties(kind) if property_.stored] if kind in index else []
        return stored if inputs.include_defaults else [], {}
    declared, unknown = [], {}
    for name in inputs.names:
        try:
            declared.append(properties.declared_property(name))
        except NotFound as problem:
            unknown[name] = problem
    return declared, unknown


def _warn_of_untold(call: Call, names: list[str]) -> None:
    if names:
        call.warnings.append(
            f"The engine computes {', '.join(names)}, which no file stores; open the scene in the editor to read it."
        )
