"""What a process keeps between calls: connections, pools of workers. Made when first asked for, closed at the end."""

from __future__ import annotations

import logging
from collections.abc import Callable
from threading import Lock
from typing import Protocol, TypeVar

__all__ = ["Service", "Services"]

logger = logging.getLogger(__name__)


class Service(Protocol):
    """Something that holds on to more than memory."""

    def close(self) -> None: ...


_S = TypeVar("_S", bound=Service)


class Services:
    """One of each kind."""

    def __init__(self) -> None:
        self._kept: dict[type[Service], Service] = {}
        self._lock = Lock()

    def get(self, kind: type[_S], make: Callable[[], _S]) -> _S:
        """Return the service of this kind, made by the first who asks."""
        with self._lock:
            service = self._kept.get(kind)
            if service is None:
                service = self._kept[kind] = make()
        assert isinstance(service, kind)
        return service

    def close(self) -> None:
        """Close what was made last first; one that fails does not keep the others open."""
        with self._lock:
            kept, self._kept = list(self._kept.values()), {}
        for service in reversed(kept):
            try:
                service.close()
            except Exception:
                logger.exception("%s did not close", type(service).__name__)
