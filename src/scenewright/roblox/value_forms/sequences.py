"""Sequences of keypoints, of numbers or colours."""

from __future__ import annotations

import re
from typing import Any

from scenewright.core.text.counts import with_article
from scenewright.roblox.value_forms.colors import as_color
from scenewright.roblox.value_forms.refusal import Refused
from scenewright.roblox.value_forms.scalars import as_single
from scenewright.roblox.values import f32

__all__ = ["as_color_sequence", "as_number_sequence"]


_NUMBERS = re.compile(r"\s*NumberSequence\.new\(([^(){}]*)\)\s*")
_COLORS = re.compile(r"\s*ColorSequence\.new\(\s*(Color3\.\w+\([^()]*\))(?:\s*,\s*(Color3\.\w+\([^()]*\)))?\s*\)\s*")


def as_number_sequence(given: Any) -> tuple[Any, ...]:
    if isinstance(given, str) and (literal := _NUMBERS.fullmatch(given)):
        parts = [as_single(part) for part in literal.group(1).split(",")]
        given = parts * 2 if len(parts) == 1 else parts
    if isinstance(given, (int, float)) and not isinstance(given, bool):
        given = [given, given]
    points = _keypoints(given)
    if all(not isinstance(point, (dict, list)) for point in points):
        points = [{"time": place / max(1, len(points) - 1), "value": point} for place, point in enumerate(points)]
    keypoints = []
    for point in points:
        if isinstance(point, list):
            point = dict(zip(("time", "value", "envelope"), point, strict=False))
        if not isinstance(point, dict) or not {"time", "value"} <= set(point) <= {"time", "value", "envelope"}:
            raise Refused("a NumberSequence of keypoints with time, value and perhaps envelope")
        keypoints.append(tuple(as_single(point.get(key, 0)) for key in ("time", "value", "envelope")))
    return _timed(keypoints, "NumberSequence")


def as_color_sequence(given: Any) -> tuple[Any, ...]:
    if isinstance(given, str) and (literal := _COLORS.fullmatch(given)):
        given = literal.group(1) if literal.group(2) is None else [literal.group(1), literal.group(2)]
    if isinstance(given, str) or (isinstance(given, dict) and given.get("_type") in ("Color3", "Color3Float")):
        given = [given, given]
    keypoints = []
    points = _keypoints(given)
    for place, point in enumerate(points):
        if isinstance(point, dict) and "time" in point:
            rest = {key: part for key, part in point.items() if key not in ("time", "envelope")}
            color = rest.pop("color", None) or {"_type": "Color3Float", **rest}
            keypoints.append((as_single(point["time"]), *as_color(color), 0.0))
        else:
            keypoints.append((f32(place / max(1, len(points) - 1)), *as_color(point), 0.0))
    return _timed(keypoints, "ColorSequence")


def _keypoints(given: Any) -> list[Any]:
    points = given.get("keypoints") if isinstance(given, dict) else given
    if not isinstance(points, list) or len(points) < 2:
        raise Refused("a sequence of at least two keypoints")
    return points


def _timed(points: list[Any], kind: str) -> tuple[Any, ...]:
    times = [point[0] for point in points]
    if times != sorted(times) or times[0] != 0 or times[-1] != 1 or len(points) > 20:
        raise Refused(f"{with_article(kind)} of 2 to 20 keypoints whose times go from 0 to 1")
    return tuple(points)
