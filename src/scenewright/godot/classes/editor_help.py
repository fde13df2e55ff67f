"""Reads the editor's own help, one dictionary per class, into records."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping
from typing import Any

from scenewright.godot.classes.declared_types import from_docs
from scenewright.godot.classes.records import (
    Argument,
    Constant,
    Enum,
    Method,
    Signal,
    Status,
    ThemeItem,
    TutorialLink,
)

__all__ = ["clean", "constants_of", "links_of", "method_of", "signal_of", "status_of", "theme_item_of"]

Raw = Mapping[str, Any]


def clean(text: str) -> str:
    """Return a description without the indentation of the XML it was written in."""
    first, _, rest = text.strip("\n").rstrip().partition("\n")
    return f"{first.strip()}\n{textwrap.dedent(rest)}".strip() if rest else first.strip()


def status_of(raw: Raw) -> Status:
    """Read whether an entry is deprecated or experimental, and its keywords."""
    return Status(raw.get("deprecated"), raw.get("experimental"), raw.get("keywords", ""))


def argument_of(raw: Raw) -> Argument:
    return Argument(raw["name"], from_docs(raw["type"]), raw.get("enumeration", ""), raw.get("default_value"))


def method_of(owner: str, raw: Raw) -> Method:
    """Read a method of a class."""
    return Method(
        owner=owner,
        name=raw["name"],
        returns=from_docs(raw.get("return_type", "void")),
        returns_enum=raw.get("return_enum", ""),
        arguments=tuple(map(argument_of, raw.get("arguments", ()))),
        qualifiers=tuple(raw.get("qualifiers", "").split()),
        description=clean(raw.get("description", "")),
        status=status_of(raw),
    )


def signal_of(owner: str, raw: Raw) -> Signal:
    """Read a signal of a class."""
    arguments = tuple(map(argument_of, raw.get("arguments", ())))
    return Signal(owner, raw["name"], arguments, clean(raw.get("description", "")), status_of(raw))


def constants_of(owner: str, raws: Iterable[Raw]) -> tuple[tuple[Constant, ...], tuple[Enum, ...]]:
    """Return the constants of no enumeration, and the enumerations."""
    single: list[Constant] = []
    grouped: dict[str, list[Constant]] = {}
    flags: set[str] = set()
    for raw in raws:
        enum = raw.get("enumeration", "")
        constant = Constant(
            owner=owner,
            name=raw["name"],
            value=raw["value"],
            type=raw.get("type", "int"),
            enum=enum,
            description=clean(raw.get("description", "")),
            status=status_of(raw),
        )
        (grouped.setdefault(enum, []) if enum else single).append(constant)
        if raw.get("is_bitfield"):
            flags.add(enum)
    return tuple(single), tuple(
        Enum(owner, name, tuple(values), is_flags=name in flags) for name, values in grouped.items()
    )


def theme_item_of(owner: str, raw: Raw) -> ThemeItem:
    """Read a theme item of a class."""
    return ThemeItem(
        owner=owner,
        name=raw["name"],
        kind=raw["data_type"],
        type=raw["type"],
        default=raw.get("default_value"),
        description=clean(raw.get("description", "")),
        status=status_of(raw),
    )


def links_of(raw: Raw) -> tuple[TutorialLink, ...]:
    """Read the links to tutorials of a class."""
    return tuple(TutorialLink(link.get("title", ""), link["link"]) for link in raw.get("tutorials", ()))
