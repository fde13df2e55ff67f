"""Values of an open scene's objects, set by the editor's commands: each is looked at first, and read back."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from scenewright.core.faults import Conflict, Fault, NotFound, Unsupported
from scenewright.unity.live import intents
from scenewright.unity.live.commands import Intent
from scenewright.unity.live.pipeline import Pipeline
from scenewright.unity.live.refusals import EditorRefused
from scenewright.unity.live.scene_edits import Kind, ValueEdit, global_id, is_same, on_wire, present_value

__all__ = ["FieldEdits", "scene_guid"]

_GUID = re.compile(rb"^guid: ([0-9a-f]{32})\s*$", re.MULTILINE)
_NEEDED = {
    "field": (intents.GET_FIELD, intents.SET_FIELD),
    "name": (intents.RENAME,),
    "active": (intents.SET_ACTIVE,),
    "tag": (intents.SET_TAG,),
    "layer": (intents.SET_LAYER,),
}


@dataclass
class FieldEdits:
    """The edits of one scene, ready to be made."""

    pipeline: Pipeline
    path: str
    guid: str
    edits: list[ValueEdit]
    _present: list[Any] = field(default_factory=list)

    @classmethod
    def of(cls, pipeline: Pipeline, path: str, meta: bytes | None, edits: list[ValueEdit]) -> FieldEdits | None:
        """Return edits of a scene; None where its `.meta` tells no guid, so that nobody could name its objects."""
        guid = scene_guid(meta)
        return None if guid is None else cls(pipeline, path, guid, edits)

    async def look(self, *, is_saved: bool) -> bool:
        """See whether the editor can make all of them, and has the values that they begin with.

        Of a scene that is saved, one that differs was changed in the file, or is told in another form.

        Raises:
            Conflict: one was changed there.
        """
        commands = await self.pipeline.commands()
        kinds = {edit.kind for edit in self.edits}
        needed = [intent for kind in kinds for intent in _NEEDED[kind]]
        if any(commands.find(intent) is None for intent in (*needed, intents.SAVE_SCENE)):
            return False
        self._present = []
        for edit in self.edits:
            told, value = await self._value_of(edit)
            same = is_same(value, edit.before, self.guid) if told else None
            if same is False and not is_saved:
                raise Conflict(
                    f"'{edit.path}' of an object in '{self.path}' has another value in Unity than in the file."
                    " Nothing was changed.",
                    hint="Have the scene saved there (unity_editor_manager save), then read it again.",
                    details={"path": self.path, "property": edit.path},
                    retryable=False,
                )
            if not same and edit.kind == "field":
                return False
            self._present.append(value)
        return True

    async def make(self) -> None:
        """Make all of them, or none.

        Raises:
            Fault: one could not be made; those before it were taken back.
        """
        made: list[int] = []
        try:
            for number, edit in enumerate(self.edits):
                await self._set(edit, edit.after, self._present[number])
                made.append(number)
                await self._read_back(edit)
        except Fault:
            for number in reversed(made):
                await self._set(self.edits[number], self.edits[number].before, self._present[number])
            raise

    async def _read_back(self, edit: ValueEdit) -> None:
        told, value = await self._value_of(edit)
        if told and is_same(value, edit.after, self.guid) is False:
            raise Conflict(
                f"Unity made {value!r} of what '{edit.path}' was set to. Nothing was changed.",
                details={"path": self.path, "property": edit.path},
                retryable=False,
            )

    async def _value_of(self, edit: ValueEdit) -> tuple[bool, Any]:
        if edit.kind != "field":
            return False, None
        asked = {"target": self._target(edit), "field": edit.path}
        try:
            return present_value(await self.pipeline.run(intents.GET_FIELD, asked, repeats=True))
        except (EditorRefused, NotFound, Unsupported):
            return False, None

    async def _set(self, edit: ValueEdit, raw: Any, present: Any) -> None:
        target = self._target(edit)
        if edit.kind == "field":
            value = on_wire(present, raw, self.guid)
            await self.pipeline.run(intents.SET_FIELD, {"target": target, "field": edit.path, "value": value})
            return
        intent = _NEEDED[edit.kind][0]
        value = await self._as_taken(intent, edit.kind, raw)
        await self.pipeline.run(intent, {"target": target, edit.kind: value})

    async def _as_taken(self, intent: Intent, kind: Kind, raw: Any) -> Any:
        """Return an object's own value as the command takes it; a layer's number as a text where it wants names too."""
        if kind == "active":
            return raw == "1"
        command = (await self.pipeline.commands()).find(intent)
        parameter = command.parameter(intent.parameters[kind]) if command is not None else None
        is_number = kind == "layer" and parameter is not None and parameter.kind.startswith("Int")
        return int(raw) if is_number else raw

    def _target(self, edit: ValueEdit) -> dict[str, str]:
        return {"globalId": global_id(self.guid, edit.file_id)}


def scene_guid(meta: bytes | None) -> str | None:
    """Return the guid in a `.meta`."""
    match = _GUID.search(meta or b"")
    return None if match is None else match[1].decode()
