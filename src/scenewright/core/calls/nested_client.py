"""The client as a part of a larger call sees it: its progress is a part of the whole, and nobody is asked again."""

from __future__ import annotations

from scenewright.core.calls.call import Client, SilentClient

__all__ = ["PartClient"]


class PartClient(SilentClient):
    """Stands between part `index` of `count` and the client of the whole.

    It asks no one: in some protocols an answer comes with a repetition of the whole call, and what earlier parts have
    written would be written twice.
    """

    def __init__(self, whole: Client, index: int, count: int) -> None:
        self.id = whole.id
        self._whole = whole
        self._index, self._count = index, count
        self._reached = 0.0

    async def progress(self, done: float, total: float | None, message: str | None) -> None:
        share = min(done / total, 1.0) if total else 0.0
        # Progress may only grow, and the whole tells of the finished part itself.
        if self._reached < share < 1.0:
            self._reached = share
            await self._whole.progress(self._index + share, self._count, message)

    async def log(self, level: str, message: str) -> None:
        await self._whole.log(level, message)

    async def hang_up(self) -> None:
        await self._whole.hang_up()
