"""What is around the project: editors that have it open, servers with their clients, games that are played, and
whether the audit log is as it was written.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from datetime import UTC, datetime
from time import monotonic
from typing import Any

from scenewright.bridge.discovery import EDITORS, find_editors
from scenewright.bridge.presence import FOLDER, find_present
from scenewright.core.projects.state import ProjectState
from scenewright.core.projects.user_folder import user_folder
from scenewright.core.records.audit import Verdict
from scenewright.core.text.counts import count_noun
from scenewright.dashboard.markup import Markup, join, tag
from scenewright.dashboard.parts import badge, folder_stamp
from scenewright.dashboard.words import clip, moment
from scenewright.unity.live.descriptor import find_descriptor

__all__ = ["Surroundings"]

CHECK_SECONDS = 60.0
CHECK_SHARE = 100  # a check that takes a second, while the log is held, is made every 100 s at most
LOOK_SECONDS = 2.0


class Surroundings:
    """One list of it all."""

    name = "project"

    def __init__(self, state: ProjectState) -> None:
        self._state = state
        self._checked: Hashable = None
        self._verdict: Verdict | None = None
        self._checked_at = ""
        self._next_check = 0.0
        self._looked, self._next_look = "", 0.0

    def stamp(self) -> Hashable:
        self._check_log()
        if monotonic() > self._next_look:  # processes end without a trace
            self._looked, self._next_look = join(*self._people()), monotonic() + LOOK_SECONDS
        folders = folder_stamp(user_folder() / FOLDER), folder_stamp(user_folder() / EDITORS)
        return folders, self._looked, self._checked_at

    def render(self) -> Markup:
        return tag("dl", *self._people(), *self._log(), class_="facts-list")

    def _people(self) -> Iterator[Markup]:
        root = self._state.project.root
        editors = [_editor("Godot", each.version, each.port) for each in find_editors(root)]
        unity = find_descriptor(root)
        if unity.state == "fresh" and unity.descriptor is not None:
            editors.append(_editor("Unity", "", unity.descriptor.port))
        yield _row("Editors", editors or [tag("span", "none has it open", class_="quiet")])
        servers = [_server(each) for each in find_present("server", root)]
        yield _row("Sessions", servers or [tag("span", "no server is running", class_="quiet")])
        games = [_game(each) for each in find_present("play", root)]
        if games:
            yield _row("Played now", games)

    def _log(self) -> Iterator[Markup]:
        verdict = self._verdict
        if verdict is None:
            said = join(tag("span", "no record yet", class_="quiet"))
        elif verdict.intact:
            said = join(
                badge("intact", "good"), f" {count_noun(verdict.records, 'record')}, checked ", moment(self._checked_at)
            )
        else:
            said = join(badge("broken", "bad"), tag("bdi", f" {verdict.problem}"))
        yield _row("Audit log", [said])

    def _check_log(self) -> None:
        """Follow the log's chain where it has grown since, but not all the time: who writes waits meanwhile."""
        log = self._state.audit
        now = log.fingerprint()
        if now == self._checked or monotonic() < self._next_check:
            return
        began = monotonic()
        self._verdict = log.verify() if now is not None else None
        self._checked, self._checked_at = now, datetime.now(UTC).isoformat()
        self._next_check = monotonic() + max(CHECK_SECONDS, CHECK_SHARE * (monotonic() - began))


def _row(name: str, values: list[Markup]) -> Markup:
    return join(tag("dt", name), *(tag("dd", value) for value in values))


def _editor(engine: str, version: str, port: int) -> Markup:
    return tag("bdi", clip(f"{engine} {version}".strip(), 60) + f", port {port}")


def _server(record: dict[str, Any]) -> Markup:
    clients = record.get("clients")
    names = ", ".join(clip(str(name), 60) for name in list(clients)[:8]) if isinstance(clients, dict) else ""
    how = clip(str(record.get("transport", "")), 20)
    since = moment(str(record.get("since", "")))
    return join(tag("bdi", names or "no client yet"), tag("span", f" {how}, since ", class_="quiet"), since)


def _game(record: dict[str, Any]) -> Markup:
    since = moment(str(record.get("since", "")))
    return join(tag("bdi", clip(str(record.get("scene", "")), 120)), tag("span", " since ", class_="quiet"), since)
