"""Edits of open scenes by the editor's commands, for one call: prepared, made, and compared with what was saved."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import anyio.to_thread

from scenewright.core.faults import Conflict, Fault, Outdated
from scenewright.core.projects.project import Project
from scenewright.core.writes.changeset import Change, Changeset
from scenewright.core.writes.disk import mode_of, read_if_there, replace_file, stage
from scenewright.unity.classes import PACKAGE_SCRIPTS
from scenewright.unity.live import intents
from scenewright.unity.live.field_edits import FieldEdits, scene_guid
from scenewright.unity.live.open_scenes import OpenScene
from scenewright.unity.live.pipeline import Pipeline
from scenewright.unity.live.saved_scenes import missing_edits
from scenewright.unity.live.scene_edits import ValueEdit, edits_between
from scenewright.unity.live.structure import Step, Texts, steps_between
from scenewright.unity.live.structure_edits import StructureEdits
from scenewright.unity.yaml.source import UnityFile

__all__ = ["OpenSceneEdits"]


class OpenSceneEdits:
    """What one call changes in scenes that the editor has open."""

    def __init__(self, pipeline: Pipeline, project: Project) -> None:
        self._pipeline = pipeline
        self._project = project
        self._ready: dict[str, FieldEdits | StructureEdits] = {}
        self._results: dict[str, bytes] = {}  # what the file is to hold
        self._saved_at: dict[str, int] = {}  # when the editor saved what it has, in its own words
        self.ids: dict[str, str] = {}  # what it calls what is new, by what the call calls it
        self.doubts: list[str] = []

    async def prepare(self, change: Change, scene: OpenScene) -> bool:
        """Return whether the editor has commands for a change; they are kept ready."""
        assert change.before is not None
        assert change.after is not None
        edits = await anyio.to_thread.run_sync(edits_between, change.before, change.after, change.path)
        if edits is None:
            return not scene.unsaved and await self._prepare_structure(change, scene)
        if not edits or (scene.unsaved and any(edit.kind != "field" for edit in edits)):
            return False  # of these nobody can see whether they were changed there
        fields = await self.fields(change.path, edits)
        if fields is None or not await fields.look(is_saved=not scene.unsaved):
            return False
        self._ready[change.path] = fields
        return True

    async def fields(self, path: str, edits: list[ValueEdit]) -> FieldEdits | None:
        content = await anyio.to_thread.run_sync(read_if_there, self._project.root / f"{path}.meta")
        return FieldEdits.of(self._pipeline, path, content, edits)

    async def _prepare_structure(self, change: Change, scene: OpenScene) -> bool:
        texts = Texts(change.before or b"", change.after or b"", change.path)
        steps = await anyio.to_thread.run_sync(steps_between, texts)
        guid = scene_guid(await anyio.to_thread.run_sync(read_if_there, self._project.root / f"{change.path}.meta"))
        if not steps or guid is None:
            return False
        if not scene.active and any(step.kind == "create" and not step.owner for step in steps):
            return False  # a root is made in the active scene
        classes = await anyio.to_thread.run_sync(self._classes_of, steps)
        edits = StructureEdits(self._pipeline, change.path, guid, texts, steps, classes)
        if not await edits.can_be_made():
            return False
        self._ready[change.path] = edits
        return True

    def _classes_of(self, steps: list[Step]) -> dict[str, str]:
        """Return the classes of scripts by guid, with their namespaces."""
        from scenewright.unity.workspace import Workspace

        guids = {step.script for step in steps if step.script}
        if not guids:
            return {}
        workspace = Workspace(Changeset(self._project))
        assets = {guid: workspace.graph.by_guid.get(guid) for guid in guids}
        own = {guid: workspace.naming.script_class(asset).full_name for guid, asset in assets.items() if asset}
        return {guid: PACKAGE_SCRIPTS[guid] for guid in guids if guid in PACKAGE_SCRIPTS} | own

    async def make(self, change: Change, *, is_saved: bool) -> list[ValueEdit] | None:
        """Make a change in the editor; return the values that were set, or None where the file is to be written.

        Raises:
            Fault: nothing was made, or nobody knows.
        """
        ready = self._ready[change.path]
        if is_saved:
            await self._refuse_newer_file(change)
        if isinstance(ready, StructureEdits):
            await self._make_structure(change, ready)
            return None
        await ready.make()
        if not is_saved:
            return ready.edits
        saved = await self._save(change.path)
        if _lacks(saved, change):
            self._give_up(change, "has more changes in the file than Unity had taken in")
            await self._put_back(change)
            return None
        self._results[change.path] = saved
        return ready.edits

    async def _make_structure(self, change: Change, ready: StructureEdits) -> None:
        saved: bytes | None = None
        try:
            saved = await ready.make(lambda: self._save(change.path))
        except Fault as fault:
            if fault.details.get("outcome") == "unknown":
                raise
            self._give_up(change, f"could not be changed by Unity's commands ({fault.message})")
        else:
            if saved is None:
                self._give_up(change, "came out otherwise by Unity's commands")
        if saved is None:
            await self._save(change.path)  # so that it can be opened anew without a question to the person
        else:
            place = self._project.root / change.path
            self._saved_at[change.path] = place.stat().st_mtime_ns
            self._results[change.path] = saved
            self.ids |= {str(key): str(value) for key, value in ready.ids.items()}
        await self._put_back(change)

    async def _put_back(self, change: Change) -> None:
        """Give the file its old content, as the call is to find it when it writes."""
        await anyio.to_thread.run_sync(_put, self._project.root / change.path, change.before)

    def _give_up(self, change: Change, reason: str) -> None:
        self.doubts.append(f"'{change.path}' {reason}, so the file was written.")
        self._results[change.path] = change.after or b""

    async def _refuse_newer_file(self, change: Change) -> None:
        """The editor is about to save over the file."""
        if await anyio.to_thread.run_sync(read_if_there, self._project.root / change.path) != change.before:
            raise Outdated(f"'{change.path}' was changed on the disk since it was read. Nothing was changed.")

    async def _save(self, path: str) -> bytes:
        await self._pipeline.run(intents.SAVE_SCENE, {"path": path})
        content = await anyio.to_thread.run_sync(read_if_there, self._project.root / path)
        if content is None:
            raise Conflict(f"Unity did not save '{path}'.", retryable=False)
        return content

    def settled(self, change: Change) -> Change:
        """Return a change as it came out."""
        return Change(change.path, change.before, self._results.get(change.path, change.after))

    def shows(self, path: str) -> bool:
        """Return whether the editor has a scene as its file is now; the file then keeps the time that it knows."""
        if (saved_at := self._saved_at.get(path)) is None:
            return False
        os.utime(self._project.root / path, ns=(saved_at, saved_at))
        return True


def _lacks(saved: bytes, change: Change) -> bool:
    """Return whether what the editor saved is something else than what was meant."""
    return missing_edits(UnityFile(saved, change.path), UnityFile(change.after or b"", change.path), set()) != []


def _put(place: Path, content: Any) -> None:
    temporary = place.with_name(f".scenewright-{os.getpid()}-{place.name}.tmp")
    stage(temporary, content, mode=mode_of(place), like=place)
    replace_file(temporary, place)
