"""Makes a prefab of an object of a scene, which becomes an instance of it: what refers to its parts stays as it was."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from scenewright.core.faults import Invalid, Unsupported
from scenewright.unity.building.copies import copied_text, documents_below, new_ids_for
from scenewright.unity.building.prefab_instances import Source, instance_text, override, placed_rows
from scenewright.unity.editing import documents
from scenewright.unity.editing.objects import Hierarchy
from scenewright.unity.editing.properties import engine_path
from scenewright.unity.editing.session import EditSession
from scenewright.unity.objects.facts import INSTANCE, target_of
from scenewright.unity.objects.nodes import ObjectNode
from scenewright.unity.objects.overrides import effective_data
from scenewright.unity.objects.prefab_expansion import outer_id
from scenewright.unity.yaml.property_spans import PathStep
from scenewright.unity.yaml.source import ObjectDocument

__all__ = ["HEAD", "prefab_text", "put_instance_in_place"]

HEAD = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n"
_LOCAL = re.compile(r"\{fileID: (-?\d+)\}")
_LOCAL_BYTES = re.compile(rb"\{fileID: (-?\d+)\}")
_FATHER = re.compile(r"(\n {2,4}m_(?:Father|TransformParent): \{fileID: )-?\d+")
_ORDER = re.compile(r"(\n  m_RootOrder: )-?\d+")
_FIRST_VERSION = (2018, 3, 0, 0, 0)


def prefab_text(session: EditSession, node: ObjectNode) -> tuple[str, dict[int, int]]:
    """Return the text of a prefab of an object, and the ids in it by those in the scene.

    Raises:
        Unsupported: it is a part of an instance, or the file is older than such prefabs.
    """
    if session.types.version < _FIRST_VERSION:
        raise Unsupported("Prefabs before Unity 2018.3 are written otherwise.", hint="Make the prefab in the editor.")
    below = documents_below(session, node)
    if not below:
        raise Invalid(f"'{node.path}' is not in the file.", path="input.gameObjectPath", rule="tree")
    fresh = [(1 << 60) | number for number in session.new_ids(len(below))]
    ids = new_ids_for(below, fresh, into_prefab=True)
    top, inside = _top(node), set(ids.values())

    def kept(match: re.Match[str]) -> str:
        # What refers to the rest of the scene is an override of the instance, and nothing in the prefab.
        return match[0] if int(match[1]) in inside else "{fileID: 0}"

    texts = []
    for document in below:
        text = copied_text(document, ids)
        if document.file_id == top:
            text = _ORDER.sub(r"\g<1>0", _FATHER.sub(r"\g<1>0", text, count=1), count=1)
        texts.append(_LOCAL.sub(kept, text))
    return HEAD + "".join(text if text.endswith("\n") else f"{text}\n" for text in texts), ids


def _top(node: ObjectNode) -> int:
    """Return the id of the document that says what an object is below."""
    return node.instance.file_id if node.instance is not None else node.parts[0].file_id


def put_instance_in_place(
    hierarchy: Hierarchy, node: ObjectNode, parent: ObjectNode | None, guid: str, ids: Mapping[int, int]
) -> int:
    """Replace an object by an instance of the prefab that was made of it; return the instance's id."""
    session = hierarchy.session
    below = documents_below(session, node)
    gone = {document.file_id for document in below}
    source = _source(node, guid, ids)
    (instance_id,) = session.new_ids(1)
    father = hierarchy.transform_id(parent) if parent is not None else 0
    order = _order_of(session, node)
    rows = placed_rows(source, {}, node.name, order)
    rows += [row for document in below for row in _outward(document, guid, ids)]
    session.add_documents(instance_id, instance_text(session, instance_id, guid, father, rows))
    hierarchy.added += 1
    if session.file.path.endswith(".prefab"):
        _relist(hierarchy, node, parent, instance_id, outer_id(source.transform_id, instance_id))
        _lead_to_stand_ins(hierarchy, node, source, ids, instance_id)
    else:
        _add_stand_ins(hierarchy, node, parent, guid, ids, instance_id)
        listed = instance_id if parent is None else hierarchy.transform_id(node)
        _relist(hierarchy, node, parent, instance_id, listed)
    for document in below:
        session.edits.remove_document(document)
    hierarchy.removed |= gone
    return instance_id


def _source(node: ObjectNode, guid: str, ids: Mapping[int, int]) -> Source:
    """Return the root of the new prefab as its instance refers to it."""
    part = node.parts[0]
    if node.instance is None:
        object_id, transform_id = ids[node.file_id], ids[part.file_id]
    else:
        inner = ids[node.instance.file_id]
        assert node.inner is not None
        assert part.inner is not None
        object_id, transform_id = outer_id(node.inner.file_id, inner), outer_id(part.inner.file_id, inner)
    return Source(guid, node.name, object_id, transform_id, part.class_id, effective_data(part))


