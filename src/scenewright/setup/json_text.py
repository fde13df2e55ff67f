"""One member of a JSON file set or removed in its text: comments, order, indents and line ends stay as they are.

Reads what clients write: JSON, also with comments and trailing commas. Knows nothing of files and clients.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["TextProblem", "member", "parse_json", "remove_member", "set_member"]

_BLANK = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_PLAIN = re.compile(r'[^\s,\[\]{}:"/]+')
_MARK = "\ufeff"
_DEEPEST = 100


class TextProblem(ValueError):
    """A file's text cannot be read, or holds something else where the entry belongs."""


@dataclass(frozen=True, slots=True)
class _Member:
    key: str
    start: int  # of the key
    value: int
    end: int  # of the value


@dataclass(frozen=True, slots=True)
class _Object:
    start: int  # of the brace
    members: tuple[_Member, ...]
    end: int  # of the closing brace


def parse_json(text: str) -> dict[str, Any]:
    """Return an object that is written with or without comments; of an empty text, an empty one.

    Raises:
        TextProblem: it is none.
    """
    text = text.removeprefix(_MARK)
    if not text.strip():
        return {}
    try:
        value = json.loads("".join(_without_comments(text)))
    except (ValueError, RecursionError) as error:
        raise TextProblem(f"it is not valid JSON ({error})") from None
    if not isinstance(value, dict):
        raise TextProblem("it holds no JSON object")
    return value


def member(value: dict[str, Any], path: Sequence[str]) -> Any:
    """Return what stands at a path, or None."""
    inner: Any = value
    for key in path:
        inner = inner.get(key) if isinstance(inner, dict) else None
    return inner


def set_member(text: str, path: Sequence[str], value: Any) -> str:
    """Return the text with a value at a path; objects on the way are made.

    Raises:
        TextProblem: the text is no object, or something on the way is none.
    """
    before = parse_json(text)
    if member(before, path) == value:
        return text
    mark = _MARK if text.startswith(_MARK) else ""
    body = text.removeprefix(_MARK)
    after = mark + _set(body if body.strip() else "{}\n", path, value)
    if _all_but(before, path) != _all_but(parse_json(after), path) or member(parse_json(after), path) != value:
        raise TextProblem("its text is written in a way that cannot be changed safely")
    return after


def remove_member(text: str, path: Sequence[str]) -> str:
    """Return the text without what stands at a path; where nothing does, as it is.

    Raises:
        TextProblem: the text is no object.
    """
    before = parse_json(text)
    if member(before, path) is None:
        return text
    mark = _MARK if text.startswith(_MARK) else ""
    after = mark + _remove(text.removeprefix(_MARK), path)
    if _all_but(before, path) != _all_but(parse_json(after), path):
        raise TextProblem("its text is written in a way that cannot be changed safely")
    return after


def _set(text: str, path: Sequence[str], value: Any) -> str:
    at = _object_at(text, _BLANK.match(text).end())  # type: ignore[union-attr]
    for depth, key in enumerate(path):
        known = next((each for each in reversed(at.members) if each.key == key), None)
        if known is None:
            for outer in reversed(path[depth + 1 :]):
                value = {outer: value}
            return _inserted(text, at, key, value)
        if depth == len(path) - 1:
            return text[: known.value] + _written(text, value, _indent_of(text, known.start)) + text[known.end :]
        if text[known.value] != "{":
            raise TextProblem(f"{key!r} in it is no object")
        at = _object_at(text, known.value)
    raise TextProblem("no place was named")


def _inserted(text: str, at: _Object, key: str, value: Any) -> str:
    """The text with a new last member."""
    newline = "\r\n" if "\r\n" in text else "\n"
    inside = text[at.start + 1 : at.end]
    several = "\n" in inside or not at.members
    indent = _indent_of(text, at.start) + _unit(text)
    if at.members and several:
        indent = _indent_of(text, at.members[-1].start)
    written = _written(text, value, indent) if several else json.dumps(value, ensure_ascii=False)
    member_text = f"{json.dumps(key, ensure_ascii=False)}: {written}"
    last = at.start + 1 + len(inside.rstrip())
    rest = text[at.end :] if not several else f"{newline}{_indent_of(text, at.start)}{text[at.end :]}"
    lead = f"{newline}{indent}" if several else " "
    if not at.members:
        return text[:last] + lead + member_text + rest
    end = at.members[-1].end
    comma = "" if text[_after(text, end)] == "," else ","
    return text[:end] + comma + text[end:last] + lead + member_text + rest


