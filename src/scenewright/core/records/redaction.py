"""Takes secrets out of what is logged, by their names and by how they look, and makes the rest fit for a log."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from scenewright.core.records.secret_forms import REDACTED, hide_secrets, is_secret_name

__all__ = ["REDACTED", "redact"]

MAX_TEXT = 2_000
MAX_DEPTH = 20
# A setting is given as two parameters: which one, and its value.
_NAMING = ("property", "name", "key", "setting", "variable", "field")
_NAMED = ("value", "values", "new_value", "newValue", "default")
MAX_NAME = 100


def redact(value: Any, depth: int = 0) -> Any:
    """Return a copy of plain values without secrets, with long texts cut and deep nesting left out."""
    if depth > MAX_DEPTH:
        return "…"
    if isinstance(value, Mapping):
        hidden = _NAMED if any(_names_secret(value.get(name)) for name in _NAMING) else ()
        return {_name(str(key)): _item(str(key), item, depth, hidden) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [redact(item, depth + 1) for item in _without_key_lines(value)]
    if value is None or isinstance(value, (bool, int, float)):
        return value
    return _text(value) if isinstance(value, str) else _text(repr(value))


def _without_key_lines(items: Sequence[Any]) -> Iterator[Any]:
    """Yield the items of a list; of a private key that is given line by line only its first and last one."""
    inside = False
    for item in items:
        if inside and isinstance(item, str) and "-----END" not in item:
            yield REDACTED
            continue
        inside = isinstance(item, str) and "PRIVATE KEY" in item and "-----END" not in item
        yield item


def _names_secret(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= MAX_NAME and is_secret_name(value)


def _item(name: str, value: Any, depth: int, hidden: tuple[str, ...]) -> Any:
    if name in hidden or (is_secret_name(name[-MAX_NAME:]) and not isinstance(value, bool) and value is not None):
        return REDACTED
    return redact(value, depth + 1)


def _name(name: str) -> str:
    return _short_name(name) if len(name) <= MAX_NAME else _text(name)


@lru_cache(maxsize=2048)
def _short_name(name: str) -> str:
    """Return a key as it may be shown; the same ones come in every record."""
    return _text(name)


def _text(text: str) -> str:
    # A little more than is kept, so that no secret is cut in two before it is seen.
    shown = text[: MAX_TEXT + 500]
    shown = hide_secrets(shown)
    # Half a surrogate pair cannot be written to a file.
    shown = shown if shown.isascii() else shown.encode("utf-8", "replace").decode()
    return shown if len(text) <= MAX_TEXT else f"{shown[:MAX_TEXT]}… ({len(text):,} characters)"
