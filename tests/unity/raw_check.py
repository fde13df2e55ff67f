"""Reads an edited file from its raw text, with nothing of ours: what an editor would trip over, in words.

Only the order of fields is told by the table of the engine's classes.
"""

from __future__ import annotations

import re
from collections import Counter

from scenewright.unity.class_types.table import table
from scenewright.unity.class_types.versions import Version

__all__ = ["problems_of", "unordered_fields"]

_HEAD = re.compile(r"^--- !u!(\d+) &(-?\d+)( stripped)?\r?\n(\w+):\r?\n", re.MULTILINE)
_LOCAL = re.compile(r"\{fileID: (-?\d+)\}")
_TRANSFORMS = {4, 224}
_KEY = re.compile(r"^  ([A-Za-z_][\w ]*):(?= |$)", re.MULTILINE)
_LISTED = re.compile(r"(?:\n  - (?:component: |\d+: )?\{fileID: -?\d+\})*")


class _Object:
    def __init__(self, class_id: int, body: str, *, stripped: bool) -> None:
        self.class_id = class_id
        self.body = "\n" + body
        self.stripped = stripped

    def one(self, key: str) -> int | None:
        """Return the id of a reference within the file."""
        match = re.search(rf"\n +{key}: \{{fileID: (-?\d+)\}}", self.body)
        return None if match is None else int(match[1])

    def listed(self, key: str) -> list[int]:
        match = re.search(rf"\n  {key}:(?: \[\])?(?=\n)", self.body)
        if match is None:
            return []
        rows = _LISTED.match(self.body, match.end())
        return [int(number) for number in _LOCAL.findall(rows[0] if rows else "")]


def problems_of(data: bytes) -> list[str]:
    """Return what is wrong with a scene or prefab; nothing where an editor would load it as it is meant."""
    text = data.decode("utf-8", "surrogateescape").replace("\r\n", "\n")
    heads = list(_HEAD.finditer(text))
    ends = [*(head.start() for head in heads[1:]), len(text)]
    problems = [
        f"the id {one} is there twice" for one, count in Counter(head[2] for head in heads).items() if count > 1
    ]
    objects = {
        int(head[2]): _Object(int(head[1]), text[head.end() : end], stripped=head[3] is not None)
        for head, end in zip(heads, ends, strict=True)
    }
    problems += _components(objects)
    problems += _transforms(objects)
    problems += _instances(objects)
    problems += _roots(objects)
    problems += [
        f"{number} refers to {other}, which is not there"
        for number, one in objects.items()
        for other in {int(found) for found in _LOCAL.findall(one.body)}
        if other != 0 and other not in objects
    ]
    return problems


def unordered_fields(before: bytes, after: bytes, version: Version) -> list[str]:
    """Return where a document that is new has fields in another order than the editor's, or fields it has not."""
    known = {head[2] for head in _HEAD.finditer(before.decode("utf-8", "surrogateescape"))}
    text = after.decode("utf-8", "surrogateescape").replace("\r\n", "\n")
    heads = list(_HEAD.finditer(text))
    ends = [*(head.start() for head in heads[1:]), len(text)]
    problems = []
    for head, end in zip(heads, ends, strict=True):
        kind = table().class_type(int(head[1]), version)
        if head[2] in known or head[3] is not None or kind is None or kind.name in ("MonoBehaviour", "PrefabInstance"):
            continue
        names = [field.name for field in kind.fields]
        written = [
            key for key in _KEY.findall(text[head.end() : end]) if key not in ("serializedVersion", "m_RootOrder")
        ]
        if [name for name in names if name in written] != written:
            problems.append(f"{kind.name} {head[2]} has its fields as {written}")
    return problems


def _components(objects: dict[int, _Object]) -> list[str]:
    problems, owners = [], Counter[int]()
    for number, one in objects.items():
        if one.class_id != 1 or one.stripped:
            continue
        parts = one.listed("m_Component")
        owners.update(parts)
        if not parts or parts[0] not in objects or objects[parts[0]].class_id not in _TRANSFORMS:
            problems.append(f"the first component of {number} is no transform")
        for part in parts:
            if part in objects and objects[part].one("m_GameObject") != number:
                problems.append(f"{number} lists {part}, which belongs to another")
    problems += [f"{part} is listed {count} times" for part, count in owners.items() if count > 1]
    for number, one in objects.items():
        owner = one.one("m_GameObject")
        is_own = owner in objects and not objects[owner].stripped and objects[owner].class_id == 1
        if is_own and not one.stripped and number not in owners:
            problems.append(f"{number} says that it belongs to {owner}, which does not list it")
    return problems


def _transforms(objects: dict[int, _Object]) -> list[str]:
    problems = []
    for number, one in objects.items():
        if one.class_id not in _TRANSFORMS or one.stripped:
            continue
        for child in one.listed("m_Children"):
            if child in objects and _parent(objects, objects[child]) != number:
                problems.append(f"{number} has the child {child}, which has another parent")
        father = one.one("m_Father")
        if father in objects and not objects[father].stripped and number not in objects[father].listed("m_Children"):
            problems.append(f"{number} has the parent {father}, which does not have it")
        passed = {number}
        while father in objects and father not in passed:
            passed.add(father)
            father = objects[father].one("m_Father")
        if father in passed:
            problems.append(f"{number} is below itself")
    return problems


def _parent(objects: dict[int, _Object], one: _Object) -> int | None:
    if not one.stripped:
        return one.one("m_Father")
    instance = objects.get(one.one("m_PrefabInstance") or 0)
    return None if instance is None else instance.one("m_TransformParent")


def _instances(objects: dict[int, _Object]) -> list[str]:
    problems = []
    for number, one in objects.items():
        if one.stripped:
            instance = objects.get(one.one("m_PrefabInstance") or 0)
            if instance is None or instance.class_id != 1001:
                problems.append(f"the stand-in {number} is of no instance")
        if one.class_id == 1001:
            parent = one.one("m_TransformParent")
            if parent and (parent not in objects or objects[parent].class_id not in _TRANSFORMS):
                problems.append(f"the instance {number} is below {parent}, which is no transform")
            rows = re.findall(r"\n    - target: (\{[^}]*\})\n      propertyPath: (\S+)", one.body)
            twice = [row for row, count in Counter(rows).items() if count > 1]
            problems += [f"the instance {number} overrides {path} twice" for _, path in twice]
    return problems


def _roots(objects: dict[int, _Object]) -> list[str]:
    lists = [one for one in objects.values() if one.class_id == 1660057539]
    if not lists:
        return []
    listed = lists[0].listed("m_Roots")
    expected = {
        number
        for number, one in objects.items()
        if not one.stripped
        and (
            (one.class_id in _TRANSFORMS and one.one("m_Father") == 0)
            or (one.class_id == 1001 and one.one("m_TransformParent") == 0)
        )
    }
    return [
        *(f"the root {number} is not listed" for number in expected - set(listed)),
        *(f"{number} is listed as a root, and is none" for number in set(listed) - expected),
        *(f"the root {number} is listed twice" for number, count in Counter(listed).items() if count > 1),
    ]
