"""Reads `.ase` and `.aseprite` files into a `Sprite`, after the format's public specification.

Nothing is unpacked here, so a file costs about its own size. What a file says of itself is believed only as far as its
bytes reach; `pixels` unpacks what somebody looks at, within limits.
"""

from __future__ import annotations

from collections.abc import Callable

from scenewright.core.calls.deadline import check_deadline
from scenewright.core.faults import Invalid
from scenewright.pixel.byte_reader import ByteReader, damaged
from scenewright.pixel.cel_chunks import read_cel
from scenewright.pixel.palette_chunks import Palettes
from scenewright.pixel.sprite import (
    BLEND_MODES,
    DIRECTIONS,
    Cel,
    ColorMode,
    Layer,
    LayerKind,
    Slice,
    SliceKey,
    Sprite,
    Tag,
    Tileset,
    UserData,
)
from scenewright.pixel.user_data import read_user_data

__all__ = ["MOST_BYTES", "read_sprite"]

MOST_BYTES = 256 * 1024 * 1024
_MOST_PARTS = 1_000_000  # chunks, frames of tags, keys of slices and what else costs more here than in the file
_FILE, _FRAME = 0xA5E0, 0xF1FA
_HEADER = 128
_KINDS = (LayerKind.IMAGE, LayerKind.GROUP, LayerKind.TILEMAP)
_PROFILES = ("none", "sRGB", "icc")
_MOST_LAYERS, _MOST_DEPTH = 4_000, 64  # each is compared with those around it

_Owner = Callable[[UserData], None]


def read_sprite(data: bytes) -> Sprite:
    """Read a sprite from a file's content.

    Raises:
        Invalid: it is no Aseprite file, or a damaged one.
    """
    if len(data) > MOST_BYTES:
        raise Invalid(f"The file has {len(data):,} bytes; up to {MOST_BYTES:,} are read.", rule="size")
    return _Reading(data).sprite()


