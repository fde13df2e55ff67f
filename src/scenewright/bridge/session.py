"""One connection's side of the protocol, without a socket or a clock: frames in, events out.

The peer greets with `godoty.connected`. Before it is told the token it must show that it knows it already: whatever
else listens at the editor's port learns nothing. Then this side answers `godoty.ready` with the token. A peer with a
protocol version says whether that lets us in; one that knows only the document is greeted without a token, and without
waiting for an answer. From then on requests and replies may cross in any order. Times are seconds of whatever clock the
caller uses.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from scenewright.bridge.messages import Answer, Notice, Refusal, decode, encode_notice, encode_request
from scenewright.contracts.godoty.codes import AUTH_REQUIRED
from scenewright.core.projects.token import proof_of as token_proof

__all__ = [
    "Admitted",
    "BridgeSession",
    "Event",
    "Greeted",
    "Lost",
    "Nonsense",
    "Overdue",
    "Proven",
    "Resumed",
    "Silent",
    "proof_of",
]

HEARTBEAT = 5.0  # without a word from the peer it is asked whether it is there
PATIENCE = 5.0  # and after this much longer it counts as frozen


@dataclass(frozen=True, slots=True)
class Greeted:
    """The peer is there and has said who it is."""

    info: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Proven:
    """The peer knows the token, so it may be told."""


@dataclass(frozen=True, slots=True)
class Admitted:
    """The peer takes requests of ours."""


@dataclass(frozen=True, slots=True)
class Overdue:
    """No answer within the request's time; whether it was done is unknown."""

    id: int
    method: str


@dataclass(frozen=True, slots=True)
class Lost:
    """The connection ended before the answer; whether it was done is unknown."""

    id: int
    method: str


@dataclass(frozen=True, slots=True)
class Nonsense:
    """A frame that is not part of the protocol."""

    reason: str


@dataclass(frozen=True, slots=True)
class Silent:
    """The peer no longer answers."""


@dataclass(frozen=True, slots=True)
class Resumed:
    """It does again."""


Event = Greeted | Proven | Admitted | Answer | Refusal | Notice | Overdue | Lost | Nonsense | Silent | Resumed


@dataclass(frozen=True, slots=True)
class _Waiting:
    method: str
    until: float


