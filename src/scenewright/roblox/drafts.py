"""Edits of a place in Studio, staged by a call and made at its commit as one step; and what takes such a step back.

Studio is asked only what it would do until then. Reads of the same call, or batch, see what is staged: the plugin
tries the staged edits on a draft of the place first, and answers from that.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import anyio.to_thread
import msgspec

from scenewright.core.faults import Conflict, Invalid, NotConnected
from scenewright.core.projects.live import Keepsake, Made
from scenewright.core.writes.changeset import Changeset
from scenewright.core.writes.diff import Diff
from scenewright.roblox.backend import Create, Done, Duplicate, Edit
from scenewright.roblox.change_report import tell
from scenewright.roblox.edits import done_from_wire, edit_to_wire
from scenewright.roblox.relay.hub import OURS, Ask
from scenewright.roblox.relay.server import Relay

__all__ = [
    "ENGINE",
    "UNRECORDED",
    "StudioDraft",
    "StudioStep",
    "StudioTurn",
    "draft_of",
    "keepsake_of",
    "place_name",
    "step_of",
]

ENGINE = "roblox"
COMMIT_SECONDS = 60.0
UNRECORDED = "Studio did not record this change: its undo cannot take it back."


def place_name(studio: str | None) -> str:
    """Return a Studio as the history names it."""
    return f"Roblox Studio ({studio})" if studio else "Roblox Studio"


def draft_of(files: Changeset, relay: Relay, studio: str | None) -> StudioDraft:
    """Return the edits that a call, or the batch it is a part of, has staged for a Studio."""
    for draft in files.drafts:
        if isinstance(draft, StudioDraft) and studio in (None, draft.named, draft.studio):
            return draft
    return StudioDraft(relay, studio)


@dataclass
class StudioDraft:
    """Edits that are staged for one Studio."""

    relay: Relay
    named: str | None = None  # as the call named it
    studio: str | None = None  # the window that was asked first, by its id: the others of a batch go there too
    edits: list[dict[str, Any]] = field(default_factory=list)
    done: list[Done] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    engine: str = ENGINE

    @property
    def place(self) -> str:
        return place_name(self.named)

    @property
    def diff(self) -> Diff | None:
        return tell(self.done, self.named or "studio")

    def fork(self) -> StudioDraft:
        return StudioDraft(
            self.relay, self.named, self.studio, list(self.edits), list(self.done), list(self.labels), self.engine
        )

    def add(self, edits: Sequence[Edit], done: Sequence[Done], label: str) -> None:
        """Stage edits that the plugin has tried."""
        for edit, made in zip(edits, done, strict=True):
            # What is new keeps the id that the reply tells.
            new = {"id": made.info.instance_id} if isinstance(edit, (Create, Duplicate)) else {}
            self.edits.append(edit_to_wire(edit) | new)
        self.done += done
        self.labels.append(label)

    async def commit(self, title: str, keepsake: Keepsake | None) -> Made:
        label = self.labels[0] if len(self.labels) == 1 else title
        asked = {"edits": self.edits, "label": label}
        answer = await _ask(self.relay, "place.edit", asked, self.studio or self.named, keepsake)
        applied = [done_from_wire(was.edit, wire) for was, wire in zip(self.done, answer["done"], strict=True)]
        warnings = [
            warning for was, now in zip(self.done, applied, strict=True) if (warning := _explain_surprise(was, now))
        ]
        return Made(step_of(answer), warnings + ([] if answer.get("undoable") else [UNRECORDED]))


@dataclass(frozen=True)
class StudioStep:
    """A step that Studio has made already, such as by running a script; there is nothing to do but to record it."""

    step: dict[str, Any]
    studio: str | None = None
    engine: str = ENGINE
    diff: Diff | None = None

    @property
    def place(self) -> str:
        return place_name(self.studio)

    def fork(self) -> StudioStep:
        return self

    async def commit(self, title: str, keepsake: Keepsake | None) -> Made:
        del title, keepsake
        return Made(self.step)


@dataclass(frozen=True)
class StudioTurn:
    """Takes a step back by Studio's own undo, or makes it again."""

    relay: Relay
    place: str
    step: Mapping[str, Any]
    engine: str = ENGINE

    @property
    def diff(self) -> Diff | None:
        what = "made again" if self.step.get("undone") else "took back"
        return Diff(f"{what} a step in {self.place}", [f"{what}: {self.step.get('step') or 'a change'}"])

    def fork(self) -> StudioTurn:
        return self

    async def commit(self, title: str, keepsake: Keepsake | None) -> Made:
        del title
        if not self.step.get("step"):
            raise self._refusal("Studio did not record it")
        asked = {"step": self.step["step"], "redo": bool(self.step.get("undone"))}
        try:
            answer = await _ask(self.relay, "place.turn", asked, str(self.step["studio"]), keepsake)
        except (Invalid, NotConnected) as fault:
            if fault.details.get("outcome") == "unknown":
                raise
            raise self._refusal("that Studio is not connected any more, and its undo went with it") from fault
        return Made(step_of(answer))

    def _refusal(self, why: str) -> Conflict:
        return Conflict(
            f"What was changed in {self.place} cannot be taken back: {why}.",
            hint="Change it by hand, in Studio or with the tools.",
            retryable=False,
        )


def step_of(answer: Mapping[str, Any]) -> dict[str, Any]:
    """Return what it takes to take an answered change back; without a name of the step it cannot be."""
    return {key: answer[key] for key in ("studio", "step", "undone") if answer.get(key) is not None}


def keepsake_of(key: str, answer: Mapping[str, Any]) -> Keepsake:
    """Return what Studio remembered for us."""
    kept = msgspec.json.decode(str(answer.get("memo") or "{}"))
    return Keepsake(key, kept.get("output"), kept.get("steps") or {})


async def _ask(
    relay: Relay, operation: str, payload: dict[str, Any], studio: str | None, keepsake: Keepsake | None
) -> dict[str, Any]:
    if keepsake is not None:
        memo = msgspec.json.encode({"output": keepsake.output, "steps": keepsake.steps}).decode()
        payload |= {"key": keepsake.key, "memo": memo}  # as text: Luau's tables know neither null nor empty lists
    ask = Ask(
        operation=operation,
        payload=payload,
        studio=studio,
        capability=OURS,
        timeout=COMMIT_SECONDS,
        idempotency_key=uuid.uuid4().hex,
    )
    return await anyio.to_thread.run_sync(partial(relay.call, ask))


def _explain_surprise(was: Done, now: Done) -> str | None:
    """Return what the reply says that is no longer so: somebody was faster, or Studio made something else
    of a value.
    """
    if (was.before, was.after, was.count) == (now.before, now.after, now.count):
        return None
    before = f"; it was {now.before!r} before" if was.before != now.before else ""
    return f"'{now.info.path}' changed while the call was made: it is {now.after!r} now{before}."
