"""C# scripts as far as their text tells: which class Godot takes, and what keeps it from being put on a node."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

import msgspec

__all__ = ["CSharpClass", "csharp_class", "declared_classes", "doubts"]

_NOISE = re.compile(
    r'//[^\n]*|/\*.*?(?:\*/|\Z)|"{3,}.*?"{3,}|\$?@\$?"(?:""|[^"])*"'
    r'|\$?(?<!\\)"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'',
    re.DOTALL,
)
_CLASS = re.compile(
    r"(?P<modifiers>(?:\b[a-z]++\s++){0,8})\bclass\s+(?P<name>\w+)\s*(?P<generic><[^>{]{0,500}>)?\s*(?:\([^){]{0,2000}\)\s*)?"
    r"(?::\s*(?P<base>[\w.:]+))?"
)


class CSharpClass(msgspec.Struct, frozen=True):
    """A class, of all its parts in a file."""

    name: str
    base: str | None  # the first of what it derives from, without its namespace
    is_partial: bool
    is_generic: bool


def declared_classes(text: str) -> dict[str, CSharpClass]:
    """Return the classes of a file, by name."""
    classes: dict[str, CSharpClass] = {}
    for match in _CLASS.finditer(_NOISE.sub(" ", text)):
        known = classes.get(match["name"])
        base = re.split(r"[.:]", match["base"])[-1] if match["base"] else None
        classes[match["name"]] = CSharpClass(
            match["name"],
            base or (known.base if known else None),
            "partial" in match["modifiers"].split(),
            match["generic"] is not None,
        )
    return classes


def csharp_class(path: str, text: str) -> CSharpClass | None:
    """Return the class that Godot takes a file for: the one with the file's name, in the same letters."""
    return declared_classes(text).get(PurePosixPath(path).stem)


def doubts(path: str, text: str) -> list[str]:
    """Return reasons why Godot may not take a file for a script."""
    declared = csharp_class(path, text)
    if declared is None:
        name, known = PurePosixPath(path).stem, sorted(declared_classes(text))
        others = f"it declares {', '.join(known[:5])}" if known else "it declares none"
        return [f"{path} declares no class '{name}', which Godot looks for by the file's name; {others}."]
    return [
        f"{path}: the class '{declared.name}' {doubt}."
        for doubt, holds in (
            ("is not partial, which Godot requires of a script", not declared.is_partial),
            ("is generic, and Godot does not attach generic classes to nodes", declared.is_generic),
            ("has no base class in this file, and a script must derive from a class of Godot's", declared.base is None),
        )
        if holds
    ]
