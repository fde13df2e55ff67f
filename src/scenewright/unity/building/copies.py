"""Copies of an object with all below it: its documents under new ids, and references among them led to the copies."""

from __future__ import annotations

import re
from collections.abc import Mapping

from scenewright.core.faults import Unsupported
from scenewright.unity.editing.objects import Hierarchy
from scenewright.unity.editing.session import EditSession
from scenewright.unity.objects.facts import INSTANCE, target_of
from scenewright.unity.objects.nodes import ObjectNode
from scenewright.unity.objects.prefab_expansion import outer_id
from scenewright.unity.yaml.source import ObjectDocument

__all__ = ["copied_text", "documents_below", "duplicate", "new_ids_for"]

_LOCAL = re.compile(r"\{fileID: (-?\d+)\}")
_ORDER = re.compile(r"(\n  m_RootOrder: )-?\d+")
_INSTANCE_ORDER = re.compile(r"(propertyPath: m_RootOrder\r?\n +value: )-?\d+")


def documents_below(session: EditSession, node: ObjectNode) -> list[ObjectDocument]:
    """Return the documents of an object and of all below it, in the order of the file.

    Raises:
        Unsupported: it is a part of a prefab instance.
    """
    hierarchy = Hierarchy(session)
    if node.instance is not None and not hierarchy.is_root(node):
        raise Unsupported(
            f"'{node.path}' comes from a prefab instance.",
            hint="Name the instance's root, or the object in the prefab itself.",
        )
    ids: set[int] = set()
    for below in node.walk():
        ids |= hierarchy.ids_of(below)
    return [document for document in session.file.documents if document.file_id in ids]


def new_ids_for(documents: list[ObjectDocument], fresh: list[int], *, into_prefab: bool) -> dict[int, int]:
    """Return the ids of the copies; in a prefab a stand-in's follows from its instance's."""
    ids = {document.file_id: number for document, number in zip(documents, fresh, strict=True)}
    for document in documents if into_prefab else ():
        if document.stripped:
            source, _ = target_of(document.data.get("m_CorrespondingSourceObject"))
            instance, _ = target_of(document.data.get("m_PrefabInstance"))
            ids[document.file_id] = outer_id(source, ids.get(instance, instance))
    return ids


def copied_text(document: ObjectDocument, ids: Mapping[int, int]) -> str:
    """Return a document's text with other ids, its own and those it refers to; what leads nowhere is emptied."""

    def led(match: re.Match[str]) -> str:
        file_id = int(match[1])
        return f"{{fileID: {ids.get(file_id, file_id if file_id in document.file.by_id else 0)}}}"

    data = document.file.data
    head = data[document.start : document.body].decode().replace(f"&{document.file_id}", f"&{ids[document.file_id]}", 1)
    return head.replace("\r\n", "\n") + _LOCAL.sub(led, document.text.replace("\r\n", "\n"))


def duplicate(hierarchy: Hierarchy, node: ObjectNode, parent: ObjectNode | None) -> int:
    """Put a copy of an object beside it; return the id of its GameObject, or of its instance."""
    session = hierarchy.session
    documents = documents_below(session, node)
    ids = new_ids_for(documents, session.new_ids(len(documents)), into_prefab=session.file.path.endswith(".prefab"))
    order = hierarchy.order(parent)
    top = node.instance.file_id if node.instance is not None else hierarchy.transform_id(node)
    texts: dict[int, str] = {}
    for document in documents:
        text = copied_text(document, ids)
        if document.file_id == top and order is not None:
            pattern = _INSTANCE_ORDER if document.class_id == INSTANCE else _ORDER
            text = pattern.sub(rf"\g<1>{order}", text, count=1)
        texts[ids[document.file_id]] = text if text.endswith("\n") else f"{text}\n"
    for file_id, text in sorted(texts.items()):
        session.add_documents(file_id, text)
    hierarchy.added += len(texts)
    listed = top if parent is None and node.instance is not None else hierarchy.transform_id(node)
    hierarchy.attach(ids.get(listed, listed), parent, None)
    return ids[node.instance.file_id if node.instance is not None else node.file_id]
