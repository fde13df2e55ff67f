"""The pictures that calls have made last: the newest large, those before it small."""

from __future__ import annotations

from collections.abc import Hashable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from scenewright.core.records.pictures import KeptPictures
from scenewright.dashboard.markup import Markup, join, tag
from scenewright.dashboard.parts import Links, empty, folder_stamp
from scenewright.dashboard.words import clip, moment

__all__ = ["Gallery"]


class Gallery:
    """The kept pictures of a project."""

    name = "pictures"

    def __init__(self, root: Path, links: Links) -> None:
        self.kept = KeptPictures(root)
        self._links = links

    def stamp(self) -> Hashable:
        return folder_stamp(self.kept.folder)

    def render(self) -> Markup:
        pictures = self.kept.newest()
        if not pictures:
            return empty("Pictures that the agent takes of scenes and games appear here.")
        name, record = pictures[0]
        at = datetime.fromtimestamp(float(record.get("at", 0)), UTC).isoformat()
        caption = tag("figcaption", tag("bdi", clip(str(record.get("summary", "")), 200)), " ", moment(at))
        first = tag("figure", self._picture(name, record), caption, id=f"picture-{name}")
        rest = tag("div", *(self._picture(*each) for each in pictures[1:]), class_="strip") if pictures[1:] else None
        return join(first, rest)

    def _picture(self, name: str, record: dict[str, Any]) -> Markup:
        address = self._links.to("pictures", name)
        said = clip(f"Picture by {record.get('tool', '')}: {record.get('summary', '')}", 200)
        return tag("a", tag("img", src=address, alt=said, loading="lazy"), href=address)
