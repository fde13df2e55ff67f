"""What a condition compares, so that one that does not hold can say what was found and what was expected."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

__all__ = ["Comparison", "comparisons_in"]

_TOKEN: Final = re.compile(
    r"""(?P<text>(?<!\\)"(?:\\.|[^"\\])*+"|(?<!\\)'(?:\\.|[^'\\])*+')|(?P<word>\$?%?\w+)|(?P<operator>==|!=|<=|>=|&&|\|\||<<|>>|<|>)|.""",
    re.DOTALL,
)
_COMPARES: Final = ("==", "!=", "<", "<=", ">", ">=")
_UNCLEAR: Final = ("or", "||", "not", "if", "else", "in", "!")


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two sides and what stands between them."""

    left: str
    operator: str
    right: str


def comparisons_in(text: str) -> list[Comparison]:
    """Return the comparisons that a condition consists of, joined by `and`; none where it is anything else."""
    parts: list[str] = [""]
    operators: list[str] = []
    depth = 0
    for token in _TOKEN.finditer(text):
        piece = token[0]
        depth += (piece in "([{") - (piece in ")]}")
        if depth == 0 and piece in _UNCLEAR:
            return []
        if depth == 0 and piece in ("and", "&&", *_COMPARES):
            operators.append(piece)
            parts.append("")
        else:
            parts[-1] += piece
    sides = [part.strip() for part in parts]
    expected = [each in ("and", "&&") for each in operators]
    alternates = len(operators) % 2 == 1 and expected == [number % 2 == 1 for number in range(len(operators))]
    if not alternates or not all(sides):
        return []
    return [Comparison(sides[at], operators[at], sides[at + 1]) for at in range(0, len(operators), 2)]
