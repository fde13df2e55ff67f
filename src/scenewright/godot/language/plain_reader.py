"""Reads the declarations of a GDScript file line by line, on systems that have no parser of it.

It knows what stands at the left edge: the class, signals, variables, constants, enums and functions, each to the line
before the next. What is inside an inner class, and what is wrong with the syntax, is for a parser to say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

from scenewright.core.calls.deadline import check_deadline
from scenewright.godot.language.comments import Comments
from scenewright.godot.language.records import (
    EXPORT_MARKS,
    Annotation,
    ClassDecl,
    ConstantDecl,
    EnumDecl,
    FunctionDecl,
    Lines,
    Parameter,
    Script,
    SignalDecl,
    VariableDecl,
)

__all__ = ["read_plainly"]

_ANNOTATION = re.compile(r"@(\w+)\s*")
_KEYWORD = re.compile(r"(?:(static)\s+)?(class_name|extends|signal|enum|const|var|func|class)\b\s*")
_NAMED = re.compile(r"(\w+)\s*")
_STRING = re.compile(r"""\"\"\".*?\"\"\"|\'\'\'.*?\'\'\'|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'""", re.DOTALL)
_ACCESSORS = re.compile(r"\b(set|get)\s*=\s*(\w+)")
_IN_PLACE = re.compile(r"^\s+(set|get)\b[^\n]*:", re.MULTILINE)
_OPEN, _CLOSE = "([{", ")]}"
_MOST_LINES = 200  # of one declaration's head, so that a bracket that is never closed ends somewhere


def read_plainly(source: str, path: str = "") -> Script:
    lines = source.split("\n")
    comments = Comments(source)
    members: dict[type, list[Any]] = {}
    of_class: dict[str, Any] = {}
    of_the_file: list[Annotation] = []
    marks: list[Annotation] = []
    starts = [*_starts(lines), len(lines) + 1]
    for first, after in pairwise(starts):
        declaration = _Declaration(lines, first, after)
        marks += [mark for mark in declaration.annotations if mark.name in EXPORT_MARKS]
        if declaration.keyword in ("class_name", "extends", ""):
            of_the_file += declaration.annotations
            of_class |= declaration.head_of_class()
            continue
        member = declaration.member(comments.above(first))
        members.setdefault(type(member), []).append(member)
    icon = next((one.arguments[0] for one in of_the_file if one.name == "icon" and one.arguments), "")
    body = ClassDecl(
        name=of_class.get("name", ""),
        lines=Lines(1, max(1, len(source.splitlines()))),
        annotations=tuple(one for one in of_the_file if one.name == "abstract"),
        description=comments.of_class(
            min((one.lines.first for kind in members.values() for one in kind), default=None)
        ),
        extends_path=of_class.get("path", ""),
        extends_name=of_class.get("base", ""),
        signals=tuple(members.get(SignalDecl, ())),
        variables=tuple(members.get(VariableDecl, ())),
        functions=tuple(members.get(FunctionDecl, ())),
        constants=tuple(members.get(ConstantDecl, ())),
        enums=tuple(members.get(EnumDecl, ())),
        classes=tuple(members.get(ClassDecl, ())),
        marks=tuple(marks),
    )
    is_tool = any(one.name == "tool" for one in of_the_file)
    return Script(path=path, body=body, is_tool=is_tool, icon=icon.strip("\"'"))


def _starts(lines: list[str]) -> Iterator[int]:
    """Yield the first line of each declaration at the left edge, annotations above it included, counted from 1."""
    pending: int | None = None
    quoted = ""
    depth = 0
    for number, line in enumerate(lines, 1):
        check_deadline()
        if not quoted and not depth and line[:1] not in ("", " ", "\t", "#", "\r", ")", "]", "}"):
            if pending is None:
                pending = number
            rest = line[_after_annotations(line) :]
            if not rest.strip() or rest.lstrip().startswith("#"):
                if (match := _ANNOTATION.match(line)) and match[1] in (*EXPORT_MARKS, "tool", "icon"):
                    yield pending  # belongs to no declaration
                    pending = None
            else:
                yield pending
                pending = None
        quoted, depth = _left_open(line, quoted, depth)
    if pending is not None:
        yield pending


