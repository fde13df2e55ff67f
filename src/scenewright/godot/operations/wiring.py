"""Signals of a scene's nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from scenewright.core.call import Call
from scenewright.core.faults import NotFound, did_you_mean
from scenewright.core.model import Inputs, Outputs, about
from scenewright.core.operation import Example, Safety, operation
from scenewright.godot.operations.opening import NodePath, ScenePath, class_index, open_scene

if TYPE_CHECKING:
    from scenewright.godot.outline import SceneOutline

__all__ = ["OPERATIONS"]

SignalName = Annotated[str, about("Signal, such as 'pressed'.", min_length=1)]
MethodName = Annotated[str, about("Method that is called.", min_length=1)]


class ConnectInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    from_node_path: NodePath
    signal: SignalName
    to_node_path: NodePath
    method: MethodName
    flags: Annotated[list[Literal["deferred", "one_shot"]] | None, about("How it is called.")] = None
    unbinds: Annotated[int, about("Arguments of the signal to leave out.", ge=0, le=16)] = 0


class Connected(Outputs, frozen=True, kw_only=True):
    scene_path: Annotated[str, about("res:// path.")]
    connection: Annotated[str, about("The connection.")]


_EXAMPLE = {"scenePath": "main.tscn", "fromNodePath": "Timer", "signal": "timeout", "toNodePath": ".",
            "method": "_on_timer_timeout"}  # fmt: skip
_CONNECTED = {"scenePath": "res://main.tscn", "connection": "Timer:timeout -> .:_on_timer_timeout"}


@operation(
    id="godot.signal.connect", name="Connect Signal", category="scene", safety=Safety.SAFE_WRITE, needs_project=True,
    tool="connect_signal", action=("godot_inspector_manager", "connect_signal"),
    examples=(Example("A timer", _EXAMPLE, _CONNECTED),),
)  # fmt: skip
def connect_signal(call: Call, inputs: ConnectInputs) -> Connected:
    """Connects a signal of a node to a method of another; a signal the node does not have is refused."""
    from scenewright.godot.outline import SceneOutline
    from scenewright.godot.text import wiring
    from scenewright.godot.workspace import node_path

    workspace, scene = open_scene(call, inputs.scene_path)
    outline = SceneOutline(workspace, inputs.scene_path)
    source, target = node_path(scene, inputs.from_node_path), node_path(scene, inputs.to_node_path)
    _check_signal(call, outline, source, inputs.signal)
    _look_for_method(call, outline, target, inputs.method)
    bits = {"deferred": 1, "one_shot": 4}
    flags = wiring.PERSIST | sum(bits[flag] for flag in set(inputs.flags or ()))
    wire = wiring.NewConnection(inputs.signal, source, target, inputs.method, flags=flags, unbinds=inputs.unbinds)
    workspace.save(inputs.scene_path, wiring.connect(scene, wire, tree=outline.tree).document)
    said = f"{source}:{inputs.signal} -> {target}:{inputs.method}"
    call.summary = f"Connected {said}."
    return Connected(scene_path=outline.path, connection=said)


class DisconnectInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    from_node_path: NodePath
    signal: SignalName
    to_node_path: NodePath
    method: MethodName


@operation(
    id="godot.signal.disconnect", name="Disconnect Signal", category="scene", safety=Safety.SAFE_WRITE,
    needs_project=True, tool="disconnect_signal", action=("godot_inspector_manager", "disconnect_signal"),
    examples=(Example("A timer", _EXAMPLE, _CONNECTED),),
)  # fmt: skip
def disconnect_signal(call: Call, inputs: DisconnectInputs) -> Connected:
    """Removes a connection between two nodes."""
    from scenewright.godot.text import wiring
    from scenewright.godot.workspace import node_path

    workspace, scene = open_scene(call, inputs.scene_path)
    source, target = node_path(scene, inputs.from_node_path), node_path(scene, inputs.to_node_path)
    changed = wiring.disconnect(scene, inputs.signal, source, target, inputs.method)
    workspace.save(inputs.scene_path, changed.document)
    said = f"{source}:{inputs.signal} -> {target}:{inputs.method}"
    call.summary = f"Disconnected {said}."
    return Connected(scene_path=workspace.resource_path(inputs.scene_path), connection=said)


OPERATIONS = (connect_signal, disconnect_signal)


def _check_signal(call: Call, outline: SceneOutline, path: str, signal: str) -> None:
    from scenewright.godot.scripts.project import ProjectScripts

    node = outline.node(path)
    script = outline.script(node)
    index = class_index()
    kind = node.type or ""
    known = [found.name for found in index.signals(kind)] if kind in index else []
    if script is not None and script.startswith("res://"):
        scripts = ProjectScripts(call.state.project.root, index)
        if scripts.script_at(script) is None:
            return  # written in another language, or broken: the engine alone can tell
        known += [found.name for found in scripts.signals(script)]
    if signal not in known and kind in index:
        raise NotFound(f"'{path}' ({kind}) has no signal '{signal}'.", hint=did_you_mean(signal, known))


def _look_for_method(call: Call, outline: SceneOutline, path: str, method: str) -> None:
    from scenewright.godot.scripts.project import ProjectScripts

    node = outline.node(path)
    script = outline.script(node)
    index = class_index()
    scripts = ProjectScripts(call.state.project.root, index)
    has = node.type in index and index.has_method(node.type or "", method)
    if script is not None and script.startswith("res://"):
        has = has or scripts.script_at(script) is None or scripts.has_method(script, method)
    if not has:
        call.warnings.append(f"'{path}' has no method '{method}' yet; without it the connection fails when it is used.")
