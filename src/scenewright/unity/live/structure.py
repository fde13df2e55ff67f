"""Which objects and components come, go and move between two texts of a scene, as steps that the editor has commands
for. Asks nobody.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from scenewright.unity.objects.facts import INSTANCE, SCENE_ROOTS, target_of
from scenewright.unity.yaml.source import ObjectDocument, UnityFile

__all__ = ["OBJECT", "TRANSFORM", "Step", "Texts", "children_of", "components_of", "script_of", "steps_between"]

OBJECT, TRANSFORM, RECT_TRANSFORM, SCRIPT, MESH = 1, 4, 224, 114, 33
_MOST_STEPS = 40
_BUILT_IN = "0000000000000000e000000000000000"
# What the editor makes of each, by the number of its mesh, with the class of its collider.
_PRIMITIVES = {
    "10202": ("cube", 65),
    "10206": ("cylinder", 136),
    "10207": ("sphere", 135),
    "10208": ("capsule", 136),
    "10209": ("plane", 64),
    "10210": ("quad", 64),
}


class _Inexpressible(Exception):
    """The editor has no command for a difference."""


@dataclass(frozen=True, slots=True)
class Step:
    """One command."""

    kind: Literal["create", "add", "delete", "remove", "move"]
    file_id: int  # of the object or component, as the new text has it; of one that goes, as the old text has it
    owner: int = 0  # the object that gets a component or a child; 0 for the root of the scene
    name: str = ""  # of a new object; the class of a component
    primitive: str = ""
    script: str = ""  # the guid of a component's script


class Texts:
    """A scene before and after."""

    def __init__(self, before: bytes, after: bytes, path: str) -> None:
        self.old, self.new = UnityFile(before, path), UnityFile(after, path)

    @cached_property
    def added(self) -> dict[int, ObjectDocument]:
        return {key: document for key, document in self.new.by_id.items() if key not in self.old.by_id}

    @cached_property
    def removed(self) -> dict[int, ObjectDocument]:
        return {key: document for key, document in self.old.by_id.items() if key not in self.new.by_id}

    @cached_property
    def changed(self) -> set[int]:
        """What is new or reads otherwise."""
        old = self.old.by_id
        both = {key for key, document in self.new.by_id.items() if key in old and old[key].text != document.text}
        return both | self.added.keys()


def steps_between(texts: Texts) -> list[Step] | None:
    """Return the steps that lead from one text to the other but for values; None where there are no commands for it."""
    if not texts.added and not texts.removed and not _moved(texts):
        return None
    try:
        _check_documents(texts)
        steps = [*_going(texts), *_coming(texts), *_moving(texts), *_adding(texts)]
        _check_order(texts)
    except _Inexpressible:
        return None
    return steps if len(steps) <= _MOST_STEPS else None


def _check_documents(texts: Texts) -> None:
    """Leave alone what belongs to instances of prefabs, rectangles, and settings of the scene."""
    for document in (*texts.added.values(), *texts.removed.values()):
        if document.stripped or document.class_id in (INSTANCE, RECT_TRANSFORM):
            raise _Inexpressible
        if document.class_id != OBJECT and target_of(document.data.get("m_GameObject"))[0] == 0:
            raise _Inexpressible
    for key in texts.changed - texts.added.keys():
        document = texts.new.by_id[key]
        if texts.old.by_id[key].class_id != document.class_id or document.class_id == INSTANCE:
            raise _Inexpressible


def _going(texts: Texts) -> Iterator[Step]:
    for key, document in texts.removed.items():
        if document.class_id == OBJECT:
            above = _parent_object(texts.old, key)
            if above not in texts.removed:
                yield Step("delete", key)
        elif target_of(document.data["m_GameObject"])[0] not in texts.removed:
            if document.class_id == TRANSFORM:
                raise _Inexpressible
            yield Step("remove", key, target_of(document.data["m_GameObject"])[0])


def _coming(texts: Texts) -> Iterator[Step]:
    """Objects, each after its parent and its elder siblings."""
    new = [key for key, document in texts.added.items() if document.class_id == OBJECT]
    tops = [key for key in new if _parent_object(texts.new, key) not in texts.added]
    for top in sorted(tops, key=lambda key: _place(texts.new, key)):
        yield from _with_children(texts, top)


def _with_children(texts: Texts, key: int) -> Iterator[Step]:
    data = texts.new.by_id[key].data
    yield Step("create", key, _parent_object(texts.new, key), str(data.get("m_Name")), _primitive(texts.new, key)[0])
    for child in children_of(texts.new, _transform_of(texts.new, key)):
        below = _object_of(texts.new, child)
        if below in texts.added:
            yield from _with_children(texts, below)


def _adding(texts: Texts) -> Iterator[Step]:
    for document in texts.new.of_class(OBJECT):
        brought = _primitive(texts.new, document.file_id)[1] if document.file_id in texts.added else ()
        for key in components_of(document):
            part = texts.added.get(key)
            if part is not None and part.class_id != TRANSFORM and part.class_id not in brought:
                yield Step("add", key, document.file_id, part.type_name, script=script_of(part))


def _moved(texts: Texts) -> list[int]:
    """Transforms that have another parent."""
    both = (key for key in texts.changed - texts.added.keys() if texts.new.by_id[key].class_id == TRANSFORM)
    return [key for key in both if _father(texts.old, key) != _father(texts.new, key)]


def _moving(texts: Texts) -> Iterator[Step]:
    for key in sorted(_moved(texts), key=lambda key: _row(texts.new, key)):
        owner = target_of(texts.new.by_id[key].data.get("m_GameObject"))[0]
        yield Step("move", owner, _parent_object(texts.new, owner))


def _check_order(texts: Texts) -> None:
    """The editor puts what comes after what is there; for another order it has no command."""
    moved = set(_moved(texts))
    for document in texts.new.documents:
        if document.class_id not in (TRANSFORM, RECT_TRANSFORM, SCENE_ROOTS) or document.stripped:
            continue
        rows = _listed(document)
        stays = [key for key in rows if key not in texts.added and key not in moved]
        comes = [key for key in rows if key in texts.added]
        arrives = [key for key in rows if key in moved]
        was = _listed(texts.old.by_id[document.file_id]) if document.file_id in texts.old.by_id else []
        if rows != stays + comes + arrives or stays != [key for key in was if key in stays]:
            raise _Inexpressible


# What a text says


def components_of(document: ObjectDocument) -> list[int]:
    rows = document.data.get("m_Component")
    return [target_of(row.get("component"))[0] for row in rows] if isinstance(rows, list) else []


def children_of(file: UnityFile, transform_id: int) -> list[int]:
    """Return the transforms below one; of 0 the roots, as far as the scene lists them."""
    if transform_id == 0:
        roots = next(file.of_class(SCENE_ROOTS), None)
        return [] if roots is None else _listed(roots)
    return _listed(file.by_id[transform_id]) if transform_id in file.by_id else []


def script_of(document: ObjectDocument) -> str:
    return str((document.data.get("m_Script") or {}).get("guid", "")) if document.class_id == SCRIPT else ""


def _listed(document: ObjectDocument) -> list[int]:
    rows = document.data.get("m_Roots" if document.class_id == SCENE_ROOTS else "m_Children")
    return [target_of(row)[0] for row in rows] if isinstance(rows, list) else []


def _father(file: UnityFile, transform_id: int) -> int:
    return target_of(file.by_id[transform_id].data.get("m_Father"))[0]


def _transform_of(file: UnityFile, object_id: int) -> int:
    keys = components_of(file.by_id[object_id])
    return next((key for key in keys if key in file.by_id and file.by_id[key].class_id == TRANSFORM), 0)


def _object_of(file: UnityFile, transform_id: int) -> int:
    document = file.by_id.get(transform_id)
    return target_of(document.data.get("m_GameObject"))[0] if document is not None else 0


def _parent_object(file: UnityFile, object_id: int) -> int:
    """Return the object above one; 0 for a root."""
    transform_id = _transform_of(file, object_id)
    father = _father(file, transform_id) if transform_id else 0
    if father and (father not in file.by_id or file.by_id[father].stripped or not transform_id):
        raise _Inexpressible  # below the instance of a prefab
    return _object_of(file, father)


def _row(file: UnityFile, transform_id: int) -> int:
    """Return the place of a transform among its siblings."""
    rows = children_of(file, _father(file, transform_id))
    return rows.index(transform_id) if transform_id in rows else len(rows)


def _place(file: UnityFile, object_id: int) -> int:
    transform_id = _transform_of(file, object_id)
    if not transform_id:
        raise _Inexpressible
    return _row(file, transform_id)


def _primitive(file: UnityFile, object_id: int) -> tuple[str, tuple[int, ...]]:
    """Return which of the editor's primitives an object is, and the classes of components that come with it."""
    parts = {file.by_id[key].class_id: file.by_id[key] for key in components_of(file.by_id[object_id])}
    mesh: Mapping[str, Any] = parts[MESH].data.get("m_Mesh") or {} if MESH in parts else {}
    name, collider = _PRIMITIVES.get(str(mesh.get("fileID")), ("", 0))
    if not name or mesh.get("guid") != _BUILT_IN or not {23, collider} <= parts.keys():
        return "", ()
    return name, (MESH, 23, collider)
