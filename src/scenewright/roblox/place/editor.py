"""Carries out edits on a place in memory. A refused edit leaves the document half changed, which nobody then saves."""

from __future__ import annotations

from functools import singledispatchmethod
from typing import Any

from scenewright.core.faults import Conflict, Invalid
from scenewright.roblox.attributes import pack_attributes, pack_tags
from scenewright.roblox.backend import (
    Create,
    Delete,
    Done,
    Duplicate,
    Edit,
    Info,
    Move,
    SetAttribute,
    SetProperty,
    SetSource,
    SetTags,
    Target,
)
from scenewright.roblox.coercion import coerce, coerce_attribute
from scenewright.roblox.place.documents import PlaceDocument, alive
from scenewright.roblox.place.instance_reader import Looker, attributes_of, tags_of
from scenewright.roblox.place.target_resolution import Resolver
from scenewright.roblox.properties import declared_kind, read, write
from scenewright.roblox.reflection.database import database
from scenewright.roblox.tree import Instance
from scenewright.roblox.values import Value, as_bytes, as_text
from scenewright.roblox.wire import to_wire

__all__ = ["Editor"]

_OWN = ("HistoryId", "UniqueId")  # what a copy must not share


class Editor:
    """Changes one document."""

    def __init__(self, document: PlaceDocument) -> None:
        self._document = document
        self._resolver = Resolver(document, makes_services=document.is_place)
        self._looker = Looker(document)
        self._touched: list[Instance] = []
        self._current = document.tree.root

    def identified(self, done: list[Done]) -> list[Done]:
        """Return the results with the ids that hold now that the file is written."""
        return [
            each
            if isinstance(each.edit, Delete) or not self._is_there(instance)
            else _replace_info(each, self._looker.info(instance))
            for each, instance in zip(done, self._touched, strict=True)
        ]

    def _is_there(self, instance: Instance) -> bool:
        return alive(self._document.tree, instance) is not None

    def carry_out(self, edit: Edit) -> Done:
        """Carry out one edit."""
        done = self._carry_out(edit)
        self._touched.append(self._current)
        return done

    @singledispatchmethod
    def _carry_out(self, edit: Edit) -> Done:
        raise TypeError(f"no edit: {edit!r}")

    @_carry_out.register
    def _(self, edit: Create) -> Done:
        parent = self._find(edit.parent)
        instance = Instance(edit.class_name, edit.name)
        instance.attach(parent)
        self._document.adopt(instance)
        if edit.source is not None:
            instance.store("Source", Value("ProtectedString", as_bytes(edit.source)))
        for name, value in edit.properties.items():
            self._set(instance, name, value)
        if edit.attributes:
            self._store_attributes(instance, {name: _attribute(name, value) for name, value in edit.attributes.items()})
        if edit.tags:
            write(instance, "Tags", Value("Tags", pack_tags(edit.tags)))
        self._remember(edit.key, instance)
        return Done(edit, self._describe_current(instance))

    @_carry_out.register
    def _(self, edit: SetProperty) -> Done:
        instance = self._find(edit.target)
        before = self._looker.property(instance, edit.name)
        self._set(instance, edit.name, edit.value)
        return Done(edit, self._describe_current(instance), before, self._looker.property(instance, edit.name))

    @_carry_out.register
    def _(self, edit: SetAttribute) -> Done:
        instance = self._find(edit.target)
        attributes = attributes_of(instance)
        before = attributes.pop(edit.name, None)
        after = None if edit.value is None else _attribute(edit.name, edit.value)
        if after is not None:
            attributes[edit.name] = after
        if before != after:
            self._store_attributes(instance, attributes)
        return Done(edit, self._describe_current(instance), _value_on_wire(before), _value_on_wire(after))

    @_carry_out.register
    def _(self, edit: SetTags) -> Done:
        instance = self._find(edit.target)
        before = tags_of(instance)
        if before != list(edit.tags):
            write(instance, "Tags", Value("Tags", pack_tags(edit.tags)))
        return Done(edit, self._describe_current(instance), before, list(edit.tags))

    @_carry_out.register
    def _(self, edit: SetSource) -> Done:
        instance = self._find(edit.target)
        before = instance.stored("Source")
        text = as_text(before.data) if before is not None else ""
        if text != edit.source or before is None:
            instance.store("Source", Value("ProtectedString", as_bytes(edit.source)))
        return Done(edit, self._describe_current(instance), text, edit.source)

    @_carry_out.register
    def _(self, edit: Move) -> Done:
        instance, parent = self._find(edit.target), self._find(edit.parent)
        self._refuse_fixed(instance, "moved")
        if instance.contains(parent):
            raise Invalid(f"'{instance.path}' cannot be moved into itself.", path="input.newParentPath", rule="parent")
        before = instance.path
        if instance.parent is not parent:
            instance.attach(parent)
        return Done(edit, self._describe_current(instance), before, instance.path)

    @_carry_out.register
    def _(self, edit: Duplicate) -> Done:
        original = self._find(edit.target)
        self._refuse_fixed(original, "copied")
        parent = self._find(edit.parent) if edit.parent is not None else original.parent
        assert parent is not None
        copies: dict[int, Instance] = {}
        copy = _copy_instance(original, copies)
        if edit.name is not None:
            copy.rename(edit.name)
        copy.attach(parent)
        for each in copy.walk():
            self._document.adopt(each)
            _redirect(each, copies)
        self._remember(edit.key, copy)
        return Done(edit, self._describe_current(copy), count=len(copies))

    @_carry_out.register
    def _(self, edit: Delete) -> Done:
        instance = self._find(edit.target)
        self._refuse_fixed(instance, "deleted")
        info, count = self._describe_current(instance), sum(1 for _ in instance.walk())
        self._document.forget(instance)
        instance.detach()
        return Done(edit, info, count=count)

    def _find(self, target: Target) -> Instance:
        return self._resolver.find(target)

    def _describe_current(self, instance: Instance) -> Info:
        self._current = instance
        return self._looker.info(instance)

    def _remember(self, key: str | None, instance: Instance) -> None:
        if key is not None:
            self._resolver.keys[key] = instance

    def _refuse_fixed(self, instance: Instance, what: str) -> None:
        root = self._document.tree.root
        service = instance.parent is root and self._document.is_place and database().is_service(instance.class_name)
        if instance is root or service:
            raise Conflict(f"'{instance.path}' is a service and cannot be {what}.", retryable=False)

    def _set(self, instance: Instance, name: str, wire: Any) -> None:
        declared = database().canonical(instance.class_name, name)
        current = read(instance, name)
        kind = declared_kind(declared) if declared else current.kind if current else "String"
        value = coerce(wire, kind, enum=declared.enum if declared else None, name=name)
        if isinstance(value.data, Target):
            value = Value(value.kind, self._find(value.data))
        if current is None or current != value or read(instance, name, defaults=False) is None:
            write(instance, name, value)

    def _store_attributes(self, instance: Instance, attributes: dict[str, Value]) -> None:
        write(instance, "Attributes", Value("Attributes", pack_attributes(attributes)))


def _replace_info(done: Done, info: Info) -> Done:
    return Done(done.edit, info, done.before, done.after, done.count)


def _attribute(name: str, wire: Any) -> Value:
    return coerce_attribute(wire, path="input.attributes", name=name)


def _value_on_wire(value: Value | None) -> Any:
    return to_wire(value) if value is not None else None


def _copy_instance(original: Instance, copies: dict[int, Instance]) -> Instance:
    """Return a copy with everything stored in it, and of everything below."""
    copy = Instance(original.class_name, original.name)
    copies[id(original)] = copy
    for name in original.stored_names():
        value = original.stored(name)
        if value is not None and name not in _OWN:
            copy.store(name, value)
    for child in original.children:
        below = _copy_instance(child, copies)
        below.parent = copy
        copy.children.append(below)
    return copy


def _redirect(copy: Instance, copies: dict[int, Instance]) -> None:
    for name, value in list((copy.changes or {}).items()):
        if value is not None and id(value.data) in copies:
            copy.store(name, Value(value.kind, copies[id(value.data)]))
