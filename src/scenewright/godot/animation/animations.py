"""One animation of a library: its length, its loop and its tracks, each changed without the others."""

from __future__ import annotations

import msgspec

from scenewright.godot.animation.inner_resources import HeldResource
from scenewright.godot.animation.tracks import CAPTURE, Track, read_tracks, track_properties
from scenewright.godot.documents.document import Source

__all__ = ["LOOPS", "Animation"]

LOOPS = ("none", "linear", "pingpong")


class Animation(msgspec.Struct, frozen=True):
    """One animation: the name it is played by, and where it is."""

    name: str
    part: HeldResource

    @property
    def tracks(self) -> list[Track]:
        return read_tracks(self.part.section)

    @property
    def length(self) -> float:
        seconds = self.part.value("length", 1.0)
        return float(seconds) if isinstance(seconds, int | float) else 1.0

    @property
    def loop(self) -> str:
        mode = self.part.value("loop_mode", 0)
        return LOOPS[mode] if isinstance(mode, int) and 0 <= mode < len(LOOPS) else "none"

    def set_track(self, index: int, track: Track) -> None:
        """Write one track; the others stay as they are."""
        before = {name: self.part.value(name) for name in self.part.names() if name.startswith(f"tracks/{index}/")}
        properties = track_properties(index, track)
        self.part.set({name: value for name, value in properties.items() if before.get(name, ...) != value})
        self._mark_capture()

    def remove_track(self, index: int) -> None:
        """Remove a track; later tracks move up as they are written."""
        moved: dict[str, Source] = {}
        gone: list[str] = []
        for property_ in self.part.section.properties:
            start, _, rest = property_.name.removeprefix("tracks/").partition("/")
            if not property_.name.startswith("tracks/") or int(start) < index:
                continue
            gone.append(property_.name)
            if int(start) > index:
                moved[f"tracks/{int(start) - 1}/{rest}"] = Source(property_.raw)
        self.part.set(moved, remove=gone)
        self._mark_capture()

    def _mark_capture(self) -> None:
        """Says whether a track starts from where its node is, which the engine keeps beside the tracks."""
        wanted = any(track.update == CAPTURE for track in self.tracks)
        if wanted != (self.part.value("capture_included") is True):
            values = {"capture_included": True} if wanted else {}
            self.part.set(values, remove=["capture_included"])
