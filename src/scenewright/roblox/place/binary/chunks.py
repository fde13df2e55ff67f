"""The frame of a binary place: a header, then chunks that may be compressed.

Sizes are checked before anything is unpacked, so that a small file cannot claim a large memory.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Literal

from scenewright.roblox.place.errors import BrokenPlace

__all__ = ["END", "MAGIC", "Compression", "PlaceChunk", "pack", "split"]

Compression = Literal["lz4", "zstd", "none"]
MAGIC = b"<roblox!\x89\xff\r\n\x1a\n"
END = b"</roblox>"
_ZSTD = b"\x28\xb5\x2f\xfd"
_HEADER = 32
_FRAME = struct.Struct("<4sIII")
_LEAST_ROOM = 256 << 20  # what any file may unpack to
_MOST_ROOM = 1 << 30  # what no file may exceed
_LZ4_RATIO = 255


@dataclass(frozen=True, slots=True)
class PlaceChunk:
    """One chunk: as it stands in the file, and unpacked."""

    name: bytes
    data: bytes
    raw: bytes  # frame included; empty where it must be packed anew
    compression: Compression


def split(content: bytes) -> list[PlaceChunk]:
    """Return the chunks of a file up to its end.

    Raises:
        BrokenPlace: it is no binary place, is cut off, or unpacks to more than it may.
    """
    if content[: len(MAGIC)] != MAGIC or len(content) < _HEADER:
        raise BrokenPlace("This is not a binary Roblox file: it begins with other bytes.")
    if content[14:16] != b"\0\0":
        raise BrokenPlace("This binary Roblox file has a version that is not known here.")
    room = min(_MOST_ROOM, _LEAST_ROOM + 16 * len(content))
    chunks: list[PlaceChunk] = []
    place = _HEADER
    while True:
        if place + _FRAME.size > len(content):
            raise BrokenPlace("The file is cut off: its END chunk is missing.")
        name, packed, size, _ = _FRAME.unpack_from(content, place)
        start, end = place + _FRAME.size, place + _FRAME.size + (packed or size)
        if end > len(content):
            raise BrokenPlace(f"The file is cut off inside a {_show_name(name)} chunk at byte {place}.")
        room -= size
        if room < 0:
            raise BrokenPlace(f"The file would unpack to more than {_LEAST_ROOM >> 20} MB and was left alone.")
        chunks.append(_unpack_chunk(name, content[start:end], content[place:end], size if packed else None))
        place = end
        if name.rstrip(b"\0") == b"END":
            return chunks


def _unpack_chunk(name: bytes, body: bytes, raw: bytes, size: int | None) -> PlaceChunk:
    label = name.rstrip(b"\0")
    if size is None:
        return PlaceChunk(label, body, raw, "none")
    if body[:4] == _ZSTD:
        return PlaceChunk(label, _unpack_zstd(label, body, size), raw, "zstd")
    return PlaceChunk(label, _unpack_lz4(label, body, size), raw, "lz4")


def _unpack_zstd(name: bytes, body: bytes, size: int) -> bytes:
    import zstandard

    try:
        # The frame may claim another size than the chunk, and would be given that much memory.
        if zstandard.frame_content_size(body) not in (-1, size):
            raise BrokenPlace(f"A {_show_name(name)} chunk gives two different sizes.")
        data = zstandard.ZstdDecompressor().decompress(body, max_output_size=size)
    except zstandard.ZstdError:
        raise BrokenPlace(f"A {_show_name(name)} chunk cannot be unpacked (ZSTD).") from None
    return _check_size(name, data, size)


def _unpack_lz4(name: bytes, body: bytes, size: int) -> bytes:
    import lz4.block

    if size > _LZ4_RATIO * len(body) + 64:
        raise BrokenPlace(f"A {_show_name(name)} chunk claims a size that its {len(body)} bytes cannot unpack to.")
    try:
        data = lz4.block.decompress(body, uncompressed_size=size)
    except lz4.block.LZ4BlockError:
        raise BrokenPlace(f"A {_show_name(name)} chunk cannot be unpacked (LZ4).") from None
    return _check_size(name, data, size)


def _check_size(name: bytes, data: bytes, size: int) -> bytes:
    if len(data) != size:
        raise BrokenPlace(f"A {_show_name(name)} chunk unpacks to {len(data)} bytes, not to the {size} it claims.")
    return data


def pack(name: bytes, data: bytes, compression: Compression) -> bytes:
    """Return a chunk as it stands in a file."""
    label = name.ljust(4, b"\0")
    if compression == "none" or not data:
        return _FRAME.pack(label, 0, len(data), 0) + data
    if compression == "zstd":
        import zstandard

        body = zstandard.ZstdCompressor().compress(data)
    else:
        import lz4.block

        body = lz4.block.compress(data, store_size=False)
    return _FRAME.pack(label, len(body), len(data), 0) + body


def _show_name(name: bytes) -> str:
    return name.rstrip(b"\0").decode("ascii", "replace")
