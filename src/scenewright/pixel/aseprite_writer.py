"""Writes a `Sprite` as an `.aseprite` file: what we make ourselves, so without tile sets and extensions' properties."""

from __future__ import annotations

import struct
import zlib

from scenewright.core.faults import Unsupported
from scenewright.pixel.sprite import BLEND_MODES, DIRECTIONS, Cel, Color, Layer, LayerKind, Slice, Sprite, Tag, UserData

__all__ = ["pack_pixels", "write_sprite"]

_HEADER = 128
_KINDS = (LayerKind.IMAGE, LayerKind.GROUP)


def pack_pixels(pixels: bytes) -> bytes:
    """Return pixels as a cel keeps them."""
    return zlib.compress(pixels, 9)


def write_sprite(sprite: Sprite) -> bytes:
    """Return the content of a file with this sprite; the same sprite gives the same bytes.

    Raises:
        Unsupported: it has tile maps, which only Aseprite writes.
    """
    if sprite.tilesets:
        raise Unsupported("A sprite with tile sets cannot be written here.", hint="Save it in Aseprite.")
    frames = b"".join(_frame(sprite, number) for number in range(len(sprite.durations)))
    return _header(sprite, _HEADER + len(frames)) + frames


def _header(sprite: Sprite, size: int) -> bytes:
    flags = 1 | (2 if sprite.groups_blend else 0)
    head = struct.pack(
        "<IHHHHHIH8xB3xHBBhhHH",
        size,
        0xA5E0,
        len(sprite.durations),
        sprite.width,
        sprite.height,
        int(sprite.mode),
        flags,
        sprite.durations[0],
        sprite.transparent_index,
        len(sprite.palette()),
        *sprite.pixel_ratio,
        *sprite.grid,
    )
    return head.ljust(_HEADER, b"\0")


def _frame(sprite: Sprite, number: int) -> bytes:
    chunks = []
    if number == 0:
        chunks.append(_chunk(0x2007, struct.pack("<HHI8x", 1, 0, 0)))  # sRGB
    if number in sprite.palettes:
        chunks.append(_chunk(0x2019, _palette(sprite.palettes[number])))
    if number == 0:
        chunks += [*_user_data(sprite.data), *_layers(sprite), *_tags(sprite.tags)]
        chunks += [chunk for part in sprite.slices for chunk in _slice(part)]
    for layer, cel in sorted(sprite.cels[number].items()):
        chunks += [_chunk(0x2005, _cel(layer, cel)), *_user_data(cel.data)]
    inside = b"".join(chunks)
    count = len(chunks)
    head = struct.pack("<IHHH2xI", 16 + len(inside), 0xF1FA, min(count, 0xFFFF), sprite.durations[number], count)
    return head + inside


def _chunk(kind: int, data: bytes) -> bytes:
    return struct.pack("<IH", 6 + len(data), kind) + data


def _text(text: str) -> bytes:
    data = text.encode()
    return struct.pack("<H", len(data)) + data


def _palette(colors: list[Color]) -> bytes:
    entries = b"".join(struct.pack("<H4B", 0, *color) for color in colors)
    return struct.pack("<III8x", len(colors), 0, max(len(colors) - 1, 0)) + entries


def _layers(sprite: Sprite) -> list[bytes]:
    return [chunk for layer in sprite.layers for chunk in (_chunk(0x2004, _layer(layer)), *_user_data(layer.data))]


def _layer(layer: Layer) -> bytes:
    bits = {1: layer.visible, 8: layer.background, 64: layer.reference}
    flags = layer.flags & ~sum(bits) | sum(bit for bit, is_set in bits.items() if is_set)
    kind, blend = _KINDS.index(layer.kind), BLEND_MODES.index(layer.blend)
    return struct.pack("<HHHHHHB3x", flags, kind, layer.level, 0, 0, blend, layer.opacity) + _text(layer.name)


def _cel(layer: int, cel: Cel) -> bytes:
    kind = 1 if cel.linked_to is not None else 2 if cel.compressed else 0
    head = struct.pack("<HhhBHh5x", layer, cel.x, cel.y, cel.opacity, kind, cel.z_index)
    if cel.linked_to is not None:
        return head + struct.pack("<H", cel.linked_to)
    return head + struct.pack("<HH", cel.width, cel.height) + cel.packed


def _tags(tags: list[Tag]) -> list[bytes]:
    if not tags:
        return []
    rows = b"".join(
        struct.pack("<HHBH6x3Bx", tag.first, tag.last, DIRECTIONS.index(tag.direction), tag.repeat, *tag.color[:3])
        + _text(tag.name)
        for tag in tags
    )
    chunks = [_chunk(0x2018, struct.pack("<H8x", len(tags)) + rows)]
    if any(tag.data != UserData() for tag in tags):  # one for each tag, or none
        chunks += [_chunk(0x2020, _user_data_body(tag.data)) for tag in tags]
    return chunks


def _slice(part: Slice) -> list[bytes]:
    flags = (1 if any(key.center for key in part.keys) else 0) | (2 if any(key.pivot for key in part.keys) else 0)
    keys = b""
    for key in part.keys:
        keys += struct.pack("<IiiII", key.frame, *key.bounds)
        keys += struct.pack("<iiII", *(key.center or (0, 0, 0, 0))) if flags & 1 else b""
        keys += struct.pack("<ii", *(key.pivot or (0, 0))) if flags & 2 else b""
    head = struct.pack("<III", len(part.keys), flags, 0) + _text(part.name)
    return [_chunk(0x2022, head + keys), *_user_data(part.data)]


def _user_data(data: UserData) -> list[bytes]:
    return [_chunk(0x2020, _user_data_body(data))] if data != UserData() else []


def _user_data_body(data: UserData) -> bytes:
    flags = (1 if data.text else 0) | (2 if data.color is not None else 0)
    body = struct.pack("<I", flags)
    body += _text(data.text) if data.text else b""
    return body + (struct.pack("<4B", *data.color) if data.color is not None else b"")
