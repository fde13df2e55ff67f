"""Reads the running engine's class database: properties with hints, accessors, defaults, undocumented methods."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from scenewright.godot.classes.declared_types import enum_of, type_of, variant_of
from scenewright.godot.classes.defaults import defaults_of
from scenewright.godot.classes.element_names import pattern_of
from scenewright.godot.classes.records import Argument, Method, Property
from scenewright.godot.classes.variant import PropertyUsage

__all__ = ["Database", "undocumented_method"]

Raw = Mapping[str, Any]
_QUALIFIERS = ((8, "virtual"), (128, "required"), (4, "const"), (16, "vararg"), (32, "static"))
_SCRIPT = {"name": "script", "type": 24, "class_name": "Script", "hint": 17, "hint_string": "Script", "usage": 6}


@dataclass(frozen=True, slots=True)
class Database:
    """The entries by class name, with what follows from several of them together."""

    entries: Mapping[str, Raw]
    defaults: Mapping[str, Mapping[str, str]]  # of every property a class has, inherited ones too

    @classmethod
    def of(cls, entries: Iterable[Raw]) -> Database:
        by_name = {entry["name"]: entry for entry in entries}
        return cls(by_name, defaults_of(by_name))

    def changed_defaults(self, name: str) -> dict[str, str]:
        """Return the inherited properties that start with another value than in the parent class."""
        entry = self.entries[name]
        own = {raw["name"] for raw in self._own_properties(entry)}
        above = self.defaults.get(entry["parent"], {})
        return {
            key: value
            for key, value in self.defaults.get(name, {}).items()
            if key not in own and key in above and above[key] != value
        }

    def properties(self, name: str) -> list[Property]:
        """Return the properties a class adds to its parent's, in the engine's order."""
        entry = self.entries[name]
        declared = {raw["name"] for raw in entry["properties"]}
        defaults = self.defaults.get(name, {})
        getters = {method["name"]: method["return"] for method in entry["methods"]}
        properties: dict[str, Property] = {}
        for raw in self._own_properties(entry):
            dynamic = raw["name"] not in declared
            # The numbers in settings' names are no indices: there are just so many layers.
            key = pattern_of(raw["name"]) if dynamic and name != "ProjectSettings" else raw["name"]
            getter = raw.get("getter", "")
            properties.setdefault(
                key,
                Property(
                    owner=name,
                    name=key,
                    type=type_of(raw),
                    variant=variant_of(raw),
                    default=defaults.get(raw["name"]),
                    enum=enum_of(raw) or (enum_of(getters[getter]) if getter in getters else ""),
                    hint=raw["hint"],
                    hint_string=raw["hint_string"],
                    usage=raw["usage"],
                    setter=raw.get("setter", ""),
                    getter=getter,
                    dynamic=dynamic,
                ),
            )
        return list(properties.values())

    def _own_properties(self, entry: Raw) -> list[Raw]:
        """Declared here, or made by an object of this class but of none of its ancestors."""
        if entry["name"] == "Object":
            return [*entry["properties"], _SCRIPT]
        above = self._dynamic_above(entry)
        dynamic = [*entry["dynamic"], *entry["elements"]]
        return [*entry["properties"], *(_as_if_set(raw) for raw in dynamic if raw["name"] not in above)]

    def _dynamic_above(self, entry: Raw) -> set[str]:
        names = {"script"}
        while parent := self.entries.get(entry["parent"]):
            names.update(raw["name"] for raw in (*parent["dynamic"], *parent["elements"]))
            entry = parent
        return names


def _as_if_set(raw: Raw) -> Raw:
    """Theme overrides and array elements get their storage flag only once they hold a value."""
    waits = raw["usage"] & PropertyUsage.CHECKABLE or pattern_of(raw["name"]) != raw["name"]
    return (
        {**raw, "usage": raw["usage"] | PropertyUsage.STORAGE} if waits and raw["usage"] & PropertyUsage.EDITOR else raw
    )


def undocumented_method(owner: str, raw: Raw, accessor_of: str) -> Method:
    """Return a method the class reference leaves out, mostly because its property says it all."""
    missing = len(raw["args"]) - len(raw["default_args"])
    arguments = tuple(
        Argument(
            name=argument["name"],
            type=type_of(argument),
            enum=enum_of(argument),
            default=raw["default_args"][place - missing] if place >= missing else None,
        )
        for place, argument in enumerate(raw["args"])
    )
    return Method(
        owner=owner,
        name=raw["name"],
        returns=type_of(raw["return"], nothing="void"),
        returns_enum=enum_of(raw["return"]),
        arguments=arguments,
        qualifiers=tuple(word for bit, word in _QUALIFIERS if raw["flags"] & bit),
        accessor_of=accessor_of,
    )
