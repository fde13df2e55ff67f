"""A tree as short text: a line for each node, indented by two spaces a level, alike neighbours on one line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

__all__ = ["Branch", "lines_of"]

_MOST_NUMBERED = 3  # alike nodes that are named one by one


@dataclass(slots=True)
class Branch:
    """A node: its name, what it is, and what is below it."""

    name: str
    kind: str
    children: list[Branch] = field(default_factory=list)


def lines_of(branches: Sequence[Branch], depth: int = 0) -> Iterator[str]:
    """Yield the lines of some trees that stand beside each other."""
    waiting = [(branches, 0, depth)]
    while waiting:
        beside, at, level = waiting.pop()
        if at == len(beside):
            continue
        alike = _count_alike(beside, at)
        yield "  " * level + _line_of([branch.name for branch in beside[at : at + alike]], beside[at].kind)
        waiting.append((beside, at + alike, level))
        waiting.append((beside[at].children, 0, level + 1))


def _line_of(names: Sequence[str], kind: str) -> str:
    """Return names with what their nodes are.

    Numbered names are told as the first and the last, and a name that says what the node is stands alone.
    """
    stems = {name.rstrip("0123456789") for name in names}
    if len(names) > _MOST_NUMBERED and len(stems) == 1:
        return f"{names[0]} … {names[-1]} ({len(names)}): {kind}"
    named = ", ".join(names)
    if not kind:
        return named
    return kind if kind.partition(" ")[0] == named else f"{named}: {kind}"


def _count_alike(beside: Sequence[Branch], at: int) -> int:
    """Return how many neighbours from here on are the same but for their names, and have nothing below them."""
    first = beside[at]
    end = at + 1
    while not first.children and end < len(beside) and beside[end].kind == first.kind and not beside[end].children:
        end += 1
    return end - at
