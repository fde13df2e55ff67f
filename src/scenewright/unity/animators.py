"""Reads animator controllers: layers with their states, transitions as conditions in words, blend trees."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scenewright.unity.objects.facts import number, target_of
from scenewright.unity.workspace import Workspace
from scenewright.unity.yaml.source import ObjectDocument, UnityFile

__all__ = [
    "BLEND_TREE",
    "CONTROLLER",
    "MACHINE",
    "MODES",
    "PARAMETER_TYPES",
    "STATE",
    "STATE_TRANSITION",
    "TRANSITION",
    "Controller",
    "condition_text",
    "listed",
]

CONTROLLER, STATE_TRANSITION, STATE, MACHINE, TRANSITION, BLEND_TREE = 91, 1101, 1102, 1107, 1109, 206
PARAMETER_TYPES = {"Float": 1, "Int": 3, "Bool": 4, "Trigger": 9}
MODES = {">": 3, "<": 4, "==": 6, "!=": 7}
# The comparisons that a parameter of each type has.
_MODES_OF = {"Float": (3, 4), "Int": (3, 4, 6, 7), "Bool": (1, 2), "Trigger": (1,)}
BLEND_TYPES = ("1D", "SimpleDirectional2D", "FreeformDirectional2D", "FreeformCartesian2D", "Direct")
_MOST_DEPTH = 20


class Controller:
    """The objects of one controller file."""

    def __init__(self, workspace: Workspace, file: UnityFile) -> None:
        self._workspace = workspace
        self.file = file

    @property
    def root(self) -> ObjectDocument | None:
        return next(self.file.of_class(CONTROLLER), None)

    def parameters(self) -> list[dict[str, Any]]:
        """Return the parameters with their defaults."""
        names = {value: key for key, value in PARAMETER_TYPES.items()}
        rows = []
        for row in self._rows(self.root, "m_AnimatorParameters"):
            kind = names.get(number(row.get("m_Type")), "Float")
            shown: dict[str, Any] = {"name": str(row.get("m_Name", "")), "type": kind}
            if kind != "Trigger":
                value = str(row.get(f"m_Default{kind}", "0"))
                shown["default"] = (
                    value == "1" if kind == "Bool" else float(value) if kind == "Float" else number(value)
                )
            rows.append(shown)
        return rows

    def layers(self) -> list[dict[str, Any]]:
        """Return the layers, each with its states and transitions."""
        return [self._layer(at, row) for at, row in enumerate(self._rows(self.root, "m_AnimatorLayers"))]

    def unmet_conditions(self) -> list[str]:
        """Return conditions that no transition can take: their parameter is gone, or of another type."""
        types = {row["name"]: row["type"] for row in self.parameters()}
        rows = [
            row
            for one in (*self.file.of_class(STATE_TRANSITION), *self.file.of_class(TRANSITION))
            for row in self._rows(one, "m_Conditions")
        ]
        unmet = [
            condition_text(row)
            for row in rows
            if number(row.get("m_ConditionMode"))
            not in _MODES_OF.get(types.get(str(row.get("m_ConditionEvent")), ""), ())
        ]
        return list(dict.fromkeys(unmet))

    def machine_of(self, layer: dict[str, Any]) -> ObjectDocument | None:
        return self.document(layer.get("m_StateMachine"), MACHINE)

    def document(self, reference: Any, class_id: int | None = None) -> ObjectDocument | None:
        """Return the object of the file that a reference leads to."""
        file_id, guid = target_of(reference)
        document = self.file.by_id.get(file_id) if file_id and not guid else None
        return document if document is not None and class_id in (None, document.class_id) else None

    def states(self, machine: ObjectDocument, prefix: str = "", depth: int = 0) -> Iterator[tuple[str, ObjectDocument]]:
        """Yield the states of a machine and those inside it by their paths."""
        for row in self._rows(machine, "m_ChildStates"):
            state = self.document(row.get("m_State"), STATE)
            if state is not None:
                yield prefix + str(state.data.get("m_Name", "")), state
        for name, inner in self.machines(machine):
            if depth < _MOST_DEPTH:
                yield from self.states(inner, f"{prefix}{name}.", depth + 1)

    def machines(self, machine: ObjectDocument) -> Iterator[tuple[str, ObjectDocument]]:
        for row in self._rows(machine, "m_ChildStateMachines"):
            inner = self.document(row.get("m_StateMachine"), MACHINE)
            if inner is not None:
                yield str(inner.data.get("m_Name", "")), inner

    def _layer(self, at: int, row: dict[str, Any]) -> dict[str, Any]:
        machine = self.machine_of(row)
        shown: dict[str, Any] = {"name": str(row.get("m_Name", ""))}
        if at:
            shown["weight"] = float(str(row.get("m_DefaultWeight", "0")))
            shown["blending"] = "Additive" if row.get("m_BlendingMode") == "1" else "Override"
        if machine is None:
            return shown
        paths = {state.file_id: path for path, state in self.states(machine)}
        default = self.document(machine.data.get("m_DefaultState"), STATE)
        shown["defaultState"] = paths.get(default.file_id) if default is not None else None
        shown["states"] = [self._state(path, state, paths) for path, state in self.states(machine)]
        anywhere = [self._transition(one, paths) for one in self._linked(machine, "m_AnyStateTransitions")]
        entry = [self._transition(one, paths) for one in self._linked(machine, "m_EntryTransitions")]
        return shown | ({"anyState": anywhere} if anywhere else {}) | ({"entry": entry} if entry else {})

    def _state(self, path: str, state: ObjectDocument, paths: dict[int, str]) -> dict[str, Any]:
        data = state.data
        shown: dict[str, Any] = {"name": path, "fileId": str(state.file_id)}
        motion = self._motion(data.get("m_Motion"))
        if motion is not None:
            shown["motion"] = motion
        if data.get("m_Speed", "1") != "1":
            shown["speed"] = float(str(data["m_Speed"]))
        if data.get("m_Tag"):
            shown["tag"] = data["m_Tag"]
        transitions = [self._transition(one, paths) for one in self._linked(state, "m_Transitions")]
        return shown | ({"transitions": transitions} if transitions else {})

    def _motion(self, reference: Any, depth: int = 0) -> Any:
        file_id, guid = target_of(reference)
        if guid:
            return self._workspace.graph.path_of(guid) or guid
        tree = self.document(reference, BLEND_TREE)
        if tree is None or depth > _MOST_DEPTH:
            return f"object {file_id}" if file_id else None
        kind = number(tree.data.get("m_BlendType"))
        shown: dict[str, Any] = {
            "blendTree": BLEND_TYPES[kind] if kind < len(BLEND_TYPES) else str(kind),
            "parameter": tree.data.get("m_BlendParameter", ""),
        }
        if 0 < kind < len(BLEND_TYPES) - 1:
            shown["parameterY"] = tree.data.get("m_BlendParameterY", "")
        shown["motions"] = [
            {"motion": self._motion(row.get("m_Motion"), depth + 1)} | _place(row, kind)
            for row in self._rows(tree, "m_Childs")
        ]
        return shown

    def _transition(self, one: ObjectDocument, paths: dict[int, str]) -> dict[str, Any]:
        data = one.data
        target, _ = target_of(data.get("m_DstState"))
        machine = self.document(data.get("m_DstStateMachine"), MACHINE)
        to = "Exit" if data.get("m_IsExit") == "1" else paths.get(target)
        if to is None and machine is not None:
            to = str(machine.data.get("m_Name", ""))
        shown: dict[str, Any] = {
            "to": to,
            "conditions": [condition_text(row) for row in self._rows(one, "m_Conditions")],
        }
        if data.get("m_HasExitTime") == "1":
            shown["exitTime"] = float(str(data.get("m_ExitTime", "0")))
        if "m_TransitionDuration" in data:
            shown["duration"] = float(str(data["m_TransitionDuration"]))
        return shown | ({"muted": True} if data.get("m_Mute") == "1" else {})

    def _linked(self, owner: ObjectDocument, key: str) -> list[ObjectDocument]:
        documents = (self.document(row) for row in self._rows(owner, key))
        return [one for one in documents if one is not None and one.class_id in (STATE_TRANSITION, TRANSITION)]

    def _rows(self, document: ObjectDocument | None, key: str) -> list[dict[str, Any]]:
        return listed(document.data.get(key)) if document is not None else []


def listed(value: Any) -> list[dict[str, Any]]:
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []


def condition_text(row: dict[str, Any]) -> str:
    """Return a condition as one says it: `Speed > 0.1`, `Grounded`, `!Grounded`."""
    mode, name = number(row.get("m_ConditionMode")), str(row.get("m_ConditionEvent", ""))
    if mode in (1, 2):
        return name if mode == 1 else f"!{name}"
    sign = next((sign for sign, value in MODES.items() if value == mode), "?")
    return f"{name} {sign} {row.get('m_EventTreshold', '0')}"


def _place(row: dict[str, Any], kind: int) -> dict[str, Any]:
    if kind == 0:
        return {"threshold": float(str(row.get("m_Threshold", "0")))}
    if kind == len(BLEND_TYPES) - 1:
        return {"parameter": row.get("m_DirectBlendParameter", "")}
    place = row.get("m_Position")
    parts = place if isinstance(place, dict) else {}
    return {"position": [float(str(parts.get(key, "0"))) for key in "xy"]}
