"""Godot's way to its editors; what it needs of the bridge is loaded when the first editor is found."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from scenewright.bridge.discovery import find_editors
from scenewright.core.projects.live import Live
from scenewright.core.projects.project import Project
from scenewright.core.runtime import Runtime
from scenewright.godot.editor.addon_files import shipped_version

if TYPE_CHECKING:
    from scenewright.bridge.editors import Editors
    from scenewright.bridge.link import Link
    from scenewright.godot.editor.live.scene_texts import Texts
    from scenewright.godot.editor.live.stage import GodotStage

__all__ = ["EVENTS", "GodotLive"]

MOST_NEWS = 20

_STATE, _SELECTION, _TREE = "godot://editor/state", "godot://editor/selection", "godot://editor/scene_tree"
_LOG, _ERRORS = "godot://editor/log", "godot://editor/errors"
EVENTS: dict[str, tuple[str, ...]] = {
    "godoty.error_occurred": (_ERRORS, _LOG),
    "godoty.scene_changed": (_STATE, _TREE, _SELECTION),
    "godoty.game_started": (_STATE,),
    "godoty.game_stopped": (_STATE,),
    "godoty.selection_changed": (_SELECTION, _STATE),
    "scenewright.scene_edited": (_TREE, _STATE),
    "scenewright.log": (_LOG,),
    "scenewright.state_changed": (_STATE,),
    "scenewright.disk_changed": (_STATE, _TREE),
    "scenewright.link": (_STATE, _SELECTION, _TREE, _LOG, _ERRORS),
}


class GodotLive(Live):
    """The editors of this process's projects."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._editors: Editors | None = None
        self._texts: Texts | None = None
        self._news: dict[Path, list[str]] = {}

    @property
    def editors(self) -> Editors:
        if self._editors is None:
            from scenewright.bridge.editors import Editors

            self._editors = Editors(introduce=self._introduce, heard=self._heard)
        return self._editors

    @property
    def texts(self) -> Texts:
        if self._texts is None:
            from scenewright.godot.editor.live.scene_texts import Texts

            self._texts = Texts()
        return self._texts

    def stage(self, project: Project, *, writes: bool, plain: bool) -> tuple[GodotStage | None, str | None]:
        if not find_editors(project.root):
            self.watch(project)
            return None, None
        from scenewright.godot.editor.live.stage import GodotStage

        links = self.editors.preferred(self.editors.links(project.root))
        within_reach = [link for link in links if link.state not in ("refused", "stopped", "idle")]
        if not within_reach:
            reasons = ", ".join(f"port {link.editor.port}: {link.problem or link.state}" for link in links)
            return None, f"An editor has this project open but is out of reach ({reasons}); worked on the files."
        return GodotStage(self, project, within_reach, writes=writes, plain=plain), None

    def is_open(self, project: Project) -> bool:
        return bool(find_editors(project.root))

    def watch(self, project: Project) -> None:
        if self._editors is not None or find_editors(project.root):
            self.editors.links(project.root)

    def take_news(self, root: Path) -> list[str]:
        """Return what editors have told of files that other programs changed, for the next reply."""
        return self._news.pop(root, [])

    def close(self) -> None:
        if self._editors is not None:
            self._editors.close()

    def _introduce(self) -> dict[str, str]:
        """Return what the person at the editor is shown: who connects, for whom, and with which addon."""
        return {
            "client_name": "scenewright",
            "client_version": self._runtime.server_version,
            "on_behalf_of": self._runtime.client_name,
            "addon_version": shipped_version(),
        }

    def _heard(self, link: Link, method: str, params: dict[str, Any]) -> None:
        if method == "scenewright.disk_changed" and params.get("message"):
            news = self._news.setdefault(link.editor.root, [])
            news += [str(params["message"])] if params["message"] not in news else []
            del news[:-MOST_NEWS]
        if link.editor.root == self._runtime.project.root:
            for uri in EVENTS.get(method, ()):
                self._runtime.changed(uri)
