"""Pictures that an editor returns: the PNG inside its answer, looked at before anybody is shown it."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scenewright.core.faults import Unsupported

__all__ = ["MOST_BYTES", "Picture", "picture_in"]

MOST_BYTES = 24_000_000  # of an answer
_SIGNATURE = b"\x89PNG\r\n\x1a\n"


@dataclass(frozen=True, slots=True)
class Picture:
    content: bytes
    width: int
    height: int


def picture_in(answer: Mapping[str, Any]) -> Picture:
    """Return the picture of an answer.

    Raises:
        Unsupported: it has none.
    """
    text = next((answer[key] for key in ("base64", "image", "data") if isinstance(answer.get(key), str)), None)
    if text is None:
        raise Unsupported("Unity took a picture, but did not send it.")
    try:
        content = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        content = b""
    if not content.startswith(_SIGNATURE) or content[12:16] != b"IHDR":
        raise Unsupported("What Unity sent is no PNG.")
    width, height = (int.from_bytes(content[place : place + 4], "big") for place in (16, 20))
    return Picture(content, width, height)
