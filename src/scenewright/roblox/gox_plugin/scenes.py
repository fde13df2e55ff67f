"""Scenes through the operations that Gox's plugin has under `scene.v1`, with plans of our own, all or nothing."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Sequence
from typing import Any

from scenewright.core.faults import Conflict, Fault, Invalid, Unsupported
from scenewright.roblox.backend import (
    Create,
    Delete,
    Done,
    Edit,
    Info,
    InstanceView,
    Move,
    SetAttribute,
    SetProperty,
    SetTags,
    Snapshot,
    Target,
)
from scenewright.roblox.gox_plugin.requests import SCENES, Ask, fields
from scenewright.roblox.gox_plugin.restoration import differing, restore
from scenewright.roblox.gox_plugin.scene_steps import StepsDraft
from scenewright.roblox.gox_plugin.scene_view import TRASH, Seen, look
from scenewright.roblox.scene_plans import ID

__all__ = ["PlainScenes"]

_MOST_CHILDREN = 500
_PLAN = "scene-plan.v1"


class PlainScenes:
    """The scenes of one call."""

    def __init__(self, ask: Ask, warn: Callable[[str], None] | None, next_key: Callable[[], str]) -> None:
        self._ask = ask
        self._warn = warn
        self._next_key = next_key
        self.seen: Seen | None = None  # what was looked at last, which edits are about

    async def snapshot(self, root: Target, wanted: Snapshot) -> InstanceView:
        self.seen = await look(self._ask, root, wanted)
        return self.seen.node(wanted.view)

    async def capture(self, root: Target, *, width: int, height: int) -> tuple[bytes, str]:
        asked = fields(root, "root") | {"width": width, "height": height, "format": "png"}
        answer = await self._ask("scene.capture", asked, capability=SCENES)
        if not answer.get("captured"):
            raise Unsupported(str(answer.get("reason") or "Studio's plugin could not take a picture."))
        try:
            return base64.b64decode(str(answer.get("image")), validate=True), "image/png"
        except binascii.Error:
            raise Unsupported("Studio's plugin sent a picture that cannot be read.") from None

    async def apply(self, edits: Sequence[Edit], *, dry_run: bool) -> list[Done]:
        """Carry out all edits of the scene that was looked at, or none."""
        before = self.seen
        assert before is not None
        draft = StepsDraft(before, edits)
        if dry_run:
            return [_describe_edit(edit, before, None) for edit in edits]
        root = _target(before, "root")
        had_trash = await self._trash(root) is not None
        plan = {"version": _PLAN, "rootPath": before.info.path, "steps": draft.steps}
        asked = fields(root, "root") | {"plan": plan, "rollbackOnError": True}
        try:
            await self._ask("scene.apply", asked, capability=SCENES, key=self._next_key())
        except Fault as fault:
            if "outcome" in fault.details:
                raise  # it was not delivered, or nobody knows
            await self._take_back(before, root, fault, had_trash=had_trash)
        await self._empty_trash(before, root, draft, had_trash=had_trash)
        after = self.seen = await look(self._ask, root)
        return [_describe_edit(edit, before, after) for edit in edits]

    async def _take_back(self, before: Seen, root: Target, fault: Fault, *, had_trash: bool) -> None:
        """Raise the refusal, once the scene is as it was; the plugin takes back most itself, but not all."""
        after = await look(self._ask, root)
        if differing(before, after):
            after = await restore(self._ask, before, after, self._next_key)
        left = differing(before, after)
        if not had_trash and not left:
            await self._drop_trash(root)
        reason = fault.message.rstrip(".")
        if left:
            raise Conflict(
                f"{reason}. The scene could not be fully restored: {'; '.join(left[:5])}.",
                hint="Look at these in Studio, and undo or mend them there.",
                details={"left": left[:50], "outcome": "partial"},
                retryable=False,
            ) from fault
        raise Invalid(
            f"{reason}. Nothing was changed.",
            path="input.definition.nodes",
            rule="apply",
            hint=fault.hint,
            details=fault.details,
        ) from fault

    async def _trash(self, root: Target) -> dict[str, Any] | None:
        offset = 0
        while True:
            asked = fields(root, "parent") | {"offset": offset, "limit": _MOST_CHILDREN}
            page = await self._ask("instance.list_children", asked)
            trash = [child for child in page["children"] if child["name"] == TRASH and child["className"] == "Folder"]
            offset += len(page["children"])
            if trash or not page.get("hasMore") or not page["children"]:
                return trash[0] if trash else None

    async def _empty_trash(self, before: Seen, root: Target, draft: StepsDraft, *, had_trash: bool) -> None:
        """Delete what the scene deleted, which the plugin only put aside; what lay there before stays."""
        try:
            if not had_trash:
                await self._drop_trash(root)
                return
            known = {each.scene_id: each for each in before.walk()}
            for step in draft.steps:
                if step["op"] in ("delete", "replace") and step["id"] in known:
                    await self._delete(known[step["id"]].info.instance_id)
        except Fault as fault:
            if self._warn is not None:
                self._warn(f"The scene is as described; what it deleted still lies in '{TRASH}': {fault.message}")

    async def _drop_trash(self, root: Target) -> None:
        trash = await self._trash(root)
        if trash is not None:
            await self._delete(str(trash["instanceId"]))

    async def _delete(self, instance: str) -> None:
        await self._ask("instance.delete", {"instanceId": instance}, key=self._next_key())


def _target(seen: Seen, field: str) -> Target:
    return Target(id=seen.info.instance_id, path=seen.info.path, field=field)


def _describe_edit(edit: Edit, before: Seen, after: Seen | None) -> Done:
    """Return what an edit did; without a scene afterwards, what it would do."""
    if isinstance(edit, Create):
        return _describe_creation(edit, before, after)
    was = next(each for each in before.walk() if each.info.instance_id == edit.target.id)
    if isinstance(edit, Delete):
        return Done(edit, was.info, count=sum(1 for _ in was.walk()))
    is_now = next((each for each in after.walk() if each.info.instance_id == edit.target.id), was) if after else was
    if isinstance(edit, SetProperty):
        value = is_now.properties.get(edit.name, edit.value) if after else edit.value
        old = was.info.name if edit.name == "Name" else (was.remembered | was.properties).get(edit.name)
        return Done(edit, is_now.info, old, edit.value if edit.name == "Name" else value)
    if isinstance(edit, SetAttribute):
        return Done(edit, is_now.info, was.attributes.get(edit.name), edit.value)
    if isinstance(edit, SetTags):
        return Done(edit, is_now.info, sorted(was.tags), sorted(edit.tags))
    assert isinstance(edit, Move)
    return Done(edit, is_now.info, was.info.path, is_now.info.path if after else edit.parent.path)


def _describe_creation(edit: Create, before: Seen, after: Seen | None) -> Done:
    if after is not None:
        instance = next((each for each in after.walk() if each.scene_id == edit.attributes.get(ID)), None)
        if instance is not None:
            return Done(edit, instance.info)
    above = edit.parent.path or before.info.path
    return Done(edit, Info("", edit.name, edit.class_name, f"{above}.{edit.name}", above, 0))
