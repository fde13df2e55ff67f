"""The parameters of an AnimationTree, which follow from the graph in it: their names below `parameters/`, and types."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from scenewright.godot.documents.document import Document
from scenewright.godot.documents.references import resource_sections
from scenewright.godot.documents.section import Section
from scenewright.godot.documents.variant import Array, ExtResource, SubResource, Variant

__all__ = ["NODE_PARAMETERS", "Unreadable", "tree_parameters"]

_PREFIX: Final = "AnimationNode"
NODE_PARAMETERS: Final = {
    "Add2": {"add_amount": "float"},
    "Add3": {"add_amount": "float"},
    "Sub2": {"sub_amount": "float"},
    "Blend2": {"blend_amount": "float"},
    "Blend3": {"blend_amount": "float"},
    "TimeScale": {"scale": "float"},
    "TimeSeek": {"seek_request": "float"},
    "Transition": {"transition_request": "String"},
    "OneShot": {"request": "int"},
    "BlendSpace1D": {"blend_position": "float"},
    "BlendSpace2D": {"blend_position": "Vector2"},
}
_PLAIN = ("Animation", "Output", "StateMachine", "BlendTree")
_INNER = re.compile(r"(?:states|nodes)/(.+)/node|blend_point_(\d+)/node")
_DEEPEST = 32
Read = Callable[[str], Document]


class Unreadable(Exception):
    """Part of the graph is of a kind, or in a file, that cannot be looked into."""


def tree_parameters(document: Document, root: Variant, read: Read) -> dict[str, str]:
    """Return the types of the parameters by their names, such as `Moves/blend_position`.

    Raises:
        Unreadable
    """
    return dict(_of_node(document, root, read, ""))


def _of_node(document: Document, value: Variant, read: Read, way: str) -> Iterator[tuple[str, str]]:
    if way.count("/") > _DEEPEST:
        raise Unreadable
    document, section, kind = _follow_reference(document, value, read)
    short = kind.removeprefix(_PREFIX)
    if section.find("script") is not None or short not in (*NODE_PARAMETERS, *_PLAIN):
        raise Unreadable
    for name, type_ in NODE_PARAMETERS.get(short, {}).items():
        yield f"{way}{name}", type_
    if short == "StateMachine":
        yield f"{way}playback", "AnimationNodeStateMachinePlayback"
    for condition in _advance_conditions(document, section, read):
        yield f"{way}conditions/{condition}", "bool"
    for property_ in section.properties:
        if (inner := _INNER.fullmatch(property_.name)) is not None:
            yield from _of_node(document, property_.value, read, f"{way}{inner[1] or inner[2]}/")


def _advance_conditions(document: Document, section: Section, read: Read) -> Iterator[str]:
    wires = section.value("transitions")
    for wire in wires.items if isinstance(wires, Array) else ():
        if isinstance(wire, SubResource | ExtResource):
            _, transition, _ = _follow_reference(document, wire, read)
            if name := transition.value("advance_condition"):
                yield str(getattr(name, "text", name))


def _follow_reference(document: Document, value: Variant, read: Read) -> tuple[Document, Section, str]:
    """The document, section and class of the resource that a value refers to."""
    section = resource_sections(document).get(value) if isinstance(value, SubResource | ExtResource) else None
    if section is None:
        raise Unreadable
    if isinstance(value, SubResource):
        return document, section, section.string("type") or ""
    path = section.string("path") or ""
    if not path.endswith(".tres"):
        raise Unreadable
    target = read(path)
    own = target.find("resource")
    if own is None:
        raise Unreadable
    return target, own, target.sections[0].string("type") or ""
