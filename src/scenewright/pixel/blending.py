"""Aseprite's blend modes, to the last bit: the same integer arithmetic, on whole pictures at once.

Pillow's ImageMath counts in 32 bit integers and divides as C does, towards zero. A mode that treats its channels one
by one is a table of all pairs of values; the four that do not are worked out for each pair of colours that occurs.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from scenewright.core.calls.deadline import check_deadline
from scenewright.pixel.blend_functions import BY_CHANNEL, BY_COLOR

if TYPE_CHECKING:
    from typing import Any

    from PIL.Image import Image

__all__ = ["blend"]

Pair = tuple[int, int]
_FEW = 16384  # pixels, up to which one lookup each is quicker than to hand Pillow the whole table


def blend(canvas: Image, picture: Image, at: Pair, mode: str, opacity: int) -> None:
    """Put a picture with four channels onto a canvas, at a place that may reach beyond it."""
    left, top = max(at[0], 0), max(at[1], 0)
    right, bottom = min(at[0] + picture.width, canvas.width), min(at[1] + picture.height, canvas.height)
    if left >= right or top >= bottom or not opacity:
        return
    box = (left, top, right, bottom)
    source = picture.crop((left - at[0], top - at[1], right - at[0], bottom - at[1]))
    alpha = source.getchannel("A")
    if mode == "normal" and opacity == 255 and not any(alpha.histogram()[1:255]):
        canvas.paste(source, box, alpha)  # all or nothing, as in most pixel art
        return
    canvas.paste(_blended(canvas.crop(box), source, mode, opacity), box)


def _blended(backdrop: Image, source: Image, mode: str, opacity: int) -> Image:
    from PIL import Image, ImageMath

    *under, under_alpha = backdrop.split()
    *over, over_alpha = source.split()
    covering = over_alpha.point([_multiplied(value, opacity) for value in range(256)])
    alpha = ImageMath.lambda_eval(_combined_alpha, b=under_alpha, s=covering)
    planes = {"ba": under_alpha, "sa": covering, "ra": alpha}
    mixed = over if mode == "normal" else _mixed(under, over, mode)
    channels = []
    for b, s, x in zip(under, over, mixed, strict=True):
        formula = _normal if mode == "normal" else _merged
        value = ImageMath.lambda_eval(formula, b=b, s=s, x=x, **planes)
        channels.append(value.convert("L"))
    result = Image.merge("RGBA", [*channels, alpha.convert("L")])
    alone = Image.merge("RGBA", [*over, covering])
    result.paste(alone, (0, 0), under_alpha.point([255] + [0] * 255))  # on nothing every mode is the normal one
    return result


def _multiplied(one: int, other: int) -> int:
    """The product of two values that mean 0 to 1, as Aseprite rounds it."""
    product = one * other + 0x80
    return ((product >> 8) + product) >> 8


def _product(one: Any, other: Any) -> Any:
    product = one * other + 0x80
    return ((product >> 8) + product) >> 8


def _combined_alpha(planes: dict[str, Any]) -> Any:
    return planes["s"] + planes["b"] - _product(planes["b"], planes["s"])


def _over(under: Any, over: Any, planes: dict[str, Any]) -> Any:
    return under + (over - under) * planes["sa"] / planes["ra"]


def _normal(planes: dict[str, Any]) -> Any:
    return _over(planes["b"], planes["s"], planes)


def _merged(planes: dict[str, Any]) -> Any:
    """Between the normal and the other mode, by how much of the backdrop is there."""
    normal, mixed = _normal(planes), _over(planes["b"], planes["x"], planes)
    half = normal + _product(mixed - normal, planes["ba"])
    return half + _product(mixed - half, _product(planes["ba"], planes["sa"]))


def _mixed(under: list[Image], over: list[Image], mode: str) -> list[Image]:
    """The colours of a mode, whatever the alpha."""
    if mode in BY_COLOR:
        return _mixed_colors(under, over, mode)
    from PIL import Image, ImageMath

    size = under[0].size
    if size[0] * size[1] <= _FEW:
        table = _byte_table(mode)
        pairs = [(b.tobytes(), s.tobytes()) for b, s in zip(under, over, strict=True)]
        return [
            Image.frombytes("L", size, bytes([table[b << 8 | s] for b, s in zip(bs, ss, strict=True)]))
            for bs, ss in pairs
        ]
    return [
        ImageMath.lambda_eval(lambda pair: pair["b"] * 256 + pair["s"], b=b, s=s).point(_table(mode), "L")
        for b, s in zip(under, over, strict=True)
    ]


@lru_cache(maxsize=len(BY_CHANNEL))
def _table(mode: str) -> list[int]:
    function = BY_CHANNEL[mode]
    return [function(b, s) for b in range(256) for s in range(256)]


@lru_cache(maxsize=len(BY_CHANNEL))
def _byte_table(mode: str) -> bytes:
    return bytes(_table(mode))


def _mixed_colors(under: list[Image], over: list[Image], mode: str) -> list[Image]:
    from PIL import Image

    size = under[0].size
    function = BY_COLOR[mode]
    known: dict[tuple[bytes, bytes], bytes] = {}
    backdrop, source = (Image.merge("RGB", planes).tobytes() for planes in (under, over))
    mixed = bytearray()
    for at in range(0, len(backdrop), 3):
        if at % 12288 == 0:
            check_deadline()
        pair = (backdrop[at : at + 3], source[at : at + 3])
        if pair not in known:
            if len(known) > 100_000:
                known.clear()
            known[pair] = bytes(function(pair[0], pair[1]))
        mixed += known[pair]
    return list(Image.frombytes("RGB", size, bytes(mixed)).split())