def _remove(text: str, path: Sequence[str]) -> str:
    at = _object_at(text, _BLANK.match(text).end())  # type: ignore[union-attr]
    for key in path[:-1]:
        at = _object_at(text, next(each for each in at.members if each.key == key).value)
    number = next(number for number, each in enumerate(at.members) if each.key == path[-1])
    gone = at.members[number]
    after = _after(text, gone.end)
    if text[after] == ",":
        end = after + 1 + len(text[after + 1 :]) - len(text[after + 1 :].lstrip())
        return text[: gone.start] + text[end:] if number + 1 < len(at.members) else _cut(text, gone.start, after + 1)
    if number == 0:
        return _cut(text, gone.start, gone.end)
    comma = _after(text, at.members[number - 1].end)
    return _cut(text[:comma] + text[comma + 1 :], gone.start - 1, gone.end - 1)


def _cut(text: str, start: int, end: int) -> str:
    """The text without a part, and without the blank before it."""
    return text[:start].rstrip() + text[end:]


def _object_at(text: str, start: int) -> _Object:
    if text[start : start + 1] != "{":
        raise TextProblem("it holds no JSON object")
    members: list[_Member] = []
    at = _after(text, start + 1)
    while text[at] != "}":
        key = _STRING.match(text, at)
        if key is None:
            raise TextProblem("it is not valid JSON")
        value = _after(text, _after(text, key.end()) + 1)
        end = _value_end(text, value)
        members.append(_Member(json.loads(key[0]), at, value, end))
        at = _after(text, end)
        at = _after(text, at + 1) if text[at] == "," else at
    return _Object(start, tuple(members), at)


def _value_end(text: str, at: int) -> int:
    depth = 0
    while True:
        at = _after(text, at)
        if text[at] in "{[":
            depth, at = depth + 1, at + 1
        elif text[at] in "}]":
            depth, at = depth - 1, at + 1
        elif text[at] in ",:":
            at += 1
        else:
            match = _STRING.match(text, at) or _PLAIN.match(text, at)
            if match is None or depth > _DEEPEST:
                raise TextProblem("it is not valid JSON")
            at = match.end()
        if depth == 0:
            return at


def _after(text: str, at: int) -> int:
    """Where the next thing begins that is neither blank nor comment."""
    end = _BLANK.match(text, at).end()  # type: ignore[union-attr]
    if end >= len(text):
        raise TextProblem("it ends too early")
    return end


def _without_comments(text: str) -> Iterator[str]:
    at, pending = 0, ""
    while at < len(text):
        blank = _BLANK.match(text, at)
        assert blank is not None
        at = blank.end()
        if at >= len(text):
            break
        match = _STRING.match(text, at) or _PLAIN.match(text, at)
        token = match[0] if match else text[at]
        at += len(token)
        if pending and token not in "}]":
            yield pending
        pending = token if token == "," else ""
        if not pending:
            yield token
        if match and not match[0].startswith('"'):
            yield " "


def _written(text: str, value: Any, indent: str) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = json.dumps(value, ensure_ascii=False, indent=_unit(text)).split("\n")
    return f"{newline}{indent}".join(lines)


def _unit(text: str) -> str:
    """What one more level is indented by."""
    match = re.search(r"\n([ \t]+)\S", text)
    if match is None:
        return "  "
    return "\t" if match[1].startswith("\t") else match[1][:8]


def _indent_of(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip())]


def _all_but(value: dict[str, Any], path: Sequence[str]) -> Any:
    """A value without what stands at a path, and without objects that hold nothing else."""
    key, *rest = path
    left = {each: inner for each, inner in value.items() if each != key}
    inner = value.get(key)
    if rest and isinstance(inner, dict) and (kept := _all_but(inner, rest)):
        left[key] = kept
    return left
