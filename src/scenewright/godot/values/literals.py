"""Values given as text: the engine's own literals, and the constants of its types such as `Vector3.UP`."""

from __future__ import annotations

import re

from scenewright.core.faults import NotFound
from scenewright.godot.classes.index import ClassIndex
from scenewright.godot.classes.variant import VARIANT_TYPES
from scenewright.godot.documents import variant as v
from scenewright.godot.documents.errors import ParseError
from scenewright.godot.documents.variant_reader import parse_variant
from scenewright.godot.values.refusal import Mismatch

__all__ = ["is_literal", "parse", "type_name"]

_TYPES = "|".join((*VARIANT_TYPES[5:], "ExtResource", "SubResource", "Resource"))
_CALL = re.compile(rf"\s*(?:{_TYPES})\s*(?:\[[^(]*\])?\(.*\)\s*", re.DOTALL)
_NAME = re.compile(r"\s*[&^]\".*\"\s*", re.DOTALL)
_CONSTANT = re.compile(rf"\s*({'|'.join(VARIANT_TYPES[5:])})\.([A-Z_0-9]+)\s*")


def is_literal(text: str) -> bool:
    """Return whether a text looks like a literal that is more than a word, a number or brackets."""
    return bool(_CALL.fullmatch(text) or _NAME.fullmatch(text) or _CONSTANT.fullmatch(text))


def parse(text: str, index: ClassIndex) -> v.Variant:
    """Return the value that a text stands for.

    Raises:
        Mismatch: it stands for none.
    """
    if constant := _CONSTANT.fullmatch(text):
        try:
            return parse_variant(index.constant(*constant.groups()).value)
        except NotFound as problem:
            raise Mismatch(problem.message.rstrip("."), hint=problem.hint) from None
    try:
        return parse_variant(text)
    except ParseError as problem:
        reason = problem.reason[:1].lower() + problem.reason[1:]
        raise Mismatch(
            f"'{text[:60]}' is not a value the engine can read ({reason} at column {problem.column})"
        ) from None


def type_name(value: object) -> str:
    """Return the Variant type of a value."""
    if value is None:
        return "Nil"
    if isinstance(value, v.ExtResource | v.SubResource | v.Resource | v.Object):
        return "Object"
    name = type(value).__name__
    return "String" if name == "str" else name
