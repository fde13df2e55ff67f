"""Pages of long results: one place that cuts a sequence at offset and limit, and says where the next page starts."""

from __future__ import annotations

from collections.abc import Sized
from typing import Annotated, Generic, Protocol, Self, TypeVar

import msgspec

from scenewright.core.operations.model import about

__all__ = ["NextOffset", "Page"]

NextOffset = Annotated[int, about("Where the next page starts; absent on the last.")] | None


class Sliceable(Sized, Protocol):
    """A list, a text, or a range: a slice of it is of the same type."""

    def __getitem__(self, part: slice, /) -> Self: ...


T = TypeVar("T", bound=Sliceable)


class Page(msgspec.Struct, Generic[T], frozen=True):
    """A part of a sequence, and whether more follows; `T` is the sequence's type, such as `list[str]` or `str`."""

    items: T
    offset: int
    has_more: bool

    @classmethod
    def cut(cls, items: T, offset: int, limit: int) -> Page[T]:
        """Return the page that starts at offset and has at most limit items."""
        end = offset + limit
        return cls(items[offset:end], offset, has_more=end < len(items))

    @property
    def next_offset(self) -> int | None:
        """Return where the next page starts, or None on the last."""
        return self.offset + len(self.items) if self.has_more else None
