"""The text of the files that a Rojo project is made of: JSON as it was indented, models, metadata."""

from __future__ import annotations

import json
import re
from typing import Any

from scenewright.core.faults import Unsupported
from scenewright.roblox.place.rojo.values import attributes_to_json, to_json
from scenewright.roblox.properties import stored_properties
from scenewright.roblox.tree import Instance
from scenewright.roblox.values import Value

__all__ = ["described", "dumped", "fits_json", "model_of"]

_INDENT = re.compile(rb"\n([ \t]+)\"")


def dumped(value: Any, like: bytes | None = None) -> bytes:
    """JSON text, indented as the file was."""
    found = _INDENT.search(like) if like else None
    indent = found.group(1).decode() if found else "  "
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    end = "\n" if like is None or like.endswith(b"\n") else ""
    newline = "\r\n" if like and b"\r\n" in like else "\n"
    return (text.replace("\n", newline) + (newline if end else "")).encode()


def described(instance: Instance, *, without: tuple[str, ...] = ()) -> tuple[dict[str, Any], dict[str, Any]]:
    """An instance's properties and attributes as JSON.

    Raises:
        Unsupported: JSON has no form for one of them.
    """
    properties: dict[str, Any] = {}
    attributes: dict[str, Any] = {}
    for name, value in stored_properties(instance).items():
        if name in ("Name", "UniqueId", "HistoryId", *without):
            continue
        if name == "Attributes":
            attributes = attributes_to_json(value.data)
        elif not (name == "Tags" and not value.data):
            properties[name] = to_json(_simple(name, value), instance.class_name, name)
    return properties, attributes


def _simple(name: str, value: Value) -> Value:
    return Value("String", value.data) if name == "Source" and value.kind == "ProtectedString" else value


def model_of(instance: Instance, *, named: bool = False) -> dict[str, Any]:
    """An instance and all below it as a JSON model."""
    properties, attributes = described(instance)
    found: dict[str, Any] = {"name": instance.name} if named else {}
    found["className"] = instance.class_name
    if properties:
        found["properties"] = properties
    if attributes:
        found["attributes"] = attributes
    if instance.children:
        found["children"] = [model_of(child, named=True) for child in instance.children]
    return found


def fits_json(instance: Instance) -> bool:
    try:
        model_of(instance)
    except Unsupported:
        return False
    return True
