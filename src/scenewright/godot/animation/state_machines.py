"""State machines: states, the transitions between them, and where the editor shows them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scenewright.core.faults import Conflict, Invalid, NotFound, did_you_mean
from scenewright.core.text.counts import with_article
from scenewright.godot.animation.graphs import RESERVED, STATE_MACHINE, Graph, children
from scenewright.godot.animation.inner_resources import HeldResource
from scenewright.godot.animation.requests import State, Transition
from scenewright.godot.animation.rows import located
from scenewright.godot.documents import variant as v
from scenewright.godot.values.tree import Coerced, Inline, array

__all__ = ["Machine"]

START, END = RESERVED[STATE_MACHINE]
_SWITCH = ("immediate", "sync", "at_end")
_ADVANCE = ("disabled", "enabled", "auto")
_COLUMN, _ROW = 220.0, 120.0
_FIRST = v.Vector2(200, 100)  # where the engine has Start; End is at 900 unless moved
_END = v.Vector2(900, 100)
_Wire = tuple[str, str, Coerced]


class Machine:
    """One state machine of a graph."""

    def __init__(self, graph: Graph, way: str, *, overwrite: bool) -> None:
        self.graph = graph
        self.way = way
        part = graph.find(way)
        if part is not None and part.type != STATE_MACHINE and not overwrite:
            raise Conflict(
                f"There is {with_article(part.type)} at '{way or 'tree_root'}' of '{graph.path}'.",
                retryable=False,
                hint="Pass overwrite: true to replace it, or machine to create one inside it.",
            )
        if part is None or part.type != STATE_MACHINE or overwrite:
            part = graph.put(way, Inline(STATE_MACHINE))
        self.part: HeldResource = part
        self.parameters: list[str] = []

    def add(self, states: Sequence[State], transitions: Sequence[Transition], start: str | None) -> str | None:
        """Add states and transitions, replacing those of the same names; return the state it starts in."""
        self._add_states(states)
        wires = self._read_transitions()
        for at, transition in enumerate(transitions):
            with located(f"transition {at}", f"input.transitions[{at}]"):
                wires = self._replace_or_add(
                    wires,
                    (
                        self._require_state(transition.source),
                        self._require_state(transition.to),
                        self._build_transition(transition),
                    ),
                )
        chosen = (
            start or next((to for source, to, _ in wires if source == START), None) or next(iter(self.states), None)
        )
        if chosen is not None and (start is not None or START not in [source for source, _, _ in wires]):
            auto = self.graph.made(f"{STATE_MACHINE}Transition", {"advance_mode": 2})
            others = [wire for wire in wires if wire[0] != START]
            wires = [(START, self._require_state(chosen), auto), *others]
        self._lay_out(wires, {transition.name: transition.position for transition in states})
        if wires:
            self.part.set({"transitions": array(tuple(part for wire in wires for part in wire))})
            self.part.move_last("transitions")
        return chosen

    @property
    def states(self) -> list[str]:
        return children(self.part)

    def transitions(self) -> list[str]:
        return [f"{source} -> {to}" for source, to, _ in self._read_transitions()]

    def _add_states(self, states: Sequence[State]) -> None:
        for at, state in enumerate(states):
            with located(f"state {at}", f"input.states[{at}]"):
                self.graph.check_name(self.part, state.name)
                if state.animation is not None or state.name not in self.states:
                    self.part.set({f"states/{state.name}/node": self._build_state_node(state)})
                if state.blend_position is not None:
                    self._blend_position(state)

    def _build_state_node(self, state: State) -> Inline:
        name = state.animation or state.name
        if state.animation is None and not self.graph.has_animation(name):
            raise Invalid(
                f"the state '{name}' needs an animation.",
                path="input.animation",
                rule="required",
                hint="blend_animations makes a state that is a blend space or blend tree.",
            )
        return self.graph.animation(name, "animation")

    def _blend_position(self, state: State) -> None:
        part = self.graph.parts.follow(self.part.holder, self.part.value(f"states/{state.name}/node"))
        kinds = {"AnimationNodeBlendSpace1D": "float", "AnimationNodeBlendSpace2D": "Vector2"}
        if part is None or part.type not in kinds:
            raise Invalid(
                f"the state '{state.name}' is not a blend space.",
                path="input.blendPosition",
                rule="class",
                hint="blend_animations makes one.",
            )
        with located("", "input.blendPosition", exact=True):
            value = self.graph.value(state.blend_position, kinds[part.type], "blend_position")
        self.parameters.append(self.graph.set_parameter(self._inner(state.name), "blend_position", value))

    def _inner(self, name: str) -> str:
        return f"{self.way}/{name}" if self.way else name

    def _require_state(self, name: str) -> str:
        known = [*self.states, START, END]
        if name not in known:
            raise NotFound(f"there is no state '{name}'.", hint=did_you_mean(name, known))
        return name

    def _read_transitions(self) -> list[_Wire]:
        stored = self.part.value("transitions")
        items: Any = stored.items if isinstance(stored, v.Array) else ()
        return [(str(items[at]), str(items[at + 1]), items[at + 2]) for at in range(0, len(items) - 2, 3)]

    @staticmethod
    def _replace_or_add(wires: list[_Wire], wire: _Wire) -> list[_Wire]:
        """The transitions with one more, in the place of that between the same states."""
        if wire[0] == wire[1] or wire[0] == END or wire[1] == START:
            raise Invalid(f"no transition can go from {wire[0]} to {wire[1]}.", path="input.to", rule="transition")
        same = [at for at, other in enumerate(wires) if other[:2] == wire[:2]]
        return [wire if at in same else other for at, other in enumerate(wires)] if same else [*wires, wire]

    def _build_transition(self, spec: Transition) -> Inline:
        asks = spec.advance_condition is not None or spec.advance_expression is not None
        mode = spec.advance_mode
        if mode is None and (asks or spec.auto_advance):
            mode = "auto"  # the engine looks at conditions only then
        if (mode not in (None, "auto")) and (asks or spec.auto_advance):
            raise Invalid(
                f"advanceMode {mode} never looks at a condition.",
                path="input.advanceMode",
                rule="transition",
                hint="Use auto, or leave it out.",
            )
        props: dict[str, Any] = {
            "xfade_time": spec.xfade_time,
            "switch_mode": _SWITCH.index(spec.switch_mode) if spec.switch_mode else None,
            "advance_mode": _ADVANCE.index(mode) if mode else None,
            "advance_condition": spec.advance_condition,
            "advance_expression": spec.advance_expression,
            **(spec.properties or {}),
        }
        if spec.advance_condition:
            name = f"conditions/{spec.advance_condition}"
            self.parameters.append(self.graph.set_parameter(self.way, name, value=False, keep=True))
        return self.graph.made(
            f"{STATE_MACHINE}Transition", {name: value for name, value in props.items() if value is not None}
        )

    def _lay_out(self, wires: Sequence[_Wire], positions: dict[str, list[float] | None]) -> None:
        """Gives states without a place one, column by column from the start, and moves End behind them all."""
        columns = self._assign_columns(wires)
        rows: dict[int, int] = {}
        values: dict[str, Coerced] = {}
        right = _FIRST.x
        for name in sorted(self.states, key=lambda each: columns[each]):
            column, row = columns[name], rows.get(columns[name], 0)
            rows[column] = row + 1
            place = positions.get(name)
            known = self.part.value(f"states/{name}/position")
            if place is not None:
                known = values[f"states/{name}/position"] = v.Vector2(*place)
            elif not isinstance(known, v.Vector2):
                known = v.Vector2(_FIRST.x + _COLUMN * (column + 1), _FIRST.y + _ROW * row)
                values[f"states/{name}/position"] = known
            right = max(right, known.x)
        end = self.part.value(f"states/{END}/position", _END)
        if isinstance(end, v.Vector2) and end.x < right + _COLUMN:
            values[f"states/{END}/position"] = v.Vector2(right + _COLUMN, _FIRST.y)
        self.part.set(values)

    def _assign_columns(self, wires: Sequence[_Wire]) -> dict[str, int]:
        """How many transitions each state is from the start; those that none leads to come first."""
        columns = {to: 0 for source, to, _ in wires if source == START}
        waiting = list(columns)
        while waiting:
            here = waiting.pop(0)
            for source, to, _ in wires:
                if source == here and to not in columns and to != END:
                    columns[to] = columns[here] + 1
                    waiting.append(to)
        return {name: columns.get(name, 0) for name in self.states}
