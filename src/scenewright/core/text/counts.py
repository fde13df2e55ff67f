"""Nouns with their number or article, for the sentences that people and models read."""

from __future__ import annotations

__all__ = ["ERRORS_AND_WARNINGS", "count_noun", "with_article"]

ERRORS_AND_WARNINGS = ("error or warning", "errors and warnings")


def count_noun(number: int, noun: str, plural: str | None = None) -> str:
    """Return a number with its noun in the right form: "1 picture", "2 pictures", "1,000 nodes"."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def with_article(noun: str | None) -> str:
    """Return a noun with its indefinite article: "an int", "a Vector2"; of none, what can be said then."""
    if noun is None:
        return "of no known class"
    return f"{'an' if noun[:1] in 'AEIOaeio' else 'a'} {noun}"
