"""The backend over places in files: looks at them, and carries out edits in memory before anything is staged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

import anyio.to_thread

from scenewright.core.faults import Invalid, NotFound, Unsupported
from scenewright.core.text.counts import with_article
from scenewright.core.writes.changeset import Changeset
from scenewright.roblox.backend import (
    ChildrenPage,
    Done,
    Edit,
    Execution,
    Info,
    InstanceMatches,
    InstanceView,
    Run,
    Search,
    Snapshot,
    Source,
    Target,
    View,
)
from scenewright.roblox.kinds import is_script
from scenewright.roblox.place import instance_reader
from scenewright.roblox.place.documents import PlaceDocument
from scenewright.roblox.place.editor import Editor
from scenewright.roblox.place.target_resolution import Resolver
from scenewright.roblox.tree import Instance

__all__ = ["PlaceBackend"]

T = TypeVar("T")


class PlaceBackend:
    """A place in files, as one call sees it. `load` reads it; an edit gets a reading of its own to change."""

    def __init__(
        self,
        name: str,
        place: str,
        files: Changeset,
        load: Callable[[bool], PlaceDocument],
        *,
        runs: bool = True,
        writes: bool = False,
    ) -> None:
        self.name = name
        self.place = place
        self._files = files
        self._load = load
        self._runs = runs  # whether scripts are run
        self._writes = writes  # whether services that the place lacks are as good as there
        self._document: PlaceDocument | None = None

    async def info(self, target: Target) -> Info:
        return await self._run(lambda: self._info(target))

    async def node(self, target: Target, view: View) -> InstanceView:
        return await self._run(lambda: self._looker().node(self._find(target), view))

    async def children(self, parent: Target, offset: int, limit: int) -> ChildrenPage:
        def look() -> ChildrenPage:
            instance = self._find(parent)
            looker = self._looker()
            page = tuple(looker.info(child) for child in instance.children[offset : offset + limit])
            return ChildrenPage(looker.info(instance), len(instance.children), page)

        return await self._run(look)

    async def find(self, root: Target, search: Search, offset: int, limit: int) -> InstanceMatches:
        return await self._run(lambda: self._looker().find(self._find(root), search, offset, limit))

    async def snapshot(self, root: Target, wanted: Snapshot) -> InstanceView:
        return await self._run(lambda: self._looker().snapshot(self._find(root), wanted))

    async def source(self, script: Target) -> Source:
        return await self._run(lambda: self._looker().source(self._script(script)))

    async def sources(self, root: Target) -> Sequence[Source]:
        def look() -> list[Source]:
            looker = self._looker()
            return [looker.source(each) for each in self._find(root).walk() if is_script(each.class_name)]

        return await self._run(look)

    async def apply(self, edits: Sequence[Edit], *, label: str) -> Sequence[Done]:
        del label
        return await self._run(partial(self._apply, edits))

    async def execute(self, run: Run) -> Execution:
        return await self._run(partial(self._execute, run))

    async def capture(self, root: Target, *, width: int, height: int) -> tuple[bytes, str]:
        del root, width, height
        raise Unsupported(
            "A picture needs Roblox Studio: a place file has no renderer.",
            hint="Open the place in Studio with the scenewright plugin, and try again.",
        )

    # What runs in a worker thread

    async def _run(self, work: Callable[[], T]) -> T:
        return await anyio.to_thread.run_sync(work, abandon_on_cancel=True)

    @property
    def document(self) -> PlaceDocument:
        """The place, to be looked at only."""
        if self._document is None:
            self._document = self._load(True)
        return self._document

    def _looker(self) -> instance_reader.Looker:
        return instance_reader.Looker(self.document)

    def _find(self, target: Target) -> Instance:
        try:
            return Resolver(self.document).find(target)
        except NotFound:
            if not (self._writes and self.document.is_place):
                raise
        # An edit makes the service; until then it is in a reading of its own.
        self._document = self._load(False)
        return Resolver(self._document, makes_services=True).find(target)

    def _info(self, target: Target) -> Info:
        return self._looker().info(self._find(target))

    def _script(self, target: Target) -> Instance:
        script = self._find(target)
        if not is_script(script.class_name):
            raise Invalid(
                f"'{script.path}' is {with_article(script.class_name)}, not a script.",
                path=f"input.{target.field}Path",
                rule="class",
                hint="roblox.instance_find with className ModuleScript, Script or LocalScript lists scripts.",
            )
        return script

    def _execute(self, run: Run) -> Execution:
        from scenewright.roblox.luau.execution import run_script

        script = self._script(run.script)
        info = self._looker().info(script)
        if not self._runs:
            return Execution(info, ran=False)
        ran = run_script(self.document, script, run)
        done = self._apply(ran.edits) if ran.edits else []
        return Execution(info, ran.called, return_value=ran.value, output=ran.output, done=tuple(done))

    def _apply(self, edits: Sequence[Edit]) -> list[Done]:
        document = self._load(False)
        editor = Editor(document)
        done: list[Done] = [editor.carry_out(edit) for edit in edits]
        document.save(self._files)
        self._document = None
        return editor.identified(done)
