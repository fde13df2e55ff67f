"""What a look at this machine found: good or bad, with what mends it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Finding", "Level"]

Level = Literal["ok", "note", "warning", "error"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    subject: str
    level: Level
    message: str
    fix: str = ""
    remedy: str = ""  # what `doctor --fix` does about it, by name; see `remedies`
