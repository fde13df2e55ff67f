"""The page of a class made short: a model reads signatures and first sentences, and asks for the rest by name."""

from __future__ import annotations

from typing import Any

from scenewright.core.faults import NotFound, did_you_mean
from scenewright.core.operations.paging import Page
from scenewright.godot.classes.markup import first_sentence

__all__ = ["members_named", "page_of"]

_KINDS = ("methods", "properties", "signals", "enums", "constants")  # always there, as in the Godoty protocol
_MORE_KINDS = ("constructors", "operators", "annotations", "theme_items")
_HEAD = ("class_name", "inherits", "brief_description")
_IN_SIGNATURE = ("arguments", "return_type", "qualifiers")
_ACCESSORS = ("setter", "getter")

Docs = dict[str, Any]


def page_of(docs: Docs, offset: int, limit: int) -> Docs:
    """Return some of a class's members in few words; the first page also describes the class itself."""
    rows = [(kind, row) for kind in (*_KINDS, *_MORE_KINDS) for row in docs.get(kind, ())]
    part = Page.cut(rows, offset, limit)
    page = _with_members(docs, [(kind, _shorten(row)) for kind, row in part.items])
    if offset == 0:
        page = {key: value for key, value in docs.items() if key not in (*_KINDS, *_MORE_KINDS)} | page
    return page | {"total": len(rows)} | ({"nextOffset": part.next_offset} if part.has_more else {})


def members_named(docs: Docs, names: list[str]) -> Docs:
    """Return some members with their full text.

    Raises:
        NotFound: the class has no member of one of these names.
    """
    rows = [(kind, row) for kind in (*_KINDS, *_MORE_KINDS) for row in docs.get(kind, ())]
    known = list(dict.fromkeys(row["name"] for _, row in rows))
    for name in names:
        if name not in known:
            raise NotFound(
                f"{docs['class_name']} has no member '{name[:100]}'.",
                hint=did_you_mean(name[:100], known, "Leave names out to see them all."),
            )
    chosen = [(kind, row) for kind, row in rows if row["name"] in names]
    return _with_members(docs, chosen) | {"total": len(chosen)}


def _with_members(docs: Docs, rows: list[tuple[str, Docs]]) -> Docs:
    page: Docs = {key: docs[key] for key in _HEAD} | {kind: [] for kind in _KINDS}
    for kind, row in rows:
        page.setdefault(kind, []).append(row)
    return page


def _shorten(row: Docs) -> Docs:
    left_out = (*_ACCESSORS, *(_IN_SIGNATURE if row.get("signature") else ()))
    short = {key: value for key, value in row.items() if key not in left_out and value not in ("", None)}
    if row.get("description"):
        short["description"] = first_sentence(row["description"])
    for key, field in (("arguments", "type"), ("values", "value")):  # of a signal, of an enum
        if key in short:
            short[key] = [{"name": entry["name"], field: entry[field]} for entry in short[key]]
    return short
