"""What the engine says of assets that it has not imported yet: one line with what to do, apart from real errors."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar

from scenewright.core.faults import Fault
from scenewright.godot.assets.import_states import IMPORTED, import_mark, import_state
from scenewright.godot.project.openers import open_workspace

if TYPE_CHECKING:
    from pathlib import Path

    from scenewright.core.calls.call import Call
    from scenewright.godot.project.workspace import Workspace

__all__ = ["mind_unimported", "set_apart_unimported", "unimported_named_in"]

T = TypeVar("T")
_ENDINGS = "|".join(re.escape(ending) for ending in IMPORTED)
_ASSET = re.compile(rf"res://([^\"'\n:]*?(?:{_ENDINGS}))(?![\w.-])", re.IGNORECASE)
_SCRIPT_LOST = re.compile(r'Failed to load script "(res://[^"]+)"')
_SCRIPT_MISSED = re.compile(
    r"Could not (?:resolve external class member|resolve class|parse global class)|Failed to compile depended scripts"
)
_NAMED = 3


def set_apart_unimported(
    call: Call, complaints: Sequence[T], text_of: Callable[[T], str], place_of: Callable[[T], str | None]
) -> list[T]:
    """Return the complaints that missing imports do not explain; the reply gets one line of those that they do."""
    missing = unimported_named_in(call, map(text_of, complaints))
    if not missing:
        return list(complaints)
    call.warnings.append(f"{_line(missing)} Errors that come of it are left out.")
    marks = _marks_of(call.state.project.root, missing)
    explained = [any(mark in text_of(each) for mark in marks) for each in complaints]
    left = [each for each, known in zip(complaints, explained, strict=True) if not known]
    spoiled = {place for each, known in zip(complaints, explained, strict=True) if known and (place := place_of(each))}
    return [each for each in left if not _follows(text_of(each), spoiled)]


def _follows(message: str, spoiled: set[str]) -> bool:
    """Whether it is said because a script could not be compiled, which lacks an import."""
    lost = _SCRIPT_LOST.search(message)
    return lost[1] in spoiled if lost else bool(spoiled and _SCRIPT_MISSED.search(message))


def mind_unimported(call: Call, messages: Iterable[str]) -> None:
    """Warn if the engine complained of assets that it has not imported."""
    if missing := unimported_named_in(call, messages):
        call.warnings.append(_line(missing))


def unimported_named_in(call: Call, messages: Iterable[str]) -> list[str]:
    """Return the assets named there that are in the project, but not imported."""
    workspace = open_workspace(call)
    named = {match[1] for message in messages for match in _ASSET.finditer(message)}
    return sorted(f"res://{path}" for path in named if _is_missing(workspace, path))


def _is_missing(workspace: Workspace, path: str) -> bool:
    try:
        return workspace.files.exists(path) and import_state(workspace, path) == "missing"
    except (Fault, ValueError):  # scripts may name what lies outside the project, or is no path at all
        return False


def _line(missing: Sequence[str]) -> str:
    more = f" and {len(missing) - _NAMED} more" if len(missing) > _NAMED else ""
    are = "is" if len(missing) == 1 else "are"
    named = ", ".join(missing[:_NAMED])
    return f"{named}{more} {are} not imported yet; import_assets does that."


def _marks_of(root: Path, missing: Iterable[str]) -> list[str]:
    """What the engine calls an asset, and what it makes of one in its cache."""
    return [mark for path in missing for mark in (path, import_mark(root, path.removeprefix("res://")).stem)]
