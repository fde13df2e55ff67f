"""Joins the editor's help and the running engine's class database into records. Takes values, returns values."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import msgspec

from scenewright.godot.classes.database import Database, undocumented_method
from scenewright.godot.classes.declared_types import from_docs
from scenewright.godot.classes.defaults import as_it_is
from scenewright.godot.classes.editor_help import (
    clean,
    constants_of,
    links_of,
    method_of,
    signal_of,
    status_of,
    theme_item_of,
)
from scenewright.godot.classes.records import ClassInfo, Kind, Method, Property, ThemeItem
from scenewright.godot.classes.variant import VARIANT_TYPES

__all__ = ["assemble"]

Raw = Mapping[str, Any]
_BUILTIN = {*VARIANT_TYPES, "Variant"} - {"Object"}
_THEME_FOLDERS = {
    "theme_override_colors": "color",
    "theme_override_constants": "constant",
    "theme_override_fonts": "font",
    "theme_override_font_sizes": "font_size",
    "theme_override_icons": "icon",
    "theme_override_styles": "style",
}


def assemble(helps: Iterable[Raw], entries: Iterable[Raw], singletons: Collection[str]) -> list[ClassInfo]:
    """Return every class the editor's help knows, with what the class database adds to it."""
    join = _Join({help_["name"]: help_ for help_ in helps}, Database.of(entries))
    classes = (join.class_info(name) for name in sorted(join.helps))
    return [msgspec.structs.replace(info, singleton=True) if info.name in singletons else info for info in classes]


class _Join:
    def __init__(self, helps: Mapping[str, Raw], database: Database) -> None:
        self.helps = helps
        self._database = database
        self._themes = {
            name: {
                (raw["data_type"], raw["name"]): theme_item_of(name, raw) for raw in _list(help_, "theme_properties")
            }
            for name, help_ in helps.items()
        }

    def class_info(self, name: str) -> ClassInfo:
        help_, entry = self.helps[name], self._database.entries.get(name)
        properties = self._properties(name)
        constants, enums = constants_of(name, _list(help_, "constants"))
        return ClassInfo(
            name=name,
            inherits=help_.get("inherits", ""),
            kind=_kind(name),
            instantiable=bool(entry and entry["instantiable"]),
            editor_only=bool(entry and entry["api"] in (1, 3)),
            brief=clean(help_.get("brief_description", "")),
            description=clean(help_.get("description", "")),
            properties=tuple(properties),
            methods=tuple(self._methods(name, properties)),
            signals=tuple(signal_of(name, raw) for raw in _list(help_, "signals")),
            constants=constants,
            enums=enums,
            constructors=tuple(method_of(name, raw) for raw in _list(help_, "constructors")),
            operators=tuple(method_of(name, raw) for raw in _list(help_, "operators")),
            annotations=tuple(method_of(name, raw) for raw in _list(help_, "annotations")),
            theme_items=tuple(self._themes[name].values()),
            links=links_of(help_),
            defaults=self._database.changed_defaults(name) if entry else {},
            status=status_of(help_),
        )

    def _properties(self, name: str) -> list[Property]:
        """Those of the database with their descriptions, then those only the help knows (settings, vector parts)."""
        helps = {raw["name"]: raw for raw in _list(self.helps[name], "properties") if not raw.get("overrides")}
        known = self._database.properties(name) if name in self._database.entries else []
        described = [self._described(property_, helps.pop(property_.name, None)) for property_ in known]
        return described + [_documented(name, raw) for raw in helps.values()]

    def _described(self, property_: Property, help_: Raw | None) -> Property:
        if help_ is not None:
            default = property_.default if property_.default is not None else help_.get("default_value")
            declared = as_it_is(msgspec.structs.replace(property_, default=default), help_["type"])
            return msgspec.structs.replace(
                declared,
                type=help_["type"] if property_.variant == "Object" else declared.type,
                enum=help_.get("enumeration", "") or property_.enum,
                setter=help_.get("setter", "") or property_.setter,
                getter=help_.get("getter", "") or property_.getter,
                description=clean(help_.get("description", "")),
                status=status_of(help_),
            )
        property_ = as_it_is(property_, "")
        item = self._theme_item(property_) if property_.dynamic else None
        return msgspec.structs.replace(property_, description=item.description) if item else property_

    def _theme_item(self, property_: Property) -> ThemeItem | None:
        folder, _, name = property_.name.partition("/")
        owner, kind = property_.owner, _THEME_FOLDERS.get(folder)
        while kind and owner in self.helps:
            if item := self._themes[owner].get((kind, name)):
                return item
            owner = self.helps[owner].get("inherits", "")
        return None

    def _methods(self, name: str, properties: list[Property]) -> Iterable[Method]:
        documented = [method_of(name, raw) for raw in _list(self.helps[name], "methods")]
        yield from documented
        entry = self._database.entries.get(name)
        known = {method.name for method in documented}
        accessed = {
            method: property_.name for property_ in properties for method in (property_.setter, property_.getter)
        }
        for raw in entry["methods"] if entry else ():
            if raw["name"] not in known and not raw["name"].startswith("_"):
                yield undocumented_method(name, raw, accessed.get(raw["name"], ""))


def _kind(name: str) -> Kind:
    if name.startswith("@"):
        return "scope"
    return "builtin" if name in _BUILTIN else "class"


def _documented(owner: str, raw: Raw) -> Property:
    type_ = from_docs(raw["type"])
    variant = type_.partition("[")[0]
    return Property(
        owner=owner,
        name=raw["name"],
        type=type_,
        variant=variant if variant in VARIANT_TYPES else "Nil" if variant == "Variant" else "Object",
        default=raw.get("default_value"),
        enum=raw.get("enumeration", ""),
        setter=raw.get("setter", ""),
        getter=raw.get("getter", ""),
        description=clean(raw.get("description", "")),
        status=status_of(raw),
    )


def _list(raw: Raw, key: str) -> Iterable[Raw]:
    entries: Iterable[Raw] = raw.get(key, ())
    return entries
