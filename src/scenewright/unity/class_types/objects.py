"""Whole values and objects as the editor writes new ones: every field, in its order, with its default."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scenewright.unity.class_types.defaults import DEFAULTS, KINDS, OLD_DEFAULTS
from scenewright.unity.class_types.numbers import LIMITS, number_text
from scenewright.unity.class_types.table import UNKNOWN, ClassType, Field

__all__ = ["NOTHING", "default_value", "new_object"]

NOTHING = {"fileID": "0"}
# Declared by the engine and not written into text files.
_NOT_WRITTEN = frozenset(("m_RootGameObject",))
# What materials and directors have by name is written as a list with an entry for each, also where there is none.
_LISTED_MAPS = frozenset(("m_TexEnvs", "m_Ints", "m_Floats", "m_Colors", "m_References"))
# Modules of particle systems whose version comes after the switch that they inherit.
_SWITCH_FIRST = frozenset(("CollisionModule", "EmissionModule", "TriggerModule"))
_FRAME = (
    "m_ObjectHideFlags",
    "m_CorrespondingSourceObject",
    "m_PrefabParentObject",
    "m_PrefabInternal",
    "m_PrefabInstance",
    "m_PrefabAsset",
    "m_GameObject",
    "m_Enabled",
)


def new_object(kind: ClassType, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a new object, those that are given as they are given.

    Of a class whose defaults are not known, such as an instance of a prefab, only the frame that all have.
    """
    known = DEFAULTS.get(kind.name)
    newer, before = OLD_DEFAULTS.get(kind.name, ("", {}))
    if known is not None and before and kind.field(newer) is None:
        known = {**known, **before}
    fields: dict[str, Any] = {}
    for place, field in enumerate(kind.fields):
        if place == kind.own_from and is_versioned(kind):
            fields["serializedVersion"] = str(kind.version)
        if field.name in given:
            fields[field.name] = given[field.name]
        elif field.name not in _NOT_WRITTEN and (known is not None or field.name in _FRAME):
            fields[field.name] = default_value(field, known or {"m_Enabled": 1}, field.name)
    if kind.own_from >= len(kind.fields) and is_versioned(kind):
        fields["serializedVersion"] = str(kind.version)
    return fields


def is_versioned(kind: ClassType) -> bool:
    """Return whether its version is written; a rectangle has the number of its base class, which is not."""
    return kind.version > 1 and kind.name != "RectTransform"


def default_value(field: Field, known: Mapping[str, Any], path: str) -> Any:
    """Return the text, mapping or list that a new field has."""
    return _value(field, known.get(path, ...), known, path)


def _value(field: Field, said: Any, known: Mapping[str, Any], path: str) -> Any:
    if field.refers_to is not None:
        return dict(NOTHING)
    if field.kind == "GUID":
        return "0" * 32
    if field.kind == "map" and field.name not in _LISTED_MAPS:
        return {}
    if field.kind in ("vector", "map"):
        rows = said if isinstance(said, list) else []
        # A list of whole numbers is written as the text of its bytes.
        if isinstance(said, str):
            return said
        packed = not rows and field.children[0].kind in LIMITS
        return "" if packed else [_value(field.children[0], row, {}, "") for row in rows]
    if field.children:
        parts = {**KINDS.get(field.kind, {}), **(said if isinstance(said, dict) else {})}
        made = {"serializedVersion": str(field.version)} if field.version > 1 and not field.on_one_line else {}
        inside = {
            child.name: _value(
                child, parts.get(child.name, known.get(f"{path}.{child.name}", ...)), known, f"{path}.{child.name}"
            )
            for child in field.children
            if child.kind != UNKNOWN
        }
        if field.kind in _SWITCH_FIRST and made:
            return {"enabled": inside["enabled"], **made, **inside}
        return made | inside
    if said is ...:
        return "" if field.kind == "string" else "0"
    return said if isinstance(said, str) else number_text(said, field.kind)