@dataclass(slots=True)
class BridgeSession:
    """The requests that wait for an answer, and whether the peer is alive."""

    now: float
    greeted: bool = False
    silent: bool = False
    _next: int = 1
    _heard: float = 0.0
    _pinged: float | None = None
    _ping: int | None = None
    _ready: int | None = None
    _prove: int | None = None
    _proof: str = ""
    _waiting: dict[int, _Waiting] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._heard = self.now

    @property
    def waiting(self) -> int:
        """How many requests wait for their answer."""
        return len(self._waiting)

    def challenge(self, token: str, port: int) -> str:
        """Return the frame that asks the peer at a port to show that it knows the token."""
        nonce = secrets.token_hex(16)
        self._proof = proof_of(token, port, nonce)
        self._prove, self._next = self._next, self._next + 1
        return encode_request(self._prove, "scenewright.prove", {"nonce": nonce})

    def ready(self, greeting: Greeted, introduction: Mapping[str, str], token: str | None) -> tuple[list[Event], str]:
        """Return what follows from the greeting at once, and the frame that answers it.

        The introduction has `client_name` and `client_version`, and what else the person may want to know.
        """
        params: dict[str, Any] = dict(introduction)
        if "protocol_version" not in greeting.info:
            return [Admitted()], self.notice("godoty.ready", params)
        params |= {"token": token} if token else {}
        self._ready, self._next = self._next, self._next + 1
        return [], encode_request(self._ready, "godoty.ready", params | {"extended_events": True})

    def notice(self, method: str, params: dict[str, Any]) -> str:
        """Return the frame of a notification."""
        return encode_notice(method, params)

    def request(self, method: str, params: dict[str, Any], *, now: float, timeout: float) -> tuple[int, str]:
        """Make a request, and return its number and its frame."""
        number, self._next = self._next, self._next + 1
        self._waiting[number] = _Waiting(method, now + timeout)
        return number, encode_request(number, method, params)

    def abandon(self, number: int) -> bool:
        """Drop the answer to a request when it comes, as nobody waits for it; return False if it came already."""
        return self._waiting.pop(number, None) is not None

    def receive(self, frame: str | bytes, *, now: float) -> list[Event]:
        """Return the events that a frame means."""
        events: list[Event] = self._note_heard(now)
        message = decode(frame)
        if isinstance(message, Notice):
            events.append(self._notice(message))
        elif isinstance(message, Answer | Refusal):
            events += self._reply(message)
        else:
            events.append(Nonsense(message.reason))
        return events

    def tick(self, now: float) -> tuple[list[Event], list[str]]:
        """Return what the passing of time brings: overdue requests, a silent peer, and frames to send."""
        events: list[Event] = []
        for number, waiting in list(self._waiting.items()):
            if waiting.until <= now:
                del self._waiting[number]
                events.append(Overdue(number, waiting.method))
        return events + self._fall_silent(now), self._heartbeat(now)

    def end(self) -> list[Event]:
        """End the session: everything that still waited is lost."""
        lost: list[Event] = [Lost(number, waiting.method) for number, waiting in self._waiting.items()]
        self._waiting.clear()
        return lost

    def _note_heard(self, now: float) -> list[Event]:
        self._heard = now
        self._pinged = None
        resumed: list[Event] = [Resumed()] if self.silent else []
        self.silent = False
        return resumed

    def _notice(self, notice: Notice) -> Event:
        if notice.method != "godoty.connected":
            return notice
        if self.greeted:
            return Nonsense("the peer greeted twice")
        self.greeted = True
        return Greeted(notice.params)

    def _reply(self, reply: Answer | Refusal) -> list[Event]:
        if reply.id is not None and reply.id == self._ping:
            self._ping = None
            return []
        if reply.id is not None and reply.id == self._prove:
            self._prove = None
            return [self._judge_proof(reply)]
        if reply.id is not None and reply.id == self._ready:
            self._ready = None
            return [
                Admitted() if isinstance(reply, Answer) else Refusal(None, AUTH_REQUIRED, reply.message, reply.data)
            ]
        if reply.id is None:
            return [_unaddressed(reply)] if isinstance(reply, Refusal) else []
        # An answer nobody waits for belongs to a request that was given up.
        return [reply] if self._waiting.pop(reply.id, None) is not None else []

    def _judge_proof(self, reply: Answer | Refusal) -> Event:
        shown = reply.result.get("proof") if isinstance(reply, Answer) and isinstance(reply.result, dict) else None
        if isinstance(shown, str) and hmac.compare_digest(shown.encode(), self._proof.encode()):
            return Proven()
        return Refusal(None, AUTH_REQUIRED, "it does not know your token, so it was not told", {})

    def _fall_silent(self, now: float) -> list[Event]:
        if self.silent or self._pinged is None or now - self._pinged < PATIENCE:
            return []
        self.silent = True
        return [Silent()]

    def _heartbeat(self, now: float) -> list[str]:
        if not self.greeted or self._pinged is not None or now - self._heard < HEARTBEAT:
            return []
        self._ping, self._next = self._next, self._next + 1
        self._pinged = now
        return [encode_request(self._ping, "ping", {})]


def _unaddressed(refusal: Refusal) -> Event:
    """A refusal of no request: of the greeting, or of something that could not be read."""
    if refusal.code == AUTH_REQUIRED:
        return refusal
    return Nonsense(f"the peer could not read a request: {refusal.message}")


def proof_of(token: str, port: int, nonce: str) -> str:
    """Return the proof that an editor at a port knows the token."""
    return token_proof(token, "scenewright bridge", port, nonce)
