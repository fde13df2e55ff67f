"""Replaces, adds, removes and moves one declaration of a script; every other byte stays.

A declaration's lines are its annotations, its body and the documentation above it. Text that comes in is given the
script's line ends and indents.
"""

from __future__ import annotations

import re
from textwrap import dedent
from typing import TYPE_CHECKING, Final

import msgspec

from scenewright.core.faults import Conflict, Invalid, NotFound, did_you_mean
from scenewright.godot.language.records import ClassDecl, FunctionDecl
from scenewright.godot.language.script_reader import read_script

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scenewright.godot.language.records import Declared

__all__ = ["ScriptLines"]

_DOC: Final = re.compile(r"\s*##(?!#)")
_INDENT: Final = re.compile(r"[ \t]*")
_HEAD: Final = re.compile(r"\s*(?:@tool|@icon|@static_unload|class_name|extends|##|#|$)")
_SPACES: Final = 4


class _Span(msgspec.Struct, frozen=True):
    """Lines from `first` up to `end`, counted from 0; `code` is the first that is no documentation."""

    first: int
    code: int
    end: int


class ScriptLines:
    """A script's lines, each with its end."""

    def __init__(self, path: str, content: bytes) -> None:
        try:
            text = content.decode()
        except UnicodeDecodeError:
            raise Invalid(f"'{path}' is not UTF-8.", path="input.scriptPath", rule="encoding") from None
        self.path = path
        self._script = read_script(content, path)
        self._lines = re.findall(r"[^\n]*\n|[^\n]+\Z", text)
        crlf = sum(line.endswith("\r\n") for line in self._lines)
        self._newline = "\r\n" if crlf * 2 > len(self._lines) else "\n"
        self._unit = self._indent_unit()

    def content(self) -> bytes:
        return "".join(self._lines).encode()

    def has(self, symbol: str) -> bool:
        """Return whether the script declares a symbol.

        Raises:
            NotFound: there is no class that it would be in.
        """
        owner, name = self._owner(symbol)
        return _find(owner, name) is not None

    def text_of(self, symbol: str) -> str:
        """Return a declaration with its annotations, documentation aside, and the comments that end it.

        Raises:
            NotFound: there is none.
        """
        span = self._span(*self._owner(symbol))
        return "".join(self._lines[span.code : span.end])

    def replace(self, symbol: str, text: str) -> None:
        """Put another declaration in the place of one; documentation stays where the new one has none.

        Raises:
            NotFound: there is none.
            Invalid: the text does not declare that symbol and nothing else.
        """
        owner, name = self._owner(symbol)
        span = self._span(owner, name)
        self._check_declares(text, name)
        lines = self._adapted(text, self._indent_of(owner))
        start = span.first if _DOC.match(lines[0]) else span.code
        self._put(start, span.end, lines)

    def remove(self, symbol: str) -> None:
        """Take a declaration out, with its documentation and one gap of blank lines."""
        owner, name = self._owner(symbol)
        if len(list(_members(owner))) == 1 and owner is not self._script.body:
            raise Conflict(
                f"'{symbol}' is all that its class has, and a class cannot be empty.",
                hint="Remove the class.",
                retryable=False,
            )
        self._cut(self._span(owner, name))

    def add(self, symbol: str, text: str) -> None:
        """Declare something new behind what is of its kind, else at the end of its class.

        Raises:
            NotFound: there is no such class.
            Invalid: the text does not declare that symbol and nothing else.
        """
        owner, name = self._owner(symbol)
        new = self._check_declares(text, name)
        alike = [
            each for each in _members(owner) if type(each) is type(new) and _is_exported(each) == _is_exported(new)
        ]
        lines = self._adapted(text, self._indent_of(owner))
        if alike:
            at = self._span_of(alike[-1]).end
        elif isinstance(new, FunctionDecl | ClassDecl):
            at = self._end_of(owner)
        else:
            at = self._start_of(owner)
        self._insert(at, lines, wide=isinstance(new, FunctionDecl | ClassDecl) or not alike, owner=owner)

    def move(self, symbol: str, anchor: str, *, after: bool) -> None:
        """Put a declaration before or after another one of its class.

        Raises:
            NotFound: there is none of one of the names.
            Invalid: they are in different classes, or the same.
        """
        owner, name = self._owner(symbol)
        other_owner, other = self._owner(anchor)
        if owner is not other_owner or name == other:
            raise Invalid("A declaration moves beside another one of its class.", path="input.symbol", rule="class")
        span, target = self._span(owner, name), self._span(owner, other)
        moved = self._lines[span.first : span.end]
        at = target.end if after else target.first
        wide = any(isinstance(_find(owner, each), FunctionDecl | ClassDecl) for each in (name, other))
        if at >= span.end:
            before = len(self._lines)
            self._cut(span)
            at -= before - len(self._lines)
        else:
            self._cut(span)
        self._insert(at, moved, wide=wide, owner=owner)

    def _owner(self, symbol: str) -> tuple[ClassDecl, str]:
        *classes, name = symbol.split(".")
        owner = self._script.body
        for each in classes:
            inner = owner.inner(each)
            if inner is None:
                known = [each.name for each in owner.classes]
                raise NotFound(f"{self.path} has no class '{each}'.", hint=did_you_mean(each, known))
            owner = inner
        return owner, name

    def _span(self, owner: ClassDecl, name: str) -> _Span:
        decl = _find(owner, name)
        if decl is None:
            known = [each.name for each in _members(owner)]
            raise NotFound(f"{self.path} declares no '{name}'.", hint=did_you_mean(name, known))
        return self._span_of(decl)

    def _span_of(self, decl: Declared) -> _Span:
        code, end = decl.lines.first - 1, decl.lines.last
        for other in _all_members(self._script.body):
            is_other = other is not decl and not _is_inside(other, decl) and not _is_inside(decl, other)
            if is_other and other.lines.first <= decl.lines.last and decl.lines.first <= other.lines.last:
                raise Conflict(
                    f"'{decl.name}' shares a line with '{other.name}'.",
                    hint="Change it with edit_script.",
                    retryable=False,
                )
        indent = len(self._indent(code))
        while end < len(self._lines) and self._is_inner_comment(end, indent):
            end += 1
        first = code
        while first > 0 and _DOC.match(self._lines[first - 1]) and len(self._indent(first - 1)) == indent:
            first -= 1
        return _Span(first, code, end)

    def _is_inner_comment(self, line: int, indent: int) -> bool:
        return self._lines[line].lstrip().startswith("#") and len(self._indent(line)) > indent

    def _indent(self, line: int) -> str:
        match = _INDENT.match(self._lines[line])
        return match[0] if match is not None else ""

    def _indent_of(self, owner: ClassDecl) -> str:
        """The indent of what a class declares."""
        if owner is self._script.body:
            return ""
        first = next(_members(owner), None)
        if first is not None and first.lines.first > owner.lines.first:
            return self._indent(first.lines.first - 1)
        return self._indent(owner.lines.first - 1) + self._unit

    def _indent_unit(self) -> str:
        indents = [match[0] for line in self._lines if (match := re.match(r"[ \t]+(?=\S)", line)) is not None]
        tabs = sum(indent.startswith("\t") for indent in indents)
        if tabs * 2 >= len(indents):
            return "\t"
        return " " * min((len(indent) for indent in indents if indent.startswith(" ")), default=_SPACES)

    def _adapted(self, text: str, indent: str) -> list[str]:
        """The lines of a declaration as they stand in this script."""
        lines = dedent(text.replace("\r\n", "\n")).strip("\n").split("\n")
        unit = "\t" if any(line.startswith("\t") for line in lines) else _unit_of(lines)
        adapted = []
        for line in lines:
            depth = 0
            while unit and line.startswith(unit):
                line, depth = line[len(unit) :], depth + 1
            whole = f"{indent}{self._unit * depth}{line}".rstrip() if line.strip() else ""
            adapted.append(whole + self._newline)
        return adapted

    def _check_declares(self, text: str, name: str) -> Declared:
        script = read_script(dedent(text.replace("\r\n", "\n")).strip("\n") + "\n")
        members = list(_members(script.body))
        if script.problems:
            problem = script.problems[0]
            raise Invalid(
                f"'content' has a syntax error in line {problem.line}: {problem.message}",
                path="input.content",
                rule="syntax",
            )
        if len(members) != 1 or members[0].name != name:
            said = ", ".join(each.name or "an enum without a name" for each in members) or "nothing"
            raise Invalid(
                f"'content' declares {said}, not '{name}' alone.",
                path="input.content",
                rule="symbol",
                hint="Give one declaration whole, such as 'func jump() -> void:' with its body; rename changes names.",
            )
        return members[0]

    def _put(self, start: int, end: int, lines: list[str]) -> None:
        if end == len(self._lines) and self._lines and not self._lines[-1].endswith("\n"):
            lines = [*lines[:-1], lines[-1].rstrip("\r\n")]
        self._lines[start:end] = lines

    def _cut(self, span: _Span) -> None:
        """Take lines out; of the gaps before and after them the larger stays."""
        before = after = 0
        while span.first - before > 0 and not self._lines[span.first - before - 1].strip():
            before += 1
        while span.end + after < len(self._lines) and not self._lines[span.end + after].strip():
            after += 1
        at_end = span.end + after == len(self._lines)
        kept = 0 if at_end or span.first - before == 0 else max(before, after)
        gap = (self._lines[span.first - before : span.first] + self._lines[span.end : span.end + after])[:kept]
        self._lines[span.first - before : span.end + after] = gap

    def _insert(self, at: int, lines: list[str], *, wide: bool, owner: ClassDecl) -> None:
        """Put lines in, with the gaps that declarations of their kind have."""
        gap = 0 if not wide else 2 if owner is self._script.body else 1
        while at > 0 and not self._lines[at - 1].strip():
            at -= 1
        following = at
        while following < len(self._lines) and not self._lines[following].strip():
            following += 1
        if at > 0 and not self._lines[at - 1].endswith("\n"):
            self._lines[at - 1] += self._newline
        blank = [self._newline]
        lines = [*lines[:-1], lines[-1] if lines[-1].endswith("\n") else lines[-1] + self._newline]
        old = following - at
        behind = blank * max(gap, old if following < len(self._lines) else 0) if following < len(self._lines) else []
        ahead = blank * gap if at > 0 else []
        self._lines[at:following] = [*ahead, *lines, *behind]

    def _end_of(self, owner: ClassDecl) -> int:
        return len(self._lines) if owner is self._script.body else owner.lines.last

    def _start_of(self, owner: ClassDecl) -> int:
        """Where the first declaration of a class would stand."""
        if owner is not self._script.body:
            return owner.lines.first
        at = 0
        while at < len(self._lines) and _HEAD.match(self._lines[at]):
            at += 1
        return at


def _members(owner: ClassDecl) -> Iterator[Declared]:
    """What a class declares, in the order of the file."""
    members: list[Declared] = [
        *owner.signals,
        *owner.enums,
        *owner.constants,
        *owner.variables,
        *owner.functions,
        *owner.classes,
    ]
    return iter(sorted(members, key=lambda each: each.lines.first))


def _all_members(owner: ClassDecl) -> Iterator[Declared]:
    for each in _members(owner):
        yield each
        if isinstance(each, ClassDecl):
            yield from _all_members(each)


def _is_inside(inner: Declared, outer: Declared) -> bool:
    return isinstance(outer, ClassDecl) and any(each is inner for each in _all_members(outer))


def _find(owner: ClassDecl, name: str) -> Declared | None:
    return next((each for each in _members(owner) if each.name == name), None)


def _is_exported(decl: Declared) -> bool:
    return any(annotation.name.startswith("export") for annotation in decl.annotations)


def _unit_of(lines: list[str]) -> str:
    depths = [len(line) - len(line.lstrip(" ")) for line in lines if line.startswith(" ") and line.strip()]
    return " " * min(depths, default=_SPACES)
