"""Blend spaces and blend trees: made of points, or of nodes and the wires between them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from scenewright.core.faults import Invalid, NotFound, did_you_mean
from scenewright.core.text.counts import count_noun, with_article
from scenewright.godot.animation.graphs import BLEND_TREE, RESERVED, Graph
from scenewright.godot.animation.parameters import NODE_PARAMETERS
from scenewright.godot.animation.requests import BlendNode, BlendPoint, Connection
from scenewright.godot.animation.rows import located
from scenewright.godot.documents import variant as v
from scenewright.godot.values.tree import Coerced, Inline

__all__ = ["blend_space", "blend_tree", "set_parameters", "wired_tree"]

_OUTPUT = RESERVED[BLEND_TREE][0]
# The inputs that the engine gives a node of each class; a Transition has its own.
_INPUTS = {"Add2": 2, "Add3": 3, "Blend2": 2, "Blend3": 3, "OneShot": 2, "Sub2": 2, "TimeScale": 1, "TimeSeek": 1}
_COLUMN, _ROW = 250.0, 150.0


def blend_space(graph: Graph, dimensions: int, points: Sequence[BlendPoint], options: dict[str, Any]) -> Inline:
    """Build a blend space with an animation at each point; options are its given properties and its bounds.

    Raises:
        Invalid: a point has no place, or lies outside.
    """
    bounds = [(options.pop(f"min{axis}"), options.pop(f"max{axis}")) for axis in ("", "_y")][:dimensions]
    places = [_read_position(point, dimensions, at) for at, point in enumerate(points)]
    low, high = _fit_bounds(places, bounds)
    props: list[tuple[str, Coerced]] = []
    for at, (point, place) in enumerate(zip(points, places, strict=True)):
        with located(f"point {at}", f"input.points[{at}]"):
            props.append((f"blend_point_{at}/node", graph.animation(point.animation, "animation")))
        props.append((f"blend_point_{at}/pos", place[0] if dimensions == 1 else v.Vector2(*place)))
    # The engine's own bounds are -1 and 1.
    if any(number != -1.0 for number in low):
        props.append(("min_space", low[0] if dimensions == 1 else v.Vector2(*low)))
    if any(number != 1.0 for number in high):
        props.append(("max_space", high[0] if dimensions == 1 else v.Vector2(*high)))
    kind = f"AnimationNodeBlendSpace{dimensions}D"
    more = graph.made(kind, {name: value for name, value in options.items() if value is not None})
    return Inline(kind, (*props, *more.properties))


def blend_tree(graph: Graph, nodes: Sequence[BlendNode], wires: Sequence[Connection]) -> Inline:
    """Build a blend tree from nodes and the connections between them.

    Raises:
        Invalid, NotFound: a node or wire cannot be.
    """
    resources = dict(_node(graph, at, node) for at, node in enumerate(nodes))
    if len(resources) < len(nodes):
        raise Invalid("Two nodes have the same name.", path="input.nodes", rule="unique")
    _check_wires(nodes, wires)
    places = _lay_out_nodes([node.name for node in nodes], wires)
    props: list[tuple[str, Coerced]] = [(f"nodes/{_OUTPUT}/position", places[_OUTPUT])]
    for node in nodes:
        place = v.Vector2(*node.position) if node.position is not None else places[node.name]
        props += [(f"nodes/{node.name}/node", resources[node.name]), (f"nodes/{node.name}/position", place)]
    if wires:
        order = [_OUTPUT, *(node.name for node in nodes)]  # as the engine lists them
        sorted_ = sorted(wires, key=lambda wire: (order.index(wire.to), wire.input))
        triples = ((v.StringName(wire.to), wire.input, v.StringName(wire.source)) for wire in sorted_)
        props.append(("node_connections", v.Array(tuple(part for triple in triples for part in triple))))
    return Inline(BLEND_TREE, tuple(props))


def wired_tree(graph: Graph, name: str) -> Inline:
    """Build a blend tree whose result is that of one node, yet to be put there."""
    holder = BlendNode(name=name, type="BlendSpace1D")
    return blend_tree(graph, [holder], [Connection(source=name, to=_OUTPUT)])


def set_parameters(graph: Graph, way: str, nodes: Sequence[BlendNode]) -> list[str]:
    """Set the initial values of a blend tree's nodes' parameters, and return their names."""
    names = []
    for at, node in enumerate(nodes):
        known = NODE_PARAMETERS.get(_short_type(node.type), {})
        for name, raw in (node.parameters or {}).items():
            with located(f"node {at}", f"input.nodes[{at}].parameters"):
                if name not in known:
                    raise NotFound(
                        f"{with_article(node.type)} has no parameter '{name}'.", hint=did_you_mean(name, list(known))
                    )
                value = graph.value(raw, known[name], name)
            inner = f"{way}/{node.name}" if way else node.name
            names.append(graph.set_parameter(inner, name, value))
    return names


def _read_position(point: BlendPoint, dimensions: int, at: int) -> list[float]:
    position: Any = point.position
    apart = [number for number in (point.position_x, point.position_y) if number is not None]
    if apart and (position is not None or dimensions == 1):
        raise Invalid(
            f"Point {at} takes positionX and positionY only in 2d, instead of position.",
            path=f"input.points[{at}].positionX",
            rule="oneOf",
            hint="Give position.",
        )
    position = apart or position
    numbers = position if isinstance(position, list) else [] if position is None else [position]
    if len(numbers) != dimensions:
        wanted = "position, a number" if dimensions == 1 else "position, [x, y]"
        raise Invalid(f"Point {at} needs {with_article(wanted)}.", path=f"input.points[{at}].position", rule="type")
    return [float(number) for number in numbers]


def _fit_bounds(places: Sequence[list[float]], limits: Sequence[tuple[Any, Any]]) -> tuple[list[float], list[float]]:
    low, high = [], []
    for axis, (least, most) in enumerate(limits):
        numbers = [place[axis] for place in places]
        low.append(float(least if least is not None else min(-1.0, *numbers)))
        high.append(float(most if most is not None else max(1.0, *numbers)))
        outside = [number for number in numbers if not low[-1] <= number <= high[-1]]
        if outside or low[-1] >= high[-1]:
            raise Invalid(
                f"{outside[0] if outside else low[-1]:g} is outside {low[-1]:g} to {high[-1]:g}.",
                path="input.points" if outside else "input.minSpace",
                rule="range",
                hint="Leave minSpace and maxSpace out to fit the points.",
            )
    return low, high


def _node(graph: Graph, at: int, node: BlendNode) -> tuple[str, Inline]:
    with located(f"node {at}", f"input.nodes[{at}]"):
        short = _short_type(node.type)
        kind = f"AnimationNode{short}"
        known = [
            name for name in graph.edit.index.subclasses("AnimationNode") if graph.edit.index.row(name).instantiable
        ]
        if kind not in known or kind == "AnimationNodeOutput":
            names = [name.removeprefix("AnimationNode") for name in known]
            raise NotFound(f"there is no animation node '{node.type}'.", hint=did_you_mean(short, names))
        if node.name == _OUTPUT or "/" in node.name:
            raise Invalid(f"'{node.name}' cannot be the name of a node.", path="input.name", rule="name")
        if (node.animation is None) == (short == "Animation"):
            needs = "needs an" if node.animation is None else "takes no"
            raise Invalid(f"a node of the type {short} {needs} animation.", path="input.animation", rule="type")
        more = graph.made(kind, node.properties or {})
        own = graph.animation(node.animation, "animation").properties if node.animation is not None else ()
        return node.name, Inline(kind, (*own, *_named_inputs(node), *more.properties))


def _named_inputs(node: BlendNode) -> Iterable[tuple[str, Coerced]]:
    if node.inputs is not None and _short_type(node.type) != "Transition":
        raise Invalid("only a Transition takes named inputs.", path="input.inputs", rule="type")
    for at, name in enumerate(node.inputs or ()):
        yield f"input_{at}/name", name
        yield f"input_{at}/auto_advance", False
        yield f"input_{at}/break_loop_at_end", False
        yield f"input_{at}/reset", True


def _check_wires(nodes: Sequence[BlendNode], wires: Sequence[Connection]) -> None:
    counts = {node.name: len(node.inputs or ()) or _INPUTS.get(_short_type(node.type), 0) for node in nodes} | {
        _OUTPUT: 1
    }
    wired: set[tuple[str, int]] = set()
    for at, wire in enumerate(wires):
        with located(f"connection {at}", f"input.connections[{at}]"):
            for name, ends in ((wire.source, [node.name for node in nodes]), (wire.to, list(counts))):
                if name not in ends:
                    raise NotFound(f"there is no node '{name}'.", hint=did_you_mean(name, ends))
            if wire.input >= counts[wire.to]:
                raise Invalid(
                    f"'{wire.to}' has {count_noun(counts[wire.to], 'input')}.", path="input.input", rule="range"
                )
            if (wire.to, wire.input) in wired or wire.source in [other.source for other in wires[:at]]:
                raise Invalid("each result and each input can have only one connection.", rule="unique")
            wired.add((wire.to, wire.input))
            if wire.source in _reachable_from(wire.to, wires):
                raise Invalid(f"'{wire.source}' would depend on itself.", rule="circle")


def _reachable_from(name: str, wires: Sequence[Connection]) -> set[str]:
    """A node and those that its result goes on to."""
    reachable, waiting = {name}, [name]
    while waiting:
        here = waiting.pop()
        reached = [wire.to for wire in wires if wire.source == here and wire.to not in reachable]
        reachable.update(reached)
        waiting += reached
    return reachable


def _lay_out_nodes(names: Sequence[str], wires: Sequence[Connection]) -> dict[str, v.Vector2]:
    """Columns by the way to the output, which comes last."""
    steps = {name: len(_reachable_from(name, wires)) - 1 for name in names}
    last = max(steps.values(), default=0)
    rows: dict[int, int] = {}
    positions = {_OUTPUT: v.Vector2(_COLUMN * (last or 1), 100.0)}
    for name in names:
        column = last - steps[name] if steps[name] else 0
        positions[name] = v.Vector2(_COLUMN * column, 100.0 + _ROW * rows.get(column, 0))
        rows[column] = rows.get(column, 0) + 1
    return positions


def _short_type(kind: str) -> str:
    return kind.removeprefix("AnimationNode")
