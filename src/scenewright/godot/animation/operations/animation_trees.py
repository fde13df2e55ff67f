"""AnimationTrees: the node itself, its state machines, blend spaces and blend trees."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from scenewright.core.calls.call import Call
from scenewright.core.faults import Conflict, Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.core.text.counts import count_noun
from scenewright.godot.animation.operations.animations import MANAGER
from scenewright.godot.animation.requests import BlendNode, BlendPoint, Connection, State, Transition
from scenewright.godot.project.openers import ScenePath, open_edit
from scenewright.godot.scenes.operations.node_properties import NodeWritten, Values

__all__ = ["OPERATIONS"]

TreePath = Annotated[str, about("AnimationTree, as a path from the scene's root.", min_length=1)]


class NewTree(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    node_name: Annotated[str, about("Name of the new node.", min_length=1, max_length=200)] = "AnimationTree"
    parent_node_path: Annotated[str, about("Parent; the root if left out.")] = "."
    anim_player_path: Annotated[str, about("AnimationPlayer whose animations it plays.")] | None = None
    root_motion_track: (
        Annotated[str, about("Node or 'Skeleton:bone' that moves the root, from the scene's root.")] | None
    ) = None
    process_callback: Annotated[Literal["idle", "physics", "manual"], about("When it advances.")] | None = None
    properties: Values | None = None


@operation(
    id="godot.animation.tree.create",
    category="animation",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="create_animation_tree",
    manager=MANAGER,
    action="create_tree",
    notes="setup_state_machine or blend_animations adds what it plays.",
    examples=(
        Example(
            "For the hero's player",
            {"scenePath": "hero.tscn", "animPlayerPath": "AnimationPlayer"},
            {
                "scenePath": "res://hero.tscn",
                "nodePath": "AnimationTree",
                "properties": {"anim_player": 'NodePath("../AnimationPlayer")'},
            },
        ),
    ),
)
def create_animation_tree(call: Call, inputs: NewTree) -> NodeWritten:
    """Adds an AnimationTree to a scene, connected to an AnimationPlayer."""
    from scenewright.godot.animation.players import Player
    from scenewright.godot.documents import paths
    from scenewright.godot.scenes.scene_edit import Addition

    edit = open_edit(call, inputs.scene_path)
    parent = edit.node(inputs.parent_node_path, parameter="parentNodePath").path
    path, properties = paths.join(parent, inputs.node_name), dict(inputs.properties or {})
    root = parent
    if inputs.anim_player_path is not None:
        player = Player(edit, inputs.anim_player_path, parameter="animPlayerPath")
        properties["anim_player"] = paths.relative(path, player.path)
        root = player.root
    if inputs.root_motion_track is not None:
        node, colon, bone = inputs.root_motion_track.partition(":")
        target = edit.node(node, parameter="rootMotionTrack").path
        properties["root_motion_track"] = paths.relative(root, target) + colon + bone
    if inputs.process_callback is not None:
        properties["callback_mode_process"] = inputs.process_callback
    addition = edit.add(Addition(name=inputs.node_name, kind="AnimationTree", parent=parent, properties=properties))
    edit.save()
    call.summary = f"Added the AnimationTree '{addition.path}'."
    return NodeWritten(scene_path=edit.path, node_path=addition.path, properties=addition.values or None)


class StateMachine(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    anim_tree_path: TreePath
    states: Annotated[list[State], about("States; those of the same name are replaced.", min_length=1)]
    transitions: Annotated[list[Transition] | None, about("Transitions between states, Start and End.")] = None
    start_state: Annotated[str, about("State to start in; the first if left out.")] | None = None
    machine: Annotated[str, about("State machine inside the tree, such as 'Combat'; created if missing.")] = ""
    overwrite: Annotated[bool, about("Start from an empty state machine.")] = False


class MachineWritten(Outputs, frozen=True, kw_only=True):
    scene_path: Annotated[str, about("res:// path.")]
    anim_tree_path: Annotated[str, about("Path from the scene's root.")]
    states: Annotated[list[str], about("All states.")]
    transitions: Annotated[list[str], about("All transitions.")]
    start_state: Annotated[str, about("State it starts in.")] | None = None
    parameters: (
        Annotated[list[str], about("Parameters of the AnimationTree that were set; scripts can change them.")] | None
    ) = None
    travel: Annotated[str, about("How a script changes the state.")]


@operation(
    id="godot.animation.state_machine",
    name="Set Up State Machine",
    category="animation",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="setup_state_machine",
    manager=MANAGER,
    idempotent=True,
    notes="A transition is taken by travel(); by itself with autoAdvance, advanceCondition or advanceExpression.",
    examples=(
        Example(
            "Idle and run",
            {
                "scenePath": "hero.tscn",
                "animTreePath": "AnimationTree",
                "states": [{"name": "idle"}, {"name": "run"}],
                "transitions": [
                    {"from": "idle", "to": "run", "advanceCondition": "moving", "xfadeTime": 0.1},
                    {"from": "run", "to": "idle", "advanceCondition": "resting"},
                ],
            },
            {
                "scenePath": "res://hero.tscn",
                "animTreePath": "AnimationTree",
                "states": ["idle", "run"],
                "transitions": ["Start -> idle", "idle -> run", "run -> idle"],
                "startState": "idle",
                "parameters": ["parameters/conditions/moving", "parameters/conditions/resting"],
                "travel": 'get("parameters/playback").travel("idle")',
            },
        ),
    ),
)
def setup_state_machine(call: Call, inputs: StateMachine) -> MachineWritten:
    """Gives an AnimationTree a state machine: states that play animations, transitions with conditions and fades."""
    from scenewright.godot.animation.graphs import Graph
    from scenewright.godot.animation.state_machines import Machine

    graph = Graph(open_edit(call, inputs.scene_path), inputs.anim_tree_path)
    machine = Machine(graph, inputs.machine, overwrite=inputs.overwrite)
    start = machine.add(inputs.states, inputs.transitions or [], inputs.start_state)
    graph.parts.save()
    states, transitions = machine.states, machine.transitions()
    playback = "/".join(part for part in ("parameters", inputs.machine, "playback") if part)
    call.summary = f"'{graph.path}': {count_noun(len(states), 'state')}, {count_noun(len(transitions), 'transition')}."
    return MachineWritten(
        scene_path=graph.edit.path,
        anim_tree_path=graph.path,
        states=states,
        transitions=transitions,
        start_state=start,
        parameters=sorted(set(machine.parameters)) or None,
        travel=f'get("{playback}").travel("{start}")',
    )


class Blend(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    anim_tree_path: TreePath
    type: Annotated[Literal["1d", "2d", "tree"], about("Blend space of one or two axes, or blend tree.")]
    blend_space_name: Annotated[
        str, about("State or node to create in the tree, 'Moves/Run' inside another; its root if left out.")
    ] = ""
    points: Annotated[list[BlendPoint] | None, about("Animations of a blend space.")] = None
    min_space: Annotated[float, about("Lowest value; fits the points if left out.")] | None = None
    max_space: Annotated[float, about("Highest value.")] | None = None
    min_space_y: Annotated[float, about("Lowest value of y, in 2d.")] | None = None
    max_space_y: Annotated[float, about("Highest value of y, in 2d.")] | None = None
    blend_mode: Annotated[Literal["interpolated", "discrete", "carry"], about("How points mix.")] | None = None
    sync: Annotated[bool, about("Keep silent animations running too.")] | None = None
    nodes: Annotated[list[BlendNode] | None, about("Nodes of a blend tree.")] = None
    connections: Annotated[list[Connection] | None, about("Connections of a blend tree.")] = None
    overwrite: Annotated[bool, about("Replace what is there.")] = False


class BlendWritten(Outputs, frozen=True, kw_only=True):
    scene_path: Annotated[str, about("res:// path.")]
    anim_tree_path: Annotated[str, about("Path from the scene's root.")]
    blend_space_name: Annotated[str, about("Path of the node in the tree; empty for its root.")] = ""
    type: Annotated[str, about("Class of the node.")]
    count: Annotated[int, about("How many points or nodes it has.")]
    parameters: (
        Annotated[list[str], about("Parameters of the AnimationTree that were set; scripts can change them.")] | None
    ) = None


@operation(
    id="godot.animation.blend",
    category="animation",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="blend_animations",
    manager=MANAGER,
    action="blend",
    notes="blendSpaceName makes a state of the tree's state machine, or a node of its blend tree; an empty tree "
    "becomes a blend tree with that node as its result. In a blend tree every node's result has one connection, and "
    "'output' is the result of all.",
    examples=(
        Example(
            "Walk and run by speed",
            {
                "scenePath": "hero.tscn",
                "animTreePath": "AnimationTree",
                "type": "1d",
                "blendSpaceName": "Move",
                "points": [{"animation": "walk", "position": 0}, {"animation": "run", "position": 4}],
            },
            {
                "scenePath": "res://hero.tscn",
                "animTreePath": "AnimationTree",
                "blendSpaceName": "Move",
                "type": "AnimationNodeBlendSpace1D",
                "count": 2,
                "parameters": ["parameters/Move/blend_position"],
            },
        ),
        Example(
            "Shoot while walking",
            {
                "scenePath": "hero.tscn",
                "animTreePath": "AnimationTree",
                "type": "tree",
                "nodes": [
                    {"name": "Walk", "type": "Animation", "animation": "walk"},
                    {"name": "Shot", "type": "Animation", "animation": "shoot"},
                    {"name": "Mix", "type": "Blend2", "parameters": {"blend_amount": 0.5}},
                ],
                "connections": [
                    {"from": "Walk", "to": "Mix"},
                    {"from": "Shot", "to": "Mix", "input": 1},
                    {"from": "Mix", "to": "output"},
                ],
            },
            {
                "scenePath": "res://hero.tscn",
                "animTreePath": "AnimationTree",
                "type": "AnimationNodeBlendTree",
                "count": 3,
                "parameters": ["parameters/Mix/blend_amount"],
            },
        ),
    ),
)
def blend_animations(call: Call, inputs: Blend) -> BlendWritten:
    """Gives an AnimationTree a 1D or 2D blend space, or a blend tree of nodes and connections."""
    from scenewright.godot.animation.blend_graphs import blend_space, blend_tree, set_parameters, wired_tree
    from scenewright.godot.animation.graphs import Graph

    _check_fields(inputs)
    graph = Graph(open_edit(call, inputs.scene_path), inputs.anim_tree_path)
    way = inputs.blend_space_name
    if graph.find(way) is not None and not inputs.overwrite:
        raise Conflict(
            f"There is a node at '{way or 'tree_root'}' of '{graph.path}' already.",
            retryable=False,
            hint="Pass overwrite: true to replace it, or another blendSpaceName.",
        )
    if inputs.type != "tree" and way and "/" not in way and graph.find("") is None:
        graph.put("", wired_tree(graph, way))
    if inputs.type == "tree":
        part = graph.put(way, blend_tree(graph, inputs.nodes or [], inputs.connections or []))
        parameters = set_parameters(graph, way, inputs.nodes or [])
    else:
        dimensions = 1 if inputs.type == "1d" else 2
        part = graph.put(way, blend_space(graph, dimensions, inputs.points or [], _options(inputs)))
        start = graph.value(
            0.0 if dimensions == 1 else [0, 0], "float" if dimensions == 1 else "Vector2", "blend_position"
        )
        parameters = [graph.set_parameter(way, "blend_position", start, keep=True)]
        if dimensions == 2 and len(inputs.points or []) < 3:
            call.warnings.append("A 2D blend space with fewer than three points plays nothing.")
    graph.parts.save()
    count = len(inputs.nodes or inputs.points or [])
    call.summary = f"'{graph.path}': {part.type} at '{way or 'tree_root'}'."
    return BlendWritten(
        scene_path=graph.edit.path,
        anim_tree_path=graph.path,
        blend_space_name=way,
        type=part.type,
        count=count,
        parameters=parameters or None,
    )


OPERATIONS = (create_animation_tree, setup_state_machine, blend_animations)


def _options(inputs: Blend) -> dict[str, Any]:
    return {
        "min": inputs.min_space,
        "max": inputs.max_space,
        "min_y": inputs.min_space_y,
        "max_y": inputs.max_space_y,
        "blend_mode": inputs.blend_mode,
        "sync": inputs.sync,
    }


def _check_fields(inputs: Blend) -> None:
    """Refuses what the type has no use for."""
    is_tree = inputs.type == "tree"
    fields = {
        "points": inputs.points,
        "minSpace": inputs.min_space,
        "maxSpace": inputs.max_space,
        "minSpaceY": inputs.min_space_y,
        "maxSpaceY": inputs.max_space_y,
        "blendMode": inputs.blend_mode,
        "sync": inputs.sync,
    }
    useless = [name for name, value in fields.items() if is_tree and value is not None]
    useless += [name for name in ("minSpaceY", "maxSpaceY") if inputs.type == "1d" and fields[name] is not None]
    if not is_tree and (inputs.nodes is not None or inputs.connections is not None):
        useless += ["nodes"]
    if useless:
        raise Invalid(f"{useless[0]} has no meaning with type {inputs.type}.", path=f"input.{useless[0]}", rule="type")
    wanted = "nodes" if is_tree else "points"
    if not (inputs.nodes if is_tree else inputs.points):
        raise Invalid(f"Give {wanted}.", path=f"input.{wanted}", rule="required")