def _left_open(line: str, quoted: str, depth: int) -> tuple[str, int]:
    """Return the long quotes and how many brackets are still open at the end of a line."""
    at = 0
    while at < len(line):
        three = line[at : at + 3]
        if quoted:
            if three == quoted:
                quoted, at = "", at + 2
            elif line[at] == "\\":
                at += 1
        elif three in ('"""', "'''"):
            quoted, at = three, at + 2
        elif end := _string_end(line, at):
            at = end - 1
        elif line[at] == "#":
            break
        else:
            depth = max(0, depth + (line[at] in _OPEN) - (line[at] in _CLOSE))
        at += 1
    return quoted, depth


def _string_end(text: str, at: int) -> int:
    """Return where the string that begins at a place ends, 0 where none does; an open one takes the rest."""
    if text[at] not in "\"'":
        return 0
    match = _STRING.match(text, at)
    return match.end() if match else len(text)


def _after_annotations(text: str) -> int:
    at = 0
    while match := _ANNOTATION.match(text, at):
        at = match.end()
        if text[at : at + 1] == "(":
            at = _closing(text, at) + 1
        while text[at : at + 1].isspace():
            at += 1
    return at


def _closing(text: str, start: int) -> int:
    """Return where the bracket at a place is closed, or the end of the text."""
    depth, at = 0, start
    while at < len(text):
        if end := _string_end(text, at):
            at = end
            continue
        depth += (text[at] in _OPEN) - (text[at] in _CLOSE)
        if depth == 0:
            return at
        at += 1
    return len(text)


def _split(text: str, separator: str = ",") -> list[str]:
    """Split a text where a character stands outside of brackets and strings."""
    parts, depth, at, start = [], 0, 0, 0
    while at < len(text):
        if end := _string_end(text, at):
            at = end
            continue
        depth += (text[at] in _OPEN) - (text[at] in _CLOSE)
        if text[at] == separator and depth == 0:
            parts.append(text[start:at])
            start = at + 1
        at += 1
    return [part.strip() for part in [*parts, text[start:]] if part.strip()]


def _without_comments(text: str) -> str:
    """Return a text without what stands behind a `#` that is in no string."""
    kept, at, start = [], 0, 0
    while at < len(text):
        if end := _string_end(text, at):
            at = end
        elif text[at] == "#":
            kept.append(text[start:at].rstrip())
            at = start = text.find("\n", at) if "\n" in text[at:] else len(text)
        else:
            at += 1
    return "".join([*kept, text[start:]])


