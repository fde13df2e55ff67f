"""What can be found by searching: every class and member, each with the place of its record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from scenewright.godot.classes.records import ClassInfo
from scenewright.godot.classes.terms import name_words

__all__ = ["ACCESSOR_STARTS", "MEMBER_KINDS", "Entry", "MemberPlace", "all_entries", "record_at"]

MEMBER_KINDS: Final = ("class", "method", "property", "signal", "constant", "enum", "annotation", "theme_item")
ACCESSOR_STARTS: Final = ("set_", "get_", "is_")
_MOST = 1 << 12


class MemberPlace(NamedTuple):
    """A class, a kind of member (an index into `MEMBER_KINDS`) and the member's position among its kind."""

    class_id: int
    kind: int
    position: int

    @classmethod
    def of(cls, number: int) -> MemberPlace:
        return cls(number >> 16, number >> 12 & 15, number % _MOST)

    @property
    def number(self) -> int:
        """All three in 32 bits."""
        return self.class_id << 16 | self.kind << 12 | self.position


class Entry(NamedTuple):
    place: MemberPlace
    name: str
    other_names: tuple[str, ...]
    class_name: str
    text: str

    @property
    def name_words(self) -> str:
        return name_words(self.name)

    @property
    def class_words(self) -> str:
        """Those of its class that its own name does not say already."""
        own = self.name_words.split()
        return " ".join(word for word in name_words(self.class_name).split() if word not in own)


def all_entries(classes: Sequence[ClassInfo]) -> list[Entry]:
    """Return the entries of all classes, kind by kind, so that the rows of a kind stand together."""
    entries = [entry for class_id, info in enumerate(classes) for entry in _entries_of(class_id, info)]
    return sorted(entries, key=lambda entry: (entry.place.kind, entry.place))


def record_at(info: ClassInfo, place: MemberPlace) -> Any:
    """Return the record of a class or of one of its members."""
    return _members(info)[place.kind][place.position]


def _entries_of(class_id: int, info: ClassInfo) -> Iterator[Entry]:
    text = f"{info.brief} {info.description} {info.status.keywords}"
    yield Entry(MemberPlace(class_id, 0, 0), info.name, (), "", text)
    for kind, records in enumerate(_members(info)[1:], start=1):
        if len(records) > _MOST:
            raise ValueError(f"{info.name} has too many members of the kind {MEMBER_KINDS[kind]}")
        for position, record in enumerate(records):
            if not _stands_for_another(record):
                place = MemberPlace(class_id, kind, position)
                yield Entry(place, record.name, _accessors(record), info.name, _text(record))


def _members(info: ClassInfo) -> tuple[Sequence[Any], ...]:
    constants = (*info.constants, *(value for enum in info.enums for value in enum.values))
    return (
        (info,),
        info.methods,
        info.properties,
        info.signals,
        constants,
        info.enums,
        info.annotations,
        info.theme_items,
    )


def _stands_for_another(record: Any) -> bool:
    """An accessor is found as its property, a theme override as its theme item."""
    return bool(getattr(record, "accessor_of", "")) or record.name.startswith("theme_override_")


def _accessors(record: Any) -> tuple[str, ...]:
    """The accessors of a property, but for those named after it: a search finds these without."""
    regular = {f"{start}{record.name}" for start in ACCESSOR_STARTS}
    names = (getattr(record, "setter", ""), getattr(record, "getter", ""))
    return tuple(name for name in names if name and not name.startswith("_") and name not in regular)


def _text(record: Any) -> str:
    described: str = getattr(record, "description", "")
    status = getattr(record, "status", None)
    return f"{described} {status.keywords}" if status and status.keywords else described
