"""New instances of prefabs and models, with the changes that the editor writes for their roots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from scenewright.core.faults import Fault, Invalid, Unsupported
from scenewright.unity.class_types.numbers import number_text
from scenewright.unity.class_types.objects import new_object
from scenewright.unity.editing import documents
from scenewright.unity.editing.objects import Hierarchy
from scenewright.unity.editing.session import EditSession
from scenewright.unity.objects.facts import INSTANCE, RECT_TRANSFORM, TRANSFORM, number
from scenewright.unity.objects.model_roots import KNOWN_ROOTS
from scenewright.unity.objects.nodes import ObjectNode
from scenewright.unity.objects.overrides import effective_data
from scenewright.unity.objects.prefab_expansion import outer_id
from scenewright.unity.workspace import Workspace
from scenewright.unity.yaml.source import read_meta

__all__ = ["MODELS", "Source", "add_instance", "instance_text", "override", "placed_rows", "source_of"]

MODELS = frozenset((".fbx", ".obj", ".dae", ".3ds", ".dxf", ".blend", ".ma", ".mb", ".max", ".c4d", ".skp"))
_PREFAB_ITSELF = "100100000"
_VECTORS = {
    "m_LocalPosition": "xyz",
    "m_LocalRotation": "wxyz",
    "m_LocalEulerAnglesHint": "xyz",
}
_RECTANGLE = {
    "m_Pivot": "xy",
    "m_AnchorMax": "xy",
    "m_AnchorMin": "xy",
    "m_SizeDelta": "xy",
    **_VECTORS,
    "m_AnchoredPosition": "xy",
}
_AS_MADE: dict[str, Any] = {
    "m_LocalPosition": {"x": 0, "y": 0, "z": 0},
    "m_LocalRotation": {"x": 0, "y": 0, "z": 0, "w": 1},
    "m_LocalEulerAnglesHint": {"x": 0, "y": 0, "z": 0},
}


class Source(NamedTuple):
    """The root of a prefab or model, as an instance refers to it."""

    guid: str
    name: str
    object_id: int
    transform_id: int
    class_id: int
    place: Mapping[str, Any]  # the root's transform as the prefab has it


def source_of(workspace: Workspace, path: str) -> Source:
    """Return the root of a prefab or model.

    Raises:
        Invalid: it is neither, or it cannot be told what its root is.
    """
    asset = workspace.graph.asset(workspace.place(path))
    if not asset.guid:
        raise Invalid(f"'{asset.path}' has no .meta file, so nothing can refer to it.", path="input.prefab", rule="ref")
    if asset.suffix in MODELS:
        transform_id = _model_root(workspace, asset.path)
        return Source(asset.guid, asset.name, KNOWN_ROOTS[transform_id], transform_id, TRANSFORM, _AS_MADE)
    if asset.suffix != ".prefab":
        raise Invalid(
            f"'{asset.path}' is no prefab.",
            path="input.assetPath",
            rule="suffix",
            hint=f"Prefabs end in .prefab; models in {', '.join(sorted(MODELS))}.",
        )
    roots = workspace.tree(asset.path).roots
    if not roots or not roots[0].parts or not roots[0].file_id:
        raise Invalid(f"'{asset.path}' has no root that can be told.", path="input.assetPath", rule="tree")
    root, part = roots[0], roots[0].parts[0]
    return Source(asset.guid, root.name, root.file_id, part.file_id, part.class_id, effective_data(part))


def _model_root(workspace: Workspace, path: str) -> int:
    """Return the transform of a model's root by how its importer gives ids."""
    try:
        importer = read_meta(workspace.content(f"{path}.meta")).get("ModelImporter")
    except Fault:
        importer = None
    about: dict[str, Any] = importer if isinstance(importer, dict) else {}
    meshes = about.get("meshes")
    if isinstance(meshes, dict) and number(meshes.get("fileIdsGeneration")) >= 2:
        return -8679921383154817045
    names = about.get("fileIDToRecycleName")
    if isinstance(names, dict) and str(names.get("400000", "")) == "//RootNode":
        return 400000
    raise Unsupported(
        f"Which ids '{PurePosixPath(path).name}' gives its objects is not known: its .meta does not tell.",
        hint="Let Unity import it once; or make a prefab of it in the editor.",
    )


def add_instance(
    hierarchy: Hierarchy, source: Source, parent: ObjectNode | None, values: Mapping[str, Any], name: str
) -> int:
    """Add an instance below a parent or as a root; `values` are of its root's transform. Return its id."""
    session = hierarchy.session
    file_id, stand_in = session.new_ids(2)
    father = hierarchy.transform_id(parent) if parent is not None else 0
    order = hierarchy.order(parent)
    rows = placed_rows(source, values, name, order)
    session.add_documents(file_id, instance_text(session, file_id, source.guid, father, rows))
    hierarchy.added += 1
    if parent is not None:
        if session.file.path.endswith(".prefab"):
            stand_in = outer_id(source.transform_id, file_id)
        text = documents.stripped(source.class_id, stand_in, source.transform_id, source.guid, file_id)
        session.add_documents(stand_in, text)
        hierarchy.added += 1
    hierarchy.attach(stand_in if parent is not None else file_id, parent, None)
    return file_id


def instance_text(session: EditSession, file_id: int, guid: str, father: int, rows: Sequence[dict[str, Any]]) -> str:
    """Return an instance as the file's version of the editor writes it."""
    kind = session.types.class_type(INSTANCE)
    fields = new_object(kind, {})
    declared = kind.field("m_Modification")
    if declared is None or "m_SourcePrefab" not in {field.name for field in kind.fields}:
        raise Unsupported(
            "Instances of prefabs before Unity 2018.3 are written otherwise.", hint="Add it in the editor."
        )
    modification: dict[str, Any] = {"serializedVersion": str(declared.version)} if declared.version > 1 else {}
    modification |= {field.name: [] for field in declared.children}
    modification |= {"m_TransformParent": {"fileID": str(father)}, "m_Modifications": list(rows)}
    own = {"m_ObjectHideFlags": "0", "serializedVersion": fields.get("serializedVersion", "2")}
    source = {"fileID": _PREFAB_ITSELF, "guid": guid, "type": "3"}
    return documents.text_of(kind, file_id, {**own, "m_Modification": modification, "m_SourcePrefab": source})


def override(
    source: int, guid: str, path: str, value: str, reference: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Return one change of an instance."""
    return {
        "target": {"fileID": str(source), "guid": guid, "type": "3"},
        "propertyPath": path,
        "value": value,
        "objectReference": dict(reference or {"fileID": "0"}),
    }


def placed_rows(source: Source, values: Mapping[str, Any], name: str, order: int | None) -> list[dict[str, Any]]:
    """Return the changes that every instance has: where its root is, and what it is called."""
    rows = []
    if order is not None:
        rows.append(override(source.transform_id, source.guid, "m_RootOrder", str(order)))
    vectors = dict(_RECTANGLE if source.class_id == RECT_TRANSFORM else _VECTORS)
    vectors |= {key: "xyz" for key in ("m_LocalScale",) if values.get(key) is not None}
    for key, parts in vectors.items():
        given = values.get(key)
        there = source.place.get(key)
        known = there if isinstance(there, dict) else _AS_MADE.get(key, {})
        if given is not None:
            known = given if isinstance(given, dict) else dict(zip("xyzw", given, strict=False))
        for part in parts:
            text = number_text(float(known.get(part, 0)), "float")
            rows.append(override(source.transform_id, source.guid, f"{key}.{part}", text))
    if source.object_id:
        rows.append(override(source.object_id, source.guid, "m_Name", name))
    return rows
