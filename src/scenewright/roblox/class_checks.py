"""Checks what a client names against the engine's classes before any place is touched, and coerces its values."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from scenewright.core.faults import Invalid, did_you_mean
from scenewright.roblox.backend import Target
from scenewright.roblox.coercion import coerce, coerce_attribute
from scenewright.roblox.properties import declared_kind
from scenewright.roblox.property_migrations import time_of_day
from scenewright.roblox.reflection.database import ClassProperty, database
from scenewright.roblox.values import Value
from scenewright.roblox.wire import to_wire

__all__ = ["attributes", "creatable", "known_class", "properties", "property_value", "tags"]

_ELSEWHERE = {
    "Parent": "roblox.instance_move puts an instance below another parent.",
    "ClassName": "An instance keeps its class; create another and delete this one.",
    "Source": "roblox.script_update and roblox.script_edit write sources.",
    "Attributes": "roblox.instance_set_attributes sets attributes.",
    "Tags": "roblox.instance_set_tags sets tags.",
}
# What no script may set, a person sets in Studio, and the file holds.
_SET_BY_PEOPLE = frozenset(
    (
        ("Chat", "LoadDefaultChat"),
        ("HttpService", "HttpEnabled"),
        ("Lighting", "LightingStyle"),
        ("Lighting", "PrioritizeLightingQuality"),
        ("MeshPart", "MeshContent"),
        ("MeshPart", "MeshId"),
        ("Players", "MaxPlayers"),
        ("Players", "PreferredPlayers"),
        ("TextChatService", "ChatVersion"),
    )
)
_MOST_NAME = 100
_ATTRIBUTE = re.compile(r"[A-Za-z0-9._/-]{1,100}")


def known_class(name: str, *, path: str = "input.className") -> None:
    """Raise Invalid where there is no such class."""
    if not database().knows(name):
        raise Invalid(
            f"There is no class '{name[:100]}'.",
            path=path,
            rule="class",
            hint=did_you_mean(name[:100], database().classes) or "roblox.class_find lists classes.",
        )


def creatable(name: str, *, path: str = "input.className") -> None:
    """Raise Invalid where no instance of the class can be made."""
    known_class(name, path=path)
    if not database().creatable(name):
        service = database().is_service(name)
        raise Invalid(
            f"'{name}' cannot be created"
            + (": it is a service, and a place has only one of each." if service else "."),
            path=path,
            rule="creatable",
            hint="Name the service as a parent to put something in it." if service else _suggest_classes(name),
        )


def _suggest_classes(name: str) -> str:
    heirs = [each for each in database().classes if database().creatable(each) and database().is_a(each, name)]
    return f"Create one of {', '.join(heirs[:8])} instead." if heirs else "roblox.class_find lists what can be created."


def property_value(class_name: str, name: str, value: Any, *, path: str, stored: Any = None) -> Any:
    """Return the value of a property in its wire form; `stored` is what the place says of one that the engine does not
    know.

    Raises:
        Invalid: there is no such property, it cannot be set, or not to this.
    """
    declared = _declared(class_name, name, path)
    if declared is None:
        if stored is None:
            _refuse_property(class_name, name, path)
        return value
    coerced = coerce(
        value, declared_kind(declared), enum=declared.enum, path=path, name=f"{class_name}.{declared.name}"
    )
    if declared.name == "Name":
        _check_name(coerced, path)
    if declared.name == "TimeOfDay":
        coerced = _whole_time(coerced, path)
    return to_wire(coerced, enum=declared.enum, reference=_reference)


def _declared(class_name: str, name: str, path: str) -> ClassProperty | None:
    if name in _ELSEWHERE:
        raise Invalid(f"'{name}' is not set as a property.", path=path, rule="property", hint=_ELSEWHERE[name])
    declared = database().canonical(class_name, name)
    if declared is None:
        return None
    if not declared.writable and (declared.owner, declared.name) not in _SET_BY_PEOPLE:
        raise Invalid(f"'{class_name}.{declared.name}' can only be read.", path=path, rule="readOnly")
    stored = declared.storage != "-" or declared.name in ("Position", "Orientation", "Rotation")
    if not stored:
        raise Invalid(
            f"'{class_name}.{declared.name}' belongs to a running game and is not part of a place.",
            path=path,
            rule="property",
            hint=_suggest_property(class_name, name),
        )
    return declared


def _refuse_property(class_name: str, name: str, path: str) -> None:
    known = [each for each, entry in database().properties(class_name).items() if "Hidden" not in entry.tags]
    raise Invalid(
        f"'{class_name}' has no property '{name[:100]}'.",
        path=path,
        rule="property",
        hint=did_you_mean(name[:100], known) or f"roblox.class_get with className {class_name} lists its properties.",
    )


def _suggest_property(class_name: str, name: str) -> str | None:
    known = [each for each, entry in database().properties(class_name).items() if entry.storage != "-"]
    return did_you_mean(name, known)


def _whole_time(value: Value, path: str) -> Value:
    """Return a time of day as files hold it, with two digits for each part."""
    whole = time_of_day(value)
    if whole is None:
        raise Invalid("A time of day is hours, minutes and seconds, such as '07:30:00'.", path=path, rule="format")
    return whole


def _check_name(value: Value, path: str) -> None:
    if not 0 < len(value.data) <= _MOST_NAME:
        raise Invalid(f"A name must have 1 to {_MOST_NAME} bytes.", path=path, rule="name")


def _reference(target: Target) -> dict[str, Any]:
    parts = {"instanceId": target.id, "path": target.path}
    return {"_type": "Ref"} | {key: part for key, part in parts.items() if part is not None}


def properties(class_name: str, given: Mapping[str, Any], *, path: str) -> dict[str, Any]:
    """Return several properties in their wire form."""
    return {name: property_value(class_name, name, value, path=f"{path}.{name[:100]}") for name, value in given.items()}


def attributes(given: Mapping[str, Any], *, path: str) -> dict[str, Any]:
    """Return attributes in their wire form; None takes one away."""
    on_wire: dict[str, Any] = {}
    for name, value in given.items():
        where = f"{path}.{name[:100]}"
        if not _ATTRIBUTE.fullmatch(name) or name.startswith("RBX"):
            raise Invalid(
                f"An attribute's name has 1 to {_MOST_NAME} letters, digits and . - _ /, and does not begin with RBX;"
                f" '{name[:100]}' does not fit.",
                path=where,
                rule="name",
            )
        on_wire[name] = None if value is None else to_wire(coerce_attribute(value, path=where, name=name))
    return on_wire


def tags(given: list[str], *, path: str) -> tuple[str, ...]:
    for tag in given:
        if not 0 < len(tag.encode("utf-8", "surrogatepass")) <= _MOST_NAME or "\0" in tag:
            raise Invalid(f"A tag has 1 to {_MOST_NAME} bytes, not '{tag[:100]}'.", path=path, rule="tag")
    return tuple(dict.fromkeys(given))
