"""One table of a TOML file set or removed in its text, as Codex keeps its servers; all else stays as it is.

A table is looked for by its header. Where it is written in another way, the text is left alone and the caller told.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Sequence
from typing import Any

from scenewright.setup.json_text import TextProblem

__all__ = ["parse_toml", "remove_table", "set_table"]

_HEADER = re.compile(r"^[ \t]*\[", re.MULTILINE)


def parse_toml(text: str) -> dict[str, Any]:
    """Return what a text holds.

    Raises:
        TextProblem: it is no TOML.
    """
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:  # also for a number of thousands of digits
        raise TextProblem(f"it is not valid TOML ({error})") from None


def set_table(text: str, path: Sequence[str], values: dict[str, Any]) -> str:
    """Return the text with a table of these values, in place of the one that is there.

    Raises:
        TextProblem: it is no TOML, or the table is written in a way that cannot be changed safely.
    """
    newline = "\r\n" if "\r\n" in text else "\n"
    table = newline.join(_table_lines(path, values)) + newline
    span = _span(text, path)
    if span is not None:
        rest = text[span[1] :]
        after = text[: span[0]] + table + (newline if rest else "") + rest
    else:
        gap = "" if not text.strip() else newline if text.endswith(newline) else newline * 2
        after = text + gap + table
    _check(text, after, path, values)
    return after


def remove_table(text: str, path: Sequence[str]) -> str:
    """Return the text without a table and those inside it.

    Raises:
        TextProblem: as for `set_table`.
    """
    span = _span(text, path)
    after = text if span is None else text[: span[0]].rstrip("\r\n") + _end(text, span)
    _check(text, after, path, None)
    return after


def _end(text: str, span: tuple[int, int]) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    before, after = text[: span[0]].strip(), text[span[1] :]
    return (newline if before else "") + (newline if before and after else "") + after


def _span(text: str, path: Sequence[str]) -> tuple[int, int] | None:
    """Where a table begins and ends, with those inside it that follow."""
    names = r"[ \t]*\.[ \t]*".join(rf"(?:{re.escape(name)}|\"{re.escape(name)}\"|'{re.escape(name)}')" for name in path)
    own = re.compile(rf"^[ \t]*\[[ \t]*{names}[ \t]*\][^\n]*\n?", re.MULTILINE)
    inner = re.compile(rf"[ \t]*\[[ \t]*{names}[ \t]*\.")
    start = own.search(text)
    if start is None:
        return None
    end = start.end()
    while (header := _HEADER.search(text, end)) is not None:
        if inner.match(text, header.start()) is None:
            break
        line = text.find("\n", header.start())
        end = len(text) if line < 0 else line + 1
    stop = header.start() if header is not None else len(text)
    # Comments above the next table are that one's.
    block = text[start.start() : stop]
    kept = re.search(r"(?:\n[ \t]*(?:#[^\n]*)?)*\n?\Z", block)
    return start.start(), stop - (len(kept[0].lstrip("\r\n")) if kept else 0)


def _table_lines(path: Sequence[str], values: dict[str, Any]) -> list[str]:
    tables = {key: value for key, value in values.items() if isinstance(value, dict)}
    lines = [f"[{'.'.join(_key(name) for name in path)}]"]
    lines += [f"{_key(key)} = {_value(value)}" for key, value in values.items() if key not in tables]
    for key, value in tables.items():
        lines += _table_lines([*path, key], value)
    return lines


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name)


def _value(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _check(before: str, after: str, path: Sequence[str], values: dict[str, Any] | None) -> None:
    old, new = parse_toml(before), parse_toml(after)
    if _take(new, path) != values or (_take(old, path), old)[1] != new:
        raise TextProblem("its table is written in a way that cannot be changed safely")


def _take(value: dict[str, Any], path: Sequence[str]) -> Any:
    """Take what stands at a path out of a value, with tables that hold nothing else."""
    key, *rest = path
    if not rest:
        return value.pop(key, None)
    inner = value.get(key)
    taken = _take(inner, rest) if isinstance(inner, dict) else None
    if inner == {}:
        del value[key]
    return taken
