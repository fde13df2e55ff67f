"""What two texts of a scene differ in, as edits that the editor can make: values of components, an object's name, tag,
layer and whether it is active. Asks nobody.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from scenewright.unity.yaml.source import ObjectDocument, UnityFile

__all__ = [
    "Kind",
    "ValueEdit",
    "edits_between",
    "edits_of_document",
    "global_id",
    "is_same",
    "on_wire",
    "present_value",
]

_GAME_OBJECT = 1
Kind = Literal["field", "name", "active", "tag", "layer"]
_OBJECT_FIELDS: Mapping[str, Kind] = {
    "m_Name": "name",
    "m_IsActive": "active",
    "m_TagString": "tag",
    "m_Layer": "layer",
}
_FIXED = (
    *("m_GameObject", "m_Father", "m_Children", "m_RootOrder", "m_Script", "serializedVersion"),
    *("m_PrefabInstance", "m_PrefabAsset", "m_PrefabInternal", "m_CorrespondingSourceObject"),
    *("m_ObjectHideFlags", "m_EditorHideFlags"),
)
_WHOLE = (frozenset("xy"), frozenset("xyz"), frozenset("xyzw"), frozenset("rgba"))
_NARROW = 1e-6  # how far apart two texts of the same 32-bit number may be
UNKNOWN = None


class _Inexpressible(Exception):
    """The editor has no command for a difference."""


@dataclass(frozen=True, slots=True)
class ValueEdit:
    """One value of one object, as the texts have it."""

    file_id: int
    kind: Kind
    path: str  # as the editor writes it
    before: Any
    after: Any

    @property
    def back(self) -> ValueEdit:
        return ValueEdit(self.file_id, self.kind, self.path, self.after, self.before)


def edits_between(before: bytes, after: bytes, path: str) -> list[ValueEdit] | None:
    """Return the edits that lead from one text to the other; None where there is more to them than values."""
    old, new = UnityFile(before, path), UnityFile(after, path)
    if [_head(document) for document in old.documents] != [_head(document) for document in new.documents]:
        return None
    pairs = zip(old.documents, new.documents, strict=True)
    try:
        return [edit for one, other in pairs if one.text != other.text for edit in _edits_of(one, other)]
    except _Inexpressible:
        return None


def _head(document: ObjectDocument) -> tuple[int, int, bool]:
    return document.class_id, document.file_id, document.stripped


def _edits_of(old: ObjectDocument, new: ObjectDocument) -> Iterator[ValueEdit]:
    if old.stripped or old.type_name != new.type_name or old.data.keys() != new.data.keys():
        raise _Inexpressible
    if old.class_id != _GAME_OBJECT and "m_GameObject" not in old.data:
        raise _Inexpressible  # settings of the scene, and instances of prefabs
    yield from _edits_of_fields(old, new, old.data)


def edits_of_document(old: ObjectDocument, new: ObjectDocument, names: Iterable[str]) -> list[ValueEdit] | None:
    """Return the edits of some fields of one object; None where there is more to them than values."""
    try:
        return list(_edits_of_fields(old, new, names))
    except _Inexpressible:
        return None


def _edits_of_fields(old: ObjectDocument, new: ObjectDocument, names: Iterable[str]) -> Iterator[ValueEdit]:
    for key in names:
        before, after = old.data[key], new.data[key]
        if before == after:
            continue
        if old.class_id == _GAME_OBJECT:
            if key not in _OBJECT_FIELDS:
                raise _Inexpressible
            yield ValueEdit(old.file_id, _OBJECT_FIELDS[key], key, before, after)
        elif key in _FIXED:
            raise _Inexpressible
        else:
            yield from (ValueEdit(old.file_id, "field", *change) for change in _values(key, before, after))


def _values(path: str, before: Any, after: Any) -> Iterator[tuple[str, Any, Any]]:
    if before == after:
        return
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        yield from _values_of_parts(path, before, after)
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for number, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from _values(f"{path}.Array.data[{number}]", one, other)
    elif isinstance(before, str) and isinstance(after, str):
        yield path, before, after
    else:
        raise _Inexpressible


def _values_of_parts(path: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    if ("fileID" in before and "fileID" in after) or (before.keys() == after.keys() and before.keys() in _WHOLE):
        yield path, dict(before), dict(after)
    elif before.keys() == after.keys():
        for key, one in before.items():
            if key == "serializedVersion" and one != after[key]:
                raise _Inexpressible
            yield from _values(f"{path}.{key}", one, after[key])
    else:
        raise _Inexpressible


def global_id(scene_guid: str, file_id: int) -> str:
    """Return what Unity calls an object of a scene that is no part of a prefab's instance."""
    return f"GlobalObjectId_V1-2-{scene_guid}-{file_id % 2**64}-0"


