"""The class index: what the engine's classes have. An unknown name is refused with the closest known ones."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import msgspec

from scenewright.core.faults import NotFound, did_you_mean
from scenewright.godot.classes.choices import Choices, choices_of
from scenewright.godot.classes.element_names import pattern_of
from scenewright.godot.classes.families import family_property
from scenewright.godot.classes.records import ClassInfo, Constant, Enum, Method, Property, Signal
from scenewright.godot.classes.store import ClassStore
from scenewright.godot.classes.tree import ClassTree

if TYPE_CHECKING:
    from scenewright.godot.classes.names import Names

__all__ = ["GLOBAL", "ClassIndex"]

GLOBAL: Final = "@GlobalScope"
_KEPT_TABLES = 512
_Member = TypeVar("_Member", Method, Signal, Property, Constant, Enum)
_NAMES = {Method: "method", Signal: "signal", Property: "property", Constant: "constant", Enum: "enumeration"}


class ClassIndex(ClassTree):
    """Everything one version of the engine says of its classes, read from an index file as it is asked for.

    Members are looked up in a class and its ancestors, the nearest first.
    """

    def __init__(self, path: Path) -> None:
        """Opens an index file.

        Raises:
            Outdated, sqlite3.DatabaseError: it is not one, or one of another version.
        """
        self.store = ClassStore(path)
        super().__init__(self.store.tree(), self.store.version)
        self._table = lru_cache(_KEPT_TABLES)(self._make_table)

    def close(self) -> None:
        self.store.close()

    @cached_property
    def names(self) -> Names:
        """What a search goes through first."""
        from scenewright.godot.classes.names import Names  # only a search needs it

        return Names.unpack(self.store.packed_names())

    def class_info(self, name: str) -> ClassInfo:
        """Return a class with its own members.

        Raises:
            NotFound: there is no such class.
        """
        return self.store.class_info(self.row(name).id)

    def property(self, class_name: str, name: str) -> Property:
        """Return a property with the default it has in this class; also one whose name is made at run time.

        Raises:
            NotFound: there is no such class or property.
        """
        property_ = self._find(class_name, name, Property) or self._runtime_property(class_name, name)
        if property_ is None:
            raise self._missing_member(class_name, name, Property)
        return self._with_default(class_name, property_)

    def properties(self, class_name: str, *, inherited: bool = True) -> list[Property]:
        """Return the properties, the class's own first; elements of arrays stand as `item_#/text`."""
        members = self._members(class_name, Property, inherited=inherited)
        return [self._with_default(class_name, property_) for property_ in members]

    def has_property(self, class_name: str, name: str) -> bool:
        if class_name not in self:
            return False
        return bool(self._find(class_name, name, Property) or self._runtime_property(class_name, name))

    def method(self, class_name: str, name: str) -> Method:
        """Return a method by name. Raises: NotFound."""
        return self._member(class_name, name, Method)

    def methods(self, class_name: str, *, inherited: bool = True, accessors: bool = False) -> list[Method]:
        """Return the methods; on request also those that only get or set a property."""
        members = self._members(class_name, Method, inherited=inherited)
        return [method for method in members if accessors or not method.accessor_of]

    def has_method(self, class_name: str, name: str) -> bool:
        return class_name in self and self._find(class_name, name, Method) is not None

    def signal(self, class_name: str, name: str) -> Signal:
        """Return a signal by name. Raises: NotFound."""
        return self._member(class_name, name, Signal)

    def signals(self, class_name: str, *, inherited: bool = True) -> list[Signal]:
        return self._members(class_name, Signal, inherited=inherited)

    def has_signal(self, class_name: str, name: str) -> bool:
        return class_name in self and self._find(class_name, name, Signal) is not None

    def constant(self, class_name: str, name: str) -> Constant:
        """Return a constant, also one of an enumeration. Raises: NotFound."""
        return self._member(class_name, name, Constant)

    def constants(self, class_name: str, *, inherited: bool = True) -> list[Constant]:
        """Return the constants that belong to no enumeration."""
        return [constant for constant in self._members(class_name, Constant, inherited=inherited) if not constant.enum]

    def enums(self, class_name: str, *, inherited: bool = True) -> list[Enum]:
        return self._members(class_name, Enum, inherited=inherited)

    def enum(self, name: str, *, within: str = GLOBAL) -> Enum:
        """Return an enumeration by its full name (`Control.FocusMode`, `Side`) or by its short one within a class.

        Raises:
            NotFound: there is no such enumeration.
        """
        owner, _, short = name.rpartition(".")
        for class_name, wanted in ((within, name), (GLOBAL, name), (owner, short)):
            declared = self._find(class_name, wanted, Enum) if class_name in self else None
            if declared is not None:
                return declared
        known = [enum.qualified for place in (within, GLOBAL) if place in self for enum in self.enums(place)]
        raise NotFound(f"There is no enumeration '{name}'.", hint=did_you_mean(name, known))

    def choices(self, property_: Property) -> Choices | None:
        """Return the names a property's values go by, or None where they have none."""
        try:
            enum = self.enum(property_.enum) if property_.enum else None
        except NotFound:  # a few internal ones are not documented; the hint names their values
            enum = None
        return choices_of(property_, enum)

    def _runtime_property(self, class_name: str, name: str) -> Property | None:
        """An element of an array the engine told of, or one of a family known to be open."""
        pattern = pattern_of(name)
        element = self._find(class_name, pattern, Property) if pattern != name else None
        return msgspec.structs.replace(element, name=name) if element else family_property(self.chain(class_name), name)

    def _with_default(self, class_name: str, property_: Property) -> Property:
        for name in self.chain(class_name):
            if name == property_.owner:
                break
            changed = self.class_info(name).defaults.get(property_.name)
            if changed is not None:
                return msgspec.structs.replace(property_, default=changed)
        return property_

    def _find(self, class_name: str, name: str, kind: type[_Member]) -> _Member | None:
        for owner in self.chain(class_name):
            member = self._table(owner, kind).get(name)
            if member is not None:
                assert isinstance(member, kind)
                return member
        return None

    def _member(self, class_name: str, name: str, kind: type[_Member]) -> _Member:
        member = self._find(class_name, name, kind)
        if member is None:
            raise self._missing_member(class_name, name, kind)
        return member

    def _missing_member(self, class_name: str, name: str, kind: type[_Member]) -> NotFound:
        known = [member.name for member in self._members(class_name, kind, inherited=True)]
        return NotFound(
            f"{class_name} has no {_NAMES[kind]} '{name[:100]}'.",
            hint=did_you_mean(name, known, f"get_class_docs shows what {class_name} has."),
        )

    def _members(self, class_name: str, kind: type[_Member], *, inherited: bool) -> list[_Member]:
        members: dict[str, _Member] = {}
        for owner in self.chain(class_name) if inherited else (self.row(class_name).name,):
            for name, member in self._table(owner, kind).items():
                members.setdefault(name, member)
        return list(members.values())

    def _make_table(self, class_name: str, kind: type[Any]) -> Mapping[str, Any]:
        info = self.class_info(class_name)
        tables: dict[type[Any], tuple[Any, ...]] = {
            Method: info.methods,
            Signal: info.signals,
            Property: info.properties,
            Constant: (*info.constants, *(value for enum in info.enums for value in enum.values)),
            Enum: info.enums,
        }
        return {member.name: member for member in tables[kind]}
