"""What is set in scenes, prefabs and assets, object by object in few words: a later look tells what has changed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from scenewright.core.faults import Fault
from scenewright.core.projects.overview import Scope, Thing, Values
from scenewright.unity.objects.nodes import ObjectNode
from scenewright.unity.objects.overrides import effective_data
from scenewright.unity.presentation import HIDDEN, Presenter
from scenewright.unity.project import ProjectSettings
from scenewright.unity.workspace import Workspace

__all__ = ["remember_values"]

_MOST_BYTES = 500_000  # of all files together; what is larger is only told as changed
_ASSETS = (".asset", ".mat", ".physicMaterial", ".anim", ".controller")
_BOOKKEEPING = HIDDEN | {
    "m_Script",
    "m_Children",
    "m_Father",
    "m_RootOrder",
    "m_LocalEulerAnglesHint",
    "m_ConstrainProportionsScale",
    "m_Component",
    "m_SavedProperties.serializedVersion",
}
_NOTHING = frozenset(["0", '""', "none", "[]", "(0, 0)", "(0, 0, 0)", "(0, 0, 0, 0)", "(0, 0, 0, 1)"])
_LONG = 120
_MOST_ITEMS = 12
_VECTORS = (set("xy"), set("xyz"), set("xyzw"), set("rgba"))


def remember_values(workspace: Workspace, settings: ProjectSettings, scope: Scope, objects: Sequence[str]) -> None:
    """Put into the scope what is set in its scenes and prefabs, and in assets, as far as they are small."""
    assets = [path for path in workspace.graph.assets if path.startswith("Assets/") and path.endswith(_ASSETS)]
    room = _MOST_BYTES
    for path in [*objects, *(path for path in assets if scope.covers(path))]:
        room -= workspace.graph.assets[path].size
        if room < 0 or workspace.deadline.passed:
            return
        try:
            is_tree = path.endswith((".unity", ".prefab"))
            scope.values[path] = _of_tree(workspace, settings, path) if is_tree else _of_asset(workspace, path)
        except Fault:
            continue  # it is no text, and only told as changed


def _of_tree(workspace: Workspace, settings: ProjectSettings, path: str) -> Values:
    presenter = Presenter(workspace.graph, _MOST_ITEMS)
    return {
        (node.path.rpartition("/")[0], node.path.rpartition("/")[2]): _thing(workspace, settings, presenter, node)
        for node in workspace.tree(path)
    }


def _thing(workspace: Workspace, settings: ProjectSettings, presenter: Presenter, node: ObjectNode) -> Thing:
    kinds = [name for name in workspace.naming.components(node) if name != "Transform"]
    marks = {
        "tag": "" if node.tag == "Untagged" else node.tag,
        "layer": str(settings.layers.get(node.layer, node.layer)) if node.layer else "",
        "active": "" if node.active else "false",
    }
    values = {name: mark for name, mark in marks.items() if mark}
    silent: dict[str, str] = {}
    for part, kind in zip(node.parts, workspace.naming.components(node), strict=True):
        for name, text in _fields(presenter, effective_data(part)):
            is_default = text in _NOTHING or (name, text) in (("m_Enabled", "1"), ("m_LocalScale", "(1, 1, 1)"))
            (silent if is_default else values)[f"{kind}.{name}"] = text
    return Thing(", ".join(kinds) or "GameObject", values, silent)


def _of_asset(workspace: Workspace, path: str) -> Values:
    presenter = Presenter(workspace.graph, _MOST_ITEMS)
    values = {}
    for document in workspace.file(path).documents:
        fields = dict(_fields(presenter, document.data))
        values["", f"{document.type_name} {fields.get('m_Name') or document.file_id}"] = Thing("asset", fields)
    return values


def _fields(presenter: Presenter, data: dict[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    for name, value in data.items():
        path = f"{above}{name}"
        if name in _BOOKKEEPING or path in _BOOKKEEPING:
            continue
        if isinstance(value, list) and value and all(isinstance(item, dict) and len(item) == 1 for item in value):
            value = {key: part for item in value for key, part in item.items()}  # a material's properties
        if isinstance(value, dict) and "fileID" not in value and set(value) not in _VECTORS:
            yield from _fields(presenter, value, f"{path}." if not path.startswith("m_SavedProperties") else "")
        else:
            yield path, _short(presenter.show(value, name))


def _short(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, dict) and "fileId" in value:
        return str(value.get("path") or value["fileId"])
    if isinstance(value, dict) and set(value) in _VECTORS:
        return f"({', '.join(map(str, value.values()))})"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONG else f"{text[:_LONG]}…"
