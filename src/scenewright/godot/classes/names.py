"""All searchable names in order: finding one, or all that start alike, takes microseconds."""

from __future__ import annotations

import sys
import zlib
from array import array
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import msgspec

from scenewright.godot.classes.entries import MEMBER_KINDS, Entry, MemberPlace

__all__ = ["Names"]


@dataclass(frozen=True)
class Names:
    """The names in lower case: of every row, then the further ones; the row of each; how they sort; what rows are."""

    texts: list[str]
    rows: array[int]
    order: array[int]
    places: array[int]

    @classmethod
    def of(cls, entries: Sequence[Entry]) -> Names:
        own = [(entry.name.lower(), row) for row, entry in enumerate(entries)]
        named = own + [(name.lower(), row) for row, entry in enumerate(entries) for name in entry.other_names]
        texts = [text for text, _ in named]
        return cls(
            texts,
            array("I", (row for _, row in named)),
            array("I", sorted(range(len(named)), key=texts.__getitem__)),
            array("I", (entry.place.number for entry in entries)),
        )

    def pack(self) -> bytes:
        numbers = (_to_little_endian(numbers).tobytes() for numbers in (self.rows, self.order, self.places))
        return zlib.compress(msgspec.msgpack.encode(("\n".join(self.texts), *numbers)), 9)

    @classmethod
    def unpack(cls, packed: bytes) -> Names:
        lines, *numbers = msgspec.msgpack.decode(zlib.decompress(packed), type=tuple[str, bytes, bytes, bytes])
        rows, order, places = (_to_little_endian(array("I", part)) for part in numbers)
        return cls(lines.split("\n"), rows, order, places)

    def name(self, row: int) -> str:
        """Return the name of a row, in lower case."""
        return self.texts[row]

    def place(self, row: int) -> MemberPlace:
        return MemberPlace.of(self.places[row])

    def equal_to(self, name: str) -> Iterator[int]:
        """Return the rows of that very name, be it their own or a further one."""
        wanted = name.lower()
        for at in self._positions_starting(wanted):
            if self.texts[at] != wanted:
                return
            yield self.rows[at]

    def starting_with(self, name: str) -> Iterator[int]:
        """Return the rows whose own names start so."""
        return (at for at in self._positions_starting(name.lower()) if at < len(self.places))

    def rows_of(self, kinds: Collection[str]) -> list[range]:
        """Return where the entries of these kinds stand."""
        starts = self._kind_starts
        return [range(starts[at], starts[at + 1]) for at, kind in enumerate(MEMBER_KINDS) if kind in kinds]

    def _positions_starting(self, start: str) -> Iterator[int]:
        """The positions of the names that start so, in order."""
        for place in range(bisect_left(self.order, start, key=self.texts.__getitem__), len(self.order)):
            at = self.order[place]
            if not self.texts[at].startswith(start):
                return
            yield at

    @cached_property
    def _kind_starts(self) -> list[int]:
        """The first row of each kind: entries are sorted by kind."""
        return [
            bisect_left(self.places, kind, key=lambda number: MemberPlace.of(number).kind)
            for kind in range(len(MEMBER_KINDS) + 1)
        ]


def _to_little_endian(numbers: array[int]) -> array[int]:
    """The same numbers in little-endian order, whatever the machine's."""
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
