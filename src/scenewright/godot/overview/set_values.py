"""What is set of nodes and resources, in few words: for trees that say it, and for telling later what has changed."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from scenewright.core.projects.overview import Thing, Values
from scenewright.godot.documents.document import Document
from scenewright.godot.documents.scene import Node, Scene
from scenewright.godot.documents.section import Section, SectionProperty
from scenewright.godot.project.workspace import ROOT
from scenewright.godot.scenes.comparison.meaning import Meaning

__all__ = ["SetValues", "lines_of_values", "place_of", "values_of_resource", "values_of_scene"]

_TOLD_APART = ("script", "instance_placeholder", "layout_mode", "unique_name_in_owner")
_LONGEST = 120
_DATA = 1_000
_UNTURNED = re.compile(r"Transform3D\(1, 0, 0, 0, 1, 0, 0, 0, 1, (.*)\)|Transform2D\(1, 0, 0, 1, (.*)\)")
_VECTOR = re.compile(r"(?:Vector[234]i?|Rect2i?)(\(.*\))")


class SetValues:
    """Reads the values of one document."""

    def __init__(self, document: Document, gone: Collection[str] = ()) -> None:
        """`gone` are the files, by res:// path, that the document names and that are not there."""
        self._meaning = Meaning(document)
        self._gone = gone

    def of(self, section: Section) -> dict[str, str]:
        """Return what a section sets, by property."""
        values = {}
        for each in section.properties:
            if each.name in _TOLD_APART:
                continue
            text = self._text(each)
            name = "position" if each.name == "transform" and text.startswith("(") else each.name.removesuffix("/")
            values[name] = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… {_counted(text)}"
        return values

    def _text(self, each: SectionProperty) -> str:
        if len(each.raw) > _DATA:  # a picture, a mesh, the cells of a map
            return _counted(each.raw)
        shown = self._meaning.shown(each.value)
        if each.name.startswith("libraries") and (names := _animations(shown)):
            return f"{', '.join(names)} ({_digest(json.dumps(shown))})"
        text = _short(shown)
        if isinstance(shown, dict) and shown.get("$path") in self._gone:
            return f"{text} MISSING"
        return text


def values_of_scene(
    scene: Scene, kinds: Mapping[str, str], connections: list[str], gone: Collection[str] = ()
) -> Values:
    """Return what is set in a scene, node by node in their order; `kinds` says what they are, by path."""
    values = SetValues(scene.document, gone)
    things = {place_of(node): Thing(kinds[node.path], values.of(node.section)) for node in scene.nodes}
    return things | {("", line): Thing("connected", {}) for line in connections}


def values_of_resource(document: Document) -> Values:
    """Return what a resource file sets."""
    main = next((section for section in document.sections if section.tag == "resource"), None)
    if main is None:
        return {}
    kind = next((section.string("type") for section in document.sections if section.tag == "gd_resource"), None)
    return {("", kind or "Resource"): Thing("resource", SetValues(document).of(main))}


def lines_of_values(values: Values) -> Iterator[str]:
    """Yield a line for each thing, with what is set of it."""
    for (_, name), thing in values.items():
        yield f"{name}: {', '.join(f'{key}={value}' for key, value in thing.values.items())}"


def place_of(node: Node) -> tuple[str, str]:
    above, _, name = node.path.rpartition("/")
    return above, node.name if node.path == "." else name


def _counted(text: str) -> str:
    return f"({len(text):,} characters, {_digest(text)})"


def _digest(text: str) -> str:
    """Return what differs where a text does that is too long to be shown."""
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:6]


def _animations(libraries: Any) -> list[str]:
    """Return the names of the animations in one library of a player, or in all, as it plays them."""
    if isinstance(libraries, dict) and "$resource" in libraries:
        return [name for name, _ in _entries(libraries.get("props", {}).get("_data"))]
    named = [(library, name) for library, held in _entries(libraries) for name in _animations(held)]
    return [f"{library}/{name}" if library else name for library, name in named]


def _entries(shown: Any) -> list[tuple[str, Any]]:
    """Return what a dictionary holds whose keys are names."""
    if not isinstance(shown, dict):
        return []
    entries = shown["entries"] if "entries" in shown else [] if "$type" in shown else shown.items()
    return [(str(key).removeprefix("&").strip('"'), value) for key, value in entries]


def _short(shown: Any) -> str:
    if isinstance(shown, str):
        return _short_literal(shown)
    if isinstance(shown, dict) and "$path" in shown:
        return str(shown["$path"]).removeprefix(ROOT)
    if isinstance(shown, dict) and "$resource" in shown:
        props = shown.get("props") or {}
        return f"{shown['$resource']}({', '.join(f'{name}={_short(value)}' for name, value in props.items())})"
    if isinstance(shown, dict) and shown.keys() == {"$type", "value"}:
        return _short(shown["value"])
    if isinstance(shown, float) and shown.is_integer():
        return f"{shown:.0f}"
    if isinstance(shown, list):
        return f"[{', '.join(_short(each) for each in shown[:_LONGEST])}]"
    return json.dumps(shown, ensure_ascii=False)


def _short_literal(text: str) -> str:
    """Return a literal without what its place says: the class of a vector, a transform that only moves."""
    if match := _UNTURNED.fullmatch(text):
        return f"({match[1] or match[2]})"
    match = _VECTOR.fullmatch(text)
    return match[1] if match else text
