"""The root of an instance whose source only an importer can read: its ids stand in what the instance changes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from scenewright.unity.objects.facts import RECT_TRANSFORM, TRANSFORM, Instance, number, target_of

__all__ = ["KNOWN_ROOTS", "ModelRoot", "root_of"]

# The ids that importers give the roots of models: the transform's and the GameObject's, since 2019 and before.
KNOWN_ROOTS = {-8679921383154817045: 919132149155446097, 400000: 100000}
_PLACED = ("m_LocalPosition", "m_LocalRotation", "m_LocalScale", "m_LocalEulerAnglesHint", "m_AnchoredPosition")
_RECTANGLE = ("m_AnchorM", "m_Pivot", "m_SizeDelta")


class ModelRoot(NamedTuple):
    object_id: int  # 0 where nothing tells it
    transform_id: int
    class_id: int


def root_of(instance: Instance, written: Mapping[int, int]) -> ModelRoot | None:
    """Return the root's ids in the model; `written` has the ids of the stand-ins for its objects. None where the
    instance changes nothing that tells them.
    """
    rows = instance.modification.get("m_Modifications")
    named: list[int] = []
    placed: dict[int, set[str]] = {}
    for row in rows if isinstance(rows, list) else ():
        source, path = target_of(row.get("target"))[0], str(row.get("propertyPath"))
        if path == "m_Name":
            named.append(source)
        elif path == "m_RootOrder" or path.startswith((*_PLACED, *_RECTANGLE)):
            placed.setdefault(source, set()).add(path)
    transform_id = _transform(instance, placed, written)
    if transform_id == 0:
        return None
    is_rectangle = any(path.startswith(_RECTANGLE) for path in placed.get(transform_id, ()))
    object_id = KNOWN_ROOTS.get(transform_id) or next(iter(named), 0)
    return ModelRoot(object_id, transform_id, RECT_TRANSFORM if is_rectangle else TRANSFORM)


def _transform(instance: Instance, placed: Mapping[int, set[str]], written: Mapping[int, int]) -> int:
    """Return the transform that the editor placed: it writes down the root's place even where it is the model's."""
    for source, paths in placed.items():
        if "m_RootOrder" in paths:
            return source
    known = [source for source in (*placed, *written) if source in KNOWN_ROOTS]
    turned = [source for source, paths in placed.items() if any("EulerAnglesHint" in path for path in paths)]
    file = instance.document.file
    stripped = [
        source for source, file_id in written.items() if file.by_id[file_id].class_id in (TRANSFORM, RECT_TRANSFORM)
    ]
    return number(next(iter([*known, *turned, *placed, *(stripped if len(stripped) == 1 else ())]), 0))
