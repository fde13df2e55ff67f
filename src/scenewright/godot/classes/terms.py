"""Words to search by: names taken apart, texts without markup, code samples and words that say nothing."""

from __future__ import annotations

import re

__all__ = ["name_words", "query_words", "text_words"]

_PART = re.compile(r"\d+[dD]\b|\d+|[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_CODE = re.compile(r"\[(codeblocks?|csharp)\b[^\]]*\].*?\[/\1\]", re.DOTALL)
_TAG = re.compile(r"\[/?(?:[a-z_]+=[^\]]*|/?[a-z_]+)\]")
_WORD = re.compile(r"[a-z0-9]+")
_SILENT_TEXT = """
    a all also an and any are as at be been between but by can current currently do does each eg false for from given
    has have if in into is it its may method more no not note of on one only or other property return returns see should
    so specified such than that the their then there these they this to true use used using was when where which will
    with you your
"""
_SILENT = frozenset(_SILENT_TEXT.split())


def name_words(name: str) -> str:
    """Split a name into words: `AnimationPlayer` as `animation player`, `get_node_3d` as `get node 3d`."""
    return " ".join(_PART.findall(name)).lower()


def text_words(text: str) -> str:
    """Return each telling word of a description once: how often it occurs says little in texts this short."""
    plain = _TAG.sub(" ", _CODE.sub(" ", text)).lower()
    return " ".join(dict.fromkeys(word for word in _WORD.findall(plain) if word not in _SILENT and len(word) > 1))


def query_words(query: str) -> list[str]:
    """Return the words of a query, with names split; all of them where none tells anything."""
    words = list(dict.fromkeys(name_words(query).split()))
    return [word for word in words if word not in _SILENT] or words
