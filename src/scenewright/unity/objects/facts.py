"""The few facts about a file's objects that a hierarchy needs, found without parsing the documents.

Each pattern knows the order in which the engine writes a class's fields; a document that is written in another way is
parsed instead. Ids are whole numbers here and strings on the wire, where 64 bits do not survive.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from scenewright.unity.yaml.source import ObjectDocument, UnityFile

__all__ = [
    "GAME_OBJECT",
    "INSTANCE",
    "RECT_TRANSFORM",
    "SCENE_ROOTS",
    "TRANSFORM",
    "Facts",
    "GameObject",
    "Instance",
    "Stripped",
    "Transform",
    "number",
    "read_facts",
    "target_of",
]

GAME_OBJECT, TRANSFORM, RECT_TRANSFORM, SCRIPT, INSTANCE, SCENE_ROOTS = 1, 4, 224, 114, 1001, 1660057539
_NL = rb"\r?\n"
_OBJECT = re.compile(
    rb"  m_Component:((?:\r?\n  - \w+: \{fileID: -?\d+\})*)"
    + _NL
    + rb"  m_Layer: (\d+)"
    + _NL
    + rb"(?:  m_HasEditorInfo: \d"
    + _NL
    + rb")?  m_Name: ?([^\s\"'{\[|>&*!%@#`][^\r\n]*|)"
    + _NL
    + rb"  m_TagString: ([^\r\n\"']*?)\r?\n(?:  [^\r\n]*\r?\n)*?  m_IsActive: (\d)"
)
_TRANSFORM = re.compile(
    rb"\n  m_GameObject: \{fileID: (-?\d+)\}.*?\n  m_Children:(?: \[\])?((?:\r?\n  - \{fileID: -?\d+\})*)"
    + _NL
    + rb"  m_Father: \{fileID: (-?\d+)\}(?:"
    + _NL
    + rb"  m_RootOrder: (-?\d+))?",
    re.DOTALL,
)
_FILE_ID = re.compile(rb"\{fileID: (-?\d+)\}")
_SCRIPT = re.compile(rb"\n  m_Script: \{fileID: (-?\d+)(?:, guid: ([0-9a-f]{32}))?")
_OWNER = re.compile(rb"\n  m_GameObject: \{fileID: (-?\d+)\}")


class GameObject(NamedTuple):
    name: str
    components: tuple[int, ...]
    active: bool
    tag: str
    layer: int


class Transform(NamedTuple):
    owner: int
    father: int
    children: tuple[int, ...]
    order: int


class Stripped(NamedTuple):
    """A stand-in for an object that a prefab instance brings."""

    class_id: int
    instance: int
    source: int


class Instance(NamedTuple):
    """A prefab instance; its modifications are read when they are needed."""

    file_id: int
    parent: int
    guid: str
    document: ObjectDocument

    @property
    def modification(self) -> dict[str, Any]:
        modification = self.document.data.get("m_Modification")
        return modification if isinstance(modification, dict) else {}


class Facts:
    """Objects of a file by id, in the order of the file."""

    def __init__(self, file: UnityFile) -> None:
        self.file = file
        self.objects: dict[int, GameObject] = {}
        self.transforms: dict[int, Transform] = {}
        self.stripped: dict[int, Stripped] = {}
        self.instances: dict[int, Instance] = {}
        self.scripts: dict[int, str] = {}
        self.roots: tuple[int, ...] = ()

    def owners(self) -> dict[int, int]:
        """Return the GameObject of each component that belongs to a stripped one, which does not list it."""
        if not any(row.class_id == GAME_OBJECT for row in self.stripped.values()):
            return {}
        owners = {}
        for document in self.file.documents:
            if document.stripped or document.class_id in (GAME_OBJECT, TRANSFORM, RECT_TRANSFORM, INSTANCE):
                continue
            match = _OWNER.search(self.file.data, document.body, document.end)
            if match is not None and int(match[1]) in self.stripped:
                owners[document.file_id] = int(match[1])
        return owners


def read_facts(file: UnityFile) -> Facts:
    facts = Facts(file)
    for document in file.documents:
        if document.stripped:
            facts.stripped[document.file_id] = _stripped(document)
            continue
        read = _READERS.get(document.class_id)
        if read is not None:
            read(facts, document)
    return facts


def number(value: Any) -> int:
    """Return a whole number that the file writes, 0 where it is none."""
    try:
        return int(value)
    except (TypeError, ValueError):
        return 0


def target_of(reference: Any) -> tuple[int, str]:
    """Return the file id and the guid of a reference, 0 and nothing where it is none."""
    if not isinstance(reference, dict):
        return 0, ""
    guid = reference.get("guid", "")
    return number(reference.get("fileID")), guid if isinstance(guid, str) else ""


def _object(facts: Facts, document: ObjectDocument) -> None:
    match = _OBJECT.search(facts.file.data, document.body, document.end)
    if match is None:
        facts.objects[document.file_id] = _parsed_object(document.data)
        return
    components = tuple(map(int, _FILE_ID.findall(match[1])))
    name = match[3].decode("utf-8", "surrogateescape").rstrip()
    facts.objects[document.file_id] = GameObject(name, components, match[5] == b"1", _tag(match[4]), int(match[2]))


def _tag(raw: bytes) -> str:
    return "Untagged" if raw == b"Untagged" else raw.decode("utf-8", "surrogateescape").rstrip()


def _parsed_object(data: dict[str, Any]) -> GameObject:
    rows = data.get("m_Component")
    # Up to Unity 5.4 the key of a component is its class, later the word `component`.
    parts = [target_of(value)[0] for row in rows if isinstance(row, dict) for value in row.values()] if rows else []
    return GameObject(
        str(data.get("m_Name", "")),
        tuple(parts),
        data.get("m_IsActive", "1") == "1",
        str(data.get("m_TagString", "Untagged")),
        number(data.get("m_Layer")),
    )


def _transform(facts: Facts, document: ObjectDocument) -> None:
    match = _TRANSFORM.search(facts.file.data, document.body, document.end)
    if match is None:
        facts.transforms[document.file_id] = _parsed_transform(document.data)
        return
    children = tuple(map(int, _FILE_ID.findall(match[2]))) if match[2] else ()
    order = int(match[4]) if match[4] else 0
    facts.transforms[document.file_id] = Transform(int(match[1]), int(match[3]), children, order)


def _parsed_transform(data: dict[str, Any]) -> Transform:
    rows = data.get("m_Children")
    children = tuple(target_of(row)[0] for row in rows) if isinstance(rows, list) else ()
    owner, father = target_of(data.get("m_GameObject"))[0], target_of(data.get("m_Father"))[0]
    return Transform(owner, father, children, number(data.get("m_RootOrder")))


def _script(facts: Facts, document: ObjectDocument) -> None:
    match = _SCRIPT.search(facts.file.data, document.body, document.end)
    facts.scripts[document.file_id] = match[2].decode() if match is not None and match[2] else ""


def _instance(facts: Facts, document: ObjectDocument) -> None:
    data = document.data
    if data.get("m_IsPrefabParent") == "1" or data.get("m_IsPrefabAsset") == "1":
        return  # up to Unity 2018.2 a prefab describes itself with the same class
    modification = data.get("m_Modification")
    parent = target_of(modification.get("m_TransformParent"))[0] if isinstance(modification, dict) else 0
    _, guid = target_of(data.get("m_SourcePrefab") or data.get("m_ParentPrefab"))
    facts.instances[document.file_id] = Instance(document.file_id, parent, guid, document)


def _stripped(document: ObjectDocument) -> Stripped:
    data = document.data
    source, _ = target_of(data.get("m_CorrespondingSourceObject") or data.get("m_PrefabParentObject"))
    instance, _ = target_of(data.get("m_PrefabInstance") or data.get("m_PrefabInternal"))
    return Stripped(document.class_id, instance, source)


def _roots(facts: Facts, document: ObjectDocument) -> None:
    rows = document.data.get("m_Roots")
    facts.roots = tuple(target_of(row)[0] for row in rows) if isinstance(rows, list) else ()


_READERS = {
    GAME_OBJECT: _object,
    TRANSFORM: _transform,
    RECT_TRANSFORM: _transform,
    SCRIPT: _script,
    INSTANCE: _instance,
    SCENE_ROOTS: _roots,
}
