"""How controls are laid out: anchor presets and size flags by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scenewright.core.faults import Invalid, did_you_mean

__all__ = ["PRESETS", "margins", "preset_number", "preset_offsets", "size_flags"]

# In the engine's order, which is the number of each.
PRESETS = (
    "top_left",
    "top_right",
    "bottom_left",
    "bottom_right",
    "center_left",
    "center_top",
    "center_right",
    "center_bottom",
    "center",
    "left_wide",
    "top_wide",
    "right_wide",
    "bottom_wide",
    "vcenter_wide",
    "hcenter_wide",
    "full_rect",
)
_FLAGS = {"shrink_begin": 0, "fill": 1, "expand": 2, "expand_fill": 3, "shrink_center": 4, "shrink_end": 8}
# The place of each side by preset.
_ACROSS = (
    "left",
    "right",
    "left",
    "right",
    "left",
    "center",
    "right",
    "center",
    "center",
    "left",
    "wide",
    "right",
    "wide",
    "center",
    "wide",
    "wide",
)
_DOWN = (
    "left",
    "left",
    "right",
    "right",
    "center",
    "left",
    "center",
    "right",
    "center",
    "wide",
    "left",
    "wide",
    "right",
    "wide",
    "center",
    "wide",
)


def preset_number(name: str, parameter: str = "preset") -> int:
    """Return the number of a preset by its name, such as `full_rect`, `PRESET_FULL_RECT` or `Full Rect`.

    Raises:
        Invalid: there is none.
    """
    plain = name.strip().lower().replace(" ", "_").replace("-", "_").removeprefix("preset_")
    if plain not in PRESETS:
        raise Invalid(
            f"There is no anchor preset '{name}'.",
            path=f"input.{parameter}",
            rule="enum",
            hint=did_you_mean(plain, list(PRESETS)) or f"One of {', '.join(PRESETS)}.",
        )
    return PRESETS.index(plain)


def preset_offsets(number: int, size: Sequence[float], margin: float) -> dict[str, float]:
    """Return the offsets that keep a size at a preset's place, with a margin to the parent's edges."""
    left, right = _side_offsets(_ACROSS[number], size[0], margin)
    top, bottom = _side_offsets(_DOWN[number], size[1], margin)
    return {"offset_left": left, "offset_top": top, "offset_right": right, "offset_bottom": bottom}


def _side_offsets(place: str, size: float, margin: float) -> tuple[float, float]:
    if place == "left":
        return margin, margin + size
    if place == "right":
        return -margin - size, -margin
    return (margin, -margin) if place == "wide" else (-size / 2, size / 2)


def size_flags(name: str, parameter: str) -> int:
    """Return the number of size flags by their name.

    Raises:
        Invalid: there are none.
    """
    plain = name.strip().lower().replace(" ", "_").removeprefix("size_")
    if plain not in _FLAGS:
        raise Invalid(
            f"There are no size flags '{name}'.",
            path=f"input.{parameter}",
            rule="enum",
            hint=did_you_mean(plain, list(_FLAGS)) or f"One of {', '.join(_FLAGS)}.",
        )
    return _FLAGS[plain]


def margins(value: float | Sequence[float] | Mapping[str, float], parameter: str = "margins") -> dict[str, float]:
    """Read margins by side: one number, two (across, down), four (left, top, right, bottom), or named.

    Raises:
        Invalid: they are something else.
    """
    sides = ("left", "top", "right", "bottom")
    if isinstance(value, int | float):
        return dict.fromkeys(sides, value)
    if isinstance(value, Mapping):
        if unknown := set(value) - set(sides):
            raise Invalid(
                f"A margin has no side '{unknown.pop()}'.",
                path=f"input.{parameter}",
                rule="enum",
                hint="Use left, top, right and bottom.",
            )
        return dict(value)
    if len(value) not in (2, 4):
        raise Invalid(
            "Margins must be one, two or four numbers.",
            path=f"input.{parameter}",
            rule="length",
            hint="Send [across, down] or [left, top, right, bottom].",
        )
    return dict(zip(sides, (*value, *value) if len(value) == 2 else value, strict=True))
