"""What became of each file that the engine was to import, and why where it was not."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath
from typing import Annotated, Literal

from scenewright.core.operations.model import Record, about
from scenewright.core.writes.file_sizes import read_limited
from scenewright.godot.project.file_scan import is_seen

__all__ = ["FileFate", "ImportState", "counted", "fate_of"]

ImportState = Literal["missing", "stale", "imported", "kept"]
Fate = Literal["imported", "current", "skipped", "failed", "impossible"]
_NEEDS = {
    ".glsl": "it needs a RenderingDevice, which this Godot lacks without a screen; the open editor imports it",
    ".blend": "it needs Blender, and this Godot does not know where it is (editor settings, FileSystem, Import)",
}
_IGNORED = "its folder is hidden, or has a .gdignore or a project.godot, so that Godot does not look there"
_KEPT = "its import settings say that it is kept as it is"
_EARLIER = "an earlier import of it failed, and Godot tries again only when it changes or is imported again by name"
_SILENT = "the engine left it out and did not say why"


class FileFate(Record, frozen=True, kw_only=True):
    path: Annotated[str, about("res:// path.")]
    state: Annotated[Fate, about("imported; current: it was already; skipped, failed or impossible here: see reason.")]
    reason: Annotated[str, about("Why it was not imported.")] | None = None


def fate_of(
    root: Path, path: str, *, before: ImportState | None, now: ImportState | None, complaints: Sequence[str]
) -> FileFate:
    """Return what became of a file, by its state before and after; both are None if no engine imports it."""
    state, reason = _judge_import(
        root, path, before, now, [complaint for complaint in complaints if _is_about(complaint, path)]
    )
    return FileFate(path=f"res://{path}", state=state, reason=reason)


def counted(fates: Iterable[FileFate]) -> str:
    """Return how many files had which fate, such as `2 imported, 1 skipped`."""
    return ", ".join(f"{number} {state}" for state, number in Counter(fate.state for fate in fates).items())


def _judge_import(
    root: Path, path: str, before: ImportState | None, now: ImportState | None, complaints: Sequence[str]
) -> tuple[Fate, str | None]:
    suffix = PurePosixPath(path).suffix.lower()
    if not is_seen(root, path):
        return "skipped", _IGNORED
    if now is None:
        return "skipped", f"Godot imports no {suffix or 'such'} files, it loads them as they are"
    if now == "kept":
        return "skipped", _KEPT
    if now == "imported":
        return ("current" if before == "imported" else "imported"), None
    if suffix in _NEEDS:
        return "impossible", _NEEDS[suffix]
    if complaints:
        return "failed", complaints[0]
    return ("failed", _EARLIER) if _failed_before(root, path) else ("skipped", _SILENT)


def _failed_before(root: Path, path: str) -> bool:
    try:
        return "valid=false" in read_limited(root / f"{path}.import").decode("utf-8", "replace").splitlines()
    except OSError:
        return False


def _is_about(complaint: str, path: str) -> bool:
    return re.search(rf"res://{re.escape(path)}(?![\w.])", complaint) is not None
