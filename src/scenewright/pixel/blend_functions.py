"""What each blend mode makes of a backdrop's and a source's values, 0 to 255, as Aseprite counts."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

__all__ = ["BY_CHANNEL", "BY_COLOR"]

Channel = Callable[[int, int], int]
Triple = tuple[float, float, float]


def _product(one: int, other: int) -> int:
    product = one * other + 0x80
    return ((product >> 8) + product) >> 8


def _quotient(one: int, other: int) -> int:
    return (one * 255 + other // 2) // other


def _screen(b: int, s: int) -> int:
    return b + s - _product(b, s)


def _hard_light(b: int, s: int) -> int:
    return _product(b, s << 1) if s < 128 else _screen(b, (s << 1) - 255)


def _color_dodge(b: int, s: int) -> int:
    if b == 0:
        return 0
    return 255 if b >= 255 - s else _quotient(b, 255 - s)


def _color_burn(b: int, s: int) -> int:
    if b == 255:
        return 255
    return 0 if 255 - b >= s else 255 - _quotient(255 - b, s)


def _soft_light(under: int, over: int) -> int:
    b, s = under / 255.0, over / 255.0
    d = ((16 * b - 12) * b + 4) * b if b <= 0.25 else math.sqrt(b)
    r = b - (1.0 - 2.0 * s) * b * (1.0 - b) if s <= 0.5 else b + (2.0 * s - 1.0) * (d - b)
    return int(r * 255 + 0.5)


def _divide(b: int, s: int) -> int:
    if b == 0:
        return 0
    return 255 if b >= s else _quotient(b, s)


BY_CHANNEL: dict[str, Channel] = {
    "multiply": _product,
    "screen": _screen,
    "overlay": lambda b, s: _hard_light(s, b),
    "darken": min,
    "lighten": max,
    "color_dodge": _color_dodge,
    "color_burn": _color_burn,
    "hard_light": _hard_light,
    "soft_light": _soft_light,
    "difference": lambda b, s: abs(b - s),
    "exclusion": lambda b, s: b + s - 2 * _product(b, s),
    "addition": lambda b, s: min(b + s, 255),
    "subtract": lambda b, s: max(b - s, 0),
    "divide": _divide,
}


def _luminosity(color: Triple) -> float:
    return 0.3 * color[0] + 0.59 * color[1] + 0.11 * color[2]


def _saturation_of(color: Triple) -> float:
    return max(color) - min(color)


def _clipped(color: Triple) -> Triple:
    light, low, high = _luminosity(color), min(color), max(color)
    red, green, blue = color
    if low < 0:
        red, green, blue = (light + (value - light) * light / (light - low) for value in (red, green, blue))
    if high > 1:
        red, green, blue = (light + (value - light) * (1 - light) / (high - light) for value in (red, green, blue))
    return red, green, blue


def _with_luminosity(color: Triple, light: float) -> Triple:
    more = light - _luminosity(color)
    return _clipped((color[0] + more, color[1] + more, color[2] + more))


def _with_saturation(color: Triple, saturation: float) -> Triple:
    """The colour with another saturation; where two channels are equally low, Aseprite takes one of them for both."""
    low, middle, high = _lowest(color), _middle(color), _highest(color)
    values = list(color)
    if values[high] > values[low]:
        values[middle] = (values[middle] - values[low]) * saturation / (values[high] - values[low])
        values[high] = saturation
    else:
        values[middle] = values[high] = 0.0
    values[low] = 0.0
    return values[0], values[1], values[2]


def _lowest(color: Triple) -> int:
    low = 1 if color[1] < color[2] else 2
    return 0 if color[0] < color[low] else low


def _highest(color: Triple) -> int:
    high = 1 if color[1] > color[2] else 2
    return 0 if color[0] > color[high] else high


def _middle(color: Triple) -> int:
    red, green, blue = color
    if red > green:
        return 1 if green > blue else 2 if red > blue else 0
    return (2 if blue > red else 0) if green > blue else 1


def _hue(b: Triple, s: Triple) -> Triple:
    return _with_luminosity(_with_saturation(s, _saturation_of(b)), _luminosity(b))


def _saturated(b: Triple, s: Triple) -> Triple:
    return _with_luminosity(_with_saturation(b, _saturation_of(s)), _luminosity(b))


def _by_color(function: Callable[[Triple, Triple], Triple]) -> Callable[[Sequence[int], Sequence[int]], list[int]]:
    def mix(backdrop: Sequence[int], source: Sequence[int]) -> list[int]:
        b = (backdrop[0] / 255.0, backdrop[1] / 255.0, backdrop[2] / 255.0)
        s = (source[0] / 255.0, source[1] / 255.0, source[2] / 255.0)
        return [int(255.0 * value) & 255 for value in function(b, s)]

    return mix


BY_COLOR = {
    "hsl_hue": _by_color(_hue),
    "hsl_saturation": _by_color(_saturated),
    "hsl_color": _by_color(lambda b, s: _with_luminosity(s, _luminosity(b))),
    "hsl_luminosity": _by_color(lambda b, s: _with_luminosity(b, _luminosity(s))),
}
