"""What a part of the page is: something that knows cheaply whether it has changed, and can show itself.

Everything here blocks and belongs into a worker thread.
"""

from __future__ import annotations

from collections.abc import Hashable
from pathlib import Path
from typing import Protocol

from scenewright.dashboard.markup import Child, Markup, tag

__all__ = ["Links", "Part", "badge", "disclosure", "empty", "file_stamp", "folder_stamp"]


class Part(Protocol):
    """One part of the page."""

    @property
    def name(self) -> str:
        """What the page knows it by."""

    def stamp(self) -> Hashable:
        """Return what differs once there is something new to show."""

    def render(self) -> Markup:
        """Return what is inside the part."""


class Links:
    """Where things are on this server, and what a form has to hold."""

    def __init__(self, base: str, csrf: str) -> None:
        self.base = base
        self.csrf = csrf

    def to(self, *names: object) -> str:
        return "/".join([self.base, *map(str, names)])

    def button(self, label: str, action: str, fields: dict[str, str], **attributes: str | bool | None) -> Markup:
        """Return a form of one button, which works without a script."""
        hidden = [tag("input", type="hidden", name=name, value=value) for name, value in fields.items()]
        csrf = tag("input", type="hidden", name="csrf", value=self.csrf)
        return tag(
            "form", csrf, *hidden, tag("button", label, **attributes), method="post", action=self.to("do", action)
        )


def disclosure(head: Markup, more: str, label: str, **attributes: str | None) -> Markup:
    """Return something to unfold, whose inside is fetched from `more` when it is unfolded."""
    inside = tag("div", tag("a", label, href=more), class_="inside", data_more=more)
    return tag("details", tag("summary", head), inside, **attributes)


def badge(text: str, kind: str = "") -> Markup:
    return tag("span", text, class_=f"badge {kind}".strip())


def empty(*text: Child) -> Markup:
    """Return what stands where there is nothing yet."""
    return tag("p", *text, class_="empty")


def file_stamp(*places: Path) -> tuple[tuple[int, int] | None, ...]:
    """Return when some files were last written, and how large they are."""
    stamps: list[tuple[int, int] | None] = []
    for place in places:
        try:
            status = place.stat()
        except OSError:
            stamps.append(None)
        else:
            stamps.append((status.st_mtime_ns, status.st_size))
    return tuple(stamps)


def folder_stamp(folder: Path, pattern: str = "*.json") -> tuple[tuple[str, int], ...]:
    """Return the names and times of a small folder's files."""
    try:
        return tuple(sorted((place.name, place.stat().st_mtime_ns) for place in folder.glob(pattern)))
    except OSError:  # also where one goes while they are looked at
        return ()
