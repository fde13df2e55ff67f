"""Conditions as GDScript has them, in the words that the engine's Expression class reads.

It knows neither `$Node` nor `%Name`, `&"name"` nor constants such as `Vector2.ZERO`, `KEY_A` and `OK`; these are
written out here. What is inside quotes stays as it is, and so does whatever is not known: the engine then says what it
does not understand.
"""

from __future__ import annotations

import re
from typing import Final

from scenewright.core.faults import NotFound
from scenewright.godot.classes.index import GLOBAL, ClassIndex

__all__ = ["for_expression"]

_QUOTED: Final = r'(?<!\\)"(?:\\.|[^"\\])*+"' + r"|(?<!\\)'(?:\\.|[^'\\])*+'"
_NAME: Final = r"[^\W\d]\w*"
_TOKEN: Final = re.compile(
    rf"(?P<dollar>\$)(?:(?P<path>{_QUOTED})|(?P<names>/?%?{_NAME}(?:/%?{_NAME})*))"
    rf"|(?<!&)(?P<mark>[&^])(?P<marked>{_QUOTED})"
    rf"|(?P<text>{_QUOTED})"
    rf"|(?P<percent>%)(?:(?P<quoted>{_QUOTED})|(?P<unique>{_NAME}(?:/%?{_NAME})*))"
    rf"|(?<![\w.])(?P<owner>{_NAME})\.(?P<member>[A-Z][A-Z0-9_]*)\b(?!\s*[(.])"
    rf"|(?<![\w.])(?P<constant>OK|FAILED|[A-Z][A-Z0-9]*_[A-Z0-9_]+)\b(?!\s*[(.])"
)
_MARKED: Final = {"&": "StringName", "^": "NodePath"}
_OPERAND_ENDS: Final = re.compile(r"[\w)\]}\"']\s*$")
_WORD_ENDS: Final = re.compile(r"(?:^|[^\w.])(?:and|or|not|in)\s*$")
_WRITABLE: Final = re.compile(r"-?\d+(?:\.\d+)?|(?:Vector[234]i?|Color|Rect2i?|Quaternion)\([^()]*\)")


def for_expression(text: str, index: ClassIndex) -> str:
    """Return a condition with `get_node` for its nodes and values for the engine's constants."""

    def written(match: re.Match[str]) -> str:
        if match["dollar"]:
            return _get_node_call(match["path"] or match["names"])
        if match["percent"]:
            is_remainder = _is_operand(text[: match.start()])
            return match[0] if is_remainder else _get_node_call(match["quoted"] or match["unique"], unique=True)
        if match["mark"]:
            return f"{_MARKED[match['mark']]}({match['marked']})"
        if match["owner"]:
            return _constant(match["owner"], match["member"], index) or match[0]
        return (_constant(GLOBAL, match["constant"], index) if match["constant"] else None) or match[0]

    return _TOKEN.sub(written, text)


def _is_operand(before: str) -> bool:
    """Whether a value stands before, so that a percent sign is an operator."""
    return bool(_OPERAND_ENDS.search(before)) and not _WORD_ENDS.search(before)


def _get_node_call(path: str, *, unique: bool = False) -> str:
    inner = path[1:-1] if path[0] in "\"'" else path
    return f'get_node("{"%" if unique else ""}{inner}")'


def _constant(owner: str, name: str, index: ClassIndex) -> str | None:
    try:
        value = index.constant(owner, name).value
    except NotFound:
        return None
    return value.replace("inf", "INF") if _WRITABLE.fullmatch(value) else None
