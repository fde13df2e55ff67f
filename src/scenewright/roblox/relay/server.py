"""The relay as a process has it: one that listens, or the way to the process that does.

Studio's plugin knows one address. The first process of a user listens there; others find the port taken, have it show
that it knows their token before they tell it, and pass their calls on. When the owner ends, the next call takes the
port over.
"""

from __future__ import annotations

import asyncio
import errno
import hmac
import http.client
import logging
import secrets
import threading
from collections.abc import Mapping
from concurrent.futures import CancelledError, Future
from time import monotonic
from typing import Any

import msgspec
import uvicorn

from scenewright.bridge.connections import LimitedProtocol, LimitedServer, accepted_at_once, bound_listener
from scenewright.core import faults
from scenewright.core.faults import Fault, Invalid, NotConnected, TimedOut
from scenewright.core.projects.token import proof_of
from scenewright.roblox.relay.hub import Ask, Hub
from scenewright.roblox.relay.session import MOST_LINE
from scenewright.roblox.relay.settings import BridgeSettings
from scenewright.roblox.relay.web import PROVE, PURPOSE, SERVER, relay_app

__all__ = ["Relay"]

logger = logging.getLogger(__name__)
RETURN = 4.5  # seconds in which a plugin that lost its server tries again
MOST_PROOF = 4096  # bytes
GRACE = 5.0  # seconds more than the call itself may take


class Relay:
    """Asks Studio things, from any thread."""

    def __init__(self, settings: BridgeSettings) -> None:
        self.settings = settings
        self._lock = threading.Lock()
        self._listening: _Listening | None = None

    def start(self) -> bool:
        """Listen, if the port is free; return True where this process is the one that does."""
        with self._lock:
            if self._listening is None:
                try:
                    self._listening = _Listening(self.settings)
                except OSError as error:
                    if error.errno != errno.EADDRINUSE:
                        raise NotConnected(f"The bridge cannot listen: {error.strerror}.") from None
            return self._listening is not None

    @property
    def url(self) -> str:
        """Where Studio must connect to."""
        return self._listening.url if self._listening else self.settings.url

    def call(self, ask: Ask) -> dict[str, Any]:
        """Return what Studio answers; blocks.

        Raises:
            Fault: see `Hub.call`.
        """
        if self.start():
            assert self._listening is not None
            return self._listening.call(ask)
        return self._pass_on(ask)

    def settled(self) -> bool:
        """Return whether a Studio is connected; a bridge that has just begun to listen gives it time to come back."""
        if self.start():
            assert self._listening is not None
            return self.wait_for_studio(max(0.0, self._listening.began + RETURN - monotonic()))
        return bool(self.studios())

    def wait_for_studio(self, seconds: float) -> bool:
        """Return whether a Studio is connected, or connects in that time, where this process is the one that
        listens.
        """
        return self._listening is not None and self._listening.wait_for_studio(seconds)

    def studios(self) -> list[dict[str, Any]]:
        if self.start():
            assert self._listening is not None
            return self._listening.studios()
        studios: list[dict[str, Any]] = self._ask_owner("GET", "/v1/bridge/studios", None, GRACE)["studios"]
        return studios

    def close(self) -> None:
        with self._lock:
            if self._listening is not None:
                self._listening.stop()
                self._listening = None

    def _pass_on(self, ask: Ask) -> dict[str, Any]:
        body = {
            "operation": ask.operation,
            "payload": ask.payload,
            "studio": ask.studio,
            "role": ask.role,
            "timeout": ask.timeout,
            "idempotencyKey": ask.idempotency_key,
            "correlationId": ask.correlation_id,
            "capability": ask.capability,
        }
        answer = self._ask_owner("POST", "/v1/bridge/call", body, ask.timeout + GRACE)
        if "fault" in answer:
            raise _fault_from(answer["fault"])
        output: dict[str, Any] = answer["output"]
        return output

    def _ask_owner(self, method: str, path: str, body: Mapping[str, Any] | None, timeout: float) -> dict[str, Any]:
        link = http.client.HTTPConnection(self.settings.host, self.settings.port, timeout=timeout)
        sent = False
        try:
            link.connect()
            link.auto_open = 0  # what was proven holds for this connection, not for another one
            self._have_proven(link)
            headers = {"X-Gox-Auth": self.settings.token, "Content-Type": "application/json"}
            link.request(method, path, body=None if body is None else msgspec.json.encode(body), headers=headers)
            sent = True
            response = link.getresponse()
            answer = msgspec.json.decode(response.read(MOST_LINE))
        except (OSError, http.client.HTTPException, msgspec.MsgspecError) as error:
            raise _lost(error, sent=sent and method == "POST") from None
        finally:
            link.close()
        if response.status != 200 or not isinstance(answer, dict):
            raise self._not_ours(is_relay=response.status == 401)
        return answer

    def _have_proven(self, link: http.client.HTTPConnection) -> None:
        """Make sure that whatever holds the port knows the token already.

        Raises:
            NotConnected: it does not, or not how to show it.
        """
        nonce = secrets.token_hex(16)
        link.request("GET", f"{PROVE}?nonce={nonce}")
        response = link.getresponse()
        try:
            answer = msgspec.json.decode(response.read(MOST_PROOF))
        except msgspec.MsgspecError:
            answer = None
        shown = answer if response.status == 200 and isinstance(answer, dict) else {}
        proof = proof_of(self.settings.token, PURPOSE, self.settings.port, nonce)
        if not hmac.compare_digest(str(shown.get("proof")).encode(), proof.encode()):
            raise self._not_ours(is_relay=shown.get("server") == SERVER)

    def _not_ours(self, *, is_relay: bool) -> NotConnected:
        why = "it has another token" if is_relay else "it is another program"
        return NotConnected(
            f"Port {self.settings.port} is taken by something that does not pass calls on: {why}.",
            hint="End it, or set GOX_BRIDGE_RELAY_ADDRESS to another port here and in Studio's plugin.",
            retryable=False,
        )


