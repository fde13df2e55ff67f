"""Adds and removes components, those of prefab instances included."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scenewright.core.faults import Invalid, NotFound, Unsupported, closest, did_you_mean
from scenewright.core.text.counts import count_noun
from scenewright.unity.class_types.defaults import DEFAULTS
from scenewright.unity.class_types.objects import default_value
from scenewright.unity.class_types.package_scripts import package_script
from scenewright.unity.classes import PACKAGE_SCRIPTS
from scenewright.unity.editing import documents
from scenewright.unity.editing.object_types import ObjectTypes
from scenewright.unity.editing.objects import Hierarchy
from scenewright.unity.editing.requirements import check_beside, follows, needed_by, needs_rectangle
from scenewright.unity.editing.session import EditSession
from scenewright.unity.objects.facts import target_of
from scenewright.unity.objects.nodes import Component, ObjectNode
from scenewright.unity.script_types import ScriptTypes
from scenewright.unity.workspace import Workspace

__all__ = [
    "AddedComponent",
    "add_component",
    "addable_components",
    "check_defaults",
    "check_library",
    "find_script",
    "remove_component",
    "script_fields",
    "the_component",
]

_UI_IS_A_PACKAGE = (2019, 2, 0, 0, 0)
_OF_OWN_PACKAGE = ("TextMeshPro", "InputSystem")


@dataclass(frozen=True, slots=True)
class AddedComponent:
    """A component that was put on a GameObject, and what the editor puts there before it."""

    file_id: int
    brought: list[str]
    not_known: list[str]  # what it needs and the project does not show the source of


def addable_components() -> list[str]:
    """Return the engine's components whose values in a new one are known."""
    return [name for name in documents.COMPONENTS if name in DEFAULTS]


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
    names = [*addable_components(), *(asset.name for asset in scripts), *PACKAGE_SCRIPTS.values()]
    raise NotFound(f"There is no component '{name}'.", hint=did_you_mean(plain, names))


def check_defaults(name: str) -> None:
    """Refuse a component of the engine whose values in a new one are not known.

    Raises:
        Unsupported: it is such a one.
    """
    if name in documents.COMPONENTS and name not in DEFAULTS:
        near = closest(name, addable_components(), likeness=0.5)
        others = f" Near in name, and known: {', '.join(near)}." if near else ""
        raise Unsupported(f"What Unity writes into a new '{name}' is not known.", hint=f"Add it in the editor.{others}")


def check_library(types: ObjectTypes, guid: str | None, name: str) -> None:
    """Refuse a script of uGUI where it lies in a library of the editor and is referred to in another way.

    Raises:
        Unsupported: the file is of such a version.
    """
    is_ui = guid is not None and package_script(PACKAGE_SCRIPTS.get(guid, "")) is not None
    if is_ui and not name.startswith(_OF_OWN_PACKAGE) and types.version < _UI_IS_A_PACKAGE:
        raise Unsupported(
            f"'{name}' lies in a library of the editor before Unity 2019.2, and how that is referred to is not known.",
            hint="Add it in the editor.",
        )


def add_component(hierarchy: Hierarchy, node: ObjectNode, name: str) -> AddedComponent:
    """Put a component on a GameObject, with those that it needs.

    Raises:
        Invalid: it does not go with what is there.
    """
    session = hierarchy.session
    types, there = session.types, session.workspace.naming.components(node)
    guid = _addable(session, name)
    plain = name.rpartition(".")[2] if guid is None else types.scripts.class_name(guid)
    check_beside(plain, there, types.scripts)
    guids: dict[str, str | None] = {}
    not_known = []
    for needed in needed_by(plain, there, types.scripts):
        try:
            guids[needed] = _addable(session, needed)
        except NotFound:
            not_known.append(needed)
    guids[name] = guid
    order = sorted(guids, key=lambda each: follows(name, each))
    own = session.own(node)
    owner = node.file_id if own is not None else hierarchy.object_id(node)
    if own is not None and any(needs_rectangle(each, types.scripts) for each in (*guids, plain)):
        _make_rectangle(session, node)
    ids = dict(zip(order, session.new_ids(len(guids)), strict=True))
    for each, file_id in ids.items():
        session.add_documents(file_id, _new_document(session, file_id, owner, each, guids[each]))
        _list(session, node, file_id, documents.COMPONENTS.get(each, 114))
    hierarchy.added += len(ids)
    return AddedComponent(ids[name], [other for other in ids if other != name], not_known)


