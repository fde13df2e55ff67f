"""The line of a project's files that comes closest to a text that is in none of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from scenewright.core.text.near_misses import MOST_TEXT, nearest_line

if TYPE_CHECKING:
    from scenewright.core.text.grep import Job

__all__ = ["near_line"]

LARGEST = 200_000  # bytes of a file that is looked at


def near_line(query: str, jobs: Sequence[Job]) -> str | None:
    """Return a sentence that shows the closest line of the first files, up to a limit of text."""
    lines: list[str] = []
    places: list[str] = []
    left = MOST_TEXT
    for job in jobs:
        text = _text_of(job)
        left -= len(text)
        if left < 0:
            break
        for number, line in enumerate(text.splitlines(), 1):
            lines.append(line)
            places.append(f"res://{job.name}:{number}")
    at = nearest_line(query.strip(), lines)
    return None if at is None else f"The closest is {places[at]}: {lines[at].strip()[:200]!r}."


def _text_of(job: Job) -> str:
    if job.text is not None:
        return job.text
    try:
        place = Path(job.place)
        content = place.read_bytes() if place.stat().st_size <= LARGEST else b""
    except OSError:
        return ""
    return "" if b"\0" in content else content.decode("utf-8", "replace")
