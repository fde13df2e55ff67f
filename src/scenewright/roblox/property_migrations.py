"""Properties that have moved: how an old one is read from where it is now, and written there."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass

from scenewright.roblox.palette import by_number, nearest
from scenewright.roblox.values import Value, f32

__all__ = ["MIGRATIONS", "Migration", "time_of_day"]

_FONTS = "rbxasset://fonts/families/"
_DAY = 24 * 3600
_TIME = re.compile(rb"(-?)(\d{1,3})(?::(\d{1,2}))?(?::(\d{1,2}(?:\.\d*)?))?")
_FAMILIES = (
    "LegacyArial",
    "Arial",
    "Arial:700",
    "SourceSansPro",
    "SourceSansPro:700",
    "SourceSansPro:300",
    "SourceSansPro:400:1",
    "AccanthisADFStd",
    "Guru",
    "ComicNeueAngular",
    "Inconsolata",
    "HighwayGothic",
    "Zekton",
    "PressStart2P",
    "Balthazar",
    "RomanAntique",
    "SourceSansPro:600",
    "GothamSSm",
    "GothamSSm:500",
    "GothamSSm:700",
    "GothamSSm:900",
    "AmaticSC",
    "Bangers",
    "Creepster",
    "DenkOne",
    "Fondamento",
    "FredokaOne",
    "GrenzeGotisch",
    "IndieFlower",
    "JosefinSans",
    "Jura",
    "Kalam",
    "LuckiestGuy",
    "Merriweather",
    "Michroma",
    "Nunito",
    "Oswald",
    "PatrickHand",
    "PermanentMarker",
    "Roboto",
    "RobotoCondensed",
    "RobotoMono",
    "Sarpanch",
    "SpecialElite",
    "TitilliumWeb",
    "Ubuntu",
)


@dataclass(frozen=True, slots=True)
class Migration:
    """The new value of an old one, and back; None where there is none."""

    forward: Callable[[Value], Value | None]
    backward: Callable[[Value], Value | None]


def _font(value: Value) -> Value | None:
    if not 0 <= value.data < len(_FAMILIES):
        return None
    family, *rest = _FAMILIES[value.data].split(":")
    weight, style = (*rest, *("400", "0")[len(rest) :])
    return Value("Font", (f"{_FONTS}{family}.json".encode(), int(weight), int(style), b""))


def _font_back(value: Value) -> Value | None:
    known = (_font(Value("Enum", number)) for number in range(len(_FAMILIES)))
    number = next((i for i, font in enumerate(known) if font and font.data[:3] == value.data[:3]), None)
    return Value("Enum", 100 if number is None else number)  # Enum.Font.Unknown


def _brick(value: Value) -> Value | None:
    known = by_number(value.data)
    return Value("Color3uint8", known.rgb) if known else None


def _brick_back(value: Value) -> Value | None:
    rgb = value.data if value.kind == "Color3uint8" else tuple(round(part * 255) for part in value.data)
    return Value("BrickColor", nearest(rgb).number)


def _content(value: Value) -> Value:
    return Value("Content", value.data or None)


def _content_back(value: Value) -> Value | None:
    return (
        None if value.data is not None and not isinstance(value.data, bytes) else Value("ContentId", value.data or b"")
    )


def _asset(value: Value) -> Value:
    return Value("Content", b"rbxassetid://%d" % value.data if value.data else None)


def _asset_back(value: Value) -> Value | None:
    text = value.data.rpartition(b"/")[2] if isinstance(value.data, bytes) else b"0"
    return Value("Int64", int(text)) if text.isdigit() else None


def _time_of_day(value: Value) -> Value | None:
    if not math.isfinite(value.data):
        return None
    seconds = round(value.data * 3600) % _DAY
    return Value("String", b"%02d:%02d:%02d" % (seconds // 3600, seconds // 60 % 60, seconds % 60))


def _clock_time(value: Value) -> Value | None:
    match = _TIME.fullmatch(value.data.strip())
    if match is None:
        return None
    hours, minutes, seconds = (float(match.group(part) or 0) for part in (2, 3, 4))
    time = hours + minutes / 60 + seconds / 3600
    return Value("Float32", f32((-time if match.group(1) else time) % 24))


def time_of_day(value: Value) -> Value | None:
    """Return a time of day written in full, or None where it is none."""
    hours = _clock_time(value)
    return None if hours is None else _time_of_day(hours)


MIGRATIONS: dict[str, Migration] = {
    "BrickColorToColor": Migration(_brick, _brick_back),
    "ContentIdToContent": Migration(_content, _content_back),
    "Int64ToContent": Migration(_asset, _asset_back),
    "FontToFontFace": Migration(_font, _font_back),
    "IgnoreGuiInsetToScreenInsets": Migration(
        lambda value: Value("Enum", 1 if value.data else 2), lambda value: Value("Bool", value.data == 1)
    ),
    "CornerRadiusToCornerRadii": Migration(lambda value: value, lambda value: value),
    "ClockTimeToTimeOfDay": Migration(_time_of_day, _clock_time),
    "Same": Migration(lambda value: value, lambda value: value),
    "CFrameToOptional": Migration(
        lambda value: Value("OptionalCFrame", value.data),
        lambda value: Value("CFrame", value.data) if value.data is not None else None,
    ),
}
