"""The editors of a project as one call sees them: the scenes they have open, read and changed there."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import anyio.from_thread
import anyio.to_thread

from scenewright.bridge.editors import ambiguous
from scenewright.bridge.link import Link
from scenewright.core.faults import Conflict, Fault, NotConnected, Outdated
from scenewright.core.projects.live import OpenFile, Steps
from scenewright.core.projects.project import Project
from scenewright.core.writes.changeset import Change
from scenewright.core.writes.disk import read_if_there
from scenewright.core.writes.moves import moves
from scenewright.godot.editor.live.undo_steps import is_reverted, take_step
from scenewright.godot.project.workspace import ROOT

if TYPE_CHECKING:
    from scenewright.godot.documents.versions import Version
    from scenewright.godot.editor.live.backend import GodotLive
    from scenewright.godot.editor.live.edits import SceneEdits

__all__ = ["GodotStage"]

SUFFIX = ".tscn"
TEXTS = (
    ".gd",
    ".cs",
    ".gdshader",
    ".gdshaderinc",
    ".txt",
    ".md",
    ".json",
    ".cfg",
    ".ini",
    ".yml",
    ".yaml",
    ".toml",
    ".xml",
    ".log",
)
APPLY_SECONDS = 60.0
RELOAD_SECONDS = 10.0


class GodotStage:
    """What one call reads from the editors, and changes there."""

    def __init__(self, live: GodotLive, project: Project, links: list[Link], *, writes: bool, plain: bool) -> None:
        self._live = live
        self._project = project
        self._links = links
        self._writes = writes
        self._plain = plain
        self._scenes: dict[str, list[tuple[Link, dict[str, Any]]]] | None = None
        self._unsaved_scripts: dict[str, list[Link]] = {}
        self._read: dict[str, tuple[Link, int | None]] = {}  # None: from another tab than the one in front
        self._behind: dict[str, Link] = {}  # saved, in another tab: read from the disk, where they are the same
        self.asked = False  # something other than a file
        self.doubts: list[str] = []

    @property
    def used(self) -> bool:
        return bool(self._read) or self.asked

    @property
    def label(self) -> dict[str, Any]:
        link = next((link for link, _ in self._read.values()), self._links[0])
        return {"port": link.editor.port, "pid": link.editor.pid}

    @property
    def version(self) -> Version | None:
        """The engine's, as every editor says it when it is found."""
        major, minor, *_ = [*self._links[0].editor.version.split("."), "", ""]
        return (int(major), int(minor)) if major.isdigit() and minor.isdigit() else None

    def find(self, path: str) -> OpenFile | None:
        if path.endswith(SUFFIX):
            return anyio.from_thread.run(self._find, path)
        return anyio.from_thread.run(self._find_text, path) if path.endswith(TEXTS) else None

    def unsaved_texts(self) -> list[str]:
        return [] if self._writes else anyio.from_thread.run(self._unsaved_texts)

    async def _find(self, path: str) -> OpenFile | None:
        opened = await self._find_open_scene(path)
        if opened is None:
            return None
        link, scene = opened
        file = self._project.root / path
        unsaved, current = bool(scene.get("unsaved")), bool(scene.get("current"))
        self._check_clash(path, scene)
        if not self._writes and not unsaved and (self._plain or not current):
            return None  # the same as on the disk
        if not unsaved and not current and (content := await anyio.to_thread.run_sync(read_if_there, file)) is not None:
            self._behind[path] = link
            return OpenFile(content, unsaved=False)
        revision, text = await self._live.texts.of(link, ROOT + path, scene.get("revision"), file, in_place=True)
        self._read[path] = (link, revision if current else None)
        return OpenFile(text, unsaved)

    def _check_clash(self, path: str, scene: dict[str, Any]) -> None:
        """A scene that differs from its file, and stays so until a person decides, is read with a warning.

        Raises:
            Conflict: the call may edit it.
        """
        if (clash := scene.get("clash")) is None:
            return
        advice = str(scene.get("advice"))
        if self._writes:
            raise Conflict(
                f"{advice} Nothing was changed.",
                hint="Ask the person at the editor to decide which version stays, then repeat the call.",
                details={"path": path, "clash": clash},
                retryable=False,
            )
        self._add_doubt(f"{advice} This is what the editor has.")

    def _add_doubt(self, doubt: str) -> None:
        if doubt not in self.doubts:
            self.doubts.append(doubt)

    async def _find_text(self, path: str) -> OpenFile | None:
        """What is typed and not saved, for those who read it; a write would clash with it, and is refused."""
        if self._writes or path not in await self._unsaved_texts():
            return None
        links = self._unsaved_scripts[ROOT + path]
        if len(links) > 1:
            raise ambiguous(links)
        answer = await links[0].request("scenewright.script_text", {"path": ROOT + path})
        self._read[path] = (links[0], 0)
        return OpenFile(str(answer["text"]).encode(), unsaved=True)

    async def unsaved(self) -> list[str]:
        """Return scenes, scripts and other texts that editors hold with changes that are not on the disk."""
        if not await self._has_looked():
            self._add_doubt("The editor could not be asked for what is not saved; this is about what the files hold.")
            return []
        open_scenes = (self._scenes or {}).items()
        scenes = [path for path, tabs in open_scenes if path and any(scene.get("unsaved") for _, scene in tabs)]
        return [*scenes, *self._unsaved_scripts]

    async def _unsaved_texts(self) -> list[str]:
        """Of an editor that imports or hangs nobody can tell; its files are still worth reading."""
        if not await self._has_looked():
            self._add_doubt("The editor could not be asked for text that is not saved; this is what the files hold.")
            return []
        known = (path.removeprefix(ROOT) for path in self._unsaved_scripts if path.startswith(ROOT))
        return [path for path in known if path.endswith(TEXTS)]

    async def _has_looked(self) -> bool:
        if self._scenes is None and any(link.state == "ready" and not link.responsive for link in self._links):
            return False
        try:
            await self._list_open_scenes()
        except NotConnected:
            return False
        return True

    async def _find_open_scene(self, path: str) -> tuple[Link, dict[str, Any]] | None:
        """Where a scene is open; of several editors only one may have it."""
        matches = (await self._list_open_scenes()).get(ROOT + path, [])
        if len(matches) > 1:
            raise ambiguous([link for link, _ in matches])
        return matches[0] if matches else None

    async def _list_open_scenes(self) -> dict[str, list[tuple[Link, dict[str, Any]]]]:
        """What the editors have open, asked once a call."""
        if self._scenes is not None:
            return self._scenes
        scenes: dict[str, list[tuple[Link, dict[str, Any]]]] = {}
        for link in self._links:
            state = await link.request("scenewright.get_state")
            for script in state.get("unsaved_scripts", ()):
                self._unsaved_scripts.setdefault(script, []).append(link)
            for scene in state.get("scenes", ()):
                scenes.setdefault(scene["path"], []).append((link, scene))
        for news in self._live.take_news(self._project.root):
            self._add_doubt(news)
        self._scenes = scenes
        return scenes

    async def editable(self, changes: Sequence[Change]) -> Sequence[Change]:
        return changes

    async def apply(self, changes: Sequence[Change], title: str) -> Steps:
        done: dict[str, dict[str, Any]] = {}
        try:
            for change in changes:
                done[change.path] = await self._apply(change, title)
        except Fault:
            await self.take_back(done)
            raise
        return done

    async def _apply(self, change: Change, title: str) -> dict[str, Any]:
        assert change.before is not None
        assert change.after is not None
        try:
            return await self._edit(change, change.before, change.after, title)
        except Conflict as conflict:
            raise await self._judge_conflict(change, conflict) from None

    async def _judge_conflict(self, change: Change, conflict: Conflict) -> Conflict:
        """Whether what came between concerns what the call changes; only then the caller must decide."""
        held = self._read.get(change.path)
        if held is None or conflict.details.get("clash"):
            return conflict
        scene, file = ROOT + change.path, self._project.root / change.path
        try:
            _, now = await self._live.texts.of(held[0], scene, None, file, in_place=True)
        except Fault:
            return conflict
        both = await anyio.to_thread.run_sync(_overlap, change, now)
        if not both:
            return Outdated(conflict.message, hint=conflict.hint, details=conflict.details)
        what = "; ".join(both[:5])
        return Conflict(
            f"'{scene}' was edited since it was read, where this call edits it: {what}. Nothing was changed.",
            hint="Read the scene again, and repeat the change if it is still meant.",
            details={"path": change.path, "changed": both[:20]},
        )

    async def _edit(self, change: Change, before: bytes, after: bytes, title: str) -> dict[str, Any]:
        link, revision = await self._bring_to_front(change.path, before)
        edits, text = await anyio.to_thread.run_sync(_edits, change.path, before, after)
        if not edits.edits:
            return {}  # another text that means the same
        answer = await link.request(
            "scenewright.apply_text",
            {
                "scene": ROOT + change.path,
                "revision": revision,
                "name": title,
                "text": text,
                "edits": edits.edits,
                "was": edits.was,
                "resources": edits.resources,
                "idempotency_key": uuid.uuid4().hex,
            },
            timeout=APPLY_SECONDS,
        )
        self._live.texts.remember(link, ROOT + change.path, int(answer["revision"]), before, after)
        return _step(link, ROOT + change.path, answer, undone=False)

    async def _bring_to_front(self, path: str, before: bytes) -> tuple[Link, int]:
        """Where a scene is open, and its revision; one in another tab comes to the front.

        On the way there the engine may load it anew, for a scene inside it that was edited. So it counts what it is
        then.
        """
        link, revision = self._read[path] if path in self._read else (self._behind[path], None)
        if revision is None:
            revision = await self._live.texts.bring(link, ROOT + path, before)
        if revision is None:
            self._read[path] = (link, None)
            raise Conflict(
                f"'{ROOT}{path}' was edited since it was read. Nothing was changed.", hint="Read the scene again."
            )
        self._read[path] = (link, revision)
        return link, revision

    async def take_back(self, steps: Steps) -> Steps:
        done: dict[str, dict[str, Any]] = {}
        for path, step in reversed(list(steps.items())):
            if not step:
                continue
            link = next((link for link in self._links if link.editor.pid == step["pid"]), None)
            if link is None:
                raise Conflict(
                    f"'{ROOT}{path}' was changed in an editor that has been closed since; its undo went with it.",
                    hint="Close the scene in the editor that has it open now, and edit the file.",
                    retryable=False,
                )
            answer = await take_step(link, step)
            self._live.texts.turn_back(link, step["scene"], step["revision"], int(answer["revision"]))
            self._read.setdefault(path, (link, int(answer["revision"])))
            done[path] = _step(link, step["scene"], answer, undone=not step["undone"])
        return done

    def settled(self, changes: Sequence[Change]) -> Sequence[Change]:
        return changes

    def renamed(self, output: Any) -> Any:
        return output

    def has_made(self, path: str) -> bool:
        del path
        return True

    def reverted(self, steps: Steps) -> bool:
        return anyio.from_thread.run(is_reverted, self._links, steps)

    def values(self, path: str, nodes: dict[str, list[str]]) -> dict[str, dict[str, str]] | None:
        """Return properties of nodes as the editor has them, as literals; blocks, so it is for worker threads."""
        if path not in self._read:
            return None
        wanted = {"scene": ROOT + path, "nodes": nodes}
        answer = anyio.from_thread.run(self._read[path][0].request, "scenewright.node_values", wanted)
        return {str(node): dict(values) for node, values in answer["values"].items()}

    def save(self, path: str) -> list[str]:
        """Save an open scene, and return every file that was written; blocks, so it is for worker threads."""
        link = self._read[path][0] if path in self._read else self._behind[path]
        save = {"scene": ROOT + path, "idempotency_key": uuid.uuid4().hex}
        self.asked = True
        answer = anyio.from_thread.run(link.request, "scenewright.save_scene", save)
        return [str(file) for file in answer.get("saved", [ROOT + path])]

    async def guard(self, changes: Sequence[Change]) -> None:
        for change in changes:
            if change.before is not None and change.path.endswith(TEXTS):
                await self._guard_text(change.path)
            if not change.path.endswith(SUFFIX):
                continue
            opened = await self._find_open_scene(change.path)
            if opened is not None and opened[1].get("unsaved"):
                raise Conflict(
                    f"'{ROOT}{change.path}' is open in the editor with unsaved changes, which a write would clash with."
                    " Nothing was written.",
                    hint="Save the scene in the editor (godot_run_action save_scene), or use the scene and node tools,"
                    " which work in the editor.",
                    details={"path": change.path, "port": opened[0].editor.port},
                    retryable=False,
                )

    async def _guard_text(self, path: str) -> None:
        await self._list_open_scenes()
        for link in self._unsaved_scripts.get(ROOT + path, ()):
            raise Conflict(
                f"'{ROOT}{path}' is open in the editor with text that is not saved, which a write would clash with."
                " Nothing was written.",
                hint="Have it saved in the editor first, or its changes undone there.",
                details={"path": path, "port": link.editor.port},
                retryable=False,
            )

    async def written(self, changes: Sequence[Change]) -> list[str]:
        paths = [ROOT + change.path for change in changes]
        moved = {ROOT + old: ROOT + new for old, new in moves(changes).items()}
        warnings = []
        for link in self._links:
            try:
                answer = await link.request(
                    "scenewright.reload_files", {"paths": paths, "moved": moved}, timeout=RELOAD_SECONDS
                )
            except Fault as fault:
                warnings.append(f"The files are written, but the editor did not take them in: {fault.message}")
                continue
            warnings += [
                f"'{scene}' is written, but was edited in the editor meanwhile and has unsaved changes there. Saving it"
                " there would overwrite this."
                for scene in answer.get("kept_scenes", ())
                if scene in paths
            ]
        return [*warnings, *self._live.take_news(self._project.root)]


def _step(link: Link, scene: str, answer: dict[str, Any], *, undone: bool) -> dict[str, Any]:
    known = {key: answer[key] for key in ("revision", "version", "name")}
    return {"pid": link.editor.pid, "scene": scene, "undone": undone} | known


def _overlap(change: Change, now: bytes) -> list[str]:
    from scenewright.godot.editor.live.overlap import overlap

    return overlap(change.before or b"", change.after or b"", now)


def _edits(path: str, before: bytes, after: bytes) -> tuple[SceneEdits, str]:
    """What is to be done, and the part of the new text that it takes."""
    from scenewright.godot.documents.document import Document
    from scenewright.godot.documents.scene import Scene
    from scenewright.godot.editor.live.edits import edits_between
    from scenewright.godot.editor.live.excerpt import excerpt

    new = Scene(Document.parse(after, path))
    edits = edits_between(Scene(Document.parse(before, path)), new)
    text = excerpt(new, edits.edits).encode("utf-8", "surrogateescape")
    return edits, text.decode("utf-8", "replace")
