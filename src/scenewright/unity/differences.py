"""What is different between two scenes or prefabs: objects by id, then their properties."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from scenewright.unity.component_names import Naming
from scenewright.unity.objects.nodes import ObjectTree
from scenewright.unity.presentation import HIDDEN
from scenewright.unity.yaml.source import ObjectDocument, UnityFile

__all__ = ["Difference", "differences"]

_QUIET = HIDDEN - {"m_GameObject"}
_NOTHING = object()


@dataclass(slots=True)
class Difference:
    """One object that is new, gone or changed."""

    kind: str  # added, removed, changed
    document: ObjectDocument
    type: str
    path: str | None
    properties: list[tuple[str, Any, Any]] = field(default_factory=list)


def differences(old: ObjectTree, new: ObjectTree, naming: Naming) -> list[Difference]:
    """Return what leads from one file to the other, in the order of the files."""
    rows = []
    for document in _all_documents(old.file, new.file):
        before, after = old.file.by_id.get(document.file_id), new.file.by_id.get(document.file_id)
        if before is None or after is None:
            kind, tree = ("removed", old) if after is None else ("added", new)
            rows.append(Difference(kind, document, _type(tree, document, naming), _path(tree, document)))
        elif _bytes(before) != _bytes(after):
            changed = [row for row in _changes(before.data, after.data, "") if row[1] is not row[2]]
            if changed:
                row = Difference("changed", after, _type(new, after, naming), _path(new, after), changed)
                rows.append(row)
    return rows


def _all_documents(old: UnityFile, new: UnityFile) -> Iterator[ObjectDocument]:
    yield from new.documents
    yield from (document for document in old.documents if document.file_id not in new.by_id)


def _bytes(document: ObjectDocument) -> bytes:
    return document.file.data[document.start : document.end]


def _changes(before: Any, after: Any, path: str) -> Iterator[tuple[str, Any, Any]]:
    if before == after:
        return
    if isinstance(before, dict) and isinstance(after, dict) and "fileID" not in before and "fileID" not in after:
        for key in [*after, *(key for key in before if key not in after)]:
            if path or key not in _QUIET:
                inside = f"{path}.{key}" if path else key
                yield from _changes(before.get(key, _NOTHING), after.get(key, _NOTHING), inside)
    elif isinstance(before, list) and isinstance(after, list):
        for number in range(max(len(before), len(after))):
            one = before[number] if number < len(before) else _NOTHING
            other = after[number] if number < len(after) else _NOTHING
            yield from _changes(one, other, f"{path}[{number}]")
    else:
        yield path, None if before is _NOTHING else before, None if after is _NOTHING else after


def _type(tree: ObjectTree, document: ObjectDocument, naming: Naming) -> str:
    part = tree.parts.get(document.file_id)
    return naming.component(part) if part is not None else document.type_name


def _path(tree: ObjectTree, document: ObjectDocument) -> str | None:
    node = tree.nodes.get(document.file_id) or tree.owners.get(document.file_id)
    return node.path if node is not None else None
