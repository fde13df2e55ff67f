"""The connection to one project's editor: it is found anew for each question, waited for while it loads scripts, and
asked by what is meant, not by a command's name.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import anyio
import msgspec

from scenewright.bridge.processes import is_running
from scenewright.core.faults import Conflict, Fault, Invalid, NotConnected, TimedOut, Unsupported
from scenewright.unity.live.commands import Command, Commands, Intent
from scenewright.unity.live.descriptor import Descriptor, Finding, find_descriptor
from scenewright.unity.live.refusals import (
    UnknownCommand,
    fault_of,
    not_connected,
    result_of,
    waits_for_person,
)
from scenewright.unity.live.wire import MOST_READ, MOST_SENT, Answer, ConnectionFailed, Question, exchange

__all__ = ["PATIENCE", "Pipeline"]

PATIENCE = 60.0  # seconds that an editor has to come back from loading scripts
ASK_SECONDS = 20.0
_PAUSES = (0.05, 0.1, 0.2, 0.5)
_PAGE = 500
_MOST_REFUSED = 2
Pause = Callable[[float], Awaitable[None]]


class Pipeline:
    """Asks the editor that has a project open."""

    def __init__(self, root: Path, *, pause: Pause = anyio.sleep, patience: float = PATIENCE) -> None:
        self.root = root
        self.patience = patience
        self.pause = pause
        self._commands: Commands | None = None
        self._proven: tuple[int, int] | None = None  # the editor that was seen to refuse strangers
        self._given_up: tuple[int, int] | None = None  # one that was waited for in vain, and is not again

    def find(self) -> Finding:
        return find_descriptor(self.root)

    # Questions of the server itself

    async def status(self, *, patience: float | None = None, seconds: float = ASK_SECONDS) -> dict[str, Any]:
        """Return what the editor says of itself: status, playMode, compiling, unityVersion.

        It says so between two commands, so it may keep one waiting while a long one runs.
        """
        return _object(await self.get("/api/editor_status", patience=patience, seconds=seconds))

    async def commands(self, *, anew: bool = False) -> Commands:
        """Return the commands that the editor offers, asked once."""
        if self._commands is None or anew:
            self._commands = Commands.read(await self.list_commands())
        return self._commands

    async def list_commands(self) -> dict[str, Any]:
        """Return the listing as it is, all pages as one."""
        listing = _object(await self.get("/api/commands", {"detail": "full"}))
        commands, total = listing.get("commands"), listing.get("total")
        while isinstance(commands, list) and isinstance(total, int) and commands and len(commands) < total:
            page = await self.get("/api/commands", {"detail": "full", "offset": len(commands), "limit": _PAGE})
            more = _object(page).get("commands")
            if not isinstance(more, list) or not more:
                break
            commands += more
        return listing

    async def get(
        self,
        path: str,
        query: Mapping[str, Any] | None = None,
        *,
        patience: float | None = None,
        seconds: float = ASK_SECONDS,
    ) -> Any:
        target = f"{path}?{urlencode(query)}" if query else path
        answer = await self._ask(Question("GET", target, seconds=seconds), repeats=True, patience=patience)
        if answer.status == 404:
            raise UnknownCommand(f"The editor does not know {path}.")
        return result_of(answer, whole=True)

    # Commands

    async def run(self, intent: Intent, values: Mapping[str, Any] | None = None, **options: Any) -> Any:
        """Carry out the command for a purpose; the values are called as the intent calls them.

        Raises:
            Unsupported: this editor has no such command.
            Fault: it was not carried out; with `outcome: unknown` in its details, nobody knows.
        """
        command = (await self.commands()).find(intent)
        try:
            command = command or (await self.commands(anew=True)).require(intent)
            return await self.call(command, command.arguments_for(intent, values or {}), **options)
        except UnknownCommand:
            command = (await self.commands(anew=True)).require(intent)
            return await self.call(command, command.arguments_for(intent, values or {}), **options)

    async def call(self, command: Command, parameters: Mapping[str, Any], **options: Any) -> Any:
        """Carry out a command and return its result; the options are those of `send`."""
        return result_of(await self.send(command, parameters, **options))

    async def send(
        self,
        command: Command,
        parameters: Mapping[str, Any],
        *,
        seconds: float = ASK_SECONDS,
        repeats: bool = False,
        job: bool = False,
        most: int = MOST_READ,
    ) -> Answer:
        """Carry out a command; only what `repeats` without harm is asked again when the connection broke."""
        asked: dict[str, Any] = {"command": command.name, "parameters": parameters, "timeout": int(seconds * 1000)}
        body = msgspec.json.encode(asked | ({"job": True} if job else {}))
        if len(body) > MOST_SENT:
            raise Invalid(
                f"What is to be sent has {len(body)} bytes; the editor takes {MOST_SENT}.", path="input", rule="size"
            )
        return await self._ask(Question("POST", "/api/exec", body, seconds + 5, most), repeats=repeats)

    async def job(self, number: str) -> Any:
        return await self.get("/api/job", {"id": number})

    async def cancel_job(self, number: str) -> None:
        body = msgspec.json.encode({"id": number})
        await self._ask(Question("POST", "/api/job/cancel", body, 5.0), repeats=True, patience=2.0)

    async def answer_to(self, question: Question) -> Answer:
        """Ask once and return the answer as it is, whatever it says.

        Raises:
            NotConnected: nobody is there.
        """
        finding = self.find()
        if finding.descriptor is None or finding.state != "fresh":
            raise not_connected(self.root, finding)
        try:
            return await self._put(finding.descriptor, question)
        except ConnectionFailed as failure:
            raise not_connected(self.root, finding, failure.reason) from None

    async def rest(self, seconds: float) -> None:
        """Wait before asking again."""
        await self.pause(seconds)

    # The connection

    async def _ask(self, question: Question, *, repeats: bool, patience: float | None = None) -> Answer:
        """Ask the editor that is there now; wait for one that is loading scripts.

        Raises:
            NotConnected: there is none, or it did not come back in time.
            Fault: it refused; with `outcome: unknown`, it may have done what was asked.
        """
        waited = _Waiting(self.pause, self.patience if patience is None else patience)
        while True:
            finding = self.find()
            if finding.state in ("unsafe", "stale") or (finding.state == "missing" and not self._may_come_back()):
                raise not_connected(self.root, finding)
            reason = ""
            if finding.descriptor is not None and finding.state == "fresh":
                try:
                    answer = await self._put(finding.descriptor, question)
                except ConnectionFailed as failure:
                    if failure.sent and not repeats:
                        raise _lost(failure) from None
                    reason = failure.reason
                else:
                    self._given_up = None
                    if not waited.is_worth_while(answer):
                        return answer
            await self._wait(waited, finding, reason)

    async def _wait(self, waited: _Waiting, finding: Finding, reason: str) -> None:
        editor = finding.descriptor.key if finding.descriptor is not None else None
        if waited.is_over or (editor is not None and editor == self._given_up):
            self._given_up = editor
            raise not_connected(self.root, finding, reason)
        await waited.rest()

    async def _put(self, editor: Descriptor, question: Question) -> Answer:
        await self._prove(editor)
        answer = await exchange(editor.port, editor.token, question)
        if answer.status == 401:
            self._proven = None  # another editor may have come; what it offers is asked anew
        return answer

    def _may_come_back(self) -> bool:
        """Whether an editor that was asked before still runs: it deletes its file while it loads scripts."""
        return self._proven is not None and is_running(self._proven[0])

    async def _prove(self, editor: Descriptor) -> None:
        """See first that who listens there lets nobody in without the token, so that it is told to no stranger.

        Raises:
            NotConnected: it is no Pipeline server.
        """
        if self._proven == editor.key:
            return
        question = Question("GET", "/api/status", seconds=5.0, most=65_536)
        try:
            answer = await exchange(editor.port, secrets.token_urlsafe(32), question)
        except ConnectionFailed as failure:
            raise ConnectionFailed(failure.reason, sent=False) from None  # what is meant was not asked yet
        if answer.status != 401 or not isinstance(answer.data, dict):
            raise NotConnected(
                f"What listens at port {editor.port} is no Pipeline server: it lets strangers in.",
                hint="Update com.unity.pipeline to 0.3 or newer, and restart the editor.",
                retryable=False,
            )
        self._proven, self._commands = editor.key, None


class _Waiting:
    """How long an editor has been waited for."""

    def __init__(self, pause: Pause, patience: float) -> None:
        self._pause = pause
        self._until = anyio.current_time() + patience
        self._times = 0
        self._refused = 0

    def is_worth_while(self, answer: Answer) -> bool:
        """Return whether the same question may get another answer soon.

        Raises:
            Fault: it was refused.
        """
        if answer.status == 401 and self._refused < _MOST_REFUSED:
            self._refused += 1
            return True  # the editor may be about to write another token
        if answer.status == 503 and not waits_for_person(answer):
            return True  # it is still starting
        if answer.status >= 400 and (fault := fault_of(answer)) is not None:
            raise fault
        return False

    @property
    def is_over(self) -> bool:
        return anyio.current_time() >= self._until

    async def rest(self) -> None:
        await self._pause(_PAUSES[min(self._times, len(_PAUSES) - 1)])
        self._times += 1


def _lost(failure: ConnectionFailed) -> Fault:
    fault = TimedOut if failure.reason.startswith("no answer") else Conflict
    return fault(
        f"The editor was asked, and {failure.reason}: whether it was done is not known.",
        hint="Look at the editor (unity_editor_manager status, console) before asking again.",
        details={"outcome": "unknown"},
        retryable=False,
    )


def _object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Unsupported("The editor answered with something else than an object.")
    return value
