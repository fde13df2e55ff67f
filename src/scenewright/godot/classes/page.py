"""Writes the records of a class as the answers of `answers`, descriptions in the markup asked for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from scenewright.godot.classes.answers import (
    ArgumentDoc,
    ConstantDoc,
    EnumDoc,
    MethodDoc,
    PropertyDoc,
    SignalDoc,
    ThemeItemDoc,
)
from scenewright.godot.classes.markup import Markup, render, sentence_about
from scenewright.godot.classes.records import Argument, Constant, Enum, Method, Property, Signal, ThemeItem

__all__ = ["ClassPage"]


@dataclass(frozen=True, slots=True)
class ClassPage:
    """The page of one class; a member of another is marked as inherited."""

    class_name: str
    markup: Markup

    def text(self, bbcode: str) -> str:
        return render(bbcode, self.markup)

    def methods(self, methods: Iterable[Method]) -> tuple[MethodDoc, ...]:
        return tuple(map(self.method, methods))

    def method(self, method: Method) -> MethodDoc:
        return MethodDoc(
            **self._common(method),
            return_type=method.returns,
            arguments=self._arguments(method),
            signature=method.signature,
            qualifiers=method.qualifiers,
        )

    def properties(self, properties: Iterable[Property]) -> tuple[PropertyDoc, ...]:
        return tuple(
            PropertyDoc(
                **self._common(property_),
                type=property_.type,
                default=property_.default,
                setter=property_.setter,
                getter=property_.getter,
                enum=property_.enum,
                read_only=property_.read_only,
            )
            for property_ in properties
        )

    def signals(self, signals: Iterable[Signal]) -> tuple[SignalDoc, ...]:
        return tuple(SignalDoc(**self._common(signal), arguments=self._arguments(signal)) for signal in signals)

    def enums(self, enums: Iterable[Enum]) -> tuple[EnumDoc, ...]:
        return tuple(
            EnumDoc(
                name=enum.name,
                values=self.constants(enum.values),
                is_bitfield=enum.is_flags,
                inherited_from=self._inherited_from(enum.owner),
            )
            for enum in enums
        )

    def constants(self, constants: Iterable[Constant]) -> tuple[ConstantDoc, ...]:
        return tuple(ConstantDoc(**self._common(constant), value=constant.value) for constant in constants)

    def theme_items(self, items: Iterable[ThemeItem]) -> tuple[ThemeItemDoc, ...]:
        return tuple(
            ThemeItemDoc(**self._common(item), type=item.type, kind=item.kind, default=item.default) for item in items
        )

    def _arguments(self, member: Method | Signal) -> tuple[ArgumentDoc, ...]:
        return tuple(self._argument(argument, member.description) for argument in member.arguments)

    def _argument(self, argument: Argument, description: str) -> ArgumentDoc:
        return ArgumentDoc(
            name=argument.name,
            type=argument.type,
            default=argument.default,
            description=self.text(sentence_about(argument.name, description)),
            enum=argument.enum,
        )

    def _common(self, record: Method | Signal | Property | Constant | ThemeItem) -> dict[str, Any]:
        return {
            "name": record.name,
            "description": self.text(record.description),
            "inherited_from": self._inherited_from(record.owner),
            "deprecated": record.status.deprecated,
            "experimental": record.status.experimental,
        }

    def _inherited_from(self, owner: str) -> str:
        return "" if owner == self.class_name else owner
