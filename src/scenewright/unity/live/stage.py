"""The editor of a project as one call sees it: which scenes are open, and what is changed there instead of on the disk.

A scene that is open and saved is the same in the editor and on the disk, so it is read there. Objects, components and
values of what is in it are changed by the editor's own commands, in its undo history, and saved; whatever there is no
command for is written to the file, which the editor then opens anew. Other files are imported once they are written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import anyio.from_thread
import anyio.to_thread

from scenewright.core.faults import Conflict, Fault, NotConnected, TimedOut, Unsupported
from scenewright.core.projects.live import OpenFile, Steps
from scenewright.core.projects.project import Project
from scenewright.core.writes.changeset import Change
from scenewright.core.writes.disk import read_if_there
from scenewright.unity.live import intents
from scenewright.unity.live.descriptor import Descriptor
from scenewright.unity.live.open_scene_edits import OpenSceneEdits
from scenewright.unity.live.open_scenes import OpenScene, read_open_scenes
from scenewright.unity.live.pipeline import Pipeline
from scenewright.unity.live.saved_scenes import with_ids
from scenewright.unity.live.scene_edits import ValueEdit

__all__ = ["UnityStage"]

SUFFIX = ".unity"
_PATIENCE = 15.0  # that a call on files has with an editor that loads scripts
_LOOK_SECONDS = 5.0  # an editor that is at work on something long is not waited for
_IMPORT_SECONDS = 10.0  # for which the reply waits; the editor goes on
_IMPORTED = ("Assets/", "Packages/", "ProjectSettings/")
_CODE = (".cs", ".dll", ".asmdef", ".asmref", ".rsp", "Packages/manifest.json", "Packages/packages-lock.json")
_SAVE_FIRST = "Have the scene saved there first (unity_editor_manager save), then repeat the call."


class UnityStage:
    """What one call reads from the editor, and changes there."""

    def __init__(self, pipeline: Pipeline, project: Project, editor: Descriptor | None, *, writes: bool) -> None:
        self._pipeline = pipeline
        self._project = project
        self._editor = editor
        self._writes = writes
        self._scenes: dict[str, OpenScene] | None = None
        self._is_lost = False
        self._playing = False
        self._used = False
        self._has_saved = False  # what was changed there
        self._written: set[str] = set()
        self._edits = OpenSceneEdits(pipeline, project)
        self.doubts = self._edits.doubts

    @property
    def used(self) -> bool:
        return self._used

    @property
    def label(self) -> dict[str, Any]:
        if self._editor is None:
            return {}
        return {"port": self._editor.port, "pid": self._editor.pid} | ({"saved": True} if self._has_saved else {})

    # Reading

    def find(self, path: str) -> OpenFile | None:
        return anyio.from_thread.run(self._find, path) if path.endswith(SUFFIX) else None

    def unsaved_texts(self) -> Sequence[str]:
        return ()

    async def _find(self, path: str) -> OpenFile | None:
        scene = (await self._open_scenes()).get(path)
        if scene is None:
            return None
        if scene.unsaved:
            self._doubt(f"'{path}' has unsaved changes in Unity, which the file does not have; this is about the file.")
        if not self._writes:
            return None  # the same as on the disk, or as near as the files come
        content = await anyio.to_thread.run_sync(read_if_there, self._project.root / path)
        return None if content is None else OpenFile(content, scene.unsaved)

    async def _open_scenes(self) -> Mapping[str, OpenScene]:
        """What is open, asked once a call; nothing where the editor cannot be asked."""
        if self._scenes is None:
            try:
                self._scenes = await self._list_scenes()
            except NotConnected as fault:
                self._is_lost, self._scenes = True, {}
                self._doubt(f"{fault.message} Worked on the files.")
            except Unsupported as fault:
                self._scenes = {}
                self._doubt(f"{fault.message} Worked on the files; open scenes were not looked at.")
        return self._scenes

    async def _list_scenes(self) -> dict[str, OpenScene]:
        patience = min(_PATIENCE, self._pipeline.patience) if self._writes else 0.0
        status = await self._pipeline.status(patience=patience, seconds=_LOOK_SECONDS)
        self._playing = str(status.get("playMode") or "stopped").lower() not in ("stopped", "edit")
        return read_open_scenes(await self._pipeline.run(intents.OPEN_SCENES, seconds=_LOOK_SECONDS, repeats=True))

    def _doubt(self, doubt: str) -> None:
        if doubt not in self.doubts:
            self.doubts.append(doubt)

    # Changing what is open

    async def editable(self, changes: Sequence[Change]) -> list[Change]:
        return [change for change in changes if await self._is_editable(change)]

    async def _is_editable(self, change: Change) -> bool:
        """Whether the editor has commands for a change; they are kept ready."""
        if self._playing or change.before is None or change.after is None:
            return False
        scene = (await self._open_scenes()).get(change.path)
        return scene is not None and await self._edits.prepare(change, scene)

    async def apply(self, changes: Sequence[Change], title: str) -> Steps:
        del title  # each command names its own step there
        self._used = True
        opened = await self._open_scenes()
        done: dict[str, dict[str, Any]] = {}
        try:
            for change in changes:
                is_saved = not opened[change.path].unsaved
                edits = await self._edits.make(change, is_saved=is_saved)
                if edits is not None:
                    done[change.path] = self._step(edits, undone=False)
                self._has_saved = is_saved
                if not is_saved:
                    self._doubt_saving(change.path)
        except Fault:
            await self.take_back(done)
            raise
        return done

    def settled(self, changes: Sequence[Change]) -> list[Change]:
        return [self._edits.settled(change) for change in changes]

    def has_made(self, path: str) -> bool:
        return path not in self._written

    def renamed(self, output: Any) -> Any:
        return with_ids(output, self._edits.ids) if self._edits.ids else output

    async def take_back(self, steps: Steps) -> Steps:
        done: dict[str, dict[str, Any]] = {}
        for path, step in reversed(list(steps.items())):
            edits = [ValueEdit(**edit).back for edit in reversed(step["edits"])]
            fields = await self._edits.fields(path, edits)
            if fields is None or not await fields.look(is_saved=False):
                raise Conflict(f"'{path}' was edited in Unity since. Nothing was taken back there.", retryable=False)
            await fields.make()
            self._used = True
            done[path] = self._step(edits, undone=not step["undone"])
            await self._save(path)
        return done

    def _step(self, made: list[ValueEdit], *, undone: bool) -> dict[str, Any]:
        edits = [
            {"file_id": edit.file_id, "kind": edit.kind, "path": edit.path, "before": edit.before, "after": edit.after}
            for edit in made
        ]
        return {"pid": self._editor.pid if self._editor else 0, "edits": edits, "undone": undone}

    async def _save(self, path: str) -> None:
        """Save a scene in which nothing else was unsaved."""
        scene = (await self._open_scenes()).get(path)
        if scene is None or scene.unsaved:
            self._doubt_saving(path)
            return
        await self._pipeline.run(intents.SAVE_SCENE, {"path": path})
        self._has_saved = True

    def _doubt_saving(self, path: str) -> None:
        self._doubt(f"'{path}' had unsaved changes in Unity before, so it was not saved there.")

    def reverted(self, steps: Steps) -> bool:
        del steps  # nobody can ask for the editor's own undo
        return False

    # Writing to the disk beside it

    async def guard(self, changes: Sequence[Change]) -> None:
        opened = await self._open_scenes()
        for change in changes:
            if (scene := opened.get(change.path)) is None:
                continue
            if scene.unsaved:
                raise Conflict(
                    f"'{change.path}' is open in Unity with unsaved changes, which a write would clash with. Nothing"
                    " was written.",
                    hint=_SAVE_FIRST,
                    details={"path": change.path},
                    retryable=False,
                )
            if self._playing:
                raise Conflict(
                    f"'{change.path}' is open in Unity, and the game runs there. Nothing was written.",
                    hint="Leave play mode first: unity_editor_manager stop.",
                    details={"path": change.path},
                    retryable=False,
                )

    async def written(self, changes: Sequence[Change]) -> list[str]:
        changes = [change for change in changes if not self._edits.shows(change.path)]
        self._written |= {change.path for change in changes}
        if not any(change.path.startswith(_IMPORTED) for change in changes):
            return []
        await self._open_scenes()
        if self._is_lost:
            return []
        self._used = True
        try:
            return [*await self._open_anew(changes), *await self._import(changes)]
        except Fault as fault:
            return [f"The files are written, but Unity did not take them in: {fault.message}"]

    async def _open_anew(self, changes: Sequence[Change]) -> list[str]:
        """Have the editor read an open scene from its file: it would ask the person at the next look otherwise."""
        before = await self._open_scenes()
        mine = [change.path for change in changes if change.path in before and change.after is not None]
        if not mine:
            return []
        self._scenes = await self._list_scenes()
        if len(self._scenes) != 1 or any(scene.unsaved for scene in self._scenes.values()):
            names = ", ".join(f"'{path}'" for path in mine)
            return [f"{names} is written, but Unity still shows what was there before. Have it opened anew there."]
        await self._pipeline.run(intents.OPEN_SCENE, {"path": mine[0], "additive": False})
        return []

    async def _import(self, changes: Sequence[Change]) -> list[str]:
        if any(change.path.endswith(_CODE) for change in changes):
            # It would be run in the editor, which is for an operation that says so.
            return ["Unity compiles what was written when it next looks, or with unity_editor_manager refresh."]
        if self._playing:
            return ["The files are written; Unity imports them once play mode has ended."]
        commands = await self._pipeline.commands()
        intent = intents.REFRESH if commands.find(intents.REFRESH) is not None else intents.RECOMPILE
        try:
            answer = await self._pipeline.run(intent, seconds=_IMPORT_SECONDS)
        except (TimedOut, Conflict) as fault:
            if fault.details.get("outcome") != "unknown":
                raise
            return ["Unity is still importing what was written; unity_editor_manager refresh waits for it."]
        state = str(answer.get("status")) if isinstance(answer, Mapping) else ""
        return ["Unity has compile errors: unity_editor_manager console shows them."] if state == "failed" else []
