"""Pictures of a project that are drawn on: files of the common kinds, opened within the limits of a sprite."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from scenewright.core.faults import Invalid
from scenewright.pixel.pixels import MOST_PIXELS

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["open_picture"]

_KINDS = ("PNG", "GIF", "BMP", "WEBP")


def open_picture(data: bytes, where: str) -> Image:
    """Return a picture with four channels.

    Raises:
        Invalid: it is none, damaged, or too large.
    """
    from PIL import Image

    try:
        with Image.open(io.BytesIO(data), formats=_KINDS) as opened:
            if opened.width * opened.height > MOST_PIXELS:
                raise Invalid(
                    f"The picture has {opened.width} x {opened.height} pixels, too many to draw on.",
                    path=where,
                    rule="size",
                )
            return opened.convert("RGBA")
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError):
        raise Invalid(
            "The file is no picture that can be read, or a damaged one.",
            path=where,
            rule="picture",
            hint=f"Give a file of one of these kinds: {', '.join(_KINDS)}, or .aseprite.",
        ) from None
