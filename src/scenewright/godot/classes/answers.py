"""The shapes of the answers about documentation, as in the Godoty protocol.

What the protocol does not name is added, never renamed. Fields without a default are the protocol's and always there;
the others only where they say something.
"""

from __future__ import annotations

from typing import Literal

import msgspec

__all__ = [
    "ArgumentDoc",
    "ClassDocs",
    "ConstantDoc",
    "EnumDoc",
    "MethodDoc",
    "MethodDocs",
    "PropertyDoc",
    "SearchResult",
    "SearchResults",
    "SignalDoc",
    "ThemeItemDoc",
]


class _Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    pass


class ArgumentDoc(_Answer, frozen=True, kw_only=True):
    name: str
    type: str
    default: str | None
    description: str
    enum: str = ""


class _Member(_Answer, frozen=True, kw_only=True):
    name: str
    description: str
    inherited_from: str = ""
    deprecated: str | None = None
    experimental: str | None = None


class MethodDoc(_Member, frozen=True, kw_only=True):
    return_type: str
    arguments: tuple[ArgumentDoc, ...]
    signature: str = ""
    qualifiers: tuple[str, ...] = ()


class PropertyDoc(_Member, frozen=True, kw_only=True):
    type: str
    default: str | None
    setter: str = ""
    getter: str = ""
    enum: str = ""
    read_only: bool = False


class SignalDoc(_Member, frozen=True, kw_only=True):
    arguments: tuple[ArgumentDoc, ...]


class ConstantDoc(_Member, frozen=True, kw_only=True):
    value: str


class EnumDoc(_Answer, frozen=True, kw_only=True):
    name: str
    values: tuple[ConstantDoc, ...]
    is_bitfield: bool = False
    inherited_from: str = ""


class ThemeItemDoc(_Member, frozen=True, kw_only=True):
    type: str
    kind: str
    default: str | None


class ClassDocs(_Answer, frozen=True, kw_only=True):
    success: Literal[True]
    class_name: str
    inherits: str
    brief_description: str
    description: str
    methods: tuple[MethodDoc, ...]
    properties: tuple[PropertyDoc, ...]
    signals: tuple[SignalDoc, ...]
    enums: tuple[EnumDoc, ...]
    constants: tuple[ConstantDoc, ...]
    ancestors: tuple[str, ...] = ()
    subclasses: tuple[str, ...] = ()
    constructors: tuple[MethodDoc, ...] = ()
    operators: tuple[MethodDoc, ...] = ()
    annotations: tuple[MethodDoc, ...] = ()
    theme_items: tuple[ThemeItemDoc, ...] = ()
    tutorials: tuple[str, ...] = ()
    deprecated: str | None = None
    experimental: str | None = None
    version: str = ""


class MethodDocs(_Answer, frozen=True, kw_only=True):
    success: Literal[True]
    class_name: str
    method: MethodDoc
    overloads: tuple[MethodDoc, ...] = ()  # further constructors
    version: str = ""


class SearchResult(_Answer, frozen=True, kw_only=True):
    type: str
    class_name: str
    name: str
    description: str
    relevance: float
    signature: str = ""
    deprecated: str | None = None


class SearchResults(_Answer, frozen=True, kw_only=True):
    success: Literal[True]
    query: str
    results: tuple[SearchResult, ...]
    total_count: int
    version: str = ""
