"""EditorMCP's rules about the words of a definition: names in title case, descriptions of one to three sentences."""

from __future__ import annotations

import re

__all__ = ["count_sentences", "is_title_case"]

_WORD = re.compile(r"[^\W_][^\s/]*")
_SMALL_WORDS = {
    "a",
    "an",
    "and",
    "as",
    "at",
    "but",
    "by",
    "for",
    "from",
    "if",
    "in",
    "into",
    "nor",
    "of",
    "off",
    "on",
    "onto",
    "or",
    "over",
    "per",
    "than",
    "the",
    "to",
    "up",
    "via",
    "vs",
    "with",
}
# "e.g." never ends a sentence; "etc." may, and does where a capital or nothing follows.
_NEVER_LAST = re.compile(r"\b(e\.g|i\.e|cf|vs|approx|incl)\.", re.IGNORECASE)
_SELDOM_LAST = re.compile(r"\b(etc|min|max|no)\.(?=\s+[^A-Z\s]|[,;:)])")
_END = re.compile(r"[.!?…]+[\"'”’)\]`]*(?=\s|$)")


def is_title_case(name: str) -> bool:
    """Return whether the words of a name are capitalised, small ones such as "of" only at its ends.

    A word that is written with capitals inside, such as iOS or macOS, is right as it is.
    """
    words = _WORD.findall(name)
    ends = (0, len(words) - 1)
    return bool(words) and all(
        _is_capitalised(word) or (word in _SMALL_WORDS and place not in ends) for place, word in enumerate(words)
    )


def _is_capitalised(word: str) -> bool:
    return word[0].isdigit() or any(letter.isupper() for letter in word)


def count_sentences(text: str) -> int:
    """Return how many sentences a text has; only what ends like a sentence counts."""
    plain = _SELDOM_LAST.sub(r"\1", _NEVER_LAST.sub(lambda match: match.group(1), text)).strip()
    ends = [match.end() for match in _END.finditer(plain)]
    return len(ends) if ends and ends[-1] == len(plain) else 0
