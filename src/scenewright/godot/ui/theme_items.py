"""Theme items by group and name, for the overrides of one control and for theme files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scenewright.core.faults import Invalid, did_you_mean
from scenewright.godot.classes.index import ClassIndex

__all__ = ["overrides", "theme_items", "type_values"]

_SORTS = {
    "colors": "color",
    "constants": "constant",
    "fonts": "font",
    "font_sizes": "font_size",
    "icons": "icon",
    "styles": "style",
}
_SPELT = {"fontSizes": "font_sizes", "styleboxes": "styles"}
_THEMED = ("Control", "Window")


def theme_items(index: ClassIndex, kind: str, sort: str) -> list[str]:
    """Return the items of a kind, such as constant, that a class looks up, inherited ones included."""
    names: list[str] = []
    while kind in index and any(index.is_a(kind, above) for above in _THEMED):
        info = index.class_info(kind)
        names += [item.name for item in info.theme_items if item.kind == sort]
        kind = info.inherits
    return names


def overrides(index: ClassIndex, kind: str, groups: Mapping[str, Any]) -> dict[str, Any]:
    """Return theme overrides of a control as its properties.

    Raises:
        Invalid: the class has no such item.
    """
    properties: dict[str, Any] = {}
    for group, values in groups.items():
        items = _check_items(index, kind, group, values, f"input.themeOverrides.{group}")
        properties |= {f"theme_override_{name}": value for name, value in items.items()}
    return properties


def type_values(index: ClassIndex, types: Mapping[str, Mapping[str, Any]], now: Mapping[str, Any]) -> dict[str, Any]:
    """Return items by type as the properties of a theme; `now` holds the variations it has already.

    Raises:
        Invalid: there is no such type, or it has no such item.
    """
    properties: dict[str, Any] = {}
    # A StringName is shown as the engine writes it.
    written = {name: str(value).strip('&"') for name, value in now.items() if name.endswith("/base_type")}
    bases = {name.partition("/")[0]: value for name, value in written.items()}
    bases |= {name: str(items["base"]) for name, items in types.items() if "base" in items}
    for name, items in types.items():
        kind = _class_of(index, name, bases)
        if "base" in items:
            properties[f"{name}/base_type"] = items["base"]
        for group in (key for key in items if key != "base"):
            typed_items = _check_items(index, kind, group, items[group], f"input.types.{name}.{group}")
            properties |= {f"{name}/{item}": value for item, value in typed_items.items()}
    return properties


def _class_of(index: ClassIndex, name: str, bases: Mapping[str, str]) -> str:
    """The class that a type is, or that a variation ends at."""
    seen, kind = {name}, name
    while kind in bases and bases[kind] not in seen:
        kind = bases[kind]
        seen.add(kind)
    if kind not in index or not any(index.is_a(kind, above) for above in _THEMED):
        themed = [name for above in _THEMED for name in (above, *index.subclasses(above))]
        raise Invalid(
            f"'{kind}' is neither a control nor a variation of one.",
            path=f"input.types.{name}",
            rule="class",
            hint=did_you_mean(kind, themed) or 'A variation needs a base, such as {"base": "Label"}.',
        )
    return kind


def _check_items(index: ClassIndex, kind: str, group: str, values: Any, where: str) -> dict[str, Any]:
    """The values by `group/name`."""
    plain = _SPELT.get(group, group)
    if plain not in _SORTS or not isinstance(values, Mapping):
        raise Invalid(
            f"'{group}' is not a group of theme items with values by name.",
            path=where,
            rule="enum",
            hint=f"The groups are {', '.join(_SORTS)}.",
        )
    known = theme_items(index, kind, _SORTS[plain])
    for item in values:
        if item not in known:
            raise Invalid(
                f"A {kind} has no '{item}' among its {plain}.",
                path=f"{where}.{item}",
                rule="enum",
                hint=did_you_mean(item, known) or f"It has: {', '.join(known) or 'none'}.",
            )
    return {f"{plain}/{item}": value for item, value in values.items()}
