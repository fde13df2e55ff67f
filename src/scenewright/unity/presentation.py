"""Serialized values as JSON: numbers as numbers, ids as strings, references with the asset they lead to."""

from __future__ import annotations

import re
from typing import Any

from scenewright.unity.assets.graph import AssetGraph
from scenewright.unity.assets.records import BUILT_IN

__all__ = ["HIDDEN", "Presenter", "kind_of_value"]

# What every object has and nobody asks for; the script is told by the component's type.
HIDDEN = frozenset(
    (
        "m_ObjectHideFlags",
        "m_CorrespondingSourceObject",
        "m_PrefabInstance",
        "m_PrefabAsset",
        "m_PrefabParentObject",
        "m_PrefabInternal",
        "m_GameObject",
        "m_EditorHideFlags",
        "m_EditorClassIdentifier",
        "serializedVersion",
    )
)
_INTEGER = re.compile(r"-?(?:0|[1-9]\d{0,14})")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?")
_SHAPES = {
    ("x", "y"): "vector2",
    ("x", "y", "z"): "vector3",
    ("x", "y", "z", "w"): "vector4",
    ("r", "g", "b", "a"): "color",
}
_TEXTS = frozenset(("m_Name", "m_TagString", "m_Text", "m_text", "name", "path"))


class Presenter:
    """Shows values; lists longer than `most` are cut, and the cut is told."""

    def __init__(self, graph: AssetGraph, most: int = 20) -> None:
        self._graph = graph
        self._most = most
        self.cut = False  # whether the last value shown was too long

    def show(self, value: Any, key: str = "") -> Any:
        self.cut = False
        return self._show_value(value, key)

    def _show_value(self, value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            if "fileID" in value:
                return self._reference(value)
            return {name: self._show_value(item, name) for name, item in self._cut_items(list(value.items()))}
        if isinstance(value, list):
            return [self._show_value(item, key) for item in self._cut_items(value)]
        return value if key in _TEXTS else _typed_value(str(value))

    def _cut_items(self, items: list[Any]) -> list[Any]:
        self.cut = self.cut or len(items) > self._most
        return items[: self._most]

    def _reference(self, value: dict[str, Any]) -> dict[str, Any] | None:
        if str(value["fileID"]) == "0":
            return None
        shown: dict[str, Any] = {"fileId": str(value["fileID"])}
        guid = value.get("guid")
        if isinstance(guid, str):
            path = self._graph.path_of(guid)
            shown["guid"] = guid
            if path is not None:
                shown["path"] = path
            elif guid.startswith(BUILT_IN):
                shown["builtIn"] = True
            else:
                shown["unresolved"] = True
        return shown


def kind_of_value(value: Any) -> str:
    """Return what kind a serialized value is, as far as the file shows."""
    if isinstance(value, list):
        return "array"
    if isinstance(value, dict):
        return "reference" if "fileID" in value else _SHAPES.get(tuple(value), "object")
    if _INTEGER.fullmatch(value):
        return "integer"
    return "number" if _NUMBER.fullmatch(value) else "string"


def _typed_value(text: str) -> Any:
    if _INTEGER.fullmatch(text):
        return int(text)
    if _NUMBER.fullmatch(text) and ("." in text or "e" in text.lower()) and len(text) < 32:
        return float(text)
    return text
