"""A value that does not fit."""

from __future__ import annotations

__all__ = ["Refused"]


class Refused(ValueError):
    """What was expected, in words."""

    def __init__(self, expected: str, hint: str | None = None) -> None:
        super().__init__(expected)
        self.expected = expected
        self.hint = hint
