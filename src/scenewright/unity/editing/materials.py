"""Properties of materials by the names that shaders give them, such as `_Color`: where the file has each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from scenewright.core.faults import Fault, Invalid, did_you_mean
from scenewright.unity.class_types.table import Field
from scenewright.unity.editing.declarations import Declaration
from scenewright.unity.editing.session import EditSession
from scenewright.unity.editing.shader_properties import built_in_properties
from scenewright.unity.objects.facts import target_of
from scenewright.unity.objects.overrides import value_at
from scenewright.unity.yaml.property_spans import PathStep, property_path
from scenewright.unity.yaml.source import ObjectDocument

__all__ = ["material_path", "set_material_property", "shader_properties"]

MATERIAL = 21
_SAVED = "m_SavedProperties"
_NUMBER = Field("float", "", 1, 0, ())
_WHOLE = Field("int", "", 1, 0, ())
_COLOR = Field("ColorRGBA", "", 1, 1, tuple(Field("float", key, 1, 0, ()) for key in "rgba"))
_PAIR = tuple(Field("float", key, 1, 0, ()) for key in "xy")
_TEXTURE = Field(
    "UnityTexEnv",
    "",
    1,
    0,
    (
        Field("PPtr<Texture>", "m_Texture", 1, 0, ()),
        Field("Vector2f", "m_Scale", 1, 1, _PAIR),
        Field("Vector2f", "m_Offset", 1, 1, _PAIR),
    ),
)
_LISTS = {"m_TexEnvs": _TEXTURE, "m_Ints": _WHOLE, "m_Floats": _NUMBER, "m_Colors": _COLOR}
_DECLARED = re.compile(r"\b(\w++)\s*+\(\s*+\"[^\"]{0,500}+\"\s*+,\s*+(\w++)\s*+(?:\([^)]{0,200}+\)\s*+)?+\)\s*+=")
_KINDS = {"color": "m_Colors", "vector": "m_Colors", "float": "m_Floats", "range": "m_Floats", "int": "m_Floats"}
_KINDS |= {"integer": "m_Ints", "2d": "m_TexEnvs", "3d": "m_TexEnvs", "cube": "m_TexEnvs", "2darray": "m_TexEnvs"}


def material_path(document: ObjectDocument, path: str) -> list[PathStep]:
    """Return the steps to a property of a material, by a shader's name for it or as the file has it."""
    steps = property_path(path)
    if document.class_id != MATERIAL or not steps or steps[0] in document.data:
        return steps
    for name in _LISTS:
        for number, row in enumerate(_rows(document, name)):
            key = _key_in(row, str(steps[0]))
            if key is not None:
                return [_SAVED, name, number, key, *steps[1:]]
    return steps


def set_material_property(
    session: EditSession, document: ObjectDocument, path: str, value: Any, *, create: bool
) -> bool:
    """Set a property that a shader has; return whether it is one.

    Raises:
        Invalid: the value does not fit, or the shader has no such property.
    """
    steps = property_path(path)
    kind = Declaration(session, MATERIAL, document.data)
    if document.class_id != MATERIAL or not steps or kind.field(steps[:1]) is not None or steps[0] in document.data:
        return False
    there = material_path(document, path)
    if there[0] == _SAVED:
        field = _inner(_LISTS[str(there[1])], there[4:])
        existing = value_at(document.data, there)
        if field is not None and field.kind == "UnityTexEnv" and not _is_whole(value):
            there, field, existing = [*there, "m_Texture"], field.children[0], value_at(existing, ["m_Texture"])
        if field is None or existing is None:
            raise kind.unknown_property(path, there)
        session.edits.set_value(document, there, kind.coerced(value, field, existing, path))
        return True
    _add(session, document, kind, steps, value, create=create)
    return True


def _add(
    session: EditSession,
    document: ObjectDocument,
    kind: Declaration,
    steps: Sequence[PathStep],
    value: Any,
    *,
    create: bool,
) -> None:
    """Add a property that the file does not have, if the shader has it or the caller insists."""
    name = str(steps[0])
    declared = shader_properties(session, document) or {}
    if len(steps) > 1 or (name not in declared and not create):
        known = [*_names(document), *declared]
        raise Invalid(
            f"The material has no property '{name}'.",
            path="input.properties",
            rule="path",
            hint=(did_you_mean(name, known) or f"It has: {', '.join(dict.fromkeys(known))}.")
            + " With create: true it is added, as a colour, a number or a texture.",
        )
    place = declared.get(name) or _list_for(value, name)
    rows = session.items(document, _SAVED, place)
    if rows is None:
        raise Invalid(f"The file has no '{place}'.", path="input.properties", rule="path")
    if place == "m_TexEnvs" and not _is_whole(value):
        value = {"m_Texture": value, "m_Scale": [1, 1]}
    row = {name: kind.coerced(value, _LISTS[place], None, name)}
    after = (at for at, other in enumerate(rows) if isinstance(other, dict) and next(iter(other), "") > name)
    rows.insert(next(after, len(rows)), row)


def _list_for(value: Any, name: str) -> str:
    """Return where a value belongs that nothing declares."""
    if isinstance(value, (bool, int, float)):
        return "m_Floats"
    is_color = isinstance(value, list) or (isinstance(value, str) and value.startswith("#"))
    if is_color or (isinstance(value, dict) and set(value) <= set("rgba")):
        return "m_Colors"
    if isinstance(value, (str, dict)):
        return "m_TexEnvs"
    raise Invalid(f"'{name}' takes a colour, a number or a texture.", path="input.properties", rule="type")


def shader_properties(session: EditSession, document: ObjectDocument) -> dict[str, str] | None:
    """Return the properties that a material's shader has, with the list of each; None where they are not known."""
    file_id, guid = target_of(document.data.get("m_Shader"))
    path = session.workspace.graph.path_of(guid)
    if path is None or not path.endswith(".shader"):
        return built_in_properties(file_id, guid)
    try:
        source = session.workspace.content(path).decode("utf-8", "replace")
    except Fault:
        return None
    rows = _DECLARED.findall(source.partition("SubShader")[0])
    return {name: _KINDS[kind.lower()] for name, kind in rows if kind.lower() in _KINDS}


def _rows(document: ObjectDocument, name: str) -> list[Any]:
    rows = value_at(document.data, [_SAVED, name])
    return rows if isinstance(rows, list) else []


def _names(document: ObjectDocument) -> list[str]:
    rows = [row for name in _LISTS for row in _rows(document, name) if isinstance(row, dict)]
    return [name for row in rows for name in row if name.startswith("_")]


def _key_in(row: Any, name: str) -> str | None:
    """Return the key of a property's value in its row: its name, or `second` in files of 5.5 and before."""
    if not isinstance(row, dict):
        return None
    if name in row:
        return name
    first = row.get("first")
    return "second" if isinstance(first, dict) and first.get("name") == name else None


def _inner(field: Field, steps: Sequence[PathStep]) -> Field | None:
    for step in steps:
        child = field.child(str(step))
        if child is None:
            return None
        field = child
    return field


def _is_whole(value: Any) -> bool:
    return isinstance(value, dict) and bool({"m_Texture", "m_Scale", "m_Offset"} & value.keys())
