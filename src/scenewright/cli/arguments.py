"""A call's arguments as they are typed: a JSON object, or words like `path=notes.txt` that need no quotes."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from scenewright.core.config import ConfigError
from scenewright.core.operations.model import JsonSchema

__all__ = ["is_argument", "read_arguments"]

_PAIR = re.compile(r"(?P<key>[^\s=:{}\[\]\"']+)(?P<sign>:?=)(?P<value>.*)", re.DOTALL)
_DEEPEST = 20
_BY_WORDS = "Give KEY=VALUE words, such as path=notes.txt, which need no quotes; or the JSON in a file, as @FILE."


def is_argument(word: str) -> bool:
    """Return whether a word behind the options can be one of a call's arguments."""
    return word == "-" or (word[:1] not in ("", "-") and _PAIR.fullmatch(word) is not None)


def read_arguments(words: Sequence[str], schema: JsonSchema | None = None) -> dict[str, Any]:
    """Return a call's arguments: a JSON object as one word, `@FILE` or `-` for standard input, or `key=value` words.

    A value is JSON where it reads as such and its parameter takes more than text, else it is text; `key:=value` is
    always JSON, `key=@FILE` and `key=-` are the text of a file or of standard input. Dots lead into objects, numbers
    into lists.

    Raises:
        ConfigError: they are neither.
    """
    if len(words) == 1 and (words[0] == "-" or words[0][:1] in ("{", "[", "@", "'", '"')):
        return _read_object(words[0])
    known = (schema or {}).get("properties", {})
    tree: dict[str, Any] = {}
    for word in words:
        match = _PAIR.fullmatch(word)
        if match is None:
            raise ConfigError(f"{word[:80]!r} is no KEY=VALUE. {_BY_WORDS}")
        key = match["key"]
        parts = [key] if key in known else key.split(".")
        takes_text = len(parts) == 1 and _is_only_text(known.get(key))
        _put(tree, parts, _read_value(match["value"], as_json=match["sign"] == ":=", as_text=takes_text), key)
    return {key: _with_lists(value) for key, value in tree.items()}


def _read_object(word: str) -> dict[str, Any]:
    text = _content_of(word) if word == "-" or word.startswith("@") else word
    try:
        value = json.loads(text)
    except RecursionError:
        raise ConfigError("The arguments are nested too deeply.") from None
    except ValueError as error:
        hint = "" if word.startswith("@") or word == "-" else f" {_BY_WORDS}"
        raise ConfigError(f"The arguments are not valid JSON: {error}.{hint}") from None
    if not isinstance(value, dict):
        raise ConfigError(f"The arguments must be a JSON object. {_BY_WORDS}")
    return value


def _read_value(text: str, *, as_json: bool, as_text: bool) -> Any:
    if text.startswith("@@"):
        return text[1:]
    if text == "-" or (text.startswith("@") and len(text) > 1):
        text = _content_of(text)
    if as_text and not as_json:
        return text
    try:
        return json.loads(text)
    except RecursionError:
        raise ConfigError("The arguments are nested too deeply.") from None
    except ValueError as error:
        if as_json:
            raise ConfigError(f"{text[:80]!r} is not valid JSON: {error}.") from None
        return text


def _content_of(word: str) -> str:
    try:
        return sys.stdin.read() if word == "-" else Path(word[1:]).expanduser().read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ConfigError(f"{word[1:]}: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{word[1:] or 'standard input'} is not UTF-8 text.") from None


def _is_only_text(schema: JsonSchema | None) -> bool:
    """Whether a parameter takes text and nothing else, so that `123` is text too."""
    if schema is None:
        return False
    options = [each for each in schema.get("anyOf", [schema]) if each.get("type") != "null"]
    return bool(options) and all(each.get("type") in ("string", ["string", "null"]) for each in options)


def _put(tree: dict[str, Any], parts: Sequence[str], value: Any, key: str) -> None:
    if len(parts) > _DEEPEST or not all(parts):
        raise ConfigError(f"'{key[:80]}' is no name of a parameter.")
    *above, last = parts
    for part in above:
        tree = tree.setdefault(part, _Branch())
        if not isinstance(tree, _Branch):
            raise ConfigError(f"'{part}' is given as a value, and '{key}' a part of it.")
    if last in tree:
        raise ConfigError(f"'{key}' is given twice.")
    tree[last] = value


class _Branch(dict[str, Any]):
    """An object that grew from keys with dots, unlike one that was given as JSON."""


def _with_lists(value: Any) -> Any:
    """Turn what has the keys 0, 1, 2 … into a list."""
    if not isinstance(value, _Branch):
        return value
    inner: Mapping[str, Any] = {key: _with_lists(each) for key, each in value.items()}
    numbers = [str(number) for number in range(len(inner))]
    return [inner[number] for number in numbers] if sorted(inner) == sorted(numbers) else dict(inner)
