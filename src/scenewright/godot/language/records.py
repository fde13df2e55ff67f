"""What a script declares, as written. Expressions and types are kept as text; lines count from 1."""

from __future__ import annotations

from typing import Final

import msgspec

__all__ = [
    "EXPORT_MARKS",
    "Annotation",
    "ClassDecl",
    "ConstantDecl",
    "Declared",
    "EnumDecl",
    "FunctionDecl",
    "Lines",
    "Parameter",
    "Problem",
    "Script",
    "SignalDecl",
    "VariableDecl",
]

# Annotations that divide the inspector and belong to no variable.
EXPORT_MARKS: Final = ("export_category", "export_group", "export_subgroup")


class Lines(msgspec.Struct, frozen=True):
    """From the first line of a declaration, its annotations included, to its last."""

    first: int
    last: int


class Annotation(msgspec.Struct, frozen=True):
    """`@export_range(0, 10)`: the name without the sign, the arguments as written."""

    name: str
    arguments: tuple[str, ...] = ()
    line: int = 0


class Parameter(msgspec.Struct, frozen=True):
    name: str
    type: str = ""  # empty where none is said
    default: str | None = None
    is_rest: bool = False  # takes all further arguments


class Declared(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    lines: Lines
    description: str = ""  # of its `##` comments
    annotations: tuple[Annotation, ...] = ()

    def annotation(self, name: str) -> Annotation | None:
        return next((annotation for annotation in self.annotations if annotation.name == name), None)


class SignalDecl(Declared, frozen=True, kw_only=True):
    parameters: tuple[Parameter, ...] = ()


class FunctionDecl(Declared, frozen=True, kw_only=True):
    parameters: tuple[Parameter, ...] = ()
    returns: str = ""
    is_static: bool = False

    @property
    def is_abstract(self) -> bool:
        return self.annotation("abstract") is not None


class VariableDecl(Declared, frozen=True, kw_only=True):
    type: str = ""
    is_inferred: bool = False  # `var x := 1`
    value: str | None = None
    is_static: bool = False
    setter: str = ""  # a function's name, or `set` for one written in place
    getter: str = ""

    @property
    def export(self) -> Annotation | None:
        """The annotation that exports it."""
        return next((annotation for annotation in self.annotations if annotation.name.startswith("export")), None)

    @property
    def is_onready(self) -> bool:
        return self.annotation("onready") is not None


class ConstantDecl(Declared, frozen=True, kw_only=True):
    value: str
    type: str = ""


class EnumDecl(Declared, frozen=True, kw_only=True):
    """An enumeration; one without a name puts its members into the class."""

    members: tuple[tuple[str, str | None], ...] = ()


class ClassDecl(Declared, frozen=True, kw_only=True):
    """The script itself, whose name is that of `class_name`, or an inner class."""

    extends_path: str = ""  # `extends "res://base.gd"`
    extends_name: str = ""  # `extends Node2D`, or the inner class of a path
    signals: tuple[SignalDecl, ...] = ()
    variables: tuple[VariableDecl, ...] = ()
    functions: tuple[FunctionDecl, ...] = ()
    constants: tuple[ConstantDecl, ...] = ()
    enums: tuple[EnumDecl, ...] = ()
    classes: tuple[ClassDecl, ...] = ()
    marks: tuple[Annotation, ...] = ()  # those of `EXPORT_MARKS`

    @property
    def exported(self) -> tuple[VariableDecl, ...]:
        return tuple(variable for variable in self.variables if variable.export)

    @property
    def is_abstract(self) -> bool:
        return self.annotation("abstract") is not None

    def constant(self, name: str) -> ConstantDecl | None:
        return next((constant for constant in self.constants if constant.name == name), None)

    def enum(self, name: str) -> EnumDecl | None:
        return next((enum for enum in self.enums if enum.name == name), None)

    def inner(self, name: str) -> ClassDecl | None:
        return next((inner_class for inner_class in self.classes if inner_class.name == name), None)


class Problem(msgspec.Struct, frozen=True):
    """Where the syntax is wrong."""

    line: int
    column: int
    message: str


class Script(msgspec.Struct, frozen=True):
    """One file. With problems, what could be read around them is still there."""

    path: str  # `res://player.gd`, or empty for text of no file
    body: ClassDecl
    is_tool: bool = False
    icon: str = ""
    problems: tuple[Problem, ...] = ()

    @property
    def class_name(self) -> str:
        return self.body.name
