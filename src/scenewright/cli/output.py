"""Prints lines for a person, of whatever text: what would steer the terminal is shown instead."""

from __future__ import annotations

import sys
from typing import TextIO

from scenewright.core.text.control_characters import escape_controls

__all__ = ["say"]


def say(text: str, *, to: TextIO | None = None, end: str = "\n") -> None:
    """Print a text, to stdout unless told otherwise."""
    print(escape_controls(text), end=end, file=to or sys.stdout, flush=True)
