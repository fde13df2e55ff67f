"""What the dashboard's server answers, once a request was let in."""

from __future__ import annotations

import hmac
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from importlib import resources
from typing import Any, cast
from urllib.parse import parse_qs, urlencode

import anyio
import anyio.to_thread
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Mount, Route

from scenewright.core.faults import Fault
from scenewright.core.policy.approval_preview import preview_lines
from scenewright.core.runtime import Runtime
from scenewright.dashboard.access import Keys
from scenewright.dashboard.approvals import PendingCalls
from scenewright.dashboard.calls import SHOWN, Calls, CallWindow, Shown
from scenewright.dashboard.changes import Changes
from scenewright.dashboard.deeds import CALLER, Deeds, Told
from scenewright.dashboard.gallery import Gallery
from scenewright.dashboard.live import LOOK_SECONDS, Live
from scenewright.dashboard.markup import Markup
from scenewright.dashboard.page import TITLES, main_page, single_page
from scenewright.dashboard.parts import Links, Part
from scenewright.dashboard.runs import Runs
from scenewright.dashboard.surroundings import Surroundings

__all__ = ["Dashboard"]

_STATIC = {"dashboard.css": "text/css", "dashboard.js": "text/javascript", "icon.svg": "image/svg+xml"}
_MOST_NUMBER = 2**53


class Dashboard:
    """One project's dashboard."""

    def __init__(self, runtime: Runtime, keys: Keys) -> None:
        self.runtime = runtime
        self._keys = keys
        self._links = Links(keys.base, keys.csrf)
        self._calls = Calls(runtime.state.audit, self._links)
        self._changes = Changes(runtime.state, self._links)
        self._pending = PendingCalls(runtime.project.root, self._links)
        self._gallery = Gallery(runtime.project.root, self._links)
        others: list[Part] = [self._gallery, Runs(runtime, self._links), Surroundings(runtime.state)]
        windows = [CallWindow(self._calls, shown) for shown in SHOWN]
        self.live = Live([*windows, self._changes, self._pending, *others])
        self._deeds = Deeds(runtime)

    def app(self) -> Starlette:
        """Return the application, for those who were let in."""
        routes = [
            Route("/", self._page),
            Route("/events", self._events),
            Route("/calls", self._older_calls),
            Route("/calls/{number:int}", self._call),
            Route("/changes/{number:int}", self._change),
            Route("/pictures/{name}", self._picture),
            Route("/do/{deed}", self._do, methods=["POST"]),
            Route("/static/{name}", self._static),
        ]
        return Starlette(routes=[Mount(self._keys.base, routes=routes)], lifespan=self._lifespan)

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        del app
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self.live.keep_looking)
            tasks.start_soon(self._work_out_previews)
            yield
            tasks.cancel_scope.cancel()

    async def _work_out_previews(self) -> None:
        while True:
            await self.live.somebody()
            approval = await anyio.to_thread.run_sync(self._pending.without_preview)
            if approval is None:
                await anyio.sleep(LOOK_SECONDS)
                continue
            self._pending.keep_preview(approval, await preview_lines(self.runtime, approval, CALLER))

    @property
    def _project(self) -> str:
        return self.runtime.project.root.name

    async def _page(self, request: Request) -> Response:
        shown = _shown(request)
        names = ["calls" if shown == "all" else f"calls-{shown}", *(name for name in TITLES if name != "calls")]
        parts = {name: await self.live.html(name) for name in names}
        notice = request.query_params.get("told")
        return HTMLResponse(main_page(self._links, self._project, parts, shown, notice))

    async def _events(self, request: Request) -> Response:
        if self.live.is_full:
            return Response("Too many pages are open.", 503)
        names = frozenset(request.query_params.get("parts", "").split(","))
        return StreamingResponse(self._stream(self.live.known(names)), media_type="text/event-stream")

    async def _stream(self, names: frozenset[str]) -> AsyncIterator[str]:
        watcher = self.live.join(names)
        try:
            async with aclosing(watcher.messages()) as messages:
                async for message in messages:
                    yield message
        finally:
            self.live.leave(watcher)

    async def _older_calls(self, request: Request) -> Response:
        shown = _shown(request)
        before = _whole(request.query_params.get("before", "")) or _MOST_NUMBER
        rows = await anyio.to_thread.run_sync(self._calls.before, before, shown)
        return HTMLResponse(single_page(self._links, self._project, "Older calls", self._calls.rows(rows, shown)))

    async def _call(self, request: Request) -> Response:
        number = cast("int", request.path_params["number"])
        return self._piece(request, f"Call {number}", await anyio.to_thread.run_sync(self._calls.detail, number))

    async def _change(self, request: Request) -> Response:
        number = cast("int", request.path_params["number"])
        try:
            diff = await anyio.to_thread.run_sync(self._changes.detail, min(number, _MOST_NUMBER))
        except Fault as fault:
            return Response(fault.message, 404)
        return self._piece(request, f"Change {number}", diff)

    async def _picture(self, request: Request) -> Response:
        kept = await anyio.to_thread.run_sync(self._gallery.kept.find, str(request.path_params["name"]))
        if kept is None:
            return Response("This picture is no longer there.", 404)
        return Response(kept[0], media_type=kept[1])

    def _piece(self, request: Request, title: str, body: Markup) -> Response:
        """Return something that is unfolded in the page, or, without a script, a page of its own."""
        if request.headers.get("x-piece"):
            return HTMLResponse(body)
        return HTMLResponse(single_page(self._links, self._project, title, body))

    async def _do(self, request: Request) -> Response:
        fields = {name: values[0] for name, values in parse_qs((await request.body()).decode("latin-1")).items()}
        if not hmac.compare_digest(fields.get("csrf", "").encode(), self._keys.csrf.encode()):
            return Response("This form is not of this page; load it again.", 403)
        told = await self._deeds.do(str(request.path_params["deed"]), fields)
        return _answer(request, told, self._links)

    async def _static(self, request: Request) -> Response:
        name = str(request.path_params["name"])
        if name not in _STATIC:
            return Response("There is no such file.", 404)
        file = resources.files("scenewright.dashboard").joinpath("static", name)
        return Response(await anyio.to_thread.run_sync(file.read_bytes), media_type=_STATIC[name])


def _answer(request: Request, told: Told, links: Links) -> Response:
    if request.headers.get("x-piece"):
        return JSONResponse({"done": told.done, "text": told.text})
    return RedirectResponse(f"{links.to('')}?{urlencode({'told': told.text})}", 303)


def _shown(request: Request) -> Shown:
    given: Any = request.query_params.get("show")
    return given if given in SHOWN else "all"


def _whole(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else None
