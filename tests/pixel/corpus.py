"""Files that Aseprite saved with the pictures it made of them: SCENEWRIGHT_CORPUS, or `../shared/corpus`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PIL import Image

from scenewright.pixel.aseprite_reader import read_sprite
from scenewright.pixel.sprite import Sprite

__all__ = ["FILES", "PICTURED", "needs_corpus", "picture", "same", "sprite"]

ROOT = Path(os.environ.get("SCENEWRIGHT_CORPUS") or Path(__file__).parents[3] / "shared" / "corpus") / "aseprite"
FILES = sorted(path.stem for path in ROOT.glob("*.aseprite"))
_OF_TILES = {"tileset"}  # its picture is of the tile set, not of a frame
PICTURED = [name for name in FILES if (ROOT / f"{name}.png").exists() and name not in _OF_TILES]
needs_corpus = pytest.mark.skipif(not FILES, reason="no corpus: set SCENEWRIGHT_CORPUS to a folder of Aseprite files")


def sprite(name: str) -> Sprite:
    return read_sprite((ROOT / f"{name}.aseprite").read_bytes())


def picture(name: str) -> Image.Image:
    with Image.open(ROOT / f"{name}.png") as opened:
        return opened.convert("RGBA")


def same(one: Image.Image, other: Image.Image) -> bool:
    """Whether all pixels are equal, those that nobody sees too."""
    return one.size == other.size and one.tobytes() == other.tobytes()
