"""HTML made of parts. Text is escaped wherever it comes in, so that what a project says can only be read."""

from __future__ import annotations

from html import escape
from typing import Final, TypeAlias

from scenewright.core.text.control_characters import escape_controls

__all__ = ["Child", "Markup", "Value", "join", "tag"]

_VOID: Final = frozenset({"br", "img", "input", "link", "meta", "rect"})


class Markup(str):
    """HTML, as opposed to text."""

    __slots__ = ()


Child: TypeAlias = "Markup | str | None"
Value: TypeAlias = "str | int | bool | None"


def tag(name: str, /, *children: Child, **attributes: Value) -> Markup:
    """Return an element; of an attribute's name, `_` is a hyphen and a last one is left out, as of `class_`."""
    given = "".join(_attribute(key, value) for key, value in attributes.items())
    if name in _VOID:
        return Markup(f"<{name}{given}>")
    return Markup(f"<{name}{given}>{join(*children)}</{name}>")


def join(*children: Child) -> Markup:
    """Return parts in a row, each text of them escaped."""
    return Markup("".join(each if isinstance(each, Markup) else _text(each) for each in children if each is not None))


def _text(text: str) -> str:
    return escape(escape_controls(text))


def _attribute(name: str, value: Value) -> str:
    if value is None or value is False:
        return ""
    name = name.removesuffix("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{_text(str(value))}"'
