"""Sizes of pictures, told from real files of every kind."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

from scenewright.godot.assets.images.pictures import picture_size


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("PNG", {}),
        ("JPEG", {}),
        ("JPEG", {"progressive": True}),
        ("BMP", {}),
        ("WEBP", {}),
        ("WEBP", {"lossless": True}),
    ],
)
def test_a_picture_tells_its_size(kind: str, options: dict[str, bool]) -> None:
    file = BytesIO()
    Image.effect_noise((123, 45), 50).convert("RGB").save(file, kind, **options)
    assert picture_size(file.getvalue()) == (123, 45)


def test_a_webp_with_alpha_tells_its_size() -> None:
    file = BytesIO()
    Image.new("RGBA", (300, 20), (1, 2, 3, 128)).save(file, "WEBP")
    assert file.getvalue()[12:16] == b"VP8X"
    assert picture_size(file.getvalue()) == (300, 20)


def test_a_drawing_tells_its_size() -> None:
    assert picture_size(b'<svg xmlns="x" height="12px" viewBox="0 0 9 9" width="34.5">') == (34, 12)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xd8",
        b"RIFF",
        b"OggS\0\0",
        b"<svg/>",
        b'<svg width="1.2.3" height="4">',
        b"RIFF____WEBPVP9 " + bytes(20),
        b'<svg viewBox="0 0 1 1">',
        b"\x89PNG\r\n\x1a\n",
    ],
)
def test_what_is_no_picture_has_no_size(data: bytes) -> None:
    assert picture_size(data) is None
