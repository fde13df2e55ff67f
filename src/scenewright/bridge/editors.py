"""The editors of all projects this process works on, and which one a call goes to."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from scenewright.bridge.discovery import Editor, find_editors
from scenewright.bridge.link import Link
from scenewright.core.faults import Invalid, NotConnected, NotFound

__all__ = ["Editors", "Heard", "ambiguous"]

Heard = Callable[[Link, str, dict[str, Any]], None]
_MISSING = (
    "Open the project in the Godot editor. If the addon is not there yet, godot_sync_addon installs it;"
    " then reload the project in the editor."
)


class Editors:
    """Finds editors, keeps their links, and chooses among them.

    Links belong to an event loop; in another one (a test, a second run) they are made anew.
    """

    def __init__(
        self,
        *,
        introduce: Callable[[], Mapping[str, str]] = lambda: {"client_name": "scenewright", "client_version": "0"},
        heard: Heard | None = None,
        find: Callable[[Path], list[Editor]] = find_editors,
        make_link: Callable[..., Link] = Link,
    ) -> None:
        self._introduce = introduce
        self._heard = heard
        self._find = find
        self._make_link = make_link
        self._loop: asyncio.AbstractEventLoop | None = None
        self._links: dict[Editor, Link] = {}
        self._chosen: dict[Path, int] = {}

    def links(self, root: Path) -> list[Link]:
        """Return the links to the editors that have a project open now, started where they are new."""
        loop = asyncio.get_running_loop()
        if loop is not self._loop:
            self._links, self._loop = {}, loop
        running = self._find(root)
        for editor in [known for known in self._links if known.root == root and known not in running]:
            self._links.pop(editor).close()
        for editor in running:
            if editor not in self._links:
                self._links[editor] = self._make_link(editor, introduce=self._introduce, heard=self._heard)
            self._links[editor].connect()
        return [self._links[editor] for editor in running]

    def reconnect(self, root: Path) -> list[Link]:
        """Try all editors of a project again, from the start of the schedule."""
        links = self.links(root)
        for link in links:
            link.connect(anew=True)
        return links

    def choose(self, root: Path, port: int) -> Link:
        """Send calls about a project to the editor at this port from now on.

        Raises:
            NotFound: there is none.
        """
        links = self.links(root)
        chosen = next((link for link in links if port in (link.editor.port, link.editor.pid)), None)
        if chosen is None:
            raise NotFound(f"No editor of this project is at {port}.", hint=_choices(links) or _MISSING)
        self._chosen[root] = chosen.editor.port
        return chosen

    def only(self, root: Path) -> Link:
        """Return the editor that a call about a project is for.

        Raises:
            NotConnected: there is none.
            Invalid: there are several and none was chosen.
        """
        links = self.preferred(self.links(root))
        if not links:
            raise NotConnected("No Godot editor has this project open with the scenewright addon.", hint=_MISSING)
        if len(links) > 1:
            raise ambiguous(links)
        return links[0]

    def preferred(self, links: list[Link]) -> list[Link]:
        """Return the links that calls should go to: the chosen one, if one was chosen."""
        chosen = [link for link in links if self._chosen.get(link.editor.root) == link.editor.port]
        return chosen or links

    def close(self) -> None:
        if self._loop is not None and not self._loop.is_closed():
            for link in self._links.values():
                link.close()
        self._links = {}


def ambiguous(links: list[Link]) -> Invalid:
    """Return the fault of a call that several editors could be meant by."""
    return Invalid(
        f"{len(links)} editors have this project open: {', '.join(str(link.editor.port) for link in links)}.",
        path="input.editor",
        rule="ambiguous",
        hint=f"{_choices(links)} Choose one with godot_connect and its port.",
        details={"editors": [{"port": link.editor.port, "pid": link.editor.pid} for link in links]},
    )


def _choices(links: list[Link]) -> str:
    return " ".join(f"Port {link.editor.port} is process {link.editor.pid}, {link.state}." for link in links)