class _Reading:
    """One pass through a file."""

    def __init__(self, data: bytes) -> None:
        self._reader = ByteReader(data, "the file")
        header = self._reader.part(_HEADER, "the header")
        header.skip(4)  # the file's size, which old writers got wrong
        if header.u16() != _FILE:
            raise damaged("it does not begin as one")
        self._frames = header.u16()
        width, height, depth = header.u16(), header.u16(), header.u16()
        if depth not in (8, 16, 32) or not width or not height or not self._frames:
            raise damaged(f"{self._frames} frames of {width} x {height} pixels of {depth} bits")
        self._flags = header.u32()
        self._speed = header.u16()
        header.skip(8)
        transparent = header.u8()
        header.skip(5)
        self._sprite = Sprite(
            width,
            height,
            ColorMode(depth),
            transparent_index=transparent,
            pixel_ratio=(header.u8() or 1, header.u8() or 1),
            grid=(header.i16(), header.i16(), header.u16(), header.u16()),
            groups_blend=bool(self._flags & 2),
        )
        self._frame = 0  # that is being read
        self._parts = 0
        self._palettes = Palettes()
        self._groups: list[int] = []  # those that the next layer may lie in
        self._owners: list[_Owner] = [self._own_data]  # whose the next user data are, the next last
        self._chunks: dict[int, Callable[[ByteReader], None]] = {
            0x0004: lambda chunk: self._count(self._palettes.old(chunk, self._frame) // 16),
            0x0011: lambda chunk: self._count(self._palettes.oldest(chunk, self._frame) // 16),
            0x2019: self._palette,
            0x2004: self._layer,
            0x2005: self._cel,
            0x2007: self._color_profile,
            0x2008: self._external_files,
            0x2018: self._tags,
            0x2020: self._user_data,
            0x2022: self._slice,
            0x2023: self._tileset,
        }

    def sprite(self) -> Sprite:
        for frame in range(self._frames):
            check_deadline()
            self._frame = frame
            self._read_frame(f"frame {frame}")
        self._sprite.palettes = self._palettes.by_frame()
        for layer in self._sprite.layers:
            if layer.kind is LayerKind.TILEMAP and (layer.tileset or 0) >= len(self._sprite.tilesets):
                raise damaged(f"layer '{layer.name}' uses tile set {layer.tileset}, which is not there")
        return self._sprite

    def _read_frame(self, name: str) -> None:
        header = self._reader.part(16, name)
        size = header.u32()
        if header.u16() != _FRAME or size < 16:
            raise damaged(f"{name} does not begin as one")
        few, duration = header.u16(), header.u16()
        header.skip(2)
        count = header.u32() or few
        frame = self._reader.part(size - 16, name)
        self._sprite.durations.append(duration or self._speed)
        self._sprite.cels.append({})
        for _ in range(count):
            self._count(1)
            chunk_size, kind = frame.u32(), frame.u16()
            if chunk_size < 6:
                raise damaged(f"a chunk in {name} has {chunk_size} bytes")
            chunk = frame.part(chunk_size - 6, f"a chunk of kind 0x{kind:04x} in {name}")
            read = self._chunks.get(kind)
            if read is not None:
                read(chunk)

    def _count(self, parts: int) -> None:
        """Count what takes memory and time; more than any sprite has is refused."""
        self._parts += parts
        if self._parts > _MOST_PARTS:
            raise damaged(f"it has more than {_MOST_PARTS:,} parts")
        if self._parts % 256 < parts:
            check_deadline()

    def _own_data(self, data: UserData) -> None:
        self._sprite.data = data

    def _palette(self, chunk: ByteReader) -> None:
        self._count(self._palettes.new(chunk, self._frame) // 16)
        if self._frame == 0:
            self._owners = [self._own_data]

    def _layer(self, chunk: ByteReader) -> None:
        flags, kind, level = chunk.u16(), chunk.u16(), chunk.u16()
        chunk.skip(4)
        blend, opacity = chunk.u16(), chunk.u8()
        chunk.skip(3)
        name = chunk.text()
        if kind >= len(_KINDS) or blend >= len(BLEND_MODES):
            raise damaged(f"layer '{name}' is of kind {kind} and blends by mode {blend}")
        if level > len(self._groups):
            raise damaged(f"layer '{name}' lies {level} deep, in no group")
        if level > _MOST_DEPTH or len(self._sprite.layers) >= _MOST_LAYERS:
            raise Invalid(
                f"The file has more layers than are read: up to {_MOST_LAYERS:,}, {_MOST_DEPTH} deep.", rule="size"
            )
        layer = Layer(
            name,
            _KINDS[kind],
            level,
            visible=bool(flags & 1),
            background=bool(flags & 8),
            reference=bool(flags & 64),
            flags=flags,
            blend=BLEND_MODES[blend],
            opacity=opacity if self._flags & 1 else 255,
            tileset=chunk.u32() if _KINDS[kind] is LayerKind.TILEMAP else None,
            parent=self._groups[level - 1] if level else None,
        )
        del self._groups[level:]
        self._count(sum(len(self._sprite.layers[at].name) for at in self._groups) // 256)  # its path has them all
        if layer.kind is LayerKind.GROUP:
            self._groups.append(len(self._sprite.layers))
        self._sprite.layers.append(layer)
        self._owners = [_keeper(layer)]

    def _cel(self, chunk: ByteReader) -> None:
        cel, layer = read_cel(chunk, self._sprite, self._frame)
        self._sprite.cels[self._frame][layer] = cel
        self._owners = [_keeper(cel)]

    def _color_profile(self, chunk: ByteReader) -> None:
        kind = chunk.u16()
        self._sprite.color_profile = _PROFILES[kind] if kind < len(_PROFILES) else "unknown"

    def _external_files(self, chunk: ByteReader) -> None:
        count = chunk.u32()
        chunk.skip(8)
        for _ in range(count):
            number = chunk.u32()
            chunk.skip(8)
            self._sprite.external_files[number] = chunk.text()

    def _tags(self, chunk: ByteReader) -> None:
        count = chunk.u16()
        chunk.skip(8)
        for _ in range(count):
            first, last, direction, repeat = chunk.u16(), chunk.u16(), chunk.u8(), chunk.u16()
            chunk.skip(6)
            red, green, blue, _ = chunk.color()
            name = chunk.text()
            if direction >= len(DIRECTIONS) or not first <= last < self._frames:
                raise damaged(f"tag '{name}' is for frames {first} to {last}, in direction {direction}")
            self._count(last - first + 1)
            self._sprite.tags.append(Tag(name, first, last, DIRECTIONS[direction], repeat, (red, green, blue, 255)))
        self._owners = [_keeper(tag) for tag in reversed(self._sprite.tags[-count:])] if count else []

    def _slice(self, chunk: ByteReader) -> None:
        count, flags = chunk.u32(), chunk.u32()
        chunk.skip(4)
        part = Slice(chunk.text(), [])
        for _ in range(count):
            self._count(1)
            part.keys.append(
                SliceKey(
                    chunk.u32(),
                    (chunk.i32(), chunk.i32(), chunk.u32(), chunk.u32()),
                    (chunk.i32(), chunk.i32(), chunk.u32(), chunk.u32()) if flags & 1 else None,
                    (chunk.i32(), chunk.i32()) if flags & 2 else None,
                )
            )
        self._sprite.slices.append(part)
        self._owners = [_keeper(part)]

    def _tileset(self, chunk: ByteReader) -> None:
        number, flags, count = chunk.u32(), chunk.u32(), chunk.u32()
        width, height, base = chunk.u16(), chunk.u16(), chunk.i16()
        chunk.skip(14)
        name = chunk.text()
        if not width or not height:
            raise damaged(f"the tiles of tile set '{name}' have {width} x {height} pixels")
        if flags & 1:
            chunk.skip(8)
        packed = chunk.raw(chunk.u32()) if flags & 2 else None
        tileset = Tileset(number, name, count, width, height, packed, base, first_is_empty=bool(flags & 4))
        self._sprite.tilesets.append(tileset)
        self._owners = [_tiles_keeper(tileset), _keeper(tileset)]

    def _user_data(self, chunk: ByteReader) -> None:
        if self._owners:
            owner = self._owners[-1]
            owner(read_user_data(chunk, self._count))
            if len(self._owners) > 1:
                self._owners.pop()


def _keeper(part: Layer | Cel | Tag | Slice | Tileset) -> _Owner:
    def keep(data: UserData) -> None:
        part.data = data

    return keep


def _tiles_keeper(tileset: Tileset) -> _Owner:
    """Data of a tile set's tiles come one after another."""
    tileset.tile_data = {}

    def keep(data: UserData) -> None:
        if len(tileset.tile_data) < tileset.count:
            tileset.tile_data[len(tileset.tile_data)] = data

    return keep
