"""The relay's HTTP and WebSocket endpoints, on loopback.

For Studio, as in bridge protocol 1.1: `POST /v1/bridge/session`, `GET …/{id}/read`, `POST …/{id}/write`,
`DELETE …/{id}/close`; and ours, `/v1/bridge/socket`, the same lines over a WebSocket. For other scenewright processes
on this machine: `GET /v1/bridge/studios` and `POST /v1/bridge/call`, and `GET /v1/bridge/prove`, by which the relay
shows that it knows the token to who has not told it yet.
"""

from __future__ import annotations

import asyncio
import hmac
from typing import Any
from urllib.parse import urlsplit

import msgspec
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from scenewright.core.faults import Fault, Invalid
from scenewright.core.projects.token import MAX_NONCE, proof_of
from scenewright.roblox.relay.hub import Ask, Hub
from scenewright.roblox.relay.messages import MalformedMessage
from scenewright.roblox.relay.session import MOST_LINE, StudioSession

__all__ = ["PROVE", "PURPOSE", "SERVER", "relay_app"]

SERVER = "scenewright-roblox-relay"
PROVE = "/v1/bridge/prove"
PURPOSE = "scenewright relay"  # what a proof is for; one for another purpose does not do
LONG_POLL = 25.0
_LOOPBACK = {"127.0.0.1", "localhost", "::1"}


def relay_app(hub: Hub, token: str) -> ASGIApp:
    """Return the ASGI application of the relay."""
    app = Starlette(
        routes=[
            Route("/v1/bridge/session", _open, methods=["POST"]),
            Route("/v1/bridge/session/{session}/read", _read, methods=["GET"]),
            Route("/v1/bridge/session/{session}/write", _write, methods=["POST"]),
            Route("/v1/bridge/session/{session}/close", _close, methods=["DELETE"]),
            Route(PROVE, _prove, methods=["GET"]),
            Route("/v1/bridge/studios", _studios, methods=["GET"]),
            Route("/v1/bridge/call", _call, methods=["POST"]),
            WebSocketRoute("/v1/bridge/socket", _socket),
        ]
    )
    app.state.hub = hub
    app.state.token = token
    return _Guarded(app, token)


