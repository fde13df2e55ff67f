"""Adds and removes components, those of prefab instances included."""

from __future__ import annotations

from scenewright.core.faults import Invalid, NotFound, Unsupported, did_you_mean
from scenewright.core.text.counts import count_noun
from scenewright.unity.classes import PACKAGE_SCRIPTS
from scenewright.unity.editing import documents
from scenewright.unity.editing.objects import Hierarchy
from scenewright.unity.objects.facts import target_of
from scenewright.unity.objects.nodes import Component, ObjectNode
from scenewright.unity.workspace import Workspace

__all__ = ["add_component", "find_script", "remove_component", "the_component"]


def find_script(workspace: Workspace, name: str) -> str | None:
    """Return the guid of the script that declares a class, by its name or path; None where it is one of the engine's
    classes.

    Raises:
        NotFound: there is neither.
    """
    if name in documents.COMPONENTS:
        return None
    plain = name.rpartition(".")[2] if not name.endswith(".cs") else name
    scripts = [asset for asset in workspace.graph.files() if asset.suffix == ".cs" and asset.guid]
    if name.endswith(".cs"):
        return workspace.graph.asset(workspace.place(name)).guid
    # The file is mostly called like the class, so that few need to be read.
    for asset in sorted(scripts, key=lambda asset: asset.name != plain):
        if workspace.naming.script_class(asset).name == plain:
            return asset.guid
    for guid, known in PACKAGE_SCRIPTS.items():
        if known == plain:
            return guid
    names = [*documents.COMPONENTS, *(asset.name for asset in scripts), *PACKAGE_SCRIPTS.values()]
    raise NotFound(f"There is no component '{name}'.", hint=did_you_mean(plain, names))


def add_component(hierarchy: Hierarchy, node: ObjectNode, name: str) -> int:
    """Put a component on a GameObject; return its id."""
    session = hierarchy.session
    guid = find_script(session.workspace, name)
    (file_id,) = session.new_ids(1)
    own = session.own(node)
    owner = node.file_id if own is not None else hierarchy.object_id(node)
    text = documents.component(file_id, owner, name) if guid is None else documents.script(file_id, owner, guid)
    session.add_documents(file_id, text)
    hierarchy.added += 1
    if own is not None:
        rows = session.items(own, "m_Component")
        item: dict[str, object] = {"component": {"fileID": str(file_id)}}
    else:
        assert node.instance is not None
        assert node.inner is not None
        rows = session.items(node.instance.document, "m_Modification", "m_AddedComponents")
        target = {"fileID": str(node.inner.file_id), "guid": node.instance.guid, "type": "3"}
        item = {"targetCorrespondingSourceObject": target, "insertIndex": "-1", "addedObject": {"fileID": str(file_id)}}
    if rows is not None:  # older versions know an added component by its GameObject alone
        rows.append(item)
    return file_id


def remove_component(hierarchy: Hierarchy, node: ObjectNode, part: Component) -> int:
    """Take a component away; return how many references to it were emptied."""
    session = hierarchy.session
    if part.class_id in (4, 224):
        raise Invalid("A GameObject needs its transform.", path="input.componentType", rule="enum")
    if part.inner is not None:
        return _remove_from_instance(hierarchy, node, part)
    own = session.own(node)
    if own is not None:
        rows = session.items(own, "m_Component")
    else:
        assert node.instance is not None
        rows = session.items(node.instance.document, "m_Modification", "m_AddedComponents")
    if rows is not None:
        rows[:] = [row for row in rows if part.file_id not in {target_of(value)[0] for value in row.values()}]
    document = session.file.by_id.get(part.file_id)
    if document is not None:
        hierarchy.removed.add(part.file_id)
        session.edits.remove_document(document)
    return hierarchy.clear_references({part.file_id})


def _remove_from_instance(hierarchy: Hierarchy, node: ObjectNode, part: Component) -> int:
    assert node.instance is not None
    assert part.inner is not None
    rows = hierarchy.session.items(node.instance.document, "m_Modification", "m_RemovedComponents")
    if rows is None:
        raise Unsupported("The prefab instance has no list of removed components.")
    rows.append({"fileID": str(part.inner.file_id), "guid": node.instance.guid, "type": "3"})
    return 0


def the_component(workspace: Workspace, node: ObjectNode, name: str, index: int | None = None) -> Component:
    """Return a component by its class; of several, by their number.

    Raises:
        NotFound: there is none.
        Invalid: there are several, and none is chosen.
    """
    names = workspace.naming.components(node)
    plain = name.rpartition(".")[2]
    components = [part for part, known in zip(node.parts, names, strict=True) if known == plain]
    if not components:
        raise NotFound(
            f"'{node.path}' has no component '{name}'.",
            hint=did_you_mean(plain, names) or f"It has: {', '.join(names)}.",
        )
    if len(components) > 1 and index is None:
        raise Invalid(
            f"'{node.path}' has {len(components)} '{name}' components.",
            path="input.componentIndex",
            rule="required",
            hint=f"Pass componentIndex, 0 to {len(components) - 1}.",
        )
    if (index or 0) >= len(components):
        have = count_noun(len(components), f"'{name}' component")
        raise NotFound(f"'{node.path}' has only {have}.")
    return components[index or 0]
