"""What is new, for everybody who watches: looked at now and then while somebody does, rendered once for all.

A watcher that is slow gets the newest state of each part and nothing in between, so nothing piles up.
"""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import AsyncGenerator, Hashable, Sequence
from threading import Lock

import anyio
import anyio.to_thread

from scenewright.core.faults import Fault
from scenewright.dashboard.parts import Part, empty

__all__ = ["LOOK_SECONDS", "Live", "Watcher"]

LOOK_SECONDS = 0.4
KEEP_ALIVE_SECONDS = 15.0
MOST_WATCHERS = 32
logger = logging.getLogger(__name__)


class Watcher:
    """One page that is open somewhere."""

    def __init__(self, names: frozenset[str]) -> None:
        self.names = names
        self.waiting: dict[str, str] = {}  # the newest HTML of each part that it has not got yet
        self.changed = anyio.Event()
        self.is_over = False

    def tell(self, name: str, html: str) -> None:
        if name in self.names:
            self.waiting[name] = html
            self.changed.set()

    async def messages(self) -> AsyncGenerator[str]:
        """Yield server-sent events for as long as somebody takes them."""
        yield "retry: 2000\n\n"
        while not self.is_over:
            with anyio.move_on_after(KEEP_ALIVE_SECONDS) as patience:
                await self.changed.wait()
            if patience.cancelled_caught:
                yield ": still here\n\n"
                continue
            self.changed = anyio.Event()
            waiting, self.waiting = self.waiting, {}
            for name, html in waiting.items():
                yield f"event: part\ndata: {json.dumps({'part': name, 'html': html})}\n\n"


class Live:
    """Looks at the parts and tells the watchers."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self._parts = {part.name: part for part in parts}
        self._lock = Lock()  # a page that is opened and the loop below look at the same parts
        self._stamps: dict[str, Hashable] = {}
        self._html: dict[str, str] = {}
        self._watchers: set[Watcher] = set()
        self._watched = anyio.Event()

    @property
    def is_full(self) -> bool:
        return len(self._watchers) >= MOST_WATCHERS

    async def html(self, name: str) -> str:
        """Return a part as it is now."""
        await self._look_at(name)
        return self._html[name]

    def known(self, names: frozenset[str]) -> frozenset[str]:
        return names & self._parts.keys()

    def join(self, names: frozenset[str]) -> Watcher:
        watcher = Watcher(names)
        for name in names & self._html.keys():
            watcher.tell(name, self._html[name])
        self._watchers.add(watcher)
        self._watched.set()
        return watcher

    def leave(self, watcher: Watcher) -> None:
        self._watchers.discard(watcher)
        if not self._watchers:
            self._watched = anyio.Event()

    def end(self) -> None:
        """Let all watchers go: the server ends."""
        for watcher in self._watchers:
            watcher.is_over = True
            watcher.changed.set()

    async def somebody(self) -> None:
        """Wait until somebody watches."""
        await self._watched.wait()

    async def keep_looking(self) -> None:
        """Look for as long as the server runs; while nobody watches, wait for somebody."""
        while True:
            await self.somebody()
            for name in frozenset[str]().union(*(watcher.names for watcher in self._watchers)):
                if await self._look_at(name):
                    for watcher in self._watchers:
                        watcher.tell(name, self._html[name])
            await anyio.sleep(LOOK_SECONDS)

    async def _look_at(self, name: str) -> bool:
        """Render a part anew where it has changed; return whether its HTML did."""
        before = self._html.get(name)
        await anyio.to_thread.run_sync(self._render, name)
        return self._html[name] != before

    def _render(self, name: str) -> None:
        part = self._parts[name]
        with self._lock:
            try:
                stamp = part.stamp()
                if name in self._html and stamp == self._stamps.get(name):
                    return
                self._html[name], self._stamps[name] = part.render(), stamp
            except (Fault, OSError, sqlite3.Error) as problem:
                logger.debug("%s cannot be shown", name, exc_info=True)
                self._html[name] = empty(f"This cannot be shown: {problem}")
