"""Cel chunks: where a layer's picture lies in a frame, and its pixels or tiles, still packed."""

from __future__ import annotations

import msgspec

from scenewright.pixel.byte_reader import ByteReader, damaged
from scenewright.pixel.sprite import Cel, LayerKind, Sprite, TileCodes

__all__ = ["read_cel"]

_RAW, _LINKED, _COMPRESSED, _TILES = range(4)


def read_cel(chunk: ByteReader, sprite: Sprite, frame: int) -> tuple[Cel, int]:
    """Return a cel and the layer that it is of."""
    layer, x, y, opacity = chunk.u16(), chunk.i16(), chunk.i16(), chunk.u8()
    kind, z_index = chunk.u16(), chunk.i16()
    chunk.skip(5)
    if layer >= len(sprite.layers) or sprite.layers[layer].kind is LayerKind.GROUP:
        raise damaged(f"frame {frame} has a cel of layer {layer}, which is not there")
    if (kind == _TILES) != (sprite.layers[layer].kind is LayerKind.TILEMAP) and kind != _LINKED:
        raise damaged(f"frame {frame} of layer '{sprite.layers[layer].name}' has a cel of another kind of layer")
    if kind == _LINKED:
        source = _linked(sprite, layer, frame, chunk.u16())
        return msgspec.structs.replace(source, x=x, y=y, opacity=opacity, z_index=z_index), layer
    if kind not in (_RAW, _COMPRESSED, _TILES):
        raise damaged(f"frame {frame} has a cel of the unknown kind {kind}")
    width, height = chunk.u16(), chunk.u16()
    codes = _tile_codes(chunk, frame) if kind == _TILES else None
    packed = chunk.raw(width * height * sprite.mode.bytes) if kind == _RAW else chunk.rest()
    return Cel(x, y, width, height, packed, kind != _RAW, opacity, z_index, codes), layer


def _linked(sprite: Sprite, layer: int, frame: int, target: int) -> Cel:
    """The cel that another shows too; it comes earlier, so that links cannot go round in circles."""
    source = sprite.cels[target].get(layer) if target < frame else None
    if source is None:
        raise damaged(
            f"frame {frame} of layer '{sprite.layers[layer].name}' is linked to frame {target}, which has none"
        )
    return msgspec.structs.replace(source, linked_to=target if source.linked_to is None else source.linked_to)


def _tile_codes(chunk: ByteReader, frame: int) -> TileCodes:
    bits = chunk.u16()
    if bits != 32:
        raise damaged(f"frame {frame} has tiles of {bits} bits")
    codes = TileCodes(chunk.u32(), chunk.u32(), chunk.u32(), chunk.u32())
    chunk.skip(10)
    return codes
