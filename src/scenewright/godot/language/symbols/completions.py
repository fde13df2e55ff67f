"""What could be written at a place, as the engine's language server completes it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scenewright.core.faults import Invalid
from scenewright.godot.language.symbols.tokens import Place, Source

if TYPE_CHECKING:
    from scenewright.godot.engine.language_server.analysis import View

__all__ = ["complete"]

_PART = re.compile(r"\w*\Z")
_INDENT = re.compile(r"[ \t]*")


def complete(view: View, source: Source, line: int, expression: str) -> list[tuple[str, int]]:
    """Return names with the protocol's kinds, for an expression that would stand after a line, counted from 1.

    The server is shown a text that has the expression; no file of the project is.

    Raises:
        Invalid: there is no such line, or this is no expression of one line.
    """
    if "\n" in expression or "\r" in expression:
        raise Invalid("An expression of one line is completed.", path="input.expression", rule="pattern")
    if line > source.line_count:
        raise Invalid(f"res://{source.path} has {source.line_count} lines.", path="input.line", rule="maximum")
    typed = _PART.search(expression)
    part = typed[0] if typed is not None else ""
    indent = _indent_after(source, line - 1)
    end = source.offset_of(line, 0) if line < source.line_count else len(source.text)
    before = source.text[:end] + ("" if source.text[:end].endswith("\n") or not end else "\n")
    written = f"{indent}{expression}"
    text = f"{before}{written}\n{source.text[end:]}".removeprefix("\ufeff")
    columns = len(written.encode("utf-16-le")) // 2
    items = view.completions(Place(source.path, before.count("\n"), columns), text)
    names = {str(item.get("insertText") or item.get("label") or ""): int(item.get("kind") or 0) for item in items}
    fitting = [(name.rstrip("()"), kind) for name, kind in names.items() if _fits(part, name)]
    return sorted(fitting, key=lambda each: (not each[0].startswith(part), each[0].casefold()))


def _fits(part: str, name: str) -> bool:
    letters = iter(name.casefold())
    return bool(name) and all(letter in letters for letter in part.casefold())


def _indent_after(source: Source, line: int) -> str:
    """The indent of what would stand after a line."""
    text = source.line_text(line)
    match = _INDENT.match(text)
    indent = match[0] if match is not None else ""
    unit = "\t" if "\t" in indent or not indent else indent[:4]
    return indent + unit if text.split("#")[0].rstrip().endswith(":") else indent
