"""Versions of Unity as they are compared: `2021.3.2f1` comes after `2021.3.2b9`."""

from __future__ import annotations

import re

__all__ = ["Version", "read_version"]

Version = tuple[int, int, int, int, int]
_VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)(?:([abcfpx])(\d+))?")
_STAGES = {"a": 0, "b": 1, "f": 3, "c": 3, "p": 4, "x": 5}


def read_version(text: str) -> Version | None:
    """Return a version, None where the text is none."""
    match = _VERSION.match(text.strip())
    if match is None:
        return None
    return int(match[1]), int(match[2]), int(match[3]), _STAGES[match[4] or "f"], int(match[5] or 1)