def _addable(session: EditSession, name: str) -> str | None:
    """Return the guid of a component's script, None for one of the engine's.

    Raises:
        NotFound: there is no such component.
        Invalid: the script is no component.
        Unsupported: what is in a new one is not known.
    """
    guid = find_script(session.workspace, name)
    if guid is None:
        check_defaults(name)
    else:
        _check_behaviour(session.types.scripts, guid, name)
    check_library(session.types, guid, name)
    return guid


def _check_behaviour(scripts: ScriptTypes, guid: str, name: str) -> None:
    """Refuse a script that cannot be on a GameObject; of one below a class of a package that is not known."""
    if scripts.packaged(guid) is not None:
        return
    plain = scripts.class_name(guid)
    declared = scripts.declared(plain)
    above = scripts.ancestors(plain)
    is_whole = declared is not None and not (declared.bases or "partial" in declared.modifiers)
    is_known = is_whole or bool({"Object", "ScriptableObject"} & set(above))
    reason = None
    if is_known and "MonoBehaviour" not in above:
        reason = "a ScriptableObject" if "ScriptableObject" in above else "no MonoBehaviour"
    elif declared is not None and "abstract" in declared.modifiers:
        reason = "abstract"
    if reason is not None:
        raise Invalid(
            f"'{name}' is {reason}, so it cannot be on a GameObject.",
            path="input.componentType",
            rule="type",
            hint="asset.create makes an asset of it." if reason == "a ScriptableObject" else None,
        )


def _list(session: EditSession, node: ObjectNode, file_id: int, class_id: int) -> None:
    """List a new component where its GameObject, or the instance that brings it, lists them."""
    own = session.own(node)
    if own is not None:
        rows = session.items(own, "m_Component")
        is_old = any(key.isdigit() for row in rows or () for key in row)
        item: dict[str, object] = {str(class_id) if is_old else "component": {"fileID": str(file_id)}}
    else:
        assert node.instance is not None
        assert node.inner is not None
        rows = session.items(node.instance.document, "m_Modification", "m_AddedComponents")
        target = {"fileID": str(node.inner.file_id), "guid": node.instance.guid, "type": "3"}
        item = {"targetCorrespondingSourceObject": target, "insertIndex": "-1", "addedObject": {"fileID": str(file_id)}}
    if rows is not None:  # older versions know an added component by its GameObject alone
        rows.append(item)


def _make_rectangle(session: EditSession, node: ObjectNode) -> None:
    """Put a rectangle in the place of a transform, as the editor does; place and parents stay."""
    document = session.own(node.parts[0]) if node.parts else None
    if document is None or document.class_id != 4:
        return
    kind = session.types.class_type(224)
    given = {name: value for name, value in document.data.items() if name != "serializedVersion"}
    text = documents.object_text(kind, document.file_id, given)
    session.edits.replace(document.start, document.end, text)


def _new_document(session: EditSession, file_id: int, owner: int, name: str, guid: str | None) -> str:
    types = session.types
    if guid is None:
        return documents.component(types.class_type(documents.COMPONENTS[name]), file_id, owner)
    return documents.script(types.class_type(114), file_id, owner, guid, script_fields(types.scripts, guid))


def script_fields(scripts: ScriptTypes, guid: str) -> dict[str, Any]:
    """Return the fields of a new object of a script, as far as they are known."""
    packaged = scripts.packaged(guid)
    if packaged is not None:
        return {field.name: default_value(field, packaged.defaults, field.name) for field in packaged.fields}
    return scripts.new_values(guid)


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
