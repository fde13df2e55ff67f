"""Parts of one request that several engines share, and what became of each."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from queue import SimpleQueue
from typing import Any

from scenewright.core.faults import Fault
from scenewright.godot.engine.worker import Reply

__all__ = ["SharedRequest"]

RequestPart = tuple[int, Mapping[str, Any]]


class SharedRequest:
    """Taken by the threads that hold engines; a thread of its own waits for them to be settled."""

    def __init__(self, parts: Sequence[Mapping[str, Any]]) -> None:
        self._left = deque(enumerate(parts))
        self._count = len(parts)
        self._became: dict[int, Reply | Fault] = {}
        self._news: SimpleQueue[BaseException | None] = SimpleQueue()

    def take(self) -> RequestPart | None:
        try:
            return self._left.popleft()
        except IndexError:
            return None

    def settle(self, part: RequestPart, became: Reply | Fault) -> None:
        self._became[part[0]] = became
        self._news.put(None)

    def fail(self, problem: BaseException) -> None:
        """Make the waiting thread raise a fault that no part can be blamed for."""
        self._news.put(problem)

    def drop(self) -> None:
        """Leave what is not under way: nobody waits for it any more."""
        self._left.clear()

    def settled(self) -> Iterator[None]:
        """Yield each time that a part is settled, until all are."""
        for _ in range(self._count):
            if (problem := self._news.get()) is not None:
                raise problem
            yield

    def in_order(self) -> list[Reply | Fault]:
        return [self._became[at] for at in range(self._count)]
