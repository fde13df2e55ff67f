"""Objects and components of an open scene, made, moved and removed by the editor's commands.

The editor gives its own ids to what is new. So the scene is saved after the commands, what came of it is found in the
file, and the values that are still missing are set; only what then reads as it was meant has been made.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from scenewright.core.faults import Fault
from scenewright.unity.live import intents
from scenewright.unity.live.commands import Intent
from scenewright.unity.live.field_edits import FieldEdits
from scenewright.unity.live.pipeline import Pipeline
from scenewright.unity.live.saved_scenes import missing_edits, new_ids, with_ids_in_text
from scenewright.unity.live.scene_edits import global_id
from scenewright.unity.live.structure import Step, Texts
from scenewright.unity.yaml.source import UnityFile

__all__ = ["StructureEdits"]

_COMMANDS: Mapping[str, Intent] = {
    "create": intents.CREATE,
    "add": intents.ADD_COMPONENT,
    "delete": intents.DELETE,
    "remove": intents.REMOVE_COMPONENT,
    "move": intents.SET_PARENT,
}
_HANDLES = ("instanceId", "globalId", "hierarchyPath")
Save = Callable[[], Awaitable[bytes]]  # has the editor save the scene, and returns its text
NameScript = Callable[[str], str | None]  # the class of a script, by its guid


@dataclass
class StructureEdits:
    """The steps of one scene, ready to be made."""

    pipeline: Pipeline
    path: str
    guid: str
    texts: Texts
    steps: list[Step]
    classes: Mapping[str, str]  # of scripts, by guid
    ids: dict[int, int] = field(default_factory=dict)  # what the editor gave to what is new
    _handles: dict[int, dict[str, Any]] = field(default_factory=dict)

    async def can_be_made(self) -> bool:
        """Return whether the editor has the commands."""
        commands = await self.pipeline.commands()
        needed = [_COMMANDS[step.kind] for step in self.steps] + [intents.SAVE_SCENE, intents.OPEN_SCENE]
        named = all(not step.script or step.script in self.classes for step in self.steps)
        primitive = any(step.primitive for step in self.steps)
        create = commands.find(intents.CREATE)
        able = not primitive or (create is not None and create.parameter(intents.CREATE.parameters["primitive"]))
        return named and bool(able) and all(commands.find(intent) is not None for intent in needed)

    async def make(self, save: Save) -> bytes | None:
        """Make all; return the scene as it was saved, or None where it is something else than what was meant.

        Raises:
            Fault: a command was refused.
        """
        for step in self.steps:
            await self._make(step)
        saved = UnityFile(await save(), self.path)
        if (ids := new_ids(saved, self.texts, self.steps)) is None:
            return None
        self.ids = ids
        wanted = UnityFile(with_ids_in_text(self.texts.new.data, ids), self.path)
        mine = {ids.get(key, key) for key in self.texts.changed}
        edits = missing_edits(saved, wanted, mine)
        if edits:
            fields = FieldEdits(self.pipeline, self.path, self.guid, edits)
            if not await fields.look(is_saved=True):
                return None
            await fields.make()
            saved = UnityFile(await save(), self.path)
            edits = missing_edits(saved, wanted, mine)
        return saved.data if edits == [] else None

    async def _make(self, step: Step) -> None:
        values: dict[str, Any] = {}
        if step.kind == "create":
            values = {"name": step.name, "primitive": step.primitive, "parent": self._handle(step.owner)}
            values = {name: value for name, value in values.items() if value}
        elif step.kind == "add":
            values = {"target": self._handle(step.owner), "type": self.classes.get(step.script) or step.name}
        elif step.kind == "move":
            values = {"target": self._handle(step.file_id), "stays": False}
            values |= {"parent": self._handle(step.owner)} if step.owner else {}
        else:
            values = {"target": self._handle(step.file_id), "confirm": True}
        answer = await self.pipeline.run(_COMMANDS[step.kind], values)
        if step.kind == "create":
            self._handles[step.file_id] = _handle_in(answer)

    def _handle(self, file_id: int) -> dict[str, Any]:
        """Return how an object is named there; nothing for the root of the scene."""
        if not file_id:
            return {}
        return self._handles.get(file_id) or {"globalId": global_id(self.guid, file_id)}


def _handle_in(answer: Any) -> dict[str, Any]:
    """Return how an object that was just made can be named; its global id counts only once it is saved."""
    known = answer if isinstance(answer, Mapping) else {}
    for name in _HANDLES:
        if known.get(name):
            return {name: known[name]}
    raise Fault("Unity did not say what it made.")
