"""The symbols of a script with their lines, for finding one's way in a file."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from typing import Literal

import msgspec

from scenewright.core.text.path_patterns import is_path_pattern, matches_path
from scenewright.godot.language.records import (
    ClassDecl,
    Declared,
    EnumDecl,
    FunctionDecl,
    Parameter,
    Script,
    SignalDecl,
    VariableDecl,
)

__all__ = ["Kind", "Symbol", "csharp_outline", "matching", "outline"]

_INTEGER = re.compile(r"-?(?:0x[0-9a-fA-F_]+|0b[01_]+|[1-9][0-9_]*|0)")
_BEFORE_CSHARP = re.compile(r"(?:\s*(?://[^\n]*\n|\[[^\]]{0,1000}\]))*\s*")
Kind = Literal["class", "signal", "enum", "constant", "export", "variable", "function", "uniform", "struct", "include"]


class Symbol(msgspec.Struct, frozen=True, omit_defaults=True):
    kind: Kind
    name: str
    line: int
    end_line: int
    detail: str = ""  # as one would declare it, on one line
    description: str = ""
    values: tuple[str, ...] = ()  # of an enum, each as `NAME = 1`
    children: tuple[Symbol, ...] = ()


def outline(script: Script) -> list[Symbol]:
    """Return what a script declares, in the order of the file."""
    return list(_symbols(script.body))


def csharp_outline(symbols: Iterable[Symbol], source: bytes) -> list[Symbol]:
    """Return the symbols of a C# script, each told as it is written there, without its attributes and body."""
    lines = source.decode("utf-8-sig", "replace").split("\n")
    return [msgspec.structs.replace(symbol, detail=_csharp_detail(symbol, lines)) for symbol in symbols]


def _csharp_detail(symbol: Symbol, lines: list[str]) -> str:
    text = "\n".join(lines[symbol.line - 1 : symbol.end_line])
    match = _BEFORE_CSHARP.match(text)
    return _short(re.split(r"[;{]|=>", text[match.end() if match else 0 :], maxsplit=1)[0], 120)


def matching(symbols: Iterable[Symbol], name: str | None, kinds: Container[str] | None) -> list[Symbol]:
    """Return the symbols of these kinds with a name, or a part or pattern of it; those inside classes as well.

    A class stays where something in it fits, with only that.
    """
    fitting = []
    for symbol in symbols:
        inside = matching(symbol.children, name, kinds)
        if _fits(symbol, name, kinds):
            fitting.append(symbol)
        elif inside:
            fitting.append(msgspec.structs.replace(symbol, children=tuple(inside)))
    return fitting


def _fits(symbol: Symbol, name: str | None, kinds: Container[str] | None) -> bool:
    if kinds is not None and symbol.kind not in kinds:
        return False
    if name is None:
        return True
    if is_path_pattern(name):
        return matches_path(symbol.name, name, ignore_case=True)
    return name.casefold() in symbol.name.casefold()


def _symbols(body: ClassDecl) -> tuple[Symbol, ...]:
    symbols = [
        *(_symbol("signal", member, _signal(member)) for member in body.signals),
        *(_enum_symbol(member) for member in body.enums),
        *(_symbol("constant", member, f"const {member.name} = {_short(member.value)}") for member in body.constants),
        *(_symbol("export" if member.export else "variable", member, _variable(member)) for member in body.variables),
        *(_symbol("function", member, _function(member)) for member in body.functions),
        *(_symbol("class", member, _class(member), _symbols(member)) for member in body.classes),
    ]
    return tuple(sorted(symbols, key=lambda symbol: (symbol.line, symbol.end_line)))


def _symbol(kind: Kind, member: Declared, detail: str, children: tuple[Symbol, ...] = ()) -> Symbol:
    first, last = member.lines.first, member.lines.last
    return Symbol(kind, member.name, first, last, detail, member.description, children=children)


def _enum_symbol(enum: EnumDecl) -> Symbol:
    return msgspec.structs.replace(_symbol("enum", enum, _enum(enum)), values=tuple(_enum_values(enum)))


def _enum_values(enum: EnumDecl) -> Iterator[str]:
    """The members with their numbers, which count on from the last one that is said; else as they are written."""
    known, after, base = True, 0, ""
    for name, written in enum.members:
        if written is not None:
            known = _INTEGER.fullmatch(written.strip()) is not None
            after, base = (int(written, 0), "") if known else (0, written.strip())
        said = str(after) if known else f"({base}) + {after}" if after else base
        yield f"{name} = {said}"
        after += 1


def _signal(signal: SignalDecl) -> str:
    return f"signal {signal.name}({_parameters(signal.parameters)})" if signal.parameters else f"signal {signal.name}"


def _enum(enum: EnumDecl) -> str:
    members = ", ".join(name for name, _ in enum.members)
    return f"enum {enum.name} {{ {_short(members)} }}" if enum.name else f"enum {{ {_short(members)} }}"


def _function(function: FunctionDecl) -> str:
    start = "static func" if function.is_static else "func"
    returns = f" -> {function.returns}" if function.returns else ""
    return f"{start} {function.name}({_parameters(function.parameters)}){returns}"


def _variable(variable: VariableDecl) -> str:
    signs = "".join(f"@{annotation.name} " for annotation in variable.annotations)
    start = "static var" if variable.is_static else "var"
    type_ = f": {variable.type}" if variable.type else ""
    value = f" {':=' if variable.is_inferred else '='} {_short(variable.value)}" if variable.value is not None else ""
    return f"{signs}{start} {variable.name}{type_}{value}"


def _class(body: ClassDecl) -> str:
    base = f'"{body.extends_path}"' if body.extends_path else body.extends_name
    return f"class {body.name} extends {base}" if base else f"class {body.name}"


def _parameters(parameters: tuple[Parameter, ...]) -> str:
    return ", ".join(map(_parameter, parameters))


def _parameter(parameter: Parameter) -> str:
    type_ = f": {parameter.type}" if parameter.type else ""
    default = f" = {_short(parameter.default)}" if parameter.default is not None else ""
    return f"{'...' if parameter.is_rest else ''}{parameter.name}{type_}{default}"


def _short(text: str, longest: int = 60) -> str:
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[: longest - 2]} …"
