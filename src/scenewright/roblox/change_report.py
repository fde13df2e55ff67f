"""What edits did, as the diff of the Gox MCP contract: a summary and one entry for each thing that changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from scenewright.core.writes.changeset import Change
from scenewright.core.writes.diff import Diff, diff_of
from scenewright.roblox.backend import (
    Create,
    Delete,
    Done,
    Duplicate,
    Edit,
    Move,
    SetAttribute,
    SetProperty,
    SetSource,
    SetTags,
)

__all__ = ["show_value", "tell"]

_MOST_ENTRIES = 200
_MOST_TEXT = 200
_UNTURNED = [1, 0, 0, 0, 1, 0, 0, 0, 1]
_VERBS: dict[type, tuple[str, str]] = {
    Create: ("created", "instance"),
    Duplicate: ("copied", "instance"),
    Delete: ("deleted", "instance"),
    Move: ("moved", "instance"),
    SetProperty: ("set", "property"),
    SetAttribute: ("set", "attribute"),
    SetTags: ("changed the tags of", "instance"),
    SetSource: ("changed", "source"),
}
_PLURALS = {"property": "properties"}


def tell(done: Sequence[Done], place: str) -> Diff | None:
    """Return the diff of some edits; None where they changed nothing."""
    real = [each for each in done if _changed(each)]
    if not real:
        return None
    shown = [_show_edit(each) for each in real[:_MOST_ENTRIES]]
    more = [f"… and {len(real) - _MOST_ENTRIES} more"] if len(real) > _MOST_ENTRIES else []
    return Diff(
        f"{_summary(real)} in {place}", [entry for entry, _ in shown] + more, [brief for _, brief in shown] + more
    )


def _changed(done: Done) -> bool:
    return isinstance(done.edit, (Create, Duplicate, Delete)) or done.before != done.after


def _summary(done: Sequence[Done]) -> str:
    counts: dict[tuple[str, str], int] = {}
    for each in done:
        verb = _VERBS[type(each.edit)]
        counts[verb] = counts.get(verb, 0) + each.count
    return ", ".join(
        f"{verb} {count} {noun if count == 1 else _PLURALS.get(noun, noun + 's')}"
        for (verb, noun), count in counts.items()
    )


def _show_edit(done: Done) -> tuple[str, str]:
    """Return what an edit did, whole and in brief."""
    edit, info = done.edit, done.info
    if isinstance(edit, SetSource):
        before = done.before.encode("utf-8", "surrogateescape")
        diff = diff_of([Change(f"{info.path}.Source", before or None, _bytes(done.after))])
        if diff is None:
            return f"modified {info.path}.Source", f"modified {info.path}.Source"
        return diff.entries[0].replace("created", "modified", 1), diff.brief[0]
    return _show_line(edit, done), _show_line(edit, done)


def _show_line(edit: Edit, done: Done) -> str:
    path, kind = done.info.path, done.info.class_name
    below = f", {done.count} instances" if done.count > 1 else ""
    if isinstance(edit, (Create, Duplicate)):
        return f"created {path} ({kind}{below})"
    if isinstance(edit, Delete):
        return f"deleted {path} ({kind}{below})"
    if isinstance(edit, Move):
        return f"moved {done.before} → {done.after}"
    name = {SetProperty: "", SetAttribute: "@", SetTags: "tags"}[type(edit)] + getattr(edit, "name", "")
    return f"modified {path}.{name}: {show_value(done.before)} → {show_value(done.after)}"


def _bytes(text: Any) -> bytes:
    return str(text).encode("utf-8", "surrogateescape")


def show_value(value: Any) -> str:
    """Return a value in few words: of a typed one its parts, of an enum its item."""
    if isinstance(value, dict) and "_type" in value:
        parts = {key: part for key, part in value.items() if key != "_type"}
        if value["_type"] == "Enum":
            return str(value.get("value"))
        if value["_type"] == "CFrame" and "components" in value:
            place, turn = value["components"][:3], value["components"][3:]
            return f"CFrame({', '.join(map(str, place if turn == _UNTURNED else place + turn))})"
        if value["_type"] == "Ref":
            return str(value.get("path") or value.get("instanceId"))
        return f"{value['_type']}({', '.join(map(str, parts.values()))})"[:_MOST_TEXT]
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= _MOST_TEXT else f"{text[:_MOST_TEXT]}…"