class _Guarded:
    """Lets in only who asks for this machine by name, does not come from a web page, and knows the token."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._token = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            return
        refusal = self._refusal(Headers(scope=scope), is_open=scope["path"] == PROVE)
        if refusal is None:
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            status, reason = refusal
            await JSONResponse({"error": reason}, status_code=status)(scope, receive, send)
        else:
            # Refused before it is accepted, which the other side sees as HTTP 403.
            await send({"type": "websocket.close", "code": 1008, "reason": refusal[1]})

    def _refusal(self, headers: Headers, *, is_open: bool) -> tuple[int, str] | None:
        if not _is_loopback(f"//{headers.get('host', '')}"):
            return 421, "the Host header does not name this machine"
        if "origin" in headers and not _is_loopback(headers["origin"]):
            return 403, "web pages are not allowed in"
        given = headers.get("x-gox-auth") or headers.get("authorization", "").removeprefix("Bearer ")
        if not is_open and not hmac.compare_digest(given.encode(), self._token):
            return 401, "unauthorized"
        return None


def _is_loopback(url: str) -> bool:
    try:
        return urlsplit(url).hostname in _LOOPBACK
    except ValueError:
        return False


async def _open(request: Request) -> Response:
    body = await _json(request)
    session = _hub(request).open(str(body.get("clientName") or ""), "long-poll")
    return JSONResponse({"sessionId": session.id})


async def _read(request: Request) -> Response:
    session = _session(request)
    if session is None:
        return _no_session()
    reading = asyncio.create_task(session.next_line(_patience(request)))
    leaving = asyncio.create_task(_hung_up(request))
    await asyncio.wait({reading, leaving}, return_when=asyncio.FIRST_COMPLETED)
    leaving.cancel()
    if not reading.done():
        reading.cancel()
        session.hung_up = True
        return Response(status_code=204)
    line = reading.result()
    if line is None:
        return _no_session() if session.closed else Response(status_code=204)
    return JSONResponse({"line": line})


async def _hung_up(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _write(request: Request) -> Response:
    session = _session(request)
    if session is None:
        return _no_session()
    line = (await _json(request)).get("line")
    if not isinstance(line, str) or not line:
        return JSONResponse({"error": "line is required"}, status_code=400)
    try:
        session.take(line)
    except MalformedMessage as error:
        return JSONResponse({"error": str(error)}, status_code=400)
    return Response(status_code=204)


async def _close(request: Request) -> Response:
    session = _session(request)
    if session is None:
        return _no_session()
    _hub(request).close(session)
    return Response(status_code=204)


async def _socket(socket: WebSocket) -> None:
    await socket.accept()
    hub: Hub = socket.app.state.hub
    session = hub.open(socket.headers.get("x-client-name", ""), "websocket")
    sending = asyncio.create_task(_send_lines(socket, session))
    try:
        while True:
            session.take(await socket.receive_text())
    except (WebSocketDisconnect, KeyError, RuntimeError):
        pass  # gone, or it sent what is no text
    except MalformedMessage as error:
        await socket.close(1008, str(error)[:100])
    finally:
        sending.cancel()
        hub.close(session)


async def _send_lines(socket: WebSocket, session: StudioSession) -> None:
    while (line := await session.next_line()) is not None:
        await socket.send_text(line)
    await socket.close(1000)


async def _prove(request: Request) -> Response:
    nonce, server = request.query_params.get("nonce", ""), request.scope.get("server")
    if not 0 < len(nonce) <= MAX_NONCE or server is None:
        return JSONResponse({"error": "nonce is required"}, status_code=400)
    return JSONResponse({"server": SERVER, "proof": proof_of(request.app.state.token, PURPOSE, server[1], nonce)})


async def _studios(request: Request) -> Response:
    return JSONResponse({"server": SERVER, "studios": _hub(request).studios()})


class _Call(msgspec.Struct, rename="camel"):
    operation: str
    payload: dict[str, Any]
    studio: str | None = None
    role: str = "edit"
    timeout: float = 25.0
    idempotency_key: str | None = None
    correlation_id: str | None = None
    capability: str | None = None


async def _call(request: Request) -> Response:
    try:
        body = msgspec.convert(await _json(request), _Call)
    except msgspec.ValidationError as error:
        return JSONResponse({"error": str(error)}, status_code=400)
    ask = Ask(**{name: getattr(body, name) for name in _Call.__struct_fields__})
    try:
        return JSONResponse({"output": await _hub(request).call(ask)})
    except Fault as fault:
        return JSONResponse({"fault": _spelled(fault)})


def _spelled(fault: Fault) -> dict[str, Any]:
    spelled = {"kind": fault.kind, "message": fault.message, "hint": fault.hint, "details": fault.details}
    named = {"path": fault.path, "rule": fault.rule} if isinstance(fault, Invalid) else {}
    return spelled | named | {"retryable": fault.retryable}


def _hub(request: Request) -> Hub:
    hub: Hub = request.app.state.hub
    return hub


def _session(request: Request) -> StudioSession | None:
    return _hub(request).find(request.path_params["session"])


def _no_session() -> Response:
    return JSONResponse({"error": "session not found"}, status_code=404)


def _patience(request: Request) -> float:
    text = request.query_params.get("timeout_ms", "")
    if text.isascii() and text.isdigit() and 0 < len(text) < 8:
        return min(int(text) / 1000, LONG_POLL)
    return LONG_POLL


async def _json(request: Request) -> dict[str, Any]:
    """Return the body, as far as it is a JSON object of a bearable size."""
    body = bytearray()
    try:
        async for part in request.stream():
            body += part
            if len(body) > MOST_LINE:
                return {}
        value = msgspec.json.decode(bytes(body)) if body else {}
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ClientDisconnect):
        return {}
    return value if isinstance(value, dict) else {}
