"""The video of a replay, where whoever started this process asked for one: a file outside of what calls may name."""

from __future__ import annotations

from pathlib import Path

__all__ = ["Recording"]


class Recording:
    """Where the next replay is filmed to; nowhere if nobody asked."""

    def __init__(self, video: Path | None = None) -> None:
        self.video = video

    def close(self) -> None:
        self.video = None
