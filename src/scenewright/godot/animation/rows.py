"""The rows of a keyframe table as a caller writes them, and how a refusal says which row it is about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from scenewright.core.faults import Invalid, NotFound, did_you_mean

__all__ = ["HANDLE_MODES", "easing_number", "handles_of", "key_fields", "located", "seconds"]

_EASINGS = {"linear": 1.0, "in": 2.0, "out": 0.5, "in_out": -2.0, "out_in": -0.5, "constant": 0.0}
HANDLE_MODES = ("free", "linear", "balanced", "mirrored")
_KEY_FIELDS = (
    "time",
    "value",
    "transition",
    "easing",
    "inHandle",
    "outHandle",
    "handleMode",
    "startOffset",
    "endOffset",
)


def easing_number(transition: Any = None, easing: Any = None) -> float:
    """Return the curve from a key to the next as stored: 1 is linear, above it eases in, below it out.

    A number is that number; a name is a curve, to which `transition` then gives its strength.
    """
    if isinstance(transition, str) and easing is None:
        transition, easing = None, transition
    if isinstance(easing, str):
        easing = easing.lower().replace("-", "_").removeprefix("ease_")
    for name, value in (("transition", transition), ("easing", easing)):
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not (value is None or is_number or (name == "easing" and isinstance(value, str) and value in _EASINGS)):
            hint = did_you_mean(str(value), list(_EASINGS)) or f"Use a number or one of {', '.join(_EASINGS)}."
            raise Invalid(f"{value!r} is not a valid {name}.", path=f"input.{name}", rule="enum", hint=hint)
    if not isinstance(easing, str):
        if transition is not None and easing is not None and transition != easing:
            raise Invalid(
                "transition and easing give two numbers for one curve.",
                path="input.easing",
                rule="oneOf",
                hint=f"Leave one out: a key's curve is one number, or a name such as {next(iter(_EASINGS))}.",
            )
        return float(transition if transition is not None else 1.0 if easing is None else easing)
    strength = 2.0 if transition is None else float(transition)
    if strength <= 0:
        raise Invalid("The strength of a curve must be above 0.", path="input.transition", rule="exclusiveMinimum")
    return {"in": strength, "out": 1 / strength, "in_out": -strength, "out_in": -1 / strength}.get(
        easing, _EASINGS[easing]
    )


@contextmanager
def located(where: str, path: str, *, exact: bool = False) -> Iterator[None]:
    """Says in a refusal which part of a table it is about; `exact` is all there is to say of the path."""
    start = f"{where[:1].upper()}{where[1:]}: " if where else ""
    try:
        yield
    except Invalid as problem:
        inner = "" if exact else (problem.path or "").removeprefix("input.")
        raise Invalid(
            start + problem.message,
            path=f"{path}.{inner}" if inner else path,
            rule=problem.rule,
            hint=problem.hint,
            details=problem.details,
        ) from None
    except NotFound as problem:
        raise NotFound(start + problem.message, hint=problem.hint, details=problem.details) from None


def key_fields(row: Any) -> dict[str, Any]:
    """Read a row of a table: `[time, value]`, `[time, value, easing]` or an object."""
    if isinstance(row, list) and 2 <= len(row) <= 3:
        return {"time": row[0], "value": row[1], **({"transition": row[2]} if len(row) > 2 else {})}
    if not isinstance(row, Mapping) or "time" not in row or "value" not in row:
        raise Invalid("a key is [time, value], [time, value, easing] or an object with time and value.", rule="type")
    unknown = [name for name in row if name not in _KEY_FIELDS]
    if unknown:
        raise Invalid(
            f"'{unknown[0]}' is not one of {', '.join(_KEY_FIELDS)}.",
            rule="unknown",
            hint=did_you_mean(unknown[0], _KEY_FIELDS),
        )
    return dict(row)


def handles_of(fields: Mapping[str, Any]) -> tuple[tuple[float, ...], int]:
    """Read the bezier handles of a key, and the number of its handle mode."""
    start, end = fields.get("inHandle", [-0.25, 0.0]), fields.get("outHandle", [0.25, 0.0])
    for name, handle in (("inHandle", start), ("outHandle", end)):
        if (
            not isinstance(handle, list)
            or len(handle) != 2
            or not all(isinstance(part, int | float) for part in handle)
        ):
            raise Invalid(f"{name} must be [seconds, value], relative to the key.", rule="type")
    mode = fields.get("handleMode", "free")
    if mode not in HANDLE_MODES:
        raise Invalid(f"handleMode must be one of {', '.join(HANDLE_MODES)}.", rule="enum")
    return (float(start[0]), float(start[1]), float(end[0]), float(end[1])), HANDLE_MODES.index(mode)


def seconds(fields: Mapping[str, Any], name: str, default: float) -> float:
    """Read a number of seconds, not below 0."""
    value = fields.get(name, default)
    if not isinstance(value, int | float) or isinstance(value, bool) or value < 0:
        raise Invalid(f"{name} must be a number of seconds.", rule="type")
    return float(value)
