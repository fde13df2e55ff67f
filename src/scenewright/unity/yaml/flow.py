"""Flow collections: `{fileID: 0}`, `[]`, nested and quoted ones; and where the value of a key lies in one."""

from __future__ import annotations

import re
from typing import Any

from scenewright.unity.yaml.scalars import unquote

__all__ = ["FlowError", "flow_span", "read_flow"]

_PAIRS = re.compile(r"(\w+): ([^,{}\[\]]*?)(?:, |\})")
_SCALAR = re.compile(r"""\s*("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|(?:[^,:{}\[\]]|:(?![ ,{}\[\]]|$))*)""", re.DOTALL)
_SPACE = re.compile(r"\s*")
_SHORT = 4096


class FlowError(ValueError):
    """The text is not a flow collection."""


def read_flow(text: str) -> Any:
    """Return the value of a flow collection.

    Raises:
        FlowError: it does not end, or is none.
    """
    plain = len(text) <= _SHORT and not any(mark in text for mark in "[\"'")
    if plain and text.startswith("{") and text.count("{") == 1:
        pairs = _PAIRS.findall(text)
        if len(pairs) == text.count(",") + 1:
            return dict(pairs)
    try:
        value, end = _value(text, 0)
    except RecursionError:
        raise FlowError("it is nested too deeply") from None
    if text[end:].strip():
        raise FlowError(f"there is something after the end of {text[:40]!r}")
    return value


def flow_span(text: str, key: str | int) -> tuple[int, int] | None:
    """Return where the value of a key or the item of a number lies in a flow collection."""
    at, number = 1, 0
    while text[(at := _skip_blank(text, at)) : at + 1] not in ("}", "]", ""):
        start = at
        if text[0] == "{":
            name, at = _scalar(text, at)
            start = _skip_blank(text, _skip_mark(text, at, ":"))
        else:
            name, start = "", _skip_blank(text, at)
        _, at = _value(text, start)
        if key in (name, number) and (isinstance(key, int) or text[0] == "{"):
            return start, start + len(text[start:at].rstrip())
        at = _skip_blank(text, at)
        at = at + 1 if text[at : at + 1] == "," else at
        number += 1
    return None


def _value(text: str, at: int) -> tuple[Any, int]:
    at = _skip_blank(text, at)
    opened = text[at : at + 1]
    if opened == "{":
        return _mapping(text, at + 1)
    if opened == "[":
        return _sequence(text, at + 1)
    return _scalar(text, at)


def _mapping(text: str, at: int) -> tuple[dict[str, Any], int]:
    out: dict[str, Any] = {}
    while (at := _skip_blank(text, at)) < len(text):
        if text[at] == "}":
            return out, at + 1
        key, at = _scalar(text, at)
        out[key], at = _value(text, _skip_mark(text, at, ":"))
        at = _next(text, at, "}")
    raise FlowError("a '{' is never closed")


def _sequence(text: str, at: int) -> tuple[list[Any], int]:
    out: list[Any] = []
    while (at := _skip_blank(text, at)) < len(text):
        if text[at] == "]":
            return out, at + 1
        item, at = _value(text, at)
        out.append(item)
        at = _next(text, at, "]")
    raise FlowError("a '[' is never closed")


def _scalar(text: str, at: int) -> tuple[str, int]:
    match = _SCALAR.match(text, at)
    assert match is not None  # it matches nothing, too
    return unquote(match[1].rstrip()), match.end()


def _skip_blank(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    assert match is not None
    return match.end()


def _skip_mark(text: str, at: int, mark: str) -> int:
    at = _skip_blank(text, at)
    if text[at : at + 1] != mark:
        raise FlowError(f"'{mark}' expected in {text[:40]!r}")
    return at + 1


def _next(text: str, at: int, closing: str) -> int:
    at = _skip_blank(text, at)
    if text[at : at + 1] == ",":
        return at + 1
    if text[at : at + 1] == closing:
        return at
    raise FlowError(f"',' or '{closing}' expected in {text[:40]!r}")
