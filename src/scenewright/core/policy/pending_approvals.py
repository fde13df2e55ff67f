"""What waits for a person's answer on a shell, and what they said: one file each, in the user's own folder.

No project can bring one along, and no tool reaches them. An approval is for one call, once, and for a limited time.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterator, Mapping
from pathlib import Path
from time import time
from typing import Any, Literal

import msgspec

from scenewright.core.faults import NotFound
from scenewright.core.projects.user_folder import user_folder

__all__ = ["Approval", "Approvals", "Verdict"]

Verdict = Literal["approved", "rejected"]
FOLDER = "approvals"
ASKED_SECONDS = 86_400.0  # how long a question waits
APPROVED_SECONDS = 3_600.0  # how long a yes waits for its call
MAX_FILES = 200
SHORTEST_ID = 4


class Approval(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A call that a person may approve, with all that it is about."""

    id: str
    digest: str  # of the operation, its arguments and its project: what the answer is for
    project: str
    tool: str
    text: str  # the whole question, nothing shortened
    preview: dict[str, Any] | None = None  # `tool` and `arguments` of a call whose dry run shows what would change
    asked_at: float
    expires_at: float
    verdict: Verdict | None = None


class Approvals:
    """The files of one user."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or user_folder() / FOLDER

    def file(self, digest: str, about: Mapping[str, Any]) -> Approval:
        """Return the question with this digest, new or as it waits already.

        Raises:
            OSError: the user's folder cannot be written.
        """
        known = {each.digest: each for each in self.waiting()}
        if digest in known:
            return known[digest]
        self._make_room(list(known.values()))
        taken = {each.id for each in known.values()}
        lengths = range(SHORTEST_ID, len(digest) + 1)
        name = next(digest[:length] for length in lengths if digest[:length] not in taken)
        now = time()
        made = Approval(id=name, digest=digest, asked_at=now, expires_at=now + ASKED_SECONDS, **about)
        self._write(made)
        return made

    def waiting(self) -> list[Approval]:
        """Return what waits for an answer, or for the call that was answered; oldest first."""
        return sorted(self._read_all(), key=lambda each: each.asked_at)

    def take(self, digest: str) -> Verdict | None:
        """Return what a person said to this call; a yes is used up by it."""
        approval = next((each for each in self._read_all() if each.digest == digest), None)
        if approval is None or approval.verdict != "approved":
            return approval.verdict if approval else None
        try:
            self._place(approval.id).unlink()  # whoever removes it has it, also of two servers at once
        except OSError:
            return None
        return "approved"

    def answer(self, name: str, verdict: Verdict) -> Approval:
        """Record a person's answer.

        Raises:
            NotFound: nothing of this name waits.
            OSError: the user's folder cannot be written.
        """
        approval = self.find(name)
        seconds = APPROVED_SECONDS if verdict == "approved" else ASKED_SECONDS
        answered = msgspec.structs.replace(approval, verdict=verdict, expires_at=time() + seconds)
        self._write(answered)
        return answered

    def find(self, name: str) -> Approval:
        """Return what waits under this name.

        Raises:
            NotFound: nothing does.
        """
        approval = next((each for each in self._read_all() if each.id == name), None)
        if approval is None:
            raise NotFound(
                f"Nothing waits for approval as '{name[:80]}'.",
                hint="`scenewright approve --list` shows what does. An approval is for one call, once, within an hour.",
            )
        return approval

    def _read_all(self) -> Iterator[Approval]:
        try:
            places = list(self._folder.glob("*.json"))
        except OSError:
            return
        for place in places:
            try:
                approval = msgspec.json.decode(place.read_bytes(), type=Approval)
            except (OSError, msgspec.MsgspecError):
                continue
            if approval.expires_at > time() and place.stem == approval.id:
                yield approval

    def _make_room(self, live: list[Approval]) -> None:
        """Remove what has expired, and the oldest questions where there are too many."""
        spare = sorted(live, key=lambda each: each.asked_at)[: max(0, len(live) - MAX_FILES + 1)]
        kept = {each.id for each in live} - {each.id for each in spare}
        for place in self._folder.glob("*.json"):
            if place.stem not in kept:
                place.unlink(missing_ok=True)

    def _place(self, name: str) -> Path:
        return self._folder / f"{name}.json"

    def _write(self, approval: Approval) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        beside = self._folder / f".{secrets.token_hex(8)}"
        handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(json.dumps(msgspec.to_builtins(approval), ensure_ascii=True).encode())
        os.replace(beside, self._place(approval.id))
