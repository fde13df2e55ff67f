"""All Studios that are connected: the handshake with each, and which of them a call is for."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from time import monotonic
from typing import Any, TypeVar

from scenewright.core.faults import Conflict, Fault, Invalid, NotConnected, NotFound, TimedOut, did_you_mean
from scenewright.roblox.relay.messages import CHUNKS, PROTOCOL, Reply, Request, fault_of
from scenewright.roblox.relay.session import StudioSession

__all__ = ["OURS", "Ask", "Hub"]

logger = logging.getLogger(__name__)
HANDSHAKE = 15.0
SETTLING = 1.5  # seconds that a Studio among others has to come back
CLIENT = "scenewright"
OURS = "scenewright.v2"  # what only our own plugin can do
_Seen = TypeVar("_Seen")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A call to Studio, before it is known to which."""

    operation: str
    payload: Mapping[str, Any]
    studio: str | None = None
    role: str = "edit"
    timeout: float = 25.0
    idempotency_key: str | None = None
    correlation_id: str | None = None
    capability: str | None = None  # what the plugin must have said it can do

    def request(self) -> Request:
        named: dict[str, Any] = {"correlation_id": self.correlation_id} if self.correlation_id else {}
        if self.idempotency_key is not None:
            # A plugin may answer a repeated key with the first answer, first request id included.
            digest = hashlib.sha256(f"{self.operation}\0{self.idempotency_key}".encode()).hexdigest()[:32]
            named |= {"request_id": f"key-{digest}", "idempotency_key": self.idempotency_key}
        return Request(operation=self.operation, payload=self.payload, **named)


