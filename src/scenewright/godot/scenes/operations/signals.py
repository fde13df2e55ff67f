"""Signals of a scene's nodes."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from scenewright.core.calls.call import Call
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.godot.project.openers import NodePath, ScenePath, class_index, open_scene
from scenewright.godot.scenes.declared_scene import FlagName

__all__ = ["OPERATIONS"]


SignalName = Annotated[str, about("Signal, such as 'pressed'.", min_length=1)]
MethodName = Annotated[str, about("Method that is called.", min_length=1)]


class ConnectInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    from_node_path: NodePath
    signal: SignalName
    to_node_path: NodePath
    method: MethodName
    flags: Annotated[list[FlagName] | int | None, about("How it is called: names, or the engine's bits.")] = None
    binds: Annotated[list[Any] | None, about("Values that the method gets after the signal's own.")] = None
    unbinds: Annotated[int, about("Arguments of the signal to leave out.", ge=0, le=16)] = 0


class Connected(Outputs, frozen=True, kw_only=True):
    writes_what_was_sent: ClassVar = True

    scene_path: Annotated[str, about("res:// path.")]
    connection: Annotated[str, about("The connection.")]


_EXAMPLE = {
    "scenePath": "main.tscn",
    "fromNodePath": "Timer",
    "signal": "timeout",
    "toNodePath": ".",
    "method": "_on_timer_timeout",
}
_CONNECTED = {"scenePath": "res://main.tscn", "connection": "Timer:timeout -> .:_on_timer_timeout"}


@operation(
    id="godot.signal.connect",
    category="scene",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="connect_signal",
    manager="godot_inspector_manager",
    examples=(Example("A timer", _EXAMPLE, _CONNECTED),),
)
def connect_signal(call: Call, inputs: ConnectInputs) -> Connected:
    """Connects a signal of a node to a method of another; a signal the node does not have is refused."""
    from scenewright.godot.documents import connections
    from scenewright.godot.documents.scene import Scene
    from scenewright.godot.project.checks.members import Members
    from scenewright.godot.project.workspace import node_path
    from scenewright.godot.scenes.connection_requests import bound, check_ends, flag_bits

    workspace, scene = open_scene(call, inputs.scene_path)
    tree, members = workspace.tree(scene), Members(workspace.scripts(class_index(call)))
    source, target = node_path(scene, inputs.from_node_path), node_path(scene, inputs.to_node_path)
    document, binds = bound(workspace, members, scene.document, tree, target, inputs.binds or [])
    wire = connections.NewConnection(
        inputs.signal,
        source,
        target,
        inputs.method,
        flags=flag_bits(inputs.flags),
        binds=binds,
        unbinds=inputs.unbinds,
    )
    problem = check_ends(members, tree, wire)
    call.warnings += [problem] if problem else []
    workspace.save(inputs.scene_path, connections.connect(Scene(document), wire, tree=tree).document)
    connection = f"{source}:{inputs.signal} -> {target}:{inputs.method}"
    call.summary = f"Connected {connection}."
    return Connected(scene_path=workspace.resource_path(inputs.scene_path), connection=connection)


class DisconnectInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    from_node_path: NodePath
    signal: SignalName
    to_node_path: NodePath
    method: MethodName


@operation(
    id="godot.signal.disconnect",
    category="scene",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="disconnect_signal",
    manager="godot_inspector_manager",
    examples=(Example("A timer", _EXAMPLE, _CONNECTED),),
)
def disconnect_signal(call: Call, inputs: DisconnectInputs) -> Connected:
    """Removes a connection between two nodes."""
    from scenewright.godot.documents import connections
    from scenewright.godot.project.workspace import node_path

    workspace, scene = open_scene(call, inputs.scene_path)
    source, target = node_path(scene, inputs.from_node_path), node_path(scene, inputs.to_node_path)
    changed = connections.disconnect(scene, inputs.signal, source, target, inputs.method)
    workspace.save(inputs.scene_path, changed.document)
    connection = f"{source}:{inputs.signal} -> {target}:{inputs.method}"
    call.summary = f"Disconnected {connection}."
    return Connected(scene_path=workspace.resource_path(inputs.scene_path), connection=connection)


OPERATIONS = (connect_signal, disconnect_signal)
