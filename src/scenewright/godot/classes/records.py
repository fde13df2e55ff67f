"""What the index says about a class and its members, as frozen records.

They are stored as arrays (a record's fields in order), so a new field goes last and with a default, and any other
change needs a new `SCHEMA` number in `store`.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from scenewright.godot.classes.variant import Hint, PropertyUsage

__all__ = [
    "Argument",
    "ClassInfo",
    "Constant",
    "Enum",
    "Kind",
    "Method",
    "Property",
    "Signal",
    "Status",
    "ThemeItem",
    "TutorialLink",
]

Kind = Literal["class", "builtin", "scope"]


class Status(msgspec.Struct, frozen=True, array_like=True):
    """Whether a class or member should still be used; the texts may be empty though the mark is there."""

    deprecated: str | None = None
    experimental: str | None = None
    keywords: str = ""


CURRENT = Status()


class Argument(msgspec.Struct, frozen=True, array_like=True):
    name: str
    type: str
    enum: str = ""
    default: str | None = None  # as the engine writes it, such as `Vector2(0, 0)`


class Method(msgspec.Struct, frozen=True, array_like=True):
    """A method, a constructor, an operator or an annotation."""

    owner: str
    name: str
    returns: str = "void"
    returns_enum: str = ""
    arguments: tuple[Argument, ...] = ()
    qualifiers: tuple[str, ...] = ()  # virtual, required, const, vararg, static
    description: str = ""
    accessor_of: str = ""  # the property this gets or sets
    status: Status = CURRENT

    @property
    def is_virtual(self) -> bool:
        return "virtual" in self.qualifiers

    @property
    def is_static(self) -> bool:
        return "static" in self.qualifiers

    @property
    def is_vararg(self) -> bool:
        return "vararg" in self.qualifiers

    @property
    def signature(self) -> str:
        """`add_child(node: Node, force_readable_name: bool = false) -> void`."""
        parts = [_typed(argument) for argument in self.arguments]
        if self.is_vararg:
            parts.append("...")
        return f"{self.name}({', '.join(parts)}) -> {self.returns_enum or self.returns}"


class Signal(msgspec.Struct, frozen=True, array_like=True):
    owner: str
    name: str
    arguments: tuple[Argument, ...] = ()
    description: str = ""
    status: Status = CURRENT

    @property
    def signature(self) -> str:
        return f"{self.name}({', '.join(map(_typed, self.arguments))})"


class Property(msgspec.Struct, frozen=True, array_like=True):
    """A property as declared; `default` is that of the class it was asked of."""

    owner: str
    name: str
    type: str  # `Vector2`, `Texture2D`, `Array[Node]`, `Variant`
    variant: str  # the Variant type behind it: `Vector2`, `Object`, `Array`, `Nil` for any
    default: str | None = None  # as the engine writes it into a file; None where there is none or it is not known
    enum: str = ""  # `Control.FocusMode`, `HorizontalAlignment`
    hint: int = 0
    hint_string: str = ""
    usage: int = PropertyUsage.DEFAULT.value
    setter: str = ""
    getter: str = ""
    description: str = ""
    dynamic: bool = False  # made by the object itself, not registered with the class
    status: Status = CURRENT

    @property
    def read_only(self) -> bool:
        """Whether nothing can be assigned to it."""
        if self.usage & PropertyUsage.SCRIPT_VARIABLE:
            return bool(self.usage & PropertyUsage.READ_ONLY)  # GDScript assigns without a setter
        only_stored = self.stored and not self.usage & PropertyUsage.EDITOR  # objects take these themselves
        return bool(self.usage & PropertyUsage.READ_ONLY) or bool(self.getter and not self.setter and not only_stored)

    @property
    def stored(self) -> bool:
        """Whether the engine writes it into scene and resource files."""
        return bool(self.usage & PropertyUsage.STORAGE)

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes an object given to it must be of, any of them; empty where it takes no object."""
        if self.variant != "Object":
            return ()
        named = self.hint_string if self.hint in (Hint.RESOURCE_TYPE, Hint.NODE_TYPE) else ""
        return tuple(name for name in (named or self.type).split(",") if not name.startswith("-"))

    @property
    def is_flags(self) -> bool:
        """Whether the value is a set of bits."""
        return (
            self.hint == Hint.FLAGS
            or Hint.LAYERS_2D_RENDER <= self.hint <= Hint.LAYERS_3D_NAVIGATION
            or (self.hint == Hint.LAYERS_AVOIDANCE)
        )


class Constant(msgspec.Struct, frozen=True, array_like=True):
    owner: str
    name: str
    value: str  # a literal: `12`, `Vector2(0, 0)`
    type: str = "int"
    enum: str = ""
    description: str = ""
    status: Status = CURRENT


class Enum(msgspec.Struct, frozen=True, array_like=True):
    """The named values of an enumeration, in the engine's order."""

    owner: str
    name: str
    values: tuple[Constant, ...]
    is_flags: bool = False

    @property
    def qualified(self) -> str:
        """`Control.FocusMode`; a global one has only its name."""
        return self.name if self.owner.startswith("@") else f"{self.owner}.{self.name}"

    @property
    def numbers(self) -> dict[str, int]:
        return {constant.name: int(constant.value) for constant in self.values}


class ThemeItem(msgspec.Struct, frozen=True, array_like=True):
    owner: str
    name: str
    kind: str  # color, constant, font, font_size, icon, style
    type: str
    default: str | None = None
    description: str = ""
    status: Status = CURRENT


class TutorialLink(msgspec.Struct, frozen=True, array_like=True):
    title: str
    address: str


class ClassInfo(msgspec.Struct, frozen=True, array_like=True):
    """One class, built-in type or global scope with its own members."""

    name: str
    inherits: str = ""
    kind: Kind = "class"
    instantiable: bool = False
    editor_only: bool = False
    singleton: bool = False
    brief: str = ""
    description: str = ""
    properties: tuple[Property, ...] = ()
    methods: tuple[Method, ...] = ()
    signals: tuple[Signal, ...] = ()
    constants: tuple[Constant, ...] = ()  # those of no enumeration
    enums: tuple[Enum, ...] = ()
    constructors: tuple[Method, ...] = ()
    operators: tuple[Method, ...] = ()
    annotations: tuple[Method, ...] = ()
    theme_items: tuple[ThemeItem, ...] = ()
    links: tuple[TutorialLink, ...] = ()
    defaults: dict[str, str] = {}  # of inherited properties that start with another value here
    status: Status = CURRENT


def _typed(argument: Argument) -> str:
    text = f"{argument.name}: {argument.enum or argument.type}"
    return text if argument.default is None else f"{text} = {argument.default}"
