"""Changes animator controllers: parameters, layers, states and transitions come, go and get other values."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from scenewright.core.faults import Invalid, NotFound, did_you_mean
from scenewright.unity.animators import (
    MACHINE,
    MODES,
    PARAMETER_TYPES,
    STATE,
    STATE_TRANSITION,
    TRANSITION,
    Controller,
    listed,
)
from scenewright.unity.class_types.numbers import number_text
from scenewright.unity.class_types.objects import default_value
from scenewright.unity.editing import documents
from scenewright.unity.editing.session import EditSession
from scenewright.unity.editing.targets import Targets
from scenewright.unity.objects.facts import number, target_of
from scenewright.unity.yaml.source import ObjectDocument

__all__ = ["ControllerEdits"]

_CONDITION = re.compile(r"\s*(!?)\s*(.+?)\s*(?:(>|<|==|!=)\s*(-?(?:\d+\.?\d*|\.\d+)))?\s*")
_LONGEST_CONDITION = 300
_STEP, _PER_COLUMN = (200, 70), 8
Given = Mapping[str, Any]


class ControllerEdits:
    """Changes to one file; each sees those before it only when they are saved, so that each is saved by itself."""

    def __init__(self, session: EditSession) -> None:
        self.session = session
        self.controller = Controller(session.workspace, session.file)
        root = self.controller.root
        if root is None:
            raise Invalid(f"'{session.file.path}' holds no controller.", path="input.assetPath", rule="type")
        self.root = root
        self.added = 0
        self.removed = 0

    def save(self) -> None:
        self.session.save(added=self.added, removed=self.removed)

    def parameter(self, given: Given) -> None:
        """Add a parameter, or give one another type or default."""
        name, kind = str(given["name"]), given.get("type")
        rows = self._items(self.root, "m_AnimatorParameters")
        at = next((at for at, row in enumerate(rows) if row.get("m_Name") == name), None)
        row = dict(rows[at]) if at is not None else {}
        kind_number = PARAMETER_TYPES[kind] if kind else number(row.get("m_Type")) or PARAMETER_TYPES["Float"]
        made = {
            "m_Name": name,
            "m_Type": str(kind_number),
            "m_DefaultFloat": "0",
            "m_DefaultInt": "0",
            "m_DefaultBool": "0",
            "m_Controller": {"fileID": str(self.root.file_id)},
        } | row
        made["m_Type"] = str(kind_number)
        if given.get("default") is not None:
            plain = next(name for name, value in PARAMETER_TYPES.items() if value == kind_number)
            made |= _default(plain, given["default"])
        if at is None:
            rows.append(made)
        else:
            rows[at] = made

    def layer(self, given: Given) -> None:
        """Add a layer with a state machine of its own, or give one another weight or blending."""
        name = str(given["name"])
        rows = self._items(self.root, "m_AnimatorLayers")
        at = next((at for at, row in enumerate(rows) if row.get("m_Name") == name), None)
        if at is None:
            machine = self._add(MACHINE, {"m_ObjectHideFlags": "1", "m_Name": name})
            declared = self.session.types.class_type(self.root.class_id).field("m_AnimatorLayers")
            assert declared is not None
            made = default_value(declared.children[0], {}, "")
            made |= {
                "m_Name": name,
                "m_StateMachine": {"fileID": str(machine)},
                "m_SyncedLayerIndex": "-1",
                "m_Controller": {"fileID": str(self.root.file_id)},
            }
            rows.append(made)
            at = len(rows) - 1
        row = dict(rows[at])
        if given.get("weight") is not None:
            row["m_DefaultWeight"] = number_text(float(given["weight"]), "float")
        if given.get("blending") is not None:
            row["m_BlendingMode"] = "1" if given["blending"] == "Additive" else "0"
        rows[at] = row

    def state(self, given: Given) -> None:
        """Add a state to a layer, or give one another motion, speed or tag."""
        machine = self._machine(given.get("layer"))
        name = str(given["name"])
        known = dict(self.controller.states(machine))
        values = self._state_values(given)
        if name in known:
            for key, value in values.items():
                self.session.edits.set_value(known[name], [key], value)
            state_id = known[name].file_id
        else:
            place = self._place(machine, given.get("position"))
            state_id = self._add(STATE, {"m_ObjectHideFlags": "1", "m_Name": name, **values})
            row = {"serializedVersion": "1", "m_State": {"fileID": str(state_id)}, "m_Position": place}
            self._items(machine, "m_ChildStates").append(row)
        first = not known
        if given.get("default") or first:
            self.session.edits.set_value(machine, ["m_DefaultState"], {"fileID": str(state_id)})

    def transition(self, given: Given) -> None:
        """Add a transition between two states, or change the one that there is."""
        machine = self._machine(given.get("layer"))
        states = dict(self.controller.states(machine))
        source, to = str(given["from"]), str(given["to"])
        owner, key = self._owner(machine, states, source)
        target = None if to == "Exit" else self._state_named(states, to)
        is_entry = source == "Entry"
        values = self._transition_values(given, is_entry=is_entry)
        there = self._existing(owner, key, target)
        if there is not None:
            for name, value in values.items():
                self.session.edits.set_value(there, [name], value)
            return
        base = {
            "m_ObjectHideFlags": "1",
            "m_DstState": {"fileID": str(target.file_id if target is not None else 0)},
            "m_IsExit": "1" if target is None else "0",
        }
        if not (is_entry or values.get("m_Conditions") or "m_HasExitTime" in values):
            base |= {"m_HasExitTime": "1", "m_ExitTime": "1"}  # without either it would never be taken
        made = self._add(TRANSITION if is_entry else STATE_TRANSITION, base | values)
        self._items(owner, key).append({"fileID": str(made)})

    def remove(self, given: Given) -> None:
        """Remove a parameter, layer, state or transition."""
        if given.get("parameter"):
            self._drop_row(self.root, "m_AnimatorParameters", str(given["parameter"]), "parameter")
        elif given.get("state"):
            self._remove_state(self._machine(given.get("layer")), str(given["state"]))
        elif given.get("from") and given.get("to"):
            machine = self._machine(given.get("layer"))
            states = dict(self.controller.states(machine))
            owner, key = self._owner(machine, states, str(given["from"]))
            to = str(given["to"])
            there = self._existing(owner, key, None if to == "Exit" else self._state_named(states, to))
            if there is None:
                raise NotFound(f"There is no transition from '{given['from']}' to '{to}'.")
            self._unlink(owner, key, {there.file_id})
        elif given.get("layer"):
            self._remove_layer(str(given["layer"]))
        else:
            raise Invalid(
                "What is to be removed is not said.",
                path="input.remove",
                rule="required",
                hint="{'parameter': …}, {'state': …}, {'from': …, 'to': …} or {'layer': …}.",
            )

    def _machine(self, layer: Any) -> ObjectDocument:
        rows = listed(self.root.data.get("m_AnimatorLayers"))
        names = [str(row.get("m_Name", "")) for row in rows]
        if layer is None and rows:
            layer = names[0]
        for row in rows:
            machine = self.controller.machine_of(row)
            if row.get("m_Name") == layer and machine is not None:
                return machine
        raise NotFound(f"There is no layer '{layer}'.", hint=did_you_mean(str(layer), names) or f"It has: {names}.")

    def _state_named(self, states: Mapping[str, ObjectDocument], name: str) -> ObjectDocument:
        if name not in states:
            known = ", ".join(states)
            raise NotFound(f"There is no state '{name}'.", hint=did_you_mean(name, list(states)) or f"It has: {known}.")
        return states[name]

    def _owner(
        self, machine: ObjectDocument, states: Mapping[str, ObjectDocument], source: str
    ) -> tuple[ObjectDocument, str]:
        """Return what lists the transitions from a state, and under which key."""
        if source == "Any":
            return machine, "m_AnyStateTransitions"
        if source == "Entry":
            return machine, "m_EntryTransitions"
        return self._state_named(states, source), "m_Transitions"

    def _existing(self, owner: ObjectDocument, key: str, target: ObjectDocument | None) -> ObjectDocument | None:
        for row in listed(owner.data.get(key)):
            one = self.controller.document(row)
            if one is None:
                continue
            leads_out = one.data.get("m_IsExit") == "1"
            if target is None and leads_out:
                return one
            if target is not None and not leads_out and target_of(one.data.get("m_DstState"))[0] == target.file_id:
                return one
        return None

    def _state_values(self, given: Given) -> dict[str, Any]:
        values: dict[str, Any] = {}
        if "motion" in given:
            values["m_Motion"] = Targets(self.session).resolve(given["motion"], "m_Motion", "Motion")
        if given.get("speed") is not None:
            values["m_Speed"] = number_text(float(given["speed"]), "float")
        if given.get("tag") is not None:
            values["m_Tag"] = str(given["tag"])
        return values

    def _transition_values(self, given: Given, *, is_entry: bool) -> dict[str, Any]:
        values: dict[str, Any] = {}
        if given.get("conditions") is not None:
            values["m_Conditions"] = [self._condition(text) for text in given["conditions"]]
        if is_entry:
            return values
        if "exitTime" in given:
            has = given["exitTime"] is not None
            values["m_HasExitTime"] = "1" if has else "0"
            if has:
                values["m_ExitTime"] = number_text(float(given["exitTime"]), "float")
        if given.get("duration") is not None:
            values["m_TransitionDuration"] = number_text(float(given["duration"]), "float")
        return values

    def _condition(self, text: str) -> dict[str, Any]:
        """Return a condition, its parameter of the type that the comparison takes."""
        match = _CONDITION.fullmatch(text) if len(text) <= _LONGEST_CONDITION else None
        types = {row["name"]: row["type"] for row in self.controller.parameters()}
        name = match[2] if match else text
        if match is None or name not in types:
            hint = did_you_mean(name, list(types)) or f"There are: {', '.join(types) or 'none yet'}."
            raise Invalid(
                f"There is no parameter '{name}'.", path="input.transitions.conditions", rule="enum", hint=hint
            )
        kind, sign = types[name], match[3]
        fits = {"Float": (">", "<"), "Int": tuple(MODES), "Bool": (None,), "Trigger": (None,)}[kind]
        if sign not in fits or (match[1] and kind != "Bool"):
            forms = {"Float": "'X > 0.5' or 'X < 0.5'", "Int": "'X > 1', '<', '==' or '!='", "Bool": "'X' or '!X'"}
            raise Invalid(
                f"'{text}' is no condition of the {kind} '{name}'.",
                path="input.transitions.conditions",
                rule="pattern",
                hint=f"It may be {forms.get(kind, repr(name)).replace('X', name)}.",
            )
        mode = MODES[sign] if sign else 2 if match[1] else 1
        level = number_text(float(match[4]), "float") if sign else "0"
        return {"m_ConditionMode": str(mode), "m_ConditionEvent": name, "m_EventTreshold": level}

    def _remove_state(self, machine: ObjectDocument, name: str) -> None:
        state = self._state_named(dict(self.controller.states(machine)), name)
        gone = {state.file_id}
        owners = [
            (document, key)
            for document in self.session.file.of_class(MACHINE, STATE)
            for key in ("m_Transitions", "m_AnyStateTransitions", "m_EntryTransitions")
        ]
        for owner, key in owners:
            rows = [self.controller.document(row) for row in listed(owner.data.get(key))]
            lost = {
                one.file_id
                for one in rows
                if one is not None and (owner is state or target_of(one.data.get("m_DstState"))[0] == state.file_id)
            }
            if lost:
                self._unlink(owner, key, lost)
        for holder in self.session.file.of_class(MACHINE):
            self._drop_item(holder, "m_ChildStates", "m_State", gone)
            if target_of(holder.data.get("m_DefaultState"))[0] == state.file_id:
                others = [one for _, one in self.controller.states(holder) if one is not state]
                first = {"fileID": str(others[0].file_id if others else 0)}
                self.session.edits.set_value(holder, ["m_DefaultState"], first)
        self._delete(state)

    def _remove_layer(self, name: str) -> None:
        rows = listed(self.root.data.get("m_AnimatorLayers"))
        if len(rows) == 1:
            raise Invalid("A controller needs a layer.", path="input.remove", rule="minItems")
        machine = self._machine(name)
        self._drop_row(self.root, "m_AnimatorLayers", name, "layer")
        for document in self._below(machine):
            self._delete(document)

    def _below(self, machine: ObjectDocument) -> list[ObjectDocument]:
        """Return a machine with its states, machines and transitions."""
        documents = [machine]
        for key in ("m_AnyStateTransitions", "m_EntryTransitions"):
            documents += [one for row in listed(machine.data.get(key)) if (one := self.controller.document(row))]
        for _, state in self.controller.states(machine):
            documents.append(state)
            documents += [
                one for row in listed(state.data.get("m_Transitions")) if (one := self.controller.document(row))
            ]
        for _, inner in self.controller.machines(machine):
            documents += [one for one in self._below(inner) if one.class_id != STATE and one not in documents]
        return list({one.file_id: one for one in documents}.values())

    def _drop_row(self, document: ObjectDocument, key: str, name: str, what: str) -> None:
        rows = self._items(document, key)
        kept = [row for row in rows if row.get("m_Name") != name]
        if len(kept) == len(rows):
            names = [str(row.get("m_Name")) for row in rows]
            raise NotFound(f"There is no {what} '{name}'.", hint=did_you_mean(name, names))
        rows[:] = kept

    def _drop_item(self, document: ObjectDocument, key: str, inner: str, gone: set[int]) -> None:
        if any(target_of(row.get(inner))[0] in gone for row in listed(document.data.get(key))):
            rows = self._items(document, key)
            rows[:] = [row for row in rows if target_of(row.get(inner))[0] not in gone]

    def _unlink(self, owner: ObjectDocument, key: str, gone: set[int]) -> None:
        rows = self._items(owner, key)
        rows[:] = [row for row in rows if target_of(row)[0] not in gone]
        for file_id in gone:
            self._delete(self.session.file.by_id[file_id])

    def _delete(self, document: ObjectDocument) -> None:
        if not self.session.edits.covers(document.start, document.end):
            self.session.edits.remove_document(document)
            self.removed += 1

    def _items(self, document: ObjectDocument, key: str) -> list[Any]:
        rows = self.session.items(document, key)
        if rows is None:
            raise Invalid(f"The file has no '{key}'.", path="input.assetPath", rule="path")
        return rows

    def _add(self, class_id: int, given: Mapping[str, Any]) -> int:
        kind = self.session.types.class_type(class_id)
        (file_id,) = self.session.new_ids(1)
        self.session.add_documents(file_id, documents.object_text(kind, file_id, given))
        self.added += 1
        return file_id

    def _place(self, machine: ObjectDocument, given: Sequence[float] | None) -> dict[str, Any]:
        """Return where a state is drawn: where it is asked for, or beside those that there are."""
        count = len(listed(machine.data.get("m_ChildStates")))
        x, y = given or (300 + _STEP[0] * (count // _PER_COLUMN), 120 + _STEP[1] * (count % _PER_COLUMN))
        return {"x": number_text(x, "float"), "y": number_text(y, "float"), "z": "0"}


def _default(kind: str, value: Any) -> dict[str, str]:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if kind == "Bool" and isinstance(value, bool):
        return {"m_DefaultBool": "1" if value else "0"}
    if kind == "Int" and is_number and float(value).is_integer():
        return {"m_DefaultInt": str(int(value))}
    if kind == "Float" and is_number:
        return {"m_DefaultFloat": number_text(float(value), "float")}
    raise Invalid(f"A {kind} has no default '{value}'.", path="input.parameters.default", rule="type")
