"""Takes secrets out of what is logged, by the name they go under, and makes the rest fit for a log."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Any

__all__ = ["REDACTED", "redact"]

REDACTED = "[REDACTED]"
MAX_TEXT = 2_000
MAX_DEPTH = 20
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_SECRET_WORDS = ("token", "password", "passwd", "passphrase", "pwd", "secret", "apikey", "authorization", "credential")
_PAIRS = {
    ("access", "token"), ("api", "key"), ("private", "key"), ("access", "key"), ("secret", "key"),
    ("auth", "header"), ("auth", "value"),
}  # fmt: skip
_BEARER = re.compile(r"(?i)\b(bearer)\s+[\w.~+/=-]{8,}")
_IN_ADDRESS = re.compile(r"(://[^/\s:@]*:)[^/\s@]+(?=@)")
# `"name": "value"` and `name=value` inside a text, such as arguments that came as JSON text.
_IN_TEXT = re.compile(
    r"""(?<![\w.-])(?P<name>[\w.-]++)(?P<sign>\\*["']?\s*[:=]\s*)(?:\\*"[^"\\]*|\\*'[^'\\]*|[^\s,;&}\])"']+)"""
)


def redact(value: Any, depth: int = 0) -> Any:
    """A copy of plain values without secrets, with long texts cut and deep nesting left out."""
    if depth > MAX_DEPTH:
        return "…"
    if isinstance(value, Mapping):
        return {_text(str(key)): _item(str(key), item, depth) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [redact(item, depth + 1) for item in value]
    if value is None or isinstance(value, (bool, int, float)):
        return value
    return _text(value) if isinstance(value, str) else _text(repr(value))


def _item(name: str, value: Any, depth: int) -> Any:
    return REDACTED if _is_secret(name) else redact(value, depth + 1)


@lru_cache(maxsize=2048)
def _is_secret(name: str) -> bool:
    words = [word.lower() for word in _WORDS.findall(name)]
    singular = [word.removesuffix("s") for word in words]
    # A name in one piece, such as `clientsecret`, ends with the word; `tokenizer` and `secretary` do not.
    return (
        any(word.endswith(_SECRET_WORDS) for word in singular)
        or "".join(words).removesuffix("s") in _SECRET_WORDS
        or any(pair in _PAIRS for pair in pairwise(singular))
        or any(pair in _PAIRS for pair in pairwise(words))
    )


def _text(text: str) -> str:
    # A little more than is kept, so that no secret is cut in two before it is seen.
    shown = text[: MAX_TEXT + 500]
    if " " in shown:
        shown = _BEARER.sub(rf"\1 {REDACTED}", shown)
    if "@" in shown:
        shown = _IN_ADDRESS.sub(rf"\1{REDACTED}", shown)
    if ":" in shown or "=" in shown:
        shown = _IN_TEXT.sub(_without_secret, shown)
    # Half a surrogate pair cannot be written to a file.
    shown = shown if shown.isascii() else shown.encode("utf-8", "replace").decode()
    return shown if len(text) <= MAX_TEXT else f"{shown[:MAX_TEXT]}… ({len(text):,} characters)"


def _without_secret(found: re.Match[str]) -> str:
    return f"{found['name']}{found['sign']}{REDACTED}" if _is_secret(found["name"]) else found[0]
