"""The symbols of a shader's text with their lines; what it includes is read too, as far as it lies in the project."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scenewright.godot.language.outline import Kind, Symbol
from scenewright.godot.rendering.uniforms import Include, blank_comments

__all__ = ["shader_symbols"]

_DOCUMENTED = re.compile(r"/\*\*(?P<text>.*?)\*/\s*\Z", re.DOTALL)
_DECLARED = re.compile(
    r'#include[ \t]+"(?P<include>[^"\n]*)"'
    r"|\bstruct\s+(?P<struct>\w+)"
    r"|(?:\b(?:global|instance)\s+)?\buniform\s+(?:(?:lowp|mediump|highp)\s+)?\w+(?:\s*\[[^\]\n]{0,200}\])?\s+(?P<uniform>\w+)"
    r"|\bvarying\s+(?:(?:flat|smooth|lowp|mediump|highp)\s+){0,3}\w+\s+(?P<variable>\w+)"
    r"|\bconst\s+(?:(?:lowp|mediump|highp)\s+)?\w+(?:\s*\[[^\]\n]{0,200}\])?\s+(?P<constant>\w+)"
    r"|\b(?:(?:lowp|mediump|highp)\s+)?\w+(?:\s*\[[^\]\n]{0,200}\])?\s+(?P<function>\w+)\s*\([^()]{0,5000}\)\s*(?=\{)"
)
_KINDS: tuple[Kind, ...] = ("include", "struct", "uniform", "variable", "constant", "function")
_DEEPEST = 8
_LONGEST = 120


def shader_symbols(text: str, include: Include, place: str) -> list[Symbol]:
    """Return what a shader at a place declares, in its order, with what the files declare that it includes."""
    return list(_symbols(text, include, (place,)))


def _symbols(text: str, include: Include, around: tuple[str, ...]) -> Iterator[Symbol]:
    code = blank_comments(text)
    at = 0
    while (match := _DECLARED.search(code, at)) is not None:
        kind = next(kind for kind in _KINDS if match[kind] is not None)
        end = _end_of(code, match.end(), kind)
        first = code.count("\n", 0, match.start()) + 1
        children = _included(match["include"], include, around) if kind == "include" else ()
        yield Symbol(
            kind=kind,
            name=str(match[kind]),
            line=first,
            end_line=code.count("\n", 0, end) + 1,
            detail=_detail(code[match.start() : end], kind),
            description=_description(text[: match.start()]),
            children=children,
        )
        at = max(end, match.end())


def _included(path: str, include: Include, around: tuple[str, ...]) -> tuple[Symbol, ...]:
    file = include(path, around[-1])
    if file is None or file[0] in around or len(around) > _DEEPEST:
        return ()
    return tuple(_symbols(file[1], include, (*around, file[0])))


def _end_of(code: str, at: int, kind: Kind) -> int:
    """Return where a declaration ends: a body at its bracket, others at their semicolon."""
    if kind == "include":
        return at
    if kind not in ("struct", "function"):
        end = code.find(";", at)
        return len(code) if end < 0 else end
    depth = 0
    for bracket in re.compile(r"[{}]").finditer(code, at):
        depth += 1 if bracket[0] == "{" else -1
        if depth <= 0:
            return bracket.end()
    return len(code)


def _detail(declaration: str, kind: Kind) -> str:
    line = " ".join(declaration.partition("{")[0].split()) if kind != "include" else declaration.strip()
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 2]} …"


def _description(before: str) -> str:
    match = _DOCUMENTED.search(before[-2000:])
    return " ".join(match["text"].replace("*", " ").split()) if match else ""