def _lost(error: Exception, *, sent: bool) -> Fault:
    reason = getattr(error, "strerror", None) or type(error).__name__
    if sent:
        return TimedOut(
            f"The scenewright process that holds the bridge did not answer ({reason}): the outcome is unknown.",
            hint="Look before you repeat the call; the next one takes the bridge over.",
            details={"outcome": "unknown"},
            retryable=False,
        )
    return NotConnected(f"The bridge cannot be reached ({reason}); nothing was changed.", hint="Repeat the call.")


def _fault_from(spelled: Mapping[str, Any]) -> Fault:
    kinds = {kind.kind: kind for kind in (getattr(faults, name) for name in faults.__all__) if _is_fault(kind)}
    kind = kinds.get(spelled.get("kind", ""), faults.Denied)
    if kind is Invalid:
        named = {key: spelled.get(key) for key in ("path", "rule", "hint", "details")}
        return Invalid(str(spelled.get("message")), **named)
    fault = Fault(str(spelled.get("message")), hint=spelled.get("hint"), details=spelled.get("details"))
    fault.__class__ = kind  # Internal takes no message of its own
    fault.retryable = bool(spelled.get("retryable"))
    return fault


def _is_fault(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, Fault) and "kind" in vars(kind)


class _Listening:
    """The server, on a thread and an event loop of its own, so that every kind of caller can wait for it."""

    def __init__(self, settings: BridgeSettings) -> None:
        self._token = settings.token
        self.began = monotonic()
        self._socket = bound_listener(settings.host, settings.port)
        port = self._socket.getsockname()[1]
        self.url = BridgeSettings(settings.host, port, "").url
        self._hub: Future[Hub] = Future()
        self._loop = asyncio.new_event_loop()
        self._server: uvicorn.Server | None = None
        self._thread = threading.Thread(target=self._run, name="roblox-relay", daemon=True)
        self._thread.start()

    def call(self, ask: Ask) -> dict[str, Any]:
        work = asyncio.run_coroutine_threadsafe(self._hub.result(GRACE).call(ask), self._loop)
        try:
            return work.result(ask.timeout + GRACE)
        except (TimeoutError, CancelledError) as error:
            raise _lost(error, sent=True) from None
        finally:
            work.cancel()

    def studios(self) -> list[dict[str, Any]]:
        async def look() -> list[dict[str, Any]]:
            return self._hub.result().studios()

        self._hub.result(GRACE)
        return asyncio.run_coroutine_threadsafe(look(), self._loop).result(GRACE)

    def wait_for_studio(self, seconds: float) -> bool:
        arrival = self._hub.result(GRACE).arrival(seconds)
        return asyncio.run_coroutine_threadsafe(arrival, self._loop).result(seconds + GRACE)

    def stop(self) -> None:
        if self._server is not None:
            self._server.should_exit = True
        self._thread.join(GRACE)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._serve())
        except Exception:
            logger.exception("roblox: the bridge failed")
        finally:
            self._loop.close()

    async def _serve(self) -> None:
        hub = Hub(self._token)
        config = uvicorn.Config(
            relay_app(hub, self._token),
            log_config=None,
            access_log=False,
            lifespan="off",
            timeout_graceful_shutdown=1,
            ws="websockets-sansio",
            ws_max_size=MOST_LINE,
            ws_ping_interval=None,
            ws_per_message_deflate=False,
            h11_max_incomplete_event_size=1 << 16,
            server_header=False,
            http=LimitedProtocol,
            backlog=accepted_at_once(),
        )
        self._server = server = _QuietServer(config)
        self._hub.set_result(hub)
        closing = asyncio.create_task(_shut_down_with(server, hub))
        await server.serve(sockets=[self._socket])
        closing.cancel()


class _QuietServer(LimitedServer):
    """Leaves signals to the process."""

    def capture_signals(self) -> Any:
        from contextlib import nullcontext

        return nullcontext()


async def _shut_down_with(server: uvicorn.Server, hub: Hub) -> None:
    while not server.should_exit:
        await asyncio.sleep(0.1)
    hub.shut_down()
