"""Visual shaders: their graph as nodes, ports and connections, read and changed by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about
from scenewright.core.text.counts import count_noun
from scenewright.godot.project.openers import class_index, open_workspace

if TYPE_CHECKING:
    from scenewright.godot.project.workspace import Workspace
    from scenewright.godot.rendering.visual_shaders import GraphNode, Link, VisualShaderGraph

__all__ = ["OPERATIONS"]

GraphPath = Annotated[str, about("Visual shader (.tres), res:// or from the project's root.", min_length=1)]
Stage = Annotated[str, about("vertex, fragment, light; of particles start, process …; sky; fog.")]


class GraphQuery(Inputs, frozen=True, kw_only=True):
    shader_path: GraphPath
    stage: Stage | None = None


class NodeRow(Record, frozen=True, kw_only=True):
    id: Annotated[int, about("Number; 0 is the output.")]
    type: Annotated[str, about("Class, without VisualShaderNode.")]
    name: Annotated[str, about("Parameter, varying or input it stands for.")] | None = None
    properties: Annotated[dict[str, Any], about("What it sets.")] | None = None


class StageRow(Record, frozen=True, kw_only=True):
    stage: Annotated[str, about("Stage.")]
    nodes: Annotated[list[NodeRow], about("Nodes.")]
    connections: Annotated[list[dict[str, str]], about("from and to, each node:port.")]


class Graph(Outputs, frozen=True, kw_only=True):
    shader_path: Annotated[str, about("res:// path.")]
    mode: Annotated[str, about("What it shades.")]
    stages: Annotated[list[StageRow], about("Stages with something in them.")]


_EXAMPLE = {
    "shaderPath": "res://fx/glow.tres",
    "mode": "canvas_item",
    "stages": [
        {
            "stage": "fragment",
            "nodes": [{"id": 2, "type": "ColorParameter", "name": "tint"}],
            "connections": [{"from": "2:0", "to": "Output:COLOR.rgb"}],
        }
    ],
}


@operation(
    id="godot.visual_shader.read",
    category="shader",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="read_visual_shader",
    manager="godot_code_manager",
    action="visual_shader.read",
    beyond_contract=True,
    asked_for="shader graph nodes",
    examples=(Example("A glow", {"shaderPath": "fx/glow.tres"}, _EXAMPLE),),
)
def read_visual_shader(call: Call, inputs: GraphQuery) -> Graph:
    """Reads a visual shader as a graph: nodes with what they set, and connections between named ports."""
    graph = _open(open_workspace(call), inputs.shader_path)
    stages = [_checked_stage(graph, inputs.stage)] if inputs.stage is not None else list(graph.stages)
    rows = [_stage_row(call, graph, stage) for stage in stages]
    rows = [row for row in rows if inputs.stage is not None or row.nodes or row.connections]
    counts = [f"{row.stage} {count_noun(len(row.nodes), 'node')}" for row in rows]
    call.summary = f"{graph.path}: {', '.join(counts) or 'empty'}."
    return Graph(shader_path=graph.path, mode=graph.mode, stages=rows)


class NewNode(Inputs, frozen=True, kw_only=True):
    type: Annotated[str, about("Class: ColorParameter, VectorOp …", min_length=1)]
    name: Annotated[str, about("What connect calls it; of a parameter also its name.", min_length=1)] | None = None
    properties: Annotated[dict[str, Any], about("Values.")] | None = None
    position: Annotated[list[float], about("[x, y] in the editor.", min_length=2, max_length=2)] | None = None


class Wire(Inputs, frozen=True, kw_only=True, rename={"source": "from", "target": "to"}):
    source: Annotated[str, about("Node and output port: 'tint:0'.", min_length=1)]
    target: Annotated[str, about("Node and input port: 'Output:ALBEDO', '4:a'.", min_length=1)]


class GraphChange(Inputs, frozen=True, kw_only=True):
    shader_path: GraphPath
    stage: Stage = "fragment"
    add: Annotated[list[NewNode], about("Nodes to add.", max_length=500)] | None = None
    set: Annotated[dict[str, dict[str, Any]], about("Values by node (id, parameter or class).")] | None = None
    connect: Annotated[list[Wire], about("An input takes one: what was there is replaced.", max_length=2000)] | None = (
        None
    )
    disconnect: Annotated[list[Wire], about("Connections to cut.", max_length=2000)] | None = None
    remove: Annotated[list[str], about("Nodes to remove.", max_length=500)] | None = None


class GraphChanged(Graph, frozen=True, kw_only=True):
    added: Annotated[dict[str, int], about("Ids of the new nodes by name or class.")] | None = None
    replaced: Annotated[list[dict[str, str]], about("Connections that gave way.")] | None = None


@operation(
    id="godot.visual_shader.edit",
    category="shader",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="edit_visual_shader",
    manager="godot_code_manager",
    action="visual_shader.edit",
    beyond_contract=True,
    notes="create_resource makes one: resourceType VisualShader, properties {mode: 1} for canvas_item.",
    asked_for="shader graph connect nodes",
    examples=(
        Example(
            "A tint",
            {
                "shaderPath": "fx/glow.tres",
                "add": [{"type": "ColorParameter", "name": "tint"}],
                "connect": [{"from": "tint:0", "to": "Output:COLOR.rgb"}],
            },
            {**_EXAMPLE, "added": {"tint": 2}},
        ),
    ),
)
def edit_visual_shader(call: Call, inputs: GraphChange) -> GraphChanged:
    """Adds, sets, connects and removes nodes of a visual shader, in the order cut, remove, add, set, connect."""
    workspace = open_workspace(call)
    change = _Change(call, _open(workspace, inputs.shader_path), inputs.stage)
    for wire in inputs.disconnect or ():
        change.cut(wire)
    for name in inputs.remove or ():
        change.remove(name)
    for node in inputs.add or ():
        change.add(node)
    for name, values in (inputs.set or {}).items():
        change.set_values(name, values)
    for wire in inputs.connect or ():
        change.connect(wire)
    workspace.save(inputs.shader_path, change.graph.document)
    row = _stage_row(call, change.graph, inputs.stage)
    done = f"{count_noun(len(row.nodes), 'node')}, {count_noun(len(row.connections), 'connection')}"
    call.summary = f"{change.graph.path}: {inputs.stage} has {done} now."
    return GraphChanged(
        shader_path=change.graph.path,
        mode=change.graph.mode,
        stages=[row],
        added=change.added or None,
        replaced=change.replaced or None,
    )


OPERATIONS = (read_visual_shader, edit_visual_shader)


class _Change:
    """The graph as it becomes."""

    def __init__(self, call: Call, graph: VisualShaderGraph, stage: str) -> None:
        self._call, self.graph, self._stage = call, graph, _checked_stage(graph, stage)
        self.added: dict[str, int] = {}
        self.replaced: list[dict[str, str]] = []

    def add(self, new: NewNode) -> None:
        from scenewright.godot.documents.resources import add_inner_resource
        from scenewright.godot.documents.variant import SubResource, Vector2
        from scenewright.godot.rendering.visual_shaders import PREFIX, VisualShaderGraph

        kind = f"{PREFIX}{new.type.removeprefix(PREFIX)}"
        _check_class(self._call, kind)
        number, document = self.graph.free_id(self._stage), self.graph.document
        document, resource = add_inner_resource(document, kind, before=document.find("resource"))
        x, y = new.position or (-300.0 * (1 + len(self.added) % 3), 120.0 * len(self.added))
        graph = VisualShaderGraph(document, self.graph.path)
        graph = graph.with_property(f"nodes/{self._stage}/{number}/node", SubResource(resource))
        self.graph = graph.with_property(f"nodes/{self._stage}/{number}/position", Vector2(x, y))
        self.added[new.name or f"{new.type.removeprefix(PREFIX)} {number}"] = number
        values = dict(new.properties or {})
        if new.name is not None and kind.endswith("Parameter"):
            values.setdefault("parameter_name", new.name)
        if values:
            self.set_values(str(number), values)

    def set_values(self, name: str, values: dict[str, Any]) -> None:
        from scenewright.godot.assets.resource_file import ResourceFile
        from scenewright.godot.rendering.visual_shaders import VisualShaderGraph

        node, workspace = self._node(name), open_workspace(self._call)
        if not node.resource:
            raise Invalid("The output has no properties.", path="input.set", rule="node")
        held = ResourceFile(
            workspace, class_index(self._call), self.graph.document, self.graph.path, inner=node.resource
        )
        self.graph = VisualShaderGraph(held.set(values).document, self.graph.path)

    def remove(self, name: str) -> None:
        node = self._node(name)
        if not node.resource:
            raise Invalid("The output cannot be removed.", path="input.remove", rule="node")
        self.graph = self.graph.without_node(self._stage, node)

    def connect(self, wire: Wire) -> None:
        from scenewright.godot.rendering.visual_shaders import link_rows

        link = self._link(wire)
        links = self.graph.links(self._stage)
        if self._leads_back(links, link):
            raise Invalid(
                f"{wire.source} to {wire.target} would go round in a circle.", path="input.connect", rule="tree"
            )
        other = [each for each in links if (each.target, each.target_port) == (link.target, link.target_port)]
        if other and other != [link]:
            before = list(link_rows(self.graph, self._stage))
            self.replaced += [before[links.index(each)] for each in other]
        kept = [each for each in links if each not in other]
        self.graph = self.graph.with_links(self._stage, [*kept, link])

    def cut(self, wire: Wire) -> None:
        link, links = self._link(wire), self.graph.links(self._stage)
        if link not in links:
            raise Invalid(f"{wire.source} and {wire.target} are not connected.", path="input.disconnect", rule="exists")
        self.graph = self.graph.with_links(self._stage, [each for each in links if each != link])

    def _link(self, wire: Wire) -> Link:
        from scenewright.godot.rendering.visual_shaders import Link

        source, out = self._end(wire.source, is_input=False)
        target, into = self._end(wire.target, is_input=True)
        return Link(source, out, target, into)

    def _end(self, written: str, *, is_input: bool) -> tuple[int, int]:
        name, colon, port = written.rpartition(":")
        node = self._node(name if colon else written)
        return node.id, self.graph.port(self._stage, node, port if colon else "0", is_input=is_input)

    def _node(self, name: str) -> GraphNode:
        number = self.added.get(name)
        return self.graph.find_node(self._stage, str(number) if number is not None else name)

    @staticmethod
    def _leads_back(links: list[Link], link: Link) -> bool:
        ahead, seen = [link.target], set[int]()
        while ahead:
            node = ahead.pop()
            if node == link.source:
                return True
            if node not in seen:
                seen.add(node)
                ahead += [each.target for each in links if each.source == node]
        return False


def _open(workspace: Workspace, path: str) -> VisualShaderGraph:
    from scenewright.godot.rendering.visual_shaders import VisualShaderGraph

    place = workspace.place(path)
    if not place.endswith(".tres"):
        raise Invalid("A visual shader's file name ends in .tres.", path="input.shaderPath", rule="suffix")
    return VisualShaderGraph(workspace.document(place), f"res://{place}")


def _checked_stage(graph: VisualShaderGraph, stage: str) -> str:
    if stage not in graph.stages:
        raise Invalid(
            f"A {graph.mode} shader has no stage '{stage[:50]}'.",
            path="input.stage",
            rule="enum",
            hint=f"It has {', '.join(graph.stages)}.",
        )
    return stage


def _check_class(call: Call, kind: str) -> None:
    from scenewright.core.faults import did_you_mean
    from scenewright.godot.rendering.visual_shaders import PREFIX

    index = class_index(call)
    if kind not in index or not index.is_a(kind, PREFIX) or kind.endswith("Output"):
        known = [name.removeprefix(PREFIX) for name in index.class_names if name.startswith(PREFIX)]
        plain = kind.removeprefix(PREFIX)
        raise Invalid(
            f"There is no node class '{plain[:50]}'.",
            path="input.add.type",
            rule="class",
            hint=did_you_mean(plain, known, "Such as ColorParameter, FloatOp, VectorOp, Mix, Texture, Input."),
        )


def _stage_row(call: Call, graph: VisualShaderGraph, stage: str) -> StageRow:
    from scenewright.godot.rendering.visual_shaders import link_rows

    nodes = [_node_row(call, graph, node) for node in graph.nodes(stage).values() if node.resource]
    return StageRow(stage=stage, nodes=nodes, connections=list(link_rows(graph, stage)))


def _node_row(call: Call, graph: VisualShaderGraph, node: GraphNode) -> NodeRow:
    from scenewright.godot.assets.resource_file import ResourceFile

    held = ResourceFile(open_workspace(call), class_index(call), graph.document, graph.path, inner=node.resource)
    values = held.read(None, defaults=False)
    for name in ("parameter_name", "varying_name", "input_name", "expanded_output_ports"):
        values.pop(name, None)
    return NodeRow(id=node.id, type=node.kind, name=node.name or None, properties=values or None)
