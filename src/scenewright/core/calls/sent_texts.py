"""Which texts a client has sent whole: a later look at the project need not send them back."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Iterator
from threading import Lock
from typing import Any

__all__ = ["SentTexts"]

_MOST = 2_000


class SentTexts:
    """Texts by their digest, for each client; the oldest are forgotten first."""

    def __init__(self) -> None:
        self._sent: OrderedDict[tuple[str, bytes], None] = OrderedDict()
        self._lock = Lock()

    def remember(self, client: str, arguments: Any) -> None:
        """Remember the texts of several lines in a call's arguments."""
        keys = [(client, _digest(text)) for text in _texts(arguments)]
        with self._lock:
            for key in keys:
                self._sent[key] = None
                self._sent.move_to_end(key)
            while len(self._sent) > _MOST:
                self._sent.popitem(last=False)

    def knows(self, client: str, text: str) -> bool:
        """Return whether that client has sent this text."""
        return (client, _digest(text)) in self._sent

    def close(self) -> None:
        self._sent.clear()


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        if "\n" in value:
            yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts(each)


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
