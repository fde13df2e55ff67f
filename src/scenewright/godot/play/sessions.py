"""Games under way: each has an engine of its own, which waits in lock step, and ends when nobody asks it for long.

A session lives in the server's process. `Sessions` is the service that holds them; it ends them with the server, and
the engine's watchdog does where the server dies. What was done is kept as events, each at its frame, for a tape.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Event, Lock, Thread
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from scenewright.bridge.presence import Presence
from scenewright.core.faults import Conflict, Fault, NotConnected, NotFound, TimedOut

if TYPE_CHECKING:
    from scenewright.godot.engine.worker import Progress, Reply, Worker

__all__ = ["MOST_SESSIONS", "RUNNING", "Session", "Sessions", "Start"]

logger = logging.getLogger(__name__)

MOST_SESSIONS: Final = 4
RUNNING: Final = "running"  # by this name the game that runs is asked, which is no session
_IDLE_SECONDS = 900.0
_LOOK_SECONDS = 30.0
_BEGIN_FIRST: Final = "play begin starts a game."


@dataclass(frozen=True, slots=True)
class Start:
    """How a game was begun: with this it can be begun again, the same."""

    scene: str
    seed: int
    fps: int
    size: tuple[int, int] | None = None
    screen: bool = False
    arguments: tuple[str, ...] = ()

    def drawn(self) -> Start:
        """Return the same game on a screen."""
        return replace(self, screen=True)


@dataclass(slots=True)
class Session:
    """One game that is played, and the engine that it runs in."""

    id: str
    project: Path
    start: Start
    worker: Worker
    stack: ExitStack  # what has to be there for as long as the engine
    engine: str = ""  # its version
    frame: int = 0
    digest: dict[str, Any] = field(default_factory=dict)  # the last that is known
    events: list[dict[str, Any]] = field(default_factory=list)  # what was done, in the words of its caller, in order
    used: float = field(default_factory=monotonic)
    over: str | None = None  # why it has ended
    lock: Lock = field(default_factory=Lock)  # two calls at once take turns

    def ask(
        self, method: str, params: Mapping[str, Any], *, timeout: float = 60.0, on_progress: Progress | None = None
    ) -> Reply:
        """Ask the engine; a game that quits in the meantime is over, one that hangs or crashes a fault.

        Raises:
            NotFound: it is over.
            TimedOut: it hangs, and was ended.
            NotConnected: it crashed.
        """
        with self.lock:
            if self.over is not None:
                raise NotFound(f"The game of session '{self.id}' is over: {self.over}.", hint=_BEGIN_FIRST)
            self.used = monotonic()
            begun_at = self.frame

            def follow(done: int, total: int, digest: str) -> None:
                self.frame = begun_at + done
                self.digest = json.loads(digest) if digest else self.digest
                if on_progress is not None:
                    on_progress(done, total, "")

            try:
                reply = self.worker.ask(f"play.{method}", params, timeout=timeout, on_progress=follow)
            except (TimedOut, NotConnected) as problem:
                self.end("it hung" if isinstance(problem, TimedOut) else "it crashed")
                raise self._lost(problem) from None
            self.used = monotonic()
            self._note(reply.value)
            return reply

    def note_event(self, kind: str, given: dict[str, Any], came: dict[str, Any]) -> None:
        """Keep what was done, and what came of it, for a tape."""
        self.events.append({kind: given, "frame": self.frame, **came})

    def end(self, reason: str) -> None:
        """End the engine, whatever it is doing; nothing of it is left."""
        self.over = self.over or reason
        self.worker.kill()
        self.stack.close()

    def _note(self, value: dict[str, Any]) -> None:
        self.frame = int(value.get("frame", self.frame))
        if value.get("hash"):
            self.digest = value
        if value.get("stopped") == "quit":
            self.end(f"it quit at frame {self.frame}")

    def _lost(self, problem: Fault) -> Fault:
        what = "hung" if isinstance(problem, TimedOut) else "crashed"
        return type(problem)(
            f"The game {what} after frame {self.frame}, and session '{self.id}' is over.",
            hint="Begin anew and take small steps from that frame on; get_script_errors finds what does not compile.",
            details={**problem.details, "frame": self.frame} | ({"lastDigest": self.digest} if self.digest else {}),
        )


class Sessions:
    """The games of all projects that this process plays."""

    def __init__(self) -> None:
        self._sessions: dict[str, Session] = {}
        self._starting: set[str] = set()  # whose engines are not up yet
        self._count = 0
        self._lock = Lock()
        self._closed = Event()

    def reserve(self) -> str:
        """Return the name of a session to come; its place is kept until `release`.

        Raises:
            Conflict: there are as many as there may be.
        """
        with self._lock:
            under_way = [session.id for session in self._sessions.values() if session.over is None]
            under_way += sorted(self._starting)
            if len(under_way) >= MOST_SESSIONS:
                raise Conflict(
                    f"{MOST_SESSIONS} games are under way: {', '.join(under_way)}.",
                    hint="End one with play end.",
                    retryable=False,
                )
            self._count += 1
            name = f"play{self._count}"
            self._starting.add(name)
            return name

    def release(self, name: str) -> None:
        """Give up the place of a session that has begun, or never will."""
        with self._lock:
            self._starting.discard(name)

    def add(self, session: Session) -> None:
        with self._lock:
            if not self._sessions:
                Thread(target=self._end_idle, name="godot-play-sessions", daemon=True).start()
            self._sessions[session.id] = session
            self._starting.discard(session.id)
        presence = Presence("play", session.id)
        since = datetime.now(UTC).isoformat(timespec="seconds")
        presence.tell({"project": str(session.project), "scene": session.start.scene, "since": since})
        session.stack.callback(presence.close)

    def of(self, project: Path) -> list[Session]:
        """Return the sessions of a project that are under way."""
        with self._lock:
            return [each for each in self._sessions.values() if each.project == project and each.over is None]

    def find(self, project: Path, name: str | None) -> Session:
        """Return a session by its name, or the only one that there is.

        Raises:
            NotFound: there is none, or several to choose from.
        """
        under_way = self.of(project)
        if name is None and len(under_way) == 1:
            return under_way[0]
        named = self._sessions.get(name) if name is not None else None
        if named is not None and named.project == project:
            return named
        if not under_way:
            raise NotFound("No game is being played.", hint=_BEGIN_FIRST)
        hint = f"There are {', '.join(each.id for each in under_way)}."
        if name is None:
            raise NotFound(f"{len(under_way)} games are being played: name one.", hint=hint)
        raise NotFound(f"There is no session '{name}'.", hint=hint)

    def close(self) -> None:
        self._closed.set()
        with self._lock:
            sessions = [session for session in self._sessions.values() if session.over is None]
        for session in sessions:
            session.end("the server ended")

    def _end_idle(self) -> None:
        while not self._closed.wait(_LOOK_SECONDS):
            self.end_idle(_IDLE_SECONDS)

    def end_idle(self, seconds: float) -> None:
        """End the sessions that nobody has asked for so long."""
        with self._lock:
            sessions = [session for session in self._sessions.values() if session.over is None]
        for session in sessions:
            if monotonic() - session.used > seconds and session.lock.acquire(blocking=False):
                try:
                    session.end(f"nobody asked it for {seconds:g} s")
                finally:
                    session.lock.release()
                logger.info("the game of session %s ended, as nobody asked it any more", session.id)
