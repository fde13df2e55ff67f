"""A visual shader's file as a graph: nodes with names, ports with names, and the connections between them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

import msgspec

from scenewright.core.faults import Invalid, NotFound, did_you_mean
from scenewright.godot.documents.document import Document
from scenewright.godot.documents.errors import EditError
from scenewright.godot.documents.references import resource_sections
from scenewright.godot.documents.section import Section
from scenewright.godot.documents.variant import PackedInt32Array, SubResource, Variant, Vector2
from scenewright.godot.rendering.visual_shader_ports import (
    INPUT_NAMES,
    MODES,
    OUTPUT_NAMES,
    OUTPUT_PORTS,
    PORT_COUNTS,
    STAGES,
)

__all__ = ["OUTPUT", "PREFIX", "GraphNode", "Link", "VisualShaderGraph", "label", "link_rows"]

PREFIX: Final = "VisualShaderNode"
OUTPUT: Final = 0
FIRST_ID: Final = 2  # 1 is the engine's
_NODE: Final = re.compile(r"nodes/(?P<stage>\w+)/(?P<id>\d{1,9})/node")
_MOST_NODES: Final = 5000


class Link(msgspec.Struct, frozen=True):
    """From an output port to an input port."""

    source: int
    source_port: int
    target: int
    target_port: int


class GraphNode(msgspec.Struct, frozen=True):
    """A node of one stage; `kind` is its class without VisualShaderNode."""

    id: int
    kind: str
    resource: str  # its id in the file, empty for the output
    name: str  # of the parameter it stands for, else empty
    position: Vector2 | None = None


class VisualShaderGraph:
    """Reads a document and makes changed ones of it."""

    def __init__(self, document: Document, path: str) -> None:
        header = document.sections[0] if document.sections else None
        if header is None or header.string("type") != "VisualShader" or document.find("resource") is None:
            raise EditError(f"{path} is no visual shader: its header does not say VisualShader.")
        self.document, self.path = document, path

    @property
    def mode(self) -> str:
        number = self._own.value("mode", 0)
        return MODES[number] if isinstance(number, int) and 0 <= number < len(MODES) else MODES[0]

    @property
    def stages(self) -> tuple[str, ...]:
        return STAGES[self.mode]

    def nodes(self, stage: str) -> dict[int, GraphNode]:
        """Return the nodes of a stage by their ids, the output first."""
        nodes = {OUTPUT: GraphNode(OUTPUT, "Output", "", "")}
        declared = resource_sections(self.document)
        for each in self._own.properties:
            match = _NODE.fullmatch(each.name)
            if match is None or match["stage"] != stage or len(nodes) > _MOST_NODES:
                continue
            held = each.value
            section = declared.get(held) if isinstance(held, SubResource) else None
            if section is not None and isinstance(held, SubResource):
                nodes[int(match["id"])] = self._read_node(int(match["id"]), stage, section, held.id)
        return nodes

    def links(self, stage: str) -> list[Link]:
        """Return the connections of a stage."""
        numbers = self._own.value(f"nodes/{stage}/connections")
        items = list(numbers.items) if isinstance(numbers, PackedInt32Array) else []
        return [Link(*items[at : at + 4]) for at in range(0, len(items) - 3, 4)]

    def find_node(self, stage: str, name: str) -> GraphNode:
        """Return a node by its id, its parameter's name, or its class where only one has it.

        Raises:
            NotFound: there is none.
            Invalid: there are several.
        """
        nodes = self.nodes(stage)
        plain = name.strip().removeprefix(PREFIX)
        if plain.isdigit() and int(plain) in nodes:
            return nodes[int(plain)]
        fitting = [node for node in nodes.values() if node.name == plain] or [
            node for node in nodes.values() if node.kind.lower() == plain.lower()
        ]
        if not fitting:
            known = [each for node in nodes.values() for each in (node.name, node.kind) if each]
            hint = did_you_mean(plain, known, f"It has {', '.join(map(label, nodes.values()))}.")
            raise NotFound(f"The stage '{stage}' has no node '{name[:100]}'.", hint=hint)
        if len(fitting) > 1:
            ids = ", ".join(str(node.id) for node in fitting)
            raise Invalid(
                f"Several nodes are a '{name}': {ids}.", path="input", rule="unique", hint="Name it by its id."
            )
        return fitting[0]

    def port(self, stage: str, node: GraphNode, written: str, *, is_input: bool) -> int:
        """Return a port by its number or name.

        Raises:
            Invalid: the node has no such port.
        """
        names = self.port_names(stage, node, is_input=is_input)
        count = self._port_count(stage, node, is_input=is_input)
        plain = written.strip()
        if plain.isdigit() and (count is None or int(plain) < count):
            return int(plain)
        lowered = [name.lower() for name in names]
        if plain.lower() in lowered:
            return lowered.index(plain.lower())
        kind = "input" if is_input else "output"
        known = ", ".join(names) if names else f"{count} of them, from 0" if count else "none"
        raise Invalid(
            f"{label(node)} has no {kind} port '{plain[:50]}'.", path="input", rule="port", hint=f"It has {known}."
        )

    def port_names(self, stage: str, node: GraphNode, *, is_input: bool) -> tuple[str, ...]:
        if node.id == OUTPUT:
            return OUTPUT_PORTS.get((self.mode, stage), ()) if is_input else ()
        return (INPUT_NAMES if is_input else OUTPUT_NAMES).get(node.kind, ())

    def port_label(self, stage: str, node: GraphNode, number: int, *, is_input: bool) -> str:
        names = self.port_names(stage, node, is_input=is_input)
        return names[number] if 0 <= number < len(names) else str(number)

    def free_id(self, stage: str) -> int:
        return max([FIRST_ID - 1, *self.nodes(stage)]) + 1

    def with_links(self, stage: str, links: Iterable[Link]) -> VisualShaderGraph:
        """Return the graph with these connections for a stage's own."""
        name, numbers = f"nodes/{stage}/connections", [part for link in links for part in msgspec.structs.astuple(link)]
        if numbers:
            return self.with_property(name, PackedInt32Array(tuple(numbers)))
        if self._own.find(name) is None:
            return self
        return VisualShaderGraph(self.document.remove_property(self._own, name), self.path)

    def with_property(self, name: str, value: Variant) -> VisualShaderGraph:
        return VisualShaderGraph(self.document.set_property(self._own, name, value), self.path)

    def without_node(self, stage: str, node: GraphNode) -> VisualShaderGraph:
        """Return the graph without a node, its connections and its resource."""
        from scenewright.godot.documents.resources import remove_resource

        kept = [link for link in self.links(stage) if node.id not in (link.source, link.target)]
        graph = self.with_links(stage, kept)
        for ending in ("node", "position"):
            name = f"nodes/{stage}/{node.id}/{ending}"
            if graph._own.find(name) is not None:
                graph = VisualShaderGraph(graph.document.remove_property(graph._own, name), self.path)
        return VisualShaderGraph(remove_resource(graph.document, SubResource(node.resource)), self.path)

    @property
    def _own(self) -> Section:
        section = self.document.find("resource")
        assert section is not None
        return section

    def _read_node(self, number: int, stage: str, section: Section, resource: str) -> GraphNode:
        kind = str(section.attribute("type", "")).removeprefix(PREFIX)
        name = section.value("parameter_name") or section.value("varying_name") or section.value("input_name") or ""
        place = self._own.value(f"nodes/{stage}/{number}/position")
        return GraphNode(number, kind, resource, str(name), place if isinstance(place, Vector2) else None)

    def _port_count(self, stage: str, node: GraphNode, *, is_input: bool) -> int | None:
        """Return how many ports a node has, None where that depends on what it holds."""
        if node.id == OUTPUT:
            ports = OUTPUT_PORTS.get((self.mode, stage))
            return (len(ports) if ports is not None else None) if is_input else 0
        counts = PORT_COUNTS.get(node.kind)
        if counts is None:
            return None
        if not is_input:
            return None  # a port of a vector may be opened into its parts
        return counts[0] + (node.kind in ("VectorCompose",))


def label(node: GraphNode) -> str:
    """Return how replies call a node."""
    return "Output" if node.id == OUTPUT else f"{node.name or node.kind} ({node.id})"


def link_rows(graph: VisualShaderGraph, stage: str) -> Iterator[dict[str, Any]]:
    """Yield the connections as `from` and `to`, each a node and a port."""
    nodes = graph.nodes(stage)
    for link in graph.links(stage):
        source, target = nodes.get(link.source), nodes.get(link.target)
        if source is None or target is None:
            continue
        out = graph.port_label(stage, source, link.source_port, is_input=False)
        into = graph.port_label(stage, target, link.target_port, is_input=True)
        yield {"from": f"{_short(source)}:{out}", "to": f"{_short(target)}:{into}"}


def _short(node: GraphNode) -> str:
    return "Output" if node.id == OUTPUT else str(node.id)
