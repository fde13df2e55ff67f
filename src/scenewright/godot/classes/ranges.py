"""The range that a number's property hint gives, as the inspector keeps to it: `0.001,4096,0.001,or_greater,exp`."""

from __future__ import annotations

from math import degrees, isclose, radians, tau

from scenewright.godot.classes.records import Property
from scenewright.godot.classes.variant import Hint

__all__ = ["meant_in_degrees", "outside"]

_CLOSE = 1e-6  # files hold 32 bits, and angles are converted


def outside(value: object, wanted: Property) -> str | None:
    """Return a warning about a number that the inspector would not take, or None if it would.

    Files may hold such numbers, and some classes start with one: it is no error.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or wanted.hint != Hint.RANGE:
        return None
    limits = _limits(wanted.hint_string)
    if limits is None or _is_default(value, wanted):
        return None
    is_angle = "radians_as_degrees" in wanted.hint_string
    number = degrees(value) if is_angle else value
    low, high = limits
    if not (_is_below(number, low) or _is_below(high, number)):
        return None
    shown = f"{value:g} ({number:.6g} degrees)" if is_angle else f"{value:g}"
    unit = " degrees" if is_angle else ""
    return f"{wanted.owner}.{wanted.name} is {shown}, but should be {_describe_limits(low, high)}{unit}."


def meant_in_degrees(value: object, wanted: Property) -> str | None:
    """Return a warning about an angle that only makes sense in degrees, where the engine takes radians; else None."""
    if "radians_as_degrees" not in wanted.hint_string:
        return None
    parts = [value] if isinstance(value, int | float) else [getattr(value, axis, 0.0) for axis in "xyz"]
    large = next((part for part in parts if abs(part) > tau + _CLOSE), None)
    if large is None:
        return None
    if wanted.name == "rotation":
        instead = f"set rotation_degrees, where {large:g} is {large:g} degrees"
    else:
        instead = f"give {radians(large):.6g} for {large:g} degrees"
    return (
        f"{wanted.owner}.{wanted.name} is in radians: {large:g} is {degrees(large):.6g} degrees. "
        f"If that is not meant, {instead}."
    )


def _limits(hint: str) -> tuple[float | None, float | None] | None:
    """The lowest and highest number, None for a side that may be passed; None where the hint says no range."""
    parts = [part.strip() for part in hint.split(",")]
    try:
        low, high = float(parts[0]), float(parts[1])
    except (IndexError, ValueError):  # the engine itself has one that is none
        return None
    return None if "or_less" in parts else low, None if "or_greater" in parts else high


def _is_below(number: float | None, limit: float | None) -> bool:
    if number is None or limit is None:
        return False
    return number < limit and not isclose(number, limit, rel_tol=_CLOSE)


def _is_default(value: float, wanted: Property) -> bool:
    try:
        return wanted.default is not None and isclose(value, float(wanted.default), rel_tol=_CLOSE)
    except ValueError:
        return False


def _describe_limits(low: float | None, high: float | None) -> str:
    if low is None or high is None:
        return f"at least {low:g}" if low is not None else f"at most {high:g}"
    return f"from {low:g} to {high:g}"
