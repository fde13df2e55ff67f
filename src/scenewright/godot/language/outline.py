"""The symbols of a script with their lines, for finding one's way in a file."""

from __future__ import annotations

from typing import Literal

import msgspec

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

__all__ = ["Symbol", "outline"]

Kind = Literal["class", "signal", "enum", "constant", "export", "variable", "function"]


class Symbol(msgspec.Struct, frozen=True, omit_defaults=True):
    kind: Kind
    name: str
    line: int
    end_line: int
    detail: str = ""  # as one would declare it, on one line
    description: str = ""
    children: tuple[Symbol, ...] = ()


def outline(script: Script) -> list[Symbol]:
    """Return what a script declares, in the order of the file."""
    return list(_symbols(script.body))


def _symbols(body: ClassDecl) -> tuple[Symbol, ...]:
    symbols = [
        *(_symbol("signal", member, _signal(member)) for member in body.signals),
        *(_symbol("enum", member, _enum(member)) for member in body.enums),
        *(_symbol("constant", member, f"const {member.name} = {_short(member.value)}") for member in body.constants),
        *(_symbol("export" if member.export else "variable", member, _variable(member)) for member in body.variables),
        *(_symbol("function", member, _function(member)) for member in body.functions),
        *(_symbol("class", member, _class(member), _symbols(member)) for member in body.classes),
    ]
    return tuple(sorted(symbols, key=lambda symbol: (symbol.line, symbol.end_line)))


def _symbol(kind: Kind, member: Declared, detail: str, children: tuple[Symbol, ...] = ()) -> Symbol:
    return Symbol(kind, member.name, member.lines.first, member.lines.last, detail, member.description, children)


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
