"""Targets that break, by which `test_finds.py` sees that the search notices; no search includes them."""

from __future__ import annotations

import threading

from tests.fuzz.target import Target, texts


def _crash(data: bytes) -> None:
    if data:
        raise ZeroDivisionError


def _hang(data: bytes) -> None:
    while data:
        pass


def _memory(data: bytes) -> None:
    _ = b"x" * (len(data) << 32)


def _silence(data: bytes) -> None:
    if data:
        threading.Event().wait()


TARGETS = tuple(
    Target(f"broken.{name}", run, texts(name))
    for name, run in (("crash", _crash), ("hang", _hang), ("memory", _memory), ("silence", _silence))
)
