"""Times, durations and sizes as a person reads them."""

from __future__ import annotations

from datetime import datetime

from scenewright.dashboard.markup import Markup, tag

__all__ = ["clip", "duration", "moment", "size"]


def duration(milliseconds: float) -> str:
    """Return `12 ms`, `1.4 s` or `3 min 20 s`."""
    if milliseconds < 1000:
        return f"{milliseconds:.0f} ms"
    seconds = milliseconds / 1000
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s"


def size(count: int) -> str:
    """Return `312 B`, `1.4 kB` or `2.1 MB`."""
    if count < 1000:
        return f"{count} B"
    return f"{count / 1000:.1f} kB" if count < 1_000_000 else f"{count / 1_000_000:.1f} MB"


def moment(stamp: str) -> Markup:
    """Return a time of the records, in this machine's own; the day only where it is not today."""
    try:
        at = datetime.fromisoformat(stamp.replace("Z", "+00:00")).astimezone()
    except ValueError:
        return tag("span", stamp[:40], class_="time")
    today = at.date() == datetime.now().astimezone().date()
    return tag("time", at.strftime("%H:%M:%S" if today else "%d %b %H:%M"), class_="time", datetime=stamp[:40])


def clip(text: str, most: int) -> str:
    """Return a text with no more than so many characters."""
    return text if len(text) <= most else f"{text[: most - 1]}…"
