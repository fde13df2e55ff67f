"""One editor's connection: the only place of the bridge that knows sockets and tasks.

A link connects, greets, serves requests, and when the connection breaks tries again by Godoty's schedule. It
belongs to the event loop it was started on and ends with it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager, suppress
from typing import Any, Literal, Protocol

from scenewright.bridge.discovery import Editor
from scenewright.bridge.messages import Answer, Notice, Refusal
from scenewright.bridge.refusals import busy, fault_of, unknown_outcome
from scenewright.bridge.session import (
    Admitted,
    BridgeSession,
    Event,
    Greeted,
    Lost,
    Nonsense,
    Overdue,
    Proven,
    Resumed,
    Silent,
)
from scenewright.bridge.websocket import CONNECT_SECONDS, Transport, open_websocket
from scenewright.contracts.godoty.codes import AUTH_REQUIRED
from scenewright.contracts.godoty.reconnection import ATTEMPTS, Backoff
from scenewright.core.faults import Fault, NotConnected

__all__ = ["Clock", "Link", "LinkState"]

logger = logging.getLogger(__name__)
LinkState = Literal["idle", "connecting", "ready", "waiting", "refused", "stopped"]
TICK = 0.5
REQUEST_SECONDS = 20.0  # less than an operation's own limit, so that what is reported is what is known
_OVERDUE = "The editor did not answer in time."
_LOST = "The connection to the editor broke before the answer came."
_GONE = "Open the project in the editor again; it is found by itself."
HOLD_SECONDS = 10.0  # how long a request waits for an editor that is busy or on its way


Open = Callable[[str], AbstractAsyncContextManager[Transport]]


class Clock(Protocol):
    """Time, which tests make pass as they like."""

    def now(self) -> float: ...

    async def sleep(self, seconds: float) -> None: ...


class _LoopClock:
    def now(self) -> float:
        return asyncio.get_running_loop().time()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class Link:
    """The way to one editor."""

    def __init__(
        self,
        editor: Editor,
        *,
        introduce: Callable[[], Mapping[str, str]] = lambda: {"client_name": "scenewright", "client_version": "0"},
        opener: Open | None = None,
        clock: Clock | None = None,
        heard: Callable[[Link, str, dict[str, Any]], None] | None = None,
    ) -> None:
        self.editor = editor
        self.state: LinkState = "idle"
        self.info: dict[str, Any] = {}
        self.problem: str | None = None
        self.busy_for: str | None = None  # what the editor said it is busy with
        self._introduce = introduce
        self._open = opener or open_websocket
        self._clock = clock or _LoopClock()
        self._heard = heard
        self._backoff = Backoff()
        self._session: BridgeSession | None = None
        self._transport: Transport | None = None
        self._answers: dict[int, tuple[str, asyncio.Future[Any]]] = {}
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    # Connecting

    @property
    def attempt(self) -> int:
        """Reconnection attempts since the last connection that worked."""
        return self._backoff.attempt

    @property
    def responsive(self) -> bool:
        session = self._session
        return self.state == "ready" and session is not None and not session.silent and self.busy_for is None

    def connect(self, *, anew: bool = False) -> None:
        """Start connecting if that is not going on; `anew` begins the schedule from its start."""
        if anew and self.state in ("waiting", "refused", "stopped"):
            self.close()
            self._backoff.reset()
        if self._task is None or (self._task.done() and self.state != "stopped"):
            self._set_state("connecting")
            self._task = asyncio.get_running_loop().create_task(self._run(), name=f"bridge-{self.editor.port}")

    def close(self) -> None:
        """End the connection; what waits for an answer is told that it will not come."""
        if self._task is not None:
            self._task.cancel()
            self._task = None
        self._end()
        self._set_state("idle")

    async def until_ready(self, seconds: float = CONNECT_SECONDS) -> None:
        """Wait for the handshake.

        Raises:
            NotConnected: it did not come in time, or is no longer tried.
        """
        deadline = asyncio.get_running_loop().time() + seconds
        while self.state == "connecting":
            left = deadline - asyncio.get_running_loop().time()
            if left <= 0 or not await self._wait_for_change(left):
                break
        if self.state != "ready":
            raise self._not_connected()

    async def _run(self) -> None:
        while True:
            self._set_state("connecting")
            self.problem = await self._attempt()
            self._end()
            wait = self._backoff.next()
            if wait is None:
                logger.warning("gave up on %s after %d attempts: %s", self.editor, ATTEMPTS, self.problem)
                self._set_state("stopped")
                return
            self._set_state("waiting")
            await self._clock.sleep(wait)

    async def _attempt(self) -> str:
        """Connects and serves; returns why that ended."""
        try:
            async with self._open(self.editor.url) as transport:
                self._transport = transport
                self._session = BridgeSession(self._clock.now())
                ticker = asyncio.get_running_loop().create_task(self._tick(transport, self._session))
                try:
                    await self._receive(transport, self._session)
                finally:
                    ticker.cancel()
                    with suppress(asyncio.CancelledError):
                        await ticker
        except (OSError, TimeoutError) as error:
            return str(error) or type(error).__name__
        return "the editor closed the connection"

    async def _receive(self, transport: Transport, session: BridgeSession) -> None:
        while True:
            frame = await transport.receive()
            for event in session.receive(frame, now=self._clock.now()):
                if isinstance(event, Greeted):
                    await self._greet(transport, session, event)
                elif isinstance(event, Proven):
                    await self._enter(transport, session, self.editor.token())
                else:
                    self._handle(event)

    async def _greet(self, transport: Transport, session: BridgeSession, greeting: Greeted) -> None:
        self.info = greeting.info
        token = self.editor.token()
        if token is not None and "protocol_version" in greeting.info:
            await transport.send(session.challenge(token, self.editor.port))
        else:
            await self._enter(transport, session, None)

    async def _enter(self, transport: Transport, session: BridgeSession, token: str | None) -> None:
        events, frame = session.ready(Greeted(self.info), self._introduce(), token)
        await transport.send(frame)
        for event in events:
            self._handle(event)

    async def _tick(self, transport: Transport, session: BridgeSession) -> None:
        while True:
            await self._clock.sleep(TICK)
            events, frames = session.tick(self._clock.now())
            for event in events:
                self._handle(event)
            for frame in frames:
                with suppress(OSError):
                    await transport.send(frame)

    # Requests

    async def request(
        self, method: str, params: dict[str, Any] | None = None, *, timeout: float = REQUEST_SECONDS
    ) -> Any:
        """Send a request and return its result.

        Raises:
            NotConnected: it could not be sent; nothing happened.
            TimedOut: it was sent and no answer came; whether it was carried out is unknown.
            Fault: the editor refused it.
        """
        if not self.responsive:
            await self._wait_until_available()
        session, transport = self._session, self._transport
        assert session is not None
        assert transport is not None
        number, frame = session.request(method, params or {}, now=self._clock.now(), timeout=timeout)
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._answers[number] = (method, answer)
        try:
            await transport.send(frame)
            return await answer
        except OSError as error:
            raise unknown_outcome(method, f"The connection to the editor broke ({error}).") from error
        except asyncio.CancelledError:
            if session.abandon(number):
                await self._withdraw(transport, session, number)
            raise
        finally:
            self._answers.pop(number, None)

    async def _withdraw(self, transport: Transport, session: BridgeSession, number: int) -> None:
        """Tells the editor that a request need not be carried out any more, where it has not begun."""
        with suppress(OSError):
            await asyncio.shield(transport.send(session.notice("scenewright.cancel", {"id": number})))

    async def _wait_until_available(self) -> None:
        """Waits a while for an editor that reloads, imports, hangs or is being reconnected."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + HOLD_SECONDS
        while not self.responsive:
            if self.state in ("refused", "stopped", "idle") or (self.state == "waiting" and not self.editor.runs):
                raise self._not_connected()
            left = deadline - loop.time()
            if left <= 0 or not await self._wait_for_change(left):
                raise self._unavailable()

    def _unavailable(self) -> NotConnected:
        if self.state != "ready":
            return self._not_connected()
        if self.busy_for is not None:
            return busy(f"The editor is busy: {self.busy_for}.")
        return busy("The editor does not answer; it may be frozen, or show a dialog.", retry_after_ms=5000)

    def _not_connected(self) -> NotConnected:
        why = f": {self.problem}" if self.problem else ""
        if not self.editor.runs:
            return NotConnected(f"The editor has ended (process {self.editor.pid}). Nothing was sent.", hint=_GONE)
        if self.state == "refused":
            return NotConnected(
                f"The editor at port {self.editor.port} refused the connection: {self.problem}. Nothing was sent.",
                hint="Your token is missing or not the editor's: both must run as you, with the same SCENEWRIGHT_HOME."
                " Reload the addon or restart the editor, then call godot_connect.",
                details={"bridgeCode": AUTH_REQUIRED},
                retryable=False,
            )
        if self.state == "stopped":
            return NotConnected(
                f"The editor at port {self.editor.port} was not reached in {ATTEMPTS} attempts{why}.",
                hint="Check that the editor runs with the addon enabled, then call godot_connect to try again.",
                retryable=False,
            )
        return NotConnected(
            f"The editor at port {self.editor.port} is not connected{why}. Nothing was sent.",
            hint=f"It is being reconnected (attempt {max(self.attempt, 1)} of {ATTEMPTS}); try again in a moment.",
            details={"retry_after_ms": 1000, "attempt": self.attempt},
        )

    # Events

    def _handle(self, event: Event) -> None:
        if isinstance(event, Answer):
            _, answer = self._answers.get(event.id, (None, None))
            if answer is not None and not answer.done():
                answer.set_result(event.result)
        elif isinstance(event, Refusal) and event.id is None:
            self.problem = event.message
            self._set_state("refused")
        elif isinstance(event, Refusal):
            self._fail_request(event.id or 0, lambda method: fault_of(event, method))
        elif isinstance(event, Overdue | Lost):
            reason = _OVERDUE if isinstance(event, Overdue) else _LOST
            self._fail_request(event.id, lambda method: unknown_outcome(method, reason))
        elif isinstance(event, Notice):
            self._notice(event)
        elif isinstance(event, Admitted):
            self.problem = self.busy_for = None
            self._backoff.reset()
            self._set_state("ready")
        elif isinstance(event, Silent | Resumed):
            logger.warning("%s %s", self.editor, "does not answer" if isinstance(event, Silent) else "answers again")
            self._announce()
        elif isinstance(event, Nonsense):
            logger.warning("%s sent what is not of the protocol: %s", self.editor, event.reason)

    def _fail_request(self, number: int, fault: Callable[[str], Fault]) -> None:
        method, answer = self._answers.get(number, ("", None))
        if answer is not None and not answer.done():
            answer.set_exception(fault(method))

    def _notice(self, notice: Notice) -> None:
        if notice.method == "scenewright.state_changed":
            state = str(notice.params.get("state") or "ready")
            self.busy_for = None if state == "ready" else state
            self._announce()
        if self._heard is not None:
            self._heard(self, notice.method, notice.params)

    def _end(self) -> None:
        session, self._session, self._transport = self._session, None, None
        for event in session.end() if session is not None else ():
            self._handle(event)
        self.busy_for = None

    def _set_state(self, state: LinkState) -> None:
        if state != self.state:
            self.state = state
            self._announce()
            if self._heard is not None:
                self._heard(self, "scenewright.link", {"state": state, "problem": self.problem})

    def _announce(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    async def _wait_for_change(self, seconds: float) -> bool:
        """Waits until something about the link changes; False where nothing did in time."""
        try:
            await asyncio.wait_for(self._changed.wait(), seconds)
        except TimeoutError:
            return False
        return True
