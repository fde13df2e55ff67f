"""The way back: a value as JSON that says its type, so that it can be sent again and means the same.

Whatever JSON has a form for is that form; vectors and their like are the engine's literals, which are short; the rest
says its type in `$type`.
"""

from __future__ import annotations

from base64 import b64encode
from math import isfinite
from typing import Any

from scenewright.godot.classes.records import Property
from scenewright.godot.documents import variant as v
from scenewright.godot.documents.document import Document
from scenewright.godot.documents.floats import real, single
from scenewright.godot.documents.references import resource_sections
from scenewright.godot.documents.variant_writer import write_variant
from scenewright.godot.values.literals import is_literal
from scenewright.godot.values.tree import Coerced, Entries, File, Inline, Items, NodeTarget

__all__ = ["present"]

_EXACT = 1 << 53  # beyond it a reader that has only floats loses digits


def present(value: Coerced, wanted: Property | None = None, *, document: Document | None = None) -> Any:
    """Return a value in the form of a reply.

    With the property, texts stand bare where they cannot be mistaken. With the document, resources say their path or
    class instead of a bare id.
    """
    if isinstance(value, str) and wanted is not None and wanted.variant == "String":
        return value
    return _Presenting(document).value(value)


class _Presenting:
    def __init__(self, document: Document | None) -> None:
        self._document = document

    def value(self, value: Coerced) -> Any:
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return _present_text(value)
        if isinstance(value, int | float):
            return _present_number(value)
        if isinstance(value, v.Array | Items):
            return self._present_array(value)
        if isinstance(value, v.Dictionary | Entries):
            return self._present_dictionary(value)
        if isinstance(value, File | Inline | NodeTarget):
            return self._present_placeable(value)
        if isinstance(value, v.ExtResource | v.SubResource):
            return self._present_reference(value)
        if isinstance(value, v.Object):
            return {"$literal": write_variant(value, compat=False).strip()}
        return _present_packed(value) or write_variant(value, compat=False)

    def _present_array(self, value: v.Array | Items) -> Any:
        items = [self.value(item) for item in value.items]
        if value.type is None:
            return items
        name = self._type_name(value.type)
        return {"$type": f"Array[{name}]", "value": items} if name else _present_literal(value, items)

    def _present_dictionary(self, value: v.Dictionary | Entries) -> Any:
        pairs = value.entries
        if value.key_type is None and value.value_type is None:
            if all(isinstance(key, str) and not key.startswith("$") for key, _ in pairs):
                return {str(key): self.value(item) for key, item in pairs}
            return {"$type": "Dictionary", "entries": [[self.value(key), self.value(item)] for key, item in pairs]}
        names = [self._type_name(part or "Variant") for part in (value.key_type, value.value_type)]
        entries = [[self.value(key), self.value(item)] for key, item in pairs]
        if None in names:
            return _present_literal(value, entries)
        return {"$type": f"Dictionary[{names[0]}, {names[1]}]", "entries": entries}

    def _present_placeable(self, value: File | Inline | NodeTarget) -> dict[str, Any]:
        if isinstance(value, File):
            return {"$path": value.path}
        if isinstance(value, NodeTarget):
            return {"$node": value.path}
        props = {name: self.value(item) for name, item in value.properties}
        if value.script is not None:
            props["script"] = value.script.path
        return {"$resource": value.class_name, **({"props": props} if props else {})}

    def _present_reference(self, value: v.ExtResource | v.SubResource) -> Any:
        section = resource_sections(self._document).get(value) if self._document else None
        if section is None:
            return write_variant(value)
        if isinstance(value, v.ExtResource):
            return {"$path": section.string("path") or section.string("uid")}
        return {"$resource": section.string("type"), "id": value.id}

    def _type_name(self, type_: v.ElementType | File) -> str | None:
        """The class of the elements, or the path of the script that makes it; None where that is not known."""
        if isinstance(type_, str | File):
            return type_ if isinstance(type_, str) else type_.path
        shown = self._present_reference(type_) if isinstance(type_, v.ExtResource) else None
        return shown["$path"] if isinstance(shown, dict) and str(shown["$path"]).startswith("res://") else None


def _present_text(text: str) -> Any:
    if is_literal(text) or text.startswith(("res://", "uid://")):
        return {"$type": "String", "value": text}
    return text


def _present_number(number: float) -> Any:
    if isinstance(number, int):
        return number if abs(number) <= _EXACT else {"$type": "int", "value": str(number)}
    return number if isfinite(number) else {"$type": "float", "value": real(number, compat=False)}


def _present_literal(value: Coerced, parts: list[Any]) -> Any:
    if isinstance(value, v.Array | v.Dictionary):
        return {"$literal": write_variant(value, compat=False)}
    return parts if isinstance(value, Items) else {"$type": "Dictionary", "entries": parts}


def _present_packed(value: Any) -> dict[str, Any] | None:
    kind = type(value).__name__
    if isinstance(value, v.PackedByteArray):
        return {"$type": kind, "base64": b64encode(value.data).decode()}
    if not kind.startswith("Packed"):
        return None
    items = _packed_items(value, kind)
    return {"$literal": write_variant(value, compat=False)} if items is None else {"$type": kind, "value": items}


def _packed_items(value: Any, kind: str) -> list[Any] | None:
    """The items as JSON has them; None where it has no such numbers."""
    if kind == "PackedStringArray":
        return list(value.items)
    if kind in v.PACKED_INTS:
        return [number if abs(number) <= _EXACT else str(number) for number in value.items]
    numbers = value.items if kind in v.PACKED_FLOATS else value.components
    if not all(map(isfinite, numbers)):
        return None
    short = list(numbers) if kind == "PackedFloat64Array" else [float(real(single(number))) for number in numbers]
    if kind in v.PACKED_FLOATS:
        return short
    _, size = v.PACKED_STRUCTS[kind]
    return [short[at : at + size] for at in range(0, len(short), size)]
