"""A picture made small enough for a reply."""

from __future__ import annotations

import io

import msgspec

__all__ = ["Scaled", "scaled"]


class Scaled(msgspec.Struct, frozen=True):
    """A picture as it goes out, and how large it was."""

    data: bytes
    mime: str
    width: int
    height: int
    whole: tuple[int, int]


def scaled(data: bytes, most: int, suffix: str) -> Scaled:
    """Return a picture with no side longer than this, as `png` or `jpg`."""
    from PIL import Image

    with Image.open(io.BytesIO(data)) as opened:
        picture = opened.convert("RGB")
    whole = picture.size
    picture.thumbnail((most, most))
    kind = "JPEG" if suffix == "jpg" else "PNG"
    out = io.BytesIO()
    picture.save(out, kind, **({"quality": 88} if kind == "JPEG" else {}))
    return Scaled(out.getvalue(), f"image/{kind.lower()}", *picture.size, whole)