class _Declaration:
    """The text of one declaration, from its annotations to the line before the next."""

    def __init__(self, lines: list[str], first: int, after: int) -> None:
        last = after - 1
        while last > first and (not lines[last - 1].strip() or lines[last - 1].startswith("#")):
            last -= 1
        self.lines = Lines(first, last)
        text = _without_comments(
            "\n".join(line.rstrip("\r") for line in lines[first - 1 : min(last, first + _MOST_LINES)])
        )
        cut = _after_annotations(text)
        self.annotations = tuple(_annotations(text[:cut], first))
        match = _KEYWORD.match(text, cut)
        self.keyword = match[2] if match else ""
        self.is_static = bool(match and match[1])
        self._text = text[match.end() :] if match else ""

    def head_of_class(self) -> dict[str, str]:
        """Return the name, and the class or path that is extended, where this says them."""
        head: dict[str, str] = {}
        rest = self._text.split("\n", 1)[0].strip()
        if self.keyword == "class_name":
            name, _, rest = rest.partition(" ")
            head["name"] = name.rstrip(",")
            rest = rest.strip().removeprefix("extends").strip() if rest.strip().startswith("extends") else ""
        if rest and (match := _STRING.match(rest)):
            head["path"], rest = match[0].strip("\"'"), rest[match.end() :].lstrip(".")
        if rest:
            head["base"] = rest
        return head

    def member(self, description: str) -> Any:
        makers: dict[str, Callable[..., Any]] = {
            "signal": self._signal,
            "enum": self._enum,
            "const": self._constant,
            "var": self._variable,
            "func": self._function,
            "class": lambda name, _, **shared: ClassDecl(name=name, **shared),
        }
        match = _NAMED.match(self._text)
        name, rest = (match[1], self._text[match.end() :]) if match else ("", self._text)
        shared = {"lines": self.lines, "description": description, "annotations": self.annotations}
        return makers[self.keyword](name, rest, **shared)

    def _signal(self, name: str, rest: str, **shared: Any) -> SignalDecl:
        return SignalDecl(name=name, parameters=_parameters(rest), **shared)

    def _function(self, name: str, rest: str, **shared: Any) -> FunctionDecl:
        behind = rest[_closing(rest, 0) + 1 :] if rest.startswith("(") else rest
        returns = re.match(r"\s*->\s*([\w.\[\], ]+)", behind)
        return FunctionDecl(
            name=name,
            parameters=_parameters(rest),
            returns=returns[1].strip() if returns else "",
            is_static=self.is_static,
            **shared,
        )

    def _enum(self, name: str, rest: str, **shared: Any) -> EnumDecl:
        opened = rest.find("{")
        inside = rest[opened + 1 : _closing(rest, opened)] if opened >= 0 else ""
        pairs = (_split(part, "=") for part in _split(inside))
        return EnumDecl(
            name=name, members=tuple((pair[0], pair[1] if len(pair) > 1 else None) for pair in pairs), **shared
        )

    def _constant(self, name: str, rest: str, **shared: Any) -> ConstantDecl:
        kind, value, _ = _typed(_first_statement(rest))
        return ConstantDecl(name=name, type=kind, value=value or "", **shared)

    def _variable(self, name: str, rest: str, **shared: Any) -> VariableDecl:
        statement = _first_statement(rest)
        accessors = dict(_ACCESSORS.findall(self._text))
        in_place = set(_IN_PLACE.findall(self._text))
        kind, value, is_inferred = _typed(statement)
        return VariableDecl(
            name=name,
            type=kind,
            value=value,
            is_inferred=is_inferred,
            is_static=self.is_static,
            setter=accessors.get("set", "set" if "set" in in_place else ""),
            getter=accessors.get("get", "get" if "get" in in_place else ""),
            **shared,
        )


def _first_statement(text: str) -> str:
    """Return a declaration's text up to the first end of a line that no bracket holds open."""
    quoted, depth, length = "", 0, 0
    for line in text.split("\n"):
        quoted, depth = _left_open(line, quoted, depth)
        length += len(line) + 1
        if not quoted and not depth:
            break
    return text[: length - 1]


def _typed(text: str) -> tuple[str, str | None, bool]:
    """Return the type and the value of `: int = 5`, `:= 5` or `= 5`, and whether the type is inferred."""
    text = text.strip()
    if text.startswith(":="):
        return "", _value(text[2:]), True
    if text.startswith(":"):
        said = (_split(text[1:], ":") or [""])[0]
        kind, equals, value = said.partition("=")  # a type has none
        return kind.strip(), value.strip() if equals else None, False
    return "", _value(text[1:]) if text.startswith("=") else None, False


def _value(text: str) -> str:
    """Return a value without the colon or the accessors behind it."""
    return (_split(text, ":") or [""])[0].removesuffix(":").strip()


def _parameters(text: str) -> tuple[Parameter, ...]:
    if not text.startswith("("):
        return ()
    return tuple(_parameter(part) for part in _split(text[1 : _closing(text, 0)]))


def _parameter(text: str) -> Parameter:
    is_rest = text.startswith("...")
    match = _NAMED.match(text.removeprefix("..."))
    name, rest = (match[1], text.removeprefix("...")[match.end() :]) if match else (text, "")
    kind, value, _ = _typed(rest)
    return Parameter(name=name, type=kind, default=value, is_rest=is_rest)


def _annotations(text: str, first: int) -> Iterator[Annotation]:
    at = 0
    while match := _ANNOTATION.search(text, at):
        at = match.end()
        arguments: tuple[str, ...] = ()
        if text[at : at + 1] == "(":
            closing = _closing(text, at)
            arguments, at = tuple(_split(text[at + 1 : closing])), closing + 1
        yield Annotation(match[1], arguments, first + text[: match.start()].count("\n"))
