"""The texts of scenes that editors have open, asked for as seldom as can be.

To write a scene as text an editor must look at every node in one go, which for a big scene takes a second in which it
stands still. So a big scene that is saved is read from its file, and after an edit of ours its text is known.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from pathlib import Path
from typing import Any

import anyio.to_thread

from scenewright.bridge.link import Link
from scenewright.core.writes.file_sizes import read_limited

__all__ = ["LARGE", "Texts"]

LARGE = 1 << 18  # bytes; a smaller scene is written within a frame
_STEPS = 4
_Scene = tuple[int, str]  # process id and path


class Texts:
    """What each open scene is as a text, and of which revision."""

    def __init__(self) -> None:
        self._known: dict[_Scene, tuple[int, bytes]] = {}
        self._steps: OrderedDict[tuple[int, str, int], tuple[bytes, bytes]] = OrderedDict()

    async def of(
        self, link: Link, scene: str, revision: int | None, file: Path, *, in_place: bool = False
    ) -> tuple[int, bytes]:
        """Return a scene as the editor would save it now, with its revision, whichever tab it is in."""
        key = (link.editor.pid, scene)
        known = self._known.get(key)
        if known is not None and known[0] == revision:
            return known
        content = await anyio.to_thread.run_sync(_large, file)
        params: dict[str, Any] = {"scene": scene, "in_place": in_place}
        if known is not None:
            params["since"] = known[0]
        if content is not None:
            params["file_md5"] = _digest(content)
        answer = await link.request("scenewright.scene_text", params)
        if known is not None and answer.get("unchanged"):
            return known
        text = content if content is not None and answer.get("as_file") else str(answer["text"]).encode()
        self._known[key] = (int(answer["revision"]), text)
        return self._known[key]

    async def bring(self, link: Link, scene: str, text: bytes) -> int | None:
        """Bring a scene to the front and return its revision, or None if it has another text there."""
        answer = await link.request("scenewright.scene_text", {"scene": scene, "file_md5": _digest(text)})
        is_same = answer.get("as_file") or str(answer.get("text", "")).encode() == text
        return int(answer["revision"]) if is_same else None

    def remember(self, link: Link, scene: str, revision: int, before: bytes, after: bytes) -> None:
        """Remember the text and revision that an edit of ours has made."""
        if len(after) < LARGE:
            return  # asked for anew: what the editor made of it is worth more than what was sent
        self._known[link.editor.pid, scene] = (revision, after)
        self._steps[link.editor.pid, scene, revision] = (before, after)
        while len(self._steps) > _STEPS:
            self._steps.popitem(last=False)

    def turn_back(self, link: Link, scene: str, revision: int, now: int) -> None:
        """Remember that the step that made a revision was undone, or redone."""
        step = self._steps.pop((link.editor.pid, scene, revision), None)
        if step is not None:
            before, after = step
            self.remember(link, scene, now, after, before)


def _digest(content: bytes) -> str:
    return hashlib.md5(content, usedforsecurity=False).hexdigest()


def _large(file: Path) -> bytes | None:
    try:
        return read_limited(file) if file.stat().st_size >= LARGE else None
    except OSError:
        return None
