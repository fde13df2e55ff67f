"""The film of a game that was played: what of its digest was otherwise in each frame than in the one before.

From it the digest of any frame can be had again. On a tape it is a line of base64, as it is to be small and not read.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from collections.abc import Sequence
from typing import Any, Final

from scenewright.core.faults import Invalid

__all__ = ["CUT", "digest_at", "pack_film", "unpack_film"]

CUT: Final = "cut"  # from where on the engine has rolled no more
_MOST_PACKED: Final = 400_000
_MOST_UNPACKED: Final = 8_000_000  # whose rows take some forty times as much memory at the worst
_PARTS: Final = ("own", "paused")
_NUMBER: Final = re.compile(r" #\d+$")  # of one of several texts of a node
Film = Sequence[Sequence[Any]]  # rows of a frame and what changed in it, by key; null where something has gone


def pack_film(film: Film) -> str:
    """Return a film as text; nothing where it would be too large for a tape."""
    text = json.dumps(film, ensure_ascii=False, separators=(",", ":"))
    content = text.encode()
    if len(content) > _MOST_UNPACKED:
        return ""
    packed = base64.b64encode(zlib.compress(content, 9)).decode()
    return packed if len(packed) <= _MOST_PACKED else ""


def unpack_film(packed: str) -> Film:
    """Return the film of a tape.

    Raises:
        Invalid: it is none.
    """
    if not packed:
        return []
    try:
        if len(packed) > _MOST_PACKED:
            raise ValueError
        unpacker = zlib.decompressobj()
        text = unpacker.decompress(base64.b64decode(packed, validate=True), _MOST_UNPACKED)
        film = json.loads(text)
        if unpacker.unconsumed_tail or not all(_is_row(row) for row in film):
            raise ValueError
    except (binascii.Error, zlib.error, ValueError, TypeError, RecursionError):
        raise Invalid("The film of the tape cannot be read.", path="input.path", rule="tape") from None
    rows: Film = film
    return rows


def digest_at(film: Film, frame: int) -> dict[str, Any] | None:
    """Return the digest of a frame, as the engine tells it but for its hash; None where the film has nothing of it."""
    shot: dict[str, Any] = {}
    for number, changed in film:
        if number > frame:
            break
        shot |= changed
    if CUT in shot:
        return None
    shot = {key: value for key, value in shot.items() if value is not None}
    return _as_digest(shot, frame) if shot else None


def _as_digest(shot: dict[str, Any], frame: int) -> dict[str, Any]:
    digest: dict[str, Any] = {"frame": frame, "scene": str(shot.get("scene", "")), "hash": ""}
    digest |= {part: shot[part] for part in _PARTS if part in shot}
    digest["nodes"] = [[name, *value] for name, value in _of(shot, "node ")]
    digest["texts"] = [{"node": _NUMBER.sub("", name), **value} for name, value in _of(shot, "text ")]
    digest["state"] = dict(_of(shot, "state "))
    return digest


def _of(shot: dict[str, Any], kind: str) -> list[tuple[str, Any]]:
    return [(key.removeprefix(kind), value) for key, value in shot.items() if key.startswith(kind)]


def _is_row(row: Any) -> bool:
    return isinstance(row, list) and len(row) == 2 and isinstance(row[0], int | float) and isinstance(row[1], dict)
