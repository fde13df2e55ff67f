"""What has its truth in an editor, not on the disk: what core asks of whoever is connected to one.

An engine brings a `Live` along. Per call it gives a `Stage`: the editor as that call sees it. A call that reads an
open file gets the editor's content, and what it stages for such a file becomes one step in the editor's own undo
history instead of a write. Where an editor's content is no file at all, a call stages a `Draft`: edits that are made
at the commit, as one step too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from scenewright.core.projects.project import Project
    from scenewright.core.writes.changeset import Change
    from scenewright.core.writes.diff import Diff

__all__ = ["Draft", "Keepsake", "Live", "Made", "OpenFile", "Stage", "Steps", "chained", "unchained"]

Steps = Mapping[str, dict[str, Any]]  # by path: what the editor needs to take an edit back


def chained(rounds: Sequence[Steps]) -> Steps:
    """Return steps that were made one after the other, as one: a file that several belong to gets all of them."""
    by_path: dict[str, list[dict[str, Any]]] = {}
    for steps in rounds:
        for path, step in steps.items():
            by_path.setdefault(path, []).append(step)
    return {path: made[0] if len(made) == 1 else {"chain": made} for path, made in by_path.items()}


def unchained(steps: Steps) -> list[Steps]:
    """Return the rounds in which chained steps are to be taken back."""
    latest = reversed(list(steps.items()))
    return [{path: part} for path, step in latest for part in reversed(step.get("chain", [step]))]


@dataclass(frozen=True, slots=True)
class OpenFile:
    """A file that an editor has open."""

    content: bytes
    unsaved: bool


class Stage(Protocol):
    """An editor as one call sees it."""

    @property
    def used(self) -> bool:
        """Whether the editor was asked for a file, or changed one."""

    @property
    def label(self) -> dict[str, Any]:
        """Which editor it is, for the reply."""

    @property
    def doubts(self) -> Sequence[str]:
        """What the reply must warn of."""

    def find(self, path: str) -> OpenFile | None:
        """Return the file as the editor has it; None where it is not open. Blocks, so it is for worker threads.

        Raises:
            Fault: the editor is there and cannot say.
        """

    def unsaved_texts(self) -> Sequence[str]:
        """Return scripts and other texts that `find` gives with what is typed and not saved; none to a call that
        writes.

        Blocks, so it is for worker threads.
        """

    async def editable(self, changes: Sequence[Change]) -> Sequence[Change]:
        """Return those changes of open files that the editor can make itself; the others are written to the disk."""

    async def apply(self, changes: Sequence[Change], title: str) -> Steps:
        """Edit open files in the editor, all or none, one undo step each.

        A file without a step is to be written after all, as `settled` then has it.

        Raises:
            Outdated: a file was edited since this call read it, but not where this call edits it.
            Conflict: it was edited there.
        """

    def settled(self, changes: Sequence[Change]) -> Sequence[Change]:
        """Return changes that were applied as they came out."""

    def has_made(self, path: str) -> bool:
        """Return whether the call's change of an open file is one in the editor, and not one on the disk that the
        editor has read since.
        """

    def renamed(self, output: Any) -> Any:
        """Return a reply with the names that the editor gave to what was made."""

    async def take_back(self, steps: Steps) -> Steps:
        """Take edits back by the editor's own undo; the result takes that back in turn.

        Raises:
            Conflict: other edits came after.
        """

    def reverted(self, steps: Steps) -> bool:
        """Return whether somebody has turned all these steps back by the editor's own undo or redo.

        Where the editor does not know them any more, they count as standing. Blocks, so it is for worker threads.
        """

    async def guard(self, changes: Sequence[Change]) -> None:
        """Before a write to the disk.

        Raises:
            Conflict: the editor holds one of the files with unsaved changes.
        """

    async def written(self, changes: Sequence[Change]) -> list[str]:
        """After a write to the disk: lets the editor take the files in; returns warnings."""


@dataclass(frozen=True, slots=True)
class Keepsake:
    """What an editor remembers of a change, for a server that dies before it has recorded it."""

    key: str
    output: Any  # of the call
    steps: Steps  # that the call had made in editors before


@dataclass(frozen=True, slots=True)
class Made:
    """A draft that an editor has carried out."""

    step: dict[str, Any]  # what takes it back
    warnings: Sequence[str] = ()


class Draft(Protocol):
    """Edits of an editor's content that is no file, as one call has staged them: none is made before the commit."""

    @property
    def engine(self) -> str:
        """Whose editor it is, by the name of the engine."""

    @property
    def place(self) -> str:
        """What is edited, in the words of the history; no path of a file."""

    @property
    def diff(self) -> Diff | None:
        """What the edits change."""

    def fork(self) -> Draft:
        """Return a copy to stage more on."""

    async def commit(self, title: str, keepsake: Keepsake | None) -> Made:
        """Make all edits as one step of the editor's undo history, or none.

        Raises:
            Fault: none was made; or, with `outcome: unknown` in its details, nobody knows.
        """


class Live(Protocol):
    """An engine's way to its editors."""

    def undoing(self, place: str, step: Mapping[str, Any]) -> Draft:
        """Return what takes a draft back that was carried out, or makes it again."""
        del step
        raise NotImplementedError(place)

    async def recall(self, key: str) -> tuple[Keepsake, Steps] | None:
        """Return what an editor remembers to have done under a key, with all steps of it."""
        del key
        return None

    def stage(self, project: Project, *, writes: bool, plain: bool) -> tuple[Stage | None, str | None]:
        """Return the editors of a project for one call, or none; and a warning where one is there but out of reach.

        A plain call means files as they are: it finds open ones only where they are not saved.
        """

    def is_open(self, project: Project) -> bool:
        """Return whether an editor has the project open. For any thread."""

    def watch(self, project: Project) -> None:
        """Called now and then: connects to editors that have come up."""

    def close(self) -> None: ...
