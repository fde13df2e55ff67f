"""Who may see the page: whoever opened the link that was shown on the terminal, in that browser, and nobody else.

The link's key is used up by the first who comes with it, and buys a cookie. The cookie is for one secret path, because
browsers send cookies to every port of a host: a page of another local server must not be sent ours. Host and Origin are
looked at on each request, so that neither another site nor a name that was made to lead here gets an answer.
"""

from __future__ import annotations

import hmac
import os
import secrets
import sys
from collections import deque
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from scenewright.bridge.processes import owner_of_connection
from scenewright.dashboard.markup import Markup, tag

__all__ = ["Access", "Keys", "bare_page"]

COOKIE = "scenewright"
MOST_SESSIONS = 20
MOST_BODY = 4096
_HEADERS = (
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        b"form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),  # without one a form of ours would say Origin: null
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)


class Keys:
    """The secrets of one dashboard: its path, the keys of its links, and the sessions they bought."""

    def __init__(self) -> None:
        self.base = f"/{secrets.token_urlsafe(12)}"
        self.csrf = secrets.token_urlsafe(24)
        self._links: deque[str] = deque(maxlen=4)
        self._sessions: deque[str] = deque(maxlen=MOST_SESSIONS)

    def new_link(self) -> str:
        """Return the path of a link that lets one browser in."""
        key = secrets.token_urlsafe(24)
        self._links.append(key)
        return f"/open?key={key}"

    def redeem(self, key: str) -> str | None:
        """Return a new session for an unused key, or None."""
        known = next((each for each in self._links if _is_same(each, key)), None)
        if known is None:
            return None
        self._links.remove(known)
        session = secrets.token_urlsafe(24)
        self._sessions.append(session)
        return session

    def knows(self, session: str) -> bool:
        return any(_is_same(each, session) for each in self._sessions)


class Access:
    """Lets requests through that may see the page, and answers the others itself."""

    def __init__(self, app: ASGIApp, keys: Keys, port: int) -> None:
        self._app = app
        self._keys = keys
        self._port = port
        self._hosts = {f"{name}:{port}".encode() for name in ("127.0.0.1", "localhost")}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, _with_headers(send))

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = dict(scope["headers"])
        if problem := self._problem(scope, headers):
            await _refuse(send, problem)
        elif scope["path"] == "/open":
            await self._open(scope, headers, send)
        elif not scope["path"].startswith(f"{self._keys.base}/") or not self._keys.knows(_session(headers)):
            await _refuse(send, "This page is for whoever started it. Open it with the link that its terminal shows.")
        else:
            await self._app(scope, receive, send)

    def _problem(self, scope: Scope, headers: dict[bytes, bytes]) -> str | None:
        """Return why a request is refused whatever it knows, or None."""
        if headers.get(b"host") not in self._hosts:
            return "This server goes by no such name."
        origin = headers.get(b"origin")
        own = {b"http://" + host for host in self._hosts}
        if origin is not None and origin not in own:
            return "This server answers no other site."
        if scope["method"] == "POST":
            length = headers.get(b"content-length", b"")
            if origin is None:
                return "A form must say which page it is on."
            if not length.isdigit() or int(length) > MOST_BODY:
                return "This is no form of this page."
        elif scope["method"] not in ("GET", "HEAD"):
            return "This server takes no such request."
        return None

    async def _open(self, scope: Scope, headers: dict[bytes, bytes], send: Send) -> None:
        fetched_ahead = b"prefetch" in headers.get(b"sec-purpose", b"")
        keys = parse_qs(scope["query_string"].decode("latin-1")).get("key", [""])
        may_have_it = scope["method"] == "GET" and not fetched_ahead and self._is_of_this_user(scope)
        session = self._keys.redeem(keys[0]) if may_have_it else None
        if session is None:
            await _refuse(send, "This link was used, or is none of ours. Press Enter in the terminal for a new one.")
            return
        base = self._keys.base
        cookie = f"{COOKIE}={session}; Path={base}/; HttpOnly; SameSite=Strict"
        # No redirect: where another site's link led here, the cookie would not be sent along with it.
        onward = tag("meta", http_equiv="refresh", content=f"0; url={base}/")
        icon = tag("link", rel="icon", href=f"{base}/static/icon.svg")
        body = bare_page("scenewright", tag("p", tag("a", "Open the dashboard", href=f"{base}/")), onward, icon)
        await _send_page(send, 200, body, [(b"set-cookie", cookie.encode())])

    def _is_of_this_user(self, scope: Scope) -> bool:
        """Return whether it is not another user who asks: they could read the link in the list of processes."""
        if sys.platform == "win32" or scope.get("client") is None:
            return True
        owner = owner_of_connection(scope["client"][1], self._port)
        return owner in (None, 0, os.geteuid())


def bare_page(title: str, body: Markup, *head: Markup) -> Markup:
    """Return a page without styles, for whoever is not let in."""
    named = tag("title", title)
    page = tag("html", tag("head", tag("meta", charset="utf-8"), named, *head), tag("body", body), lang="en")
    return Markup(f"<!doctype html>{page}")


def _is_same(known: str, given: str) -> bool:
    return hmac.compare_digest(known.encode(), given.encode("utf-8", "replace"))


def _session(headers: dict[bytes, bytes]) -> str:
    try:
        morsel = SimpleCookie(headers.get(b"cookie", b"").decode("latin-1")).get(COOKIE)
    except CookieError:
        return ""
    return morsel.value if morsel is not None else ""


async def _refuse(send: Send, why: str) -> None:
    await _send_page(send, 403, bare_page("scenewright", tag("p", why)), [])


async def _send_page(send: Send, status: int, page: str, headers: list[tuple[bytes, bytes]]) -> None:
    body = page.encode()
    fixed = [(b"content-type", b"text/html; charset=utf-8"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": [*fixed, *headers]})
    await send({"type": "http.response.body", "body": body})


def _with_headers(send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            given = [(name, value) for name, value in message.get("headers", []) if name.lower() != b"cache-control"]
            message = {**message, "headers": [*given, *_HEADERS]}
        await send(message)

    return send_with_headers
