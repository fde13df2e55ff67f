"""Takes secrets out of what is logged, by the name they go under."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

__all__ = ["REDACTED", "redact"]

REDACTED = "[REDACTED]"
MAX_TEXT = 2_000
MAX_DEPTH = 20
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_SINGLE = {"token", "password", "passwd", "secret", "apikey", "authorization", "credential", "credentials"}
_PAIRS = {("access", "token"), ("api", "key"), ("private", "key"), ("auth", "header"), ("auth", "value")}
_INLINE = re.compile(r"(?i)\b(bearer)\s+[\w.~+/=-]{8,}")


def redact(value: Any, depth: int = 0) -> Any:
    """A copy without secrets, with long texts cut and deep nesting left out."""
    if depth > MAX_DEPTH:
        return "…"
    if isinstance(value, Mapping):
        return {str(key): REDACTED if _is_secret(str(key)) else redact(item, depth + 1) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [redact(item, depth + 1) for item in value]
    if isinstance(value, str):
        return _text(value)
    return value


def _is_secret(name: str) -> bool:
    words = [word.lower() for word in _WORDS.findall(name)]
    joined = "".join(words)
    return not _SINGLE.isdisjoint(words) or joined in _SINGLE or any(pair in _PAIRS for pair in pairwise(words))


def _text(text: str) -> str:
    text = _INLINE.sub(rf"\1 {REDACTED}", text)
    # Half a surrogate pair cannot be written to a file.
    text = text.encode("utf-8", "replace").decode() if not text.isascii() else text
    return text if len(text) <= MAX_TEXT else f"{text[:MAX_TEXT]}… ({len(text):,} characters)"
