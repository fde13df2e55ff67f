"""What the editor saved, beside what was meant: its own ids for what is new, and values that differ. Asks nobody."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from scenewright.unity.live.scene_edits import ValueEdit, edits_of_document
from scenewright.unity.live.structure import (
    OBJECT,
    TRANSFORM,
    Step,
    Texts,
    children_of,
    components_of,
    script_of,
)
from scenewright.unity.objects.facts import SCENE_ROOTS, target_of
from scenewright.unity.yaml.source import ObjectDocument, UnityFile

__all__ = ["missing_edits", "new_ids", "with_ids", "with_ids_in_text"]

_ID = re.compile(rb"(?<=&)-?\d+|(?<=\{fileID: )-?\d+")
# What the editor writes as it likes: numbers of formats, and hints for its own window.
_ITS_OWN = {"serializedVersion", "m_EditorClassIdentifier", "m_LocalEulerAnglesHint", "m_RootOrder"}
_WHOLE = re.compile(r"-?\d+")
_NARROW = 1e-6  # how far apart two texts of the same 32-bit number may be


def new_ids(saved: UnityFile, texts: Texts, steps: Sequence[Step]) -> dict[int, int] | None:
    """Return which ids the editor gave to what is new; None where it made something else."""
    ids: dict[int, int] = {}
    taken: set[int] = set(texts.old.by_id)
    for step in steps:
        owner = ids.get(step.owner, step.owner)
        if step.kind == "create":
            made = _created(saved, owner, step.name, taken)
            if made is None or not _pair_parts(texts.new.by_id[step.file_id], made, saved, ids, taken):
                return None
            ids[step.file_id] = made.file_id
            taken.add(made.file_id)
    for step in steps:
        owner = ids.get(step.owner, step.owner)
        if step.kind == "add" and step.file_id not in ids:
            part = _added(saved, owner, texts.new.by_id[step.file_id], taken)
            if part is None:
                return None
            ids[step.file_id] = part
            taken.add(part)
    return ids if texts.added.keys() == ids.keys() else None


def _created(saved: UnityFile, owner: int, name: str, taken: set[int]) -> ObjectDocument | None:
    """Return the first new object of a name below another."""
    above = next((key for key in components_of(saved.by_id[owner]) if _is_transform(saved, key)), 0) if owner else 0
    listed = {key: at for at, key in enumerate(children_of(saved, above))}
    candidates = [
        (listed.get(key, len(listed)), document)
        for document in saved.of_class(OBJECT)
        if document.file_id not in taken and str(document.data.get("m_Name")) == name
        for key in components_of(document)
        if _is_transform(saved, key) and target_of(saved.by_id[key].data.get("m_Father"))[0] == above
    ]
    return min(candidates, key=lambda row: row[0])[1] if candidates else None


def _is_transform(file: UnityFile, key: int) -> bool:
    return key in file.by_id and file.by_id[key].class_id == TRANSFORM


def _pair_parts(
    wanted: ObjectDocument, made: ObjectDocument, saved: UnityFile, ids: dict[int, int], taken: set[int]
) -> bool:
    """Note which component of a new object is which."""
    for key in components_of(wanted):
        part = _added(saved, made.file_id, wanted.file.by_id[key], taken, made)
        if part is None:
            return False
        ids[key] = part
        taken.add(part)
    return True


def _added(
    saved: UnityFile, owner: int, wanted: ObjectDocument, taken: set[int], made: ObjectDocument | None = None
) -> int | None:
    holder = made or saved.by_id.get(owner)
    for key in components_of(holder) if holder is not None else ():
        part = saved.by_id.get(key)
        if part is None or key in taken:
            continue
        if (part.class_id, script_of(part)) == (wanted.class_id, script_of(wanted)):
            return key
    return None


def with_ids_in_text(text: bytes, ids: Mapping[int, int]) -> bytes:
    """Return a text with other ids."""
    return _ID.sub(lambda match: str(ids.get(int(match[0]), int(match[0]))).encode(), text)


def with_ids(value: Any, ids: Mapping[str, str]) -> Any:
    """Return a reply with other ids."""
    if isinstance(value, str):
        return ids.get(value, value)
    if isinstance(value, msgspec.Struct):
        changed = {name: with_ids(getattr(value, name), ids) for name in value.__struct_fields__}
        return msgspec.structs.replace(value, **changed)
    if isinstance(value, Mapping):
        return {key: with_ids(part, ids) for key, part in value.items()}
    return [with_ids(part, ids) for part in value] if isinstance(value, list) else value


def missing_edits(saved: UnityFile, wanted: UnityFile, mine: set[int]) -> list[ValueEdit] | None:
    """Return the values that what was saved still lacks; None where it differs in more, or in what is not `mine`.

    Fields that only the editor writes are passed over; those that it leaves out, where they are not mine.
    """
    if {key: document.class_id for key, document in saved.by_id.items()} != {
        key: document.class_id for key, document in wanted.by_id.items()
    }:
        return None
    edits: list[ValueEdit] = []
    for key, document in wanted.by_id.items():
        there = saved.by_id[key]
        if document.text == there.text:
            continue
        names = list(_differing(there, document))
        is_whole = key not in mine or document.data.keys() - there.data.keys() <= _ITS_OWN
        if not names and is_whole:
            continue
        missing = edits_of_document(there, document, names) if key in mine and is_whole else None
        if missing is None:
            return None
        edits += missing
    return edits


def _differing(saved: ObjectDocument, wanted: ObjectDocument) -> Iterator[str]:
    for name, value in wanted.data.items():
        if name in saved.data and name not in _ITS_OWN and not _is_same(name, saved.data[name], value):
            yield name
    if wanted.class_id == SCENE_ROOTS and wanted.data != saved.data:
        yield "m_Roots"


def _is_same(name: str, one: Any, other: Any) -> bool:
    if name == "m_Component":
        return Counter(map(str, one)) == Counter(map(str, other))
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return all(key in _ITS_OWN or _is_same("", one[key], part) for key, part in other.items() if key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(_is_same("", *pair) for pair in zip(one, other, strict=True))
    if one == other or (_WHOLE.fullmatch(str(one)) and _WHOLE.fullmatch(str(other))):
        return bool(one == other)  # ids among them, of which all digits count
    try:
        return math.isclose(float(one), float(other), rel_tol=_NARROW, abs_tol=_NARROW)
    except (TypeError, ValueError):
        return False
