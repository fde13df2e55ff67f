"""Values of several numbers: from a list, an object, or text."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from scenewright.core.text.counts import with_article
from scenewright.roblox.value_forms.refusal import Refused
from scenewright.roblox.value_forms.scalars import as_single, as_whole

__all__ = ["as_range", "as_rect", "as_udim", "as_udim2", "parts_of", "record_of", "split_text"]
_LITERAL = re.compile(r"\s*+([A-Za-z]\w*)?(?:\.(\w+))?\s*+\((.*)\)\s*", re.DOTALL)


def parts_of(given: Any, fields: tuple[str, ...], kind: str) -> list[Any]:
    """Return the components of a value, from a list, an object, or text such as "Vector3.new(1, 2, 3)" and
    "1, 2, 3".
    """
    if isinstance(given, str):
        given = split_text(given, kind)
    if isinstance(given, (list, tuple)) and len(given) == len(fields):
        return list(given)
    if isinstance(given, dict):
        lowered = {str(key).lower(): part for key, part in given.items() if key != "_type"}
        if given.get("_type", kind) == kind and set(lowered) == {field.lower() for field in fields}:
            return [lowered[field.lower()] for field in fields]
    raise Refused(
        f"{with_article(kind)} with {', '.join(fields)}", f'For example {{"_type": "{kind}", {_example(fields)}}}.'
    )


def _example(fields: tuple[str, ...]) -> str:
    return ", ".join(f'"{field}": {place}' for place, field in enumerate(fields))


def split_text(text: str, kind: str) -> list[str]:
    literal = _LITERAL.fullmatch(text)
    if literal is not None and literal.group(1) in (None, kind) and literal.group(2) in (None, "new"):
        text = literal.group(3)
    return [part for part in re.split(r"[\s,{}]+", text.strip()) if part]


def record_of(kind: str, fields: tuple[str, ...], *, whole: bool = False) -> Callable[[Any], tuple[Any, ...]]:
    each: Callable[[Any], Any] = (lambda part: as_whole(part, 16)) if whole else as_single
    return lambda given: tuple(each(part) for part in parts_of(given, fields, kind))


def as_udim(given: Any) -> tuple[float, int]:
    scale, offset = parts_of(given, ("scale", "offset"), "UDim")
    return as_single(scale), as_whole(offset)


def as_udim2(given: Any) -> tuple[Any, ...]:
    if isinstance(given, dict) and {str(key).lower() for key in given} == {"x", "y"}:
        given = [part for _, part in sorted(given.items(), key=lambda item: str(item[0]).lower())]
    if isinstance(given, (list, tuple)) and len(given) == 2:
        return (*as_udim(given[0]), *as_udim(given[1]))
    if isinstance(given, str) and (literal := re.fullmatch(r"\s*UDim2\.from(Scale|Offset)\((.*)\)\s*", given)):
        x, y = split_text(literal.group(2), "") if len(split_text(literal.group(2), "")) == 2 else ("", "")
        return (
            (as_single(x), 0, as_single(y), 0) if literal.group(1) == "Scale" else (0.0, as_whole(x), 0.0, as_whole(y))
        )
    sx, ox, sy, oy = parts_of(given, ("sx", "ox", "sy", "oy"), "UDim2")
    return as_single(sx), as_whole(ox), as_single(sy), as_whole(oy)


def as_rect(given: Any) -> tuple[float, ...]:
    if isinstance(given, dict) and ("minX" in given or given.get("_type") == "RectFloat"):
        given = [given.get(key, 0) for key in ("minX", "minY", "maxX", "maxY")]
    return tuple(as_single(part) for part in parts_of(given, ("x0", "y0", "x1", "y1"), "Rect"))


def as_range(given: Any) -> tuple[float, float]:
    if isinstance(given, (int, float)) and not isinstance(given, bool):
        given = [given, given]
    low, high = (as_single(part) for part in parts_of(given, ("min", "max"), "NumberRange"))
    if low > high:
        raise Refused("a NumberRange whose min is not above its max")
    return low, high
