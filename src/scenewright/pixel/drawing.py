"""Pictures out of rows of characters, one for each pixel, and simple rules that finish them.

Mirrored halves, outlines and light from one side: what a model that cannot paint can still ask for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from scenewright.core.faults import Invalid, did_you_mean
from scenewright.pixel.colors import CLEAR, color_text, mixed, read_color
from scenewright.pixel.sprite import Color

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["MOST_SIDE", "Light", "Mirror", "drawn", "outlined", "read_palette", "rows_of", "shaded", "shades_of"]

Mirror = Literal["x", "x_center", "y", "y_center"]
Light = Literal["top", "top_left", "top_right", "left", "right", "bottom"]

MOST_SIDE = 512
_EMPTY = " ."
_SHINE: Color = (255, 250, 220, 255)
_DUSK: Color = (24, 20, 60, 255)
_TOWARDS: dict[Light, tuple[tuple[int, int], ...]] = {
    "top": ((0, -1),),
    "top_left": ((0, -1), (-1, 0)),
    "top_right": ((0, -1), (1, 0)),
    "left": ((-1, 0),),
    "right": ((1, 0),),
    "bottom": ((0, 1),),
}
_SIGNS = "#ox+*=%@abcdefghijklmnpqrstuvwyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


def read_palette(given: Mapping[str, Any], where: str) -> dict[str, Color]:
    """Return a palette by character; a dot and a space are transparent unless it says otherwise.

    Raises:
        Invalid: a name is no single character, or a value no colour.
    """
    palette = dict.fromkeys(_EMPTY, CLEAR)
    for name, value in given.items():
        if len(name) != 1:
            raise Invalid(
                f"'{name[:40]}' is not one character.",
                path=where,
                rule="length",
                hint='Send one character for each colour: {"#": "#222034"}.',
            )
        palette[name] = read_color(value, f"{where}.{name}")
    return palette


def drawn(rows: Sequence[str], palette: Mapping[str, Color], where: str, mirror: Mirror | None = None) -> Image:
    """Return the picture that rows of characters show.

    Raises:
        Invalid: a character is in no palette, or it is too large.
    """
    from PIL import Image

    width = max((len(row) for row in rows), default=0)
    if not width or max(width, len(rows)) > MOST_SIDE:
        raise Invalid(
            f"The rows show {width} x {len(rows)} pixels; 1 to {MOST_SIDE} a side can be drawn.",
            path=where,
            rule="size",
        )
    unknown = next((sign for row in rows for sign in row if sign not in palette), None)
    if unknown is not None:
        at = next(number for number, row in enumerate(rows) if unknown in row)
        raise Invalid(
            f"Row {at} has '{unknown}', which the palette has not.",
            path=f"{where}[{at}]",
            rule="palette",
            hint=did_you_mean(unknown, list(palette)) or f"The palette has: {' '.join(sorted(palette))}",
        )
    data = bytes(part for row in rows for sign in row.ljust(width, ".") for part in palette[sign])
    return _mirrored(Image.frombytes("RGBA", (width, len(rows)), data), mirror)


def _mirrored(picture: Image, mirror: Mirror | None) -> Image:
    """A left or upper half made whole; `center` says that its last column or row is the middle one."""
    if mirror is None:
        return picture
    from PIL import Image
    from PIL.Image import Transpose

    across = mirror.startswith("x")
    other = picture.transpose(Transpose.FLIP_LEFT_RIGHT if across else Transpose.FLIP_TOP_BOTTOM)
    shared = 1 if mirror.endswith("center") else 0
    width, height = picture.size
    size = (2 * width - shared, height) if across else (width, 2 * height - shared)
    whole = Image.new("RGBA", size)
    whole.paste(other, (width - shared, 0) if across else (0, height - shared))
    whole.paste(picture, (0, 0))
    return whole


def outlined(picture: Image, color: Color) -> Image:
    """Return only the outline around what is opaque in a picture, on one of the same size."""
    from PIL import Image, ImageChops

    alpha = picture.getchannel("A").point([0] + [255] * 255)
    around = Image.new("L", picture.size)
    for dx, dy in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        moved = Image.new("L", picture.size)
        moved.paste(alpha, (dx, dy))
        around = ImageChops.lighter(around, moved)
    edge = ImageChops.subtract(around, alpha)
    return Image.composite(Image.new("RGBA", picture.size, color), Image.new("RGBA", picture.size), edge)


def shaded(picture: Image, light: Light, strength: int = 25) -> Image:
    """Return a picture whose edges are brighter towards the light and darker away from it."""
    width, height = picture.size
    pixels = list(_colors(picture))
    towards = _TOWARDS[light]

    def is_open(x: int, y: int) -> bool:
        return not (0 <= x < width and 0 <= y < height) or not pixels[y * width + x][3]

    result = []
    for at, color in enumerate(pixels):
        y, x = divmod(at, width)
        if not color[3]:
            result.append(color)
        elif any(is_open(x - dx, y - dy) for dx, dy in towards):
            result.append(shades_of(color, strength)[1])
        elif any(is_open(x + dx, y + dy) for dx, dy in towards):
            result.append(shades_of(color, strength)[0])
        else:
            result.append(color)
    from PIL import Image

    return Image.frombytes("RGBA", picture.size, bytes(part for color in result for part in color))


def shades_of(color: Color, strength: int = 25) -> tuple[Color, Color]:
    """Return what `shaded` makes of a colour, towards the light and away from it."""
    return mixed(color, _SHINE, strength), mixed(color, _DUSK, strength)


def rows_of(picture: Image) -> tuple[list[str], dict[str, str]]:
    """Return a picture as rows of characters, and the palette that draws it again.

    Raises:
        Invalid: it has more colours than there are characters.
    """
    colors = list(_colors(picture))
    known: dict[Color, str] = {}
    for color in colors:
        if color[3] and color not in known:
            if len(known) == len(_SIGNS):
                raise Invalid(
                    f"The picture has more than {len(_SIGNS)} colours.",
                    path="input.path",
                    rule="colors",
                    hint="Reduce them with pixel_recolor first.",
                )
            known[color] = _SIGNS[len(known)]
    width = picture.width
    signs = "".join(known[color] if color[3] else "." for color in colors)
    rows = [signs[at : at + width] for at in range(0, len(signs), width)]
    return rows, {sign: color_text(color) for color, sign in known.items()}


def _colors(picture: Image) -> list[Color]:
    data = picture.tobytes()
    return [(data[at], data[at + 1], data[at + 2], data[at + 3]) for at in range(0, len(data), 4)]
