"""Whether a value that a reply tells is the one that was sent: a caller who knows it need not read it again."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["says_the_same"]

_CALL = re.compile(r"\w+\(([^()]*)\)")  # Vector2(8, 4)
_NAMED = re.compile(r"""(?:NodePath\(|&|\^)"([^"\\\\]*)"\)?""")  # a text of a type of its own
_HEX_COLOR = re.compile(r"#(?:[0-9a-fA-F]{2}){3,4}")
_COLOR_STEP = 0.5 / 255
_IDS = ("id",)  # a resource made in the call gets one


def says_the_same(told: Any, sent: Any) -> bool:
    """Return whether `told` tells nothing but `sent`, in the form of the engine.

    Only forms that leave no doubt count: an enum's number for its name, or a resource for its path, is news.
    """
    if isinstance(told, bool) or isinstance(sent, bool) or told is None or sent is None:
        return told is sent
    if isinstance(told, (int, float)) and isinstance(sent, (int, float)):
        return _close(told, sent)
    if isinstance(told, str):
        return _same_text(told, sent)
    if isinstance(told, Mapping):
        return _same_object(told, sent)
    if isinstance(told, list):
        return isinstance(sent, list) and len(told) == len(sent) and all(map(says_the_same, told, sent))
    return False


def _same_text(told: str, sent: Any) -> bool:
    if isinstance(sent, str) and told.removeprefix("res://") == sent.removeprefix("res://"):
        return True
    if isinstance(sent, str) and (match := _NAMED.fullmatch(told)) is not None:
        return match[1] == sent
    numbers = _numbers(told)
    if numbers is None:
        return False
    if isinstance(sent, str) and _HEX_COLOR.fullmatch(sent) and told.startswith("Color("):
        parts = [int(sent[at : at + 2], 16) / 255 for at in range(1, len(sent), 2)]
        return _same_numbers(numbers, parts, alpha=True, step=_COLOR_STEP)
    others = _numbers(sent) if isinstance(sent, str) else _parts(sent)
    return others is not None and _same_numbers(numbers, others, alpha=told.startswith("Color("))


def _same_numbers(told: Sequence[float], sent: Sequence[float], *, alpha: bool, step: float = 0.0) -> bool:
    if alpha and len(sent) == 3:
        sent = [*sent, 1.0]
    return len(told) == len(sent) and all(_close(one, other, step) for one, other in zip(told, sent, strict=True))


def _same_object(told: Mapping[str, Any], sent: Any) -> bool:
    if told.keys() == {"$path"}:
        return says_the_same(told["$path"], sent.get("$path") if isinstance(sent, Mapping) else sent)
    if told.keys() == {"$type", "value"} and not isinstance(sent, Mapping):
        return says_the_same(told["value"], sent)
    if not isinstance(sent, Mapping):
        return False
    return all(key in _IDS or (key in sent and says_the_same(value, sent[key])) for key, value in told.items())


def _numbers(text: str) -> list[float] | None:
    """Return the numbers of a value such as Vector2(8, 4); None of anything else."""
    match = _CALL.fullmatch(text)
    try:
        return [float(part) for part in match[1].split(",")] if match else None
    except ValueError:
        return None


def _parts(value: Any) -> list[float] | None:
    """Return the numbers of a value that was sent as a list or by its parts."""
    parts = list(value.values()) if isinstance(value, Mapping) else value
    if not isinstance(parts, list) or not all(isinstance(part, (int, float)) for part in parts):
        return None
    return parts


def _close(one: float, other: float, step: float = 0.0) -> bool:
    return math.isclose(one, other, rel_tol=1e-6, abs_tol=max(step, 1e-9))