class Hub:
    """The sessions; everything here runs on one event loop."""

    def __init__(self, token: str, *, clock: Callable[[], float] = monotonic) -> None:
        self._token = token
        self._clock = clock
        self._sessions: dict[str, StudioSession] = {}
        self._arrival = asyncio.Condition()
        self._tasks: set[asyncio.Task[None]] = set()

    def open(self, client_name: str, transport: str) -> StudioSession:
        """Return a new session; the handshake goes on while Studio reads."""
        self._drop_expired()
        session = StudioSession(client_name[:200] or "roblox-plugin", transport, self._clock)
        self._sessions[session.id] = session
        self._run_later(self._shake_hands(session))
        return session

    def find(self, session_id: str) -> StudioSession | None:
        self._drop_expired()
        return self._sessions.get(session_id)

    def close(self, session: StudioSession, reason: str = "it closed the connection") -> None:
        session.close(reason)
        self._sessions.pop(session.id, None)
        self._run_later(self._announce())

    def shut_down(self) -> None:
        for session in list(self._sessions.values()):
            self.close(session, "the server stopped")
        for task in self._tasks:
            task.cancel()

    def _run_later(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _announce(self) -> None:
        async with self._arrival:
            self._arrival.notify_all()

    def studios(self) -> list[dict[str, Any]]:
        return [session.described() for session in self._ready()]

    async def arrival(self, seconds: float) -> bool:
        """Return whether a Studio is there, or comes in that time."""
        return await self._wait_for(lambda: self._ready() or None, self._clock() + seconds) is not None

    async def call(self, ask: Ask) -> dict[str, Any]:
        """Return what Studio answers.

        A connection that is lost on the way is routine: the same plugin, once it is back, is asked again with the same
        idempotency key and answers from its memory what it has done already.

        Raises:
            Fault: no Studio, or more than one and none named; Studio's refusal; or the outcome is unknown.
        """
        deadline = self._clock() + ask.timeout
        session = await self._choose(ask, min(ask.timeout, 5.0))
        request = ask.request()
        while True:
            try:
                reply = await session.ask(request, deadline - self._clock())
                return _output(reply)
            except (NotConnected, TimedOut) as fault:
                if not session.closed or deadline - self._clock() <= 0:
                    raise
                back = await self._await_return(session, request, fault, deadline)
                if back is None:
                    raise
                session = back

    async def _await_return(
        self, old: StudioSession, request: Request, fault: Fault, deadline: float
    ) -> StudioSession | None:
        """Return the new session of the same plugin, where asking it twice cannot do harm."""
        plugin = old.info.get("pluginRun")
        undelivered = fault.details.get("outcome") == "not-delivered"
        if not plugin or not (undelivered or request.idempotency_key):
            return None
        return await self._wait_for(
            lambda: next((s for s in self._ready() if s.info.get("pluginRun") == plugin), None), deadline
        )

    async def _choose(self, ask: Ask, patience: float) -> StudioSession:
        def settled() -> list[StudioSession] | None:
            """Return those to choose from, once nobody is still shaking hands."""
            there = [session for session in self._sessions.values() if session.attached and _has_role(session, ask)]
            known = ask.studio is None or any(ask.studio in _names(session) for session in there)
            return there if there and known and all(session.ready.is_set() for session in there) else None

        if any(_has_role(session, ask) for session in self._ready()):
            patience = min(patience, SETTLING)
        await self._wait_for(settled, self._clock() + patience)
        chosen = _session_named([session for session in self._ready() if _has_role(session, ask)], ask.studio)
        if ask.capability and ask.capability not in chosen.capabilities:
            raise NotFound(
                f"Studio's plugin does not know '{ask.operation}'.",
                hint="Install scenewright's own plugin: scenewright roblox plugin --install.",
                details={"missing": ask.capability},
            )
        return chosen

    async def _wait_for(self, look: Callable[[], _Seen | None], deadline: float) -> _Seen | None:
        try:
            async with asyncio.timeout(max(0.0, deadline - self._clock())), self._arrival:
                while (seen := look()) is None:
                    await self._arrival.wait()
                return seen
        except TimeoutError:
            return None

    def _ready(self) -> list[StudioSession]:
        self._drop_expired()
        return [session for session in self._sessions.values() if session.ready.is_set() and session.attached]

    def _drop_expired(self) -> None:
        for session in [session for session in self._sessions.values() if session.expired]:
            self.close(session, "the session expired")

    async def _shake_hands(self, session: StudioSession) -> None:
        """Both sides prove that they know the token, then say what they can do."""
        auth = Request(operation="bridge.auth", payload={"token": self._token, "clientName": CLIENT})
        hello = Request(
            operation="bridge.hello",
            payload={"protocolVersion": PROTOCOL, "clientName": CLIENT, "capabilities": [CHUNKS]},
        )
        try:
            _output(await session.ask(auth, HANDSHAKE))
            greeting = _output(await session.ask(hello, HANDSHAKE))
        except Fault as fault:
            logger.warning("roblox: the handshake with %s failed: %s", session.client_name, fault.message)
            self.close(session, "the handshake failed")
            return
        version = str(greeting.get("protocolVersion", ""))
        if version.partition(".")[0] != PROTOCOL.partition(".")[0]:
            logger.warning("roblox: %s speaks protocol %s, not %s", session.client_name, version[:20], PROTOCOL)
            self.close(session, "it speaks another protocol")
            return
        await self._welcome(session, greeting)

    async def _welcome(self, session: StudioSession, greeting: Mapping[str, Any]) -> None:
        capabilities = greeting.get("capabilities")
        session.capabilities = tuple(map(str, capabilities)) if isinstance(capabilities, list) else ()
        about = greeting.get("studio")
        session.info = about if isinstance(about, dict) else {}
        for other in list(self._sessions.values()):
            if other is not session and other.ready.is_set() and _same_place(other, session):
                self.close(other, "the same Studio connected again")
        session.ready.set()
        logger.info("roblox: %s is connected by %s", session.client_name, session.transport)
        await self._announce()


def _has_role(session: StudioSession, ask: Ask) -> bool:
    return not session.ready.is_set() or session.info.get("role", "edit") == ask.role


def _same_place(one: StudioSession, other: StudioSession) -> bool:
    keys = ("studioId", "role")
    return bool(one.info.get("studioId")) and all(one.info.get(key) == other.info.get(key) for key in keys)


def _session_named(sessions: list[StudioSession], studio: str | None) -> StudioSession:
    if not sessions:
        raise NotConnected(
            "No Roblox Studio is connected.",
            hint="Open the place in Studio with scenewright's plugin installed and its token set"
            " (docs/roblox-studio.md), or name a place file with `place`.",
        )
    if studio is None:
        if len(sessions) == 1:
            return sessions[0]
        raise Conflict(
            f"{len(sessions)} Studios are connected: {'; '.join(_show_session(session) for session in sessions)}.",
            hint="Say which one: set `studio` to its id, place name or place id.",
            details={"studios": [session.described() for session in sessions]},
            retryable=False,
        )
    matching = [session for session in sessions if studio in _names(session)]
    if len(matching) == 1:
        return matching[0]
    known = [name for session in sessions for name in _names(session)]
    problem = "More than one Studio answers" if matching else "No connected Studio answers"
    raise Invalid(
        f"{problem} to '{studio[:100]}'. Connected: {'; '.join(_show_session(session) for session in sessions)}.",
        path="input.studio",
        rule="enum",
        hint=did_you_mean(studio[:100], known) if not matching else "Use its id.",
    )


def _names(session: StudioSession) -> list[str]:
    names = (session.info.get(key) for key in ("placeName", "placeId"))
    return [session.studio_id, *(str(name) for name in names if name)]


def _show_session(session: StudioSession) -> str:
    place = session.info.get("placeName")
    return f"'{session.studio_id}'" + (f" ({place})" if place else "")


def _output(reply: Reply) -> dict[str, Any]:
    if reply.error is not None:
        raise fault_of(reply.error)
    return reply.output