def _order_of(session: EditSession, node: ObjectNode) -> int | None:
    if not session.types.has_root_order:
        return None
    order = effective_data(node.parts[0]).get("m_RootOrder")
    return int(str(order)) if order is not None and str(order).lstrip("-").isdigit() else 0


def _outward(document: ObjectDocument, guid: str, ids: Mapping[int, int]) -> Iterator[dict[str, Any]]:
    """Yield what a document refers to outside, as changes of the instance."""
    if document.stripped:
        return
    if document.class_id == INSTANCE:
        yield from _outward_overrides(document, guid, ids)
        return
    for steps, reference in _references(document.data, []):
        file_id, other = target_of(reference)
        if (
            not other
            and file_id in document.file.by_id
            and file_id not in ids
            and steps[0] not in ("m_Father", "m_GameObject")
        ):
            target = {"fileID": str(file_id)}
            yield override(ids[document.file_id], guid, engine_path(steps), "", target)


def _outward_overrides(document: ObjectDocument, guid: str, ids: Mapping[int, int]) -> Iterator[dict[str, Any]]:
    modification = document.data.get("m_Modification")
    rows = modification.get("m_Modifications") if isinstance(modification, dict) else None
    for row in rows if isinstance(rows, list) else ():
        file_id, other = target_of(row.get("objectReference"))
        if not other and file_id in document.file.by_id and file_id not in ids:
            source = outer_id(target_of(row.get("target"))[0], ids[document.file_id])
            yield override(source, guid, str(row.get("propertyPath")), "", {"fileID": str(file_id)})


def _references(value: Any, steps: list[PathStep]) -> Iterator[tuple[list[PathStep], Any]]:
    if isinstance(value, dict) and "fileID" in value:
        yield steps, value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _references(item, [*steps, key])
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _references(item, [*steps, number])


def _add_stand_ins(
    hierarchy: Hierarchy,
    node: ObjectNode,
    parent: ObjectNode | None,
    guid: str,
    ids: Mapping[int, int],
    instance_id: int,
) -> None:
    """Keep the ids that the rest of the scene refers to, as stand-ins for the prefab's objects."""
    session = hierarchy.session
    below = documents_below(session, node)
    gone = {document.file_id: document for document in below}
    wanted = _referred_from_outside(session, set(gone))
    if parent is not None:
        wanted.add(hierarchy.transform_id(node))
    for file_id in sorted(wanted & gone.keys()):
        document = gone[file_id]
        if document.class_id == INSTANCE:
            continue
        text = documents.stripped(document.class_id, file_id, ids[file_id], guid, instance_id)
        if document.class_id == 114:
            text += _script_lines(document)
        session.add_documents(file_id, text)
        hierarchy.added += 1


def _referred_from_outside(session: EditSession, gone: set[int]) -> set[int]:
    referred: set[int] = set()
    for document in session.file.documents:
        if document.file_id not in gone:
            referred |= {int(number) for number in _LOCAL.findall(document.text)} & gone
    return referred


def _script_lines(document: ObjectDocument) -> str:
    """Return what a stand-in of a script says besides."""
    data = document.data
    file_id, guid = target_of(data.get("m_Script"))
    return (
        "  m_GameObject: {fileID: 0}\n  m_Enabled: 1\n  m_EditorHideFlags: 0\n"
        f"  m_Script: {{fileID: {file_id}, guid: {guid}, type: 3}}\n  m_Name: \n  m_EditorClassIdentifier: \n"
    )


def _lead_to_stand_ins(
    hierarchy: Hierarchy, node: ObjectNode, source: Source, ids: Mapping[int, int], made: int
) -> None:
    """Lead what the rest of a prefab refers to among the parts to their stand-ins, whose ids the instance gives."""
    session = hierarchy.session
    gone = {document.file_id: document.class_id for document in documents_below(session, node)}
    listed, wanted = session.list_spans(), {source.transform_id: source.class_id}
    for match in _LOCAL_BYTES.finditer(session.file.data):
        start, file_id = match.start(), int(match[1])
        class_id = gone.get(file_id, INSTANCE)
        is_listed = any(first <= start < last for first, last in listed)
        is_gone = any(session.file.by_id[one].start <= start < session.file.by_id[one].end for one in gone)
        if class_id == INSTANCE or is_listed or is_gone:
            continue
        wanted[ids[file_id]] = class_id
        session.edits.replace(match.start(1), match.end(1), str(outer_id(ids[file_id], made)))
    for inner, class_id in sorted(wanted.items()):
        stand_in = outer_id(inner, made)
        session.add_documents(stand_in, documents.stripped(class_id, stand_in, inner, source.guid, made))
        hierarchy.added += 1


def _relist(
    hierarchy: Hierarchy, node: ObjectNode, parent: ObjectNode | None, instance_id: int, transform_id: int
) -> None:
    """List the instance where the object was listed."""
    _, place = hierarchy.detach(node)
    hierarchy.attach(instance_id if parent is None else transform_id, parent, place)
