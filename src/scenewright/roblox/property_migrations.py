"""Properties that have moved: how an old one is read from where it is now, and written there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from scenewright.roblox.palette import by_number, nearest
from scenewright.roblox.values import Value

__all__ = ["MIGRATIONS", "Migration"]

_FONTS = "rbxasset://fonts/families/"
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


MIGRATIONS: dict[str, Migration] = {
    "BrickColorToColor": Migration(_brick, _brick_back),
    "ContentIdToContent": Migration(_content, _content_back),
    "Int64ToContent": Migration(_asset, _asset_back),
    "FontToFontFace": Migration(_font, _font_back),
    "IgnoreGuiInsetToScreenInsets": Migration(
        lambda value: Value("Enum", 1 if value.data else 2), lambda value: Value("Bool", value.data == 1)
    ),
    "CornerRadiusToCornerRadii": Migration(lambda value: value, lambda value: value),
}