# Values, as the editor has them and as the file does


def present_value(answer: Any) -> tuple[bool, Any]:
    """Return whether an answer tells a field's value, and that."""
    if not isinstance(answer, Mapping):
        return False, None
    fields = answer.get("fields")
    row = fields[0] if isinstance(fields, list) and len(fields) == 1 else answer
    if not isinstance(row, Mapping) or "value" not in row or str(row.get("propertyType")) == "Enum":
        return False, None  # of an enum the editor tells and takes a place in a list, the file has its number
    return True, row["value"]


def is_same(present: Any, raw: Any, scene_guid: str) -> bool | None:
    """Return whether the editor's value is the file's; None where the two cannot be compared."""
    if isinstance(raw, Mapping):
        return _is_same_mapping(present, raw, scene_guid)
    if isinstance(present, bool):
        return present is (raw == "1") if raw in ("0", "1") else UNKNOWN
    if isinstance(present, int) and isinstance(raw, str) and raw.lstrip("-").isdigit():
        return (present - int(raw)) % 2**32 == 0  # masks are written with and without a sign
    if isinstance(present, (int, float)):
        number = _number(raw)
        return UNKNOWN if number is None else _is_near(float(present), number)
    return present == raw if isinstance(present, str) else UNKNOWN


def _is_same_mapping(present: Any, raw: Mapping[str, Any], scene_guid: str) -> bool | None:
    if "fileID" in raw:
        return _is_same_reference(present, raw, scene_guid)
    if not isinstance(present, Mapping) or present.keys() != raw.keys():
        return UNKNOWN
    pairs = [(present[key], _number(raw[key])) for key in raw]
    if any(number is None or not isinstance(value, (int, float)) for value, number in pairs):
        return UNKNOWN
    return all(_is_near(float(value), number) for value, number in pairs if number is not None)


def _is_same_reference(present: Any, raw: Mapping[str, Any], scene_guid: str) -> bool | None:
    number, guid = int(raw["fileID"]), raw.get("guid")
    if present is None or number == 0:
        return present is None and number == 0
    if not isinstance(present, Mapping):
        return UNKNOWN
    if guid is not None:
        return present.get("guid") == guid and str(present.get("fileId")) == str(number)
    named = present.get("globalId")
    return named == global_id(scene_guid, number) if isinstance(named, str) else UNKNOWN


def on_wire(present: Any, raw: Any, scene_guid: str) -> Any:
    """Return the file's value as the editor takes it; `present` shows of which kind it is."""
    if isinstance(raw, Mapping):
        if "fileID" not in raw:
            return {key: float(value) for key, value in raw.items()}
        number, guid = int(raw["fileID"]), raw.get("guid")
        if number == 0:
            return None
        return {"guid": guid, "fileId": number} if guid else {"globalId": global_id(scene_guid, number)}
    if isinstance(present, bool):
        return raw == "1"
    if isinstance(present, (int, float)):
        value = float(raw)
        return int(value) if value.is_integer() and isinstance(present, int) else value
    return raw


def _number(raw: Any) -> float | None:
    try:
        number = float(raw)
    except (TypeError, ValueError):
        return None
    return number if math.isfinite(number) else None


def _is_near(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=_NARROW, abs_tol=_NARROW)
