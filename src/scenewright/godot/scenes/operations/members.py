"""What a class or a node has: properties, methods, signals; and the connections of a scene."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about
from scenewright.core.operations.paging import NextOffset, Page
from scenewright.core.text.counts import count_noun
from scenewright.godot.project.openers import ScenePath, class_index, open_workspace

if TYPE_CHECKING:
    from scenewright.godot.classes.records import Property
    from scenewright.godot.language.project_scripts import ProjectScripts
    from scenewright.godot.language.records import FunctionDecl, Parameter, SignalDecl

__all__ = ["OPERATIONS"]


class MemberQuery(Inputs, frozen=True, kw_only=True):
    class_name: Annotated[str, about("Class of the engine or class_name of the project; or give a node.")] | None = None
    scene_path: Annotated[str, about("Scene of the node.")] | None = None
    node_path: Annotated[str, about("Node, from the scene's root.")] | None = None
    instance_id: Annotated[int | str, about("Node or resource of the open editor, from godot_inspect.")] | None = None
    filter: Annotated[str, about("Only names with this in them.")] = ""
    limit: Annotated[int, about("Most to return.", ge=1, le=1000)] = 100
    offset: Annotated[int, about("How many to skip, from nextOffset.", ge=0)] = 0


class PropertyRow(Record, frozen=True, kw_only=True):
    name: Annotated[str, about("Name.")]
    type: Annotated[str, about("Type; for an enum, its name.")]
    default: Annotated[str, about("Default, as the engine writes it.")] | None = None
    owner: Annotated[str, about("Class or script that declares it.")] = ""


class PropertyList(Outputs, frozen=True, kw_only=True):
    of: Annotated[str, about("Class, and the node's script.")]
    properties: Annotated[list[PropertyRow], about("Properties, those of the script first.")]
    total: Annotated[int, about("How many there are in all.")]
    next_offset: NextOffset = None


class MemberList(Outputs, frozen=True, kw_only=True):
    of: Annotated[str, about("Class, and the node's script.")]
    members: Annotated[list[str], about("Owner and signature, those of the script first.")]
    total: Annotated[int, about("How many there are in all.")]
    next_offset: NextOffset = None


@operation(
    id="godot.class.properties",
    name="Property List",
    category="editor",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="list_properties",
    manager="godot_inspector_manager",
    action="property_list",
    examples=(
        Example(
            "Of a class",
            {"className": "Timer", "filter": "wait"},
            {
                "of": "Timer",
                "total": 1,
                "properties": [{"name": "wait_time", "type": "float", "default": "1.0", "owner": "Timer"}],
            },
        ),
    ),
)
def list_properties(call: Call, inputs: MemberQuery) -> PropertyList:
    """Lists the properties of a class or of a node with its script: name, type, default."""
    subject = _find_subject(call, inputs)
    matches = [property_ for property_ in subject.properties() if inputs.filter.lower() in property_.name.lower()]
    page = Page.cut(matches, inputs.offset, inputs.limit)
    call.summary = f"{subject.description}: {count_noun(len(matches), 'property', 'properties')}."
    rows = [
        PropertyRow(
            name=property_.name, type=property_.enum or property_.type, default=property_.default, owner=property_.owner
        )
        for property_ in page.items
    ]
    return PropertyList(of=subject.description, properties=rows, total=len(matches), next_offset=page.next_offset)


@operation(
    id="godot.class.methods",
    name="Method List",
    category="editor",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="list_methods",
    manager="godot_inspector_manager",
    action="method_list",
    examples=(
        Example(
            "Of a class",
            {"className": "Timer", "filter": "start"},
            {"of": "Timer", "total": 1, "members": ["Timer.start(time_sec: float = -1) -> void"]},
        ),
    ),
)
def list_methods(call: Call, inputs: MemberQuery) -> MemberList:
    """Lists the methods of a class or of a node with its script, with arguments and return types."""
    subject = _find_subject(call, inputs)
    return _list_members(call, inputs, subject, subject.methods(), "method")


@operation(
    id="godot.class.signals",
    name="Signal List",
    category="editor",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="list_signals",
    manager="godot_inspector_manager",
    action="signals.list",
    examples=(
        Example(
            "Of a node",
            {"scenePath": "main.tscn", "nodePath": "Timer"},
            {"of": "Timer", "total": 11, "members": ["Timer.timeout()", "Node.child_entered_tree(node: Node)"]},
        ),
    ),
)
def list_signals(call: Call, inputs: MemberQuery) -> MemberList:
    """Lists the signals of a class or of a node with its script, with their arguments."""
    subject = _find_subject(call, inputs)
    return _list_members(call, inputs, subject, subject.signals(), "signal")


class WireQuery(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    source_node_path: Annotated[str, about("Only signals of this node.")] | None = None
    signal: Annotated[str, about("Only this signal.")] | None = None
    limit: Annotated[int, about("Most to return.", ge=1, le=1000)] = 100
    offset: Annotated[int, about("How many to skip, from nextOffset.", ge=0)] = 0


class WireRow(Record, frozen=True, kw_only=True):
    source: Annotated[str, about("Node that emits it.")]
    signal: Annotated[str, about("Signal.")]
    target: Annotated[str, about("Node that is called.")]
    method: Annotated[str, about("Method.")]
    flags: Annotated[int, about("Flags of the connection.")] = 2
    binds: Annotated[list[Any], about("Values bound to it.")] | None = None
    inside: Annotated[bool, about("Whether another scene makes it.")] = False


class WireList(Outputs, frozen=True, kw_only=True):
    scene_path: Annotated[str, about("res:// path.")]
    connections: Annotated[list[WireRow], about("Connections, those of instanced and inherited scenes too.")]
    total: Annotated[int, about("How many there are in all.")]
    next_offset: NextOffset = None


@operation(
    id="godot.signal.connections",
    category="scene",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="list_connections",
    manager="godot_inspector_manager",
    action="signals.connections.list",
    examples=(
        Example(
            "Of a timer",
            {"scenePath": "main.tscn", "sourceNodePath": "Timer"},
            {
                "scenePath": "res://main.tscn",
                "total": 1,
                "connections": [{"source": "Timer", "signal": "timeout", "target": ".", "method": "_on_timer_timeout"}],
            },
        ),
    ),
)
def list_connections(call: Call, inputs: WireQuery) -> WireList:
    """Lists the signal connections of a scene or of one of its nodes."""
    from scenewright.godot.scenes.outline import SceneOutline
    from scenewright.godot.values.presentation import present

    outline = SceneOutline(open_workspace(call), inputs.scene_path)
    source = outline.node(inputs.source_node_path).path if inputs.source_node_path else None
    own = outline.tree.root.layers[-1].scene
    matches = [
        wire
        for wire in outline.tree.wires
        if source in (None, wire.source) and inputs.signal in (None, wire.connection.signal)
    ]
    page = Page.cut(matches, inputs.offset, inputs.limit)
    rows = [
        WireRow(
            source=wire.source,
            signal=wire.connection.signal,
            target=wire.target,
            method=wire.connection.method,
            flags=wire.connection.flags,
            binds=[present(argument) for argument in wire.connection.binds] or None,
            inside=wire.scene != own,
        )
        for wire in page.items
    ]
    call.summary = f"{outline.path}: {count_noun(len(matches), 'connection')}."
    return WireList(scene_path=outline.path, connections=rows, total=len(matches), next_offset=page.next_offset)


OPERATIONS = (list_properties, list_methods, list_signals, list_connections)


class _Subject(msgspec.Struct, frozen=True):
    """A class of the engine with a script on it, or without."""

    kind: str
    script: str | None
    scripts: Any

    @property
    def description(self) -> str:
        return f"{self.kind} with {self.script}" if self.script else self.kind

    def properties(self) -> list[Property]:
        own = self._scripts.exported(self.script) if self.script else []
        names = {property_.name for property_ in own}
        return [
            *own,
            *(property_ for property_ in self._scripts.index.properties(self.kind) if property_.name not in names),
        ]

    def methods(self) -> list[str]:
        own = [_format_function(method) for method in self._scripts.functions(self.script)] if self.script else []
        return own + [f"{method.owner}.{method.signature}" for method in self._scripts.index.methods(self.kind)]

    def signals(self) -> list[str]:
        own = [_format_signal(signal) for signal in self._scripts.signals(self.script)] if self.script else []
        return own + [f"{signal.owner}.{signal.signature}" for signal in self._scripts.index.signals(self.kind)]

    @property
    def _scripts(self) -> ProjectScripts:
        scripts: ProjectScripts = self.scripts
        return scripts


def _find_subject(call: Call, inputs: MemberQuery) -> _Subject:
    from scenewright.godot.scenes.outline import SceneOutline

    if sum(parameter is not None for parameter in (inputs.class_name, inputs.node_path, inputs.instance_id)) != 1:
        raise Invalid(
            "Give one of className, nodePath with scenePath, or instanceId.",
            path="input.className",
            rule="oneOf",
        )
    workspace = open_workspace(call)
    scripts = workspace.scripts(class_index(call))
    if inputs.instance_id is not None:
        return _find_held_by_editor(call, inputs.instance_id, scripts)
    if inputs.class_name is not None:
        own = scripts.class_named(inputs.class_name) if inputs.class_name not in class_index(call) else None
        if own is not None:
            return _Subject(scripts.native_base(own.path), own.path, scripts)
        return _Subject(class_index(call).class_info(inputs.class_name).name, None, scripts)
    if inputs.scene_path is None:
        raise Invalid("A node needs its scene.", path="input.scenePath", rule="required")
    outline = SceneOutline(workspace, inputs.scene_path)
    node = outline.node(inputs.node_path or ".")
    script = outline.script(node)
    known = script if script and scripts.script_at(script) is not None else None
    return _Subject(class_index(call).class_info(node.type or "Node").name, known, scripts)


def _find_held_by_editor(call: Call, instance: int | str, scripts: ProjectScripts) -> _Subject:
    """What an open editor knows by an id, which only it can tell."""
    from scenewright.godot.editor.live.access import ask_from_thread

    reply = ask_from_thread(call, "scenewright.inspect", {"instance_id": str(instance)})
    script = reply.get("script")
    known = script if script and scripts.script_at(script) is not None else None
    return _Subject(class_index(call).class_info(reply["class_name"]).name, known, scripts)


def _list_members(call: Call, inputs: MemberQuery, subject: _Subject, members: list[str], noun: str) -> MemberList:
    wanted = inputs.filter.lower()
    matches = [member for member in members if wanted in member.partition("(")[0].rpartition(".")[2].lower()]
    page = Page.cut(matches, inputs.offset, inputs.limit)
    call.summary = f"{subject.description}: {count_noun(len(matches), noun)}."
    return MemberList(of=subject.description, members=page.items, total=len(matches), next_offset=page.next_offset)


def _format_function(function: FunctionDecl) -> str:
    return f"script.{function.name}({_format_parameters(function.parameters)}) -> {function.returns or 'Variant'}"


def _format_signal(signal: SignalDecl) -> str:
    return f"script.{signal.name}({_format_parameters(signal.parameters)})"


def _format_parameters(parameters: Sequence[Parameter]) -> str:
    parts = [f"{parameter.name}: {parameter.type}" if parameter.type else parameter.name for parameter in parameters]
    return ", ".join(
        part if parameter.default is None else f"{part} = {parameter.default}"
        for part, parameter in zip(parts, parameters, strict=True)
    )
