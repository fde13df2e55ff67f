"""References as Rojo writes them: the target has an id, and its referrer an attribute that names it.

A target's id is the `id` of its JSON file (`$id` in a project) or its attribute `Rojo_Id`; `Rojo_Target_PrimaryPart`
on another instance then stands for that property. Inside one model file references are the file's own.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass

from scenewright.core.faults import Unsupported
from scenewright.roblox.attributes import pack_attributes, unpack_attributes
from scenewright.roblox.place.rojo.origins import STORE, Origin, Origins, say
from scenewright.roblox.properties import declared_kind, read, write
from scenewright.roblox.reflection.database import database
from scenewright.roblox.tree import Instance
from scenewright.roblox.values import Value, as_text

__all__ = ["ID", "TARGET", "Links", "ReferenceLink", "link", "settle"]

ID = "Rojo_Id"
TARGET = "Rojo_Target_"


@dataclass(frozen=True, slots=True)
class ReferenceLink:
    """A reference as it was read; None where no instance, or more than one, has the id."""

    text: str
    target: Instance | None


Links = dict[int, dict[str, ReferenceLink]]  # by instance and property


def link(root: Instance, origins: Origins) -> Links:
    """Make references of the attributes that stand for them."""
    described = {id(each): (each, attributes) for each in root.walk() if (attributes := _attributes(each))}
    ids = _Ids(root, origins)
    links: Links = {}
    for instance, attributes in described.values():
        for name, text in _targets(instance, attributes):
            leads = ReferenceLink(text, ids.find(text))
            links.setdefault(id(instance), {})[name] = leads
            say(instance, name, Value("Ref", leads.target))
    return links


def _targets(instance: Instance, attributes: dict[str, Value]) -> Iterator[tuple[str, str]]:
    for attribute, value in attributes.items():
        name = attribute.removeprefix(TARGET)
        if attribute.startswith(TARGET) and value.kind == "String" and _can_refer(instance, name):
            yield name, as_text(value.data)


def _can_refer(instance: Instance, name: str) -> bool:
    declared = database().canonical(instance.class_name, name)
    return declared is None or declared_kind(declared) == "Ref"


def _attributes(instance: Instance) -> dict[str, Value]:
    """Return the attributes of an instance, where any of them is Rojo's."""
    for stored in ("AttributesSerialize", "Attributes"):
        value = instance.stored(stored)
        if value is not None and isinstance(value.data, bytes) and b"Rojo_" in value.data:
            try:
                return unpack_attributes(value.data)
            except Unsupported:
                return {}  # one that nobody knows hides the others
    return {}


class _Ids:
    """Which instance has which id; one that two have leads nowhere, as in Rojo."""

    def __init__(self, root: Instance, origins: Origins) -> None:
        self._origins = origins
        self._known: dict[str, list[Instance]] = {}
        for instance in root.walk():
            for text in self._ids_of(instance):
                self._known.setdefault(text, []).append(instance)

    def _ids_of(self, instance: Instance) -> list[str]:
        origin = self._origins.of(instance)
        given = origin.rest.get("id") if origin is not None else None
        value = _attributes(instance).get(ID)
        own = as_text(value.data) if value is not None and value.kind == "String" else None
        return list(dict.fromkeys(text for text in (given, own) if isinstance(text, str) and text))

    def find(self, text: str) -> Instance | None:
        candidates = self._known.get(text, ())
        return candidates[0] if len(candidates) == 1 else None

    def drop_copies(self) -> None:
        """Take the id from copies, which would make it lead nowhere."""
        for holders in self._known.values():
            copies = [each for each in holders if self._origins.of(each) is None]
            for copy in copies[1 if len(copies) == len(holders) else 0 :]:
                _store(copy, ID, None)
                holders.remove(copy)

    def name(self, instance: Instance) -> str:
        """Return the instance's id, which may be a new one."""
        for text in self._ids_of(instance):
            if self.find(text) is instance:
                return text
        text = uuid.uuid4().hex
        _store(instance, ID, text)
        self._known[text] = [instance]
        return text


def _store(instance: Instance, name: str, text: str | None) -> None:
    value = read(instance, "Attributes", defaults=False)
    attributes = unpack_attributes(value.data) if value is not None else {}
    if text is None:
        attributes.pop(name, None)
    else:
        attributes[name] = Value("String", text.encode())
    write(instance, "Attributes", Value("Attributes", pack_attributes(attributes)))


def settle(root: Instance, origins: Origins, links: Links) -> None:
    """Make attributes of the references that need them, before the tree is written to files."""
    _Settler(root, origins, links).settle()


class _Settler:
    def __init__(self, root: Instance, origins: Origins, links: Links) -> None:
        self._origins = origins
        self._links = links
        self._all = list(root.walk())
        self._alive = {id(instance) for instance in self._all}
        self._ids = _Ids(root, origins)

    def settle(self) -> None:
        if any(self._origins.of(instance) is None for instance in self._all):
            self._ids.drop_copies()
        for instance in self._all:
            self._keep_id(instance)
            for stored in self._references(instance):
                self._settle_reference(instance, stored)

    def _keep_id(self, instance: Instance) -> None:
        """An id that its JSON file said goes into the attribute, where a model file takes its place."""
        origin = self._origins.of(instance)
        given = origin.rest.get("id") if origin is not None else None
        if origin is None or not isinstance(given, str):
            return
        home = self._container(instance)
        stays = home is instance and (instance.parent is origin.parent or origin.is_node)
        if self._is_file(home) and not stays:
            _store(instance, ID, given)
            origin.rest.pop("id")

    def _references(self, instance: Instance) -> list[str]:
        """Return the names under which an instance holds references that may need a look."""
        if instance.source is not STORE and id(instance) not in self._links and not self._is_rewritten(instance):
            return []  # a model file's own, as they were
        values = ((name, instance.stored(name)) for name in instance.stored_names())
        return [name for name, value in values if value is not None and value.kind == "Ref"]

    def _settle_reference(self, instance: Instance, stored: str) -> None:
        declared = database().canonical(instance.class_name, stored)
        name = declared.name if declared else stored
        value = instance.stored(stored)
        held = value.data if value is not None else None
        target = held if id(held) in self._alive else None
        known = self._links.get(id(instance), {}).get(name)
        untouched = known is not None and known.target is held
        attribute = _attributes(instance).get(TARGET + name)
        text = as_text(attribute.data) if attribute is not None and attribute.kind == "String" else None
        # What led nowhere from the start stays, and so does an attribute that was itself set.
        if known is None or not untouched or not (held is None or (target is not None and text != known.text)):
            self._name_target(instance, name, text, target)
        self._leave_to_attribute(instance, stored, target, untouched=untouched)

    def _name_target(self, instance: Instance, name: str, text: str | None, target: Instance | None) -> None:
        """Have the attribute name the target, where the file cannot say it itself."""
        leads_there = text is not None and target is not None and self._ids.find(text) is target
        if target is None or self._is_at_home(instance, target):
            if text is not None and not leads_there:
                _store(instance, TARGET + name, None)
        elif not leads_there:
            _store(instance, TARGET + name, self._ids.name(target))

    def _leave_to_attribute(self, instance: Instance, stored: str, target: Instance | None, *, untouched: bool) -> None:
        """A model file cannot hold what lies outside it, and what it holds itself stays as it was."""
        if instance.changes is None or instance.source in (None, STORE) or stored not in instance.changes:
            return
        if untouched or (target is not None and not self._is_at_home(instance, target)):
            del instance.changes[stored]

    def _is_at_home(self, instance: Instance, target: Instance) -> bool:
        home = self._container(instance)
        return self._is_file(home) and self._container(target) is home

    def _is_file(self, instance: Instance | None) -> bool:
        origin = self._origins.of(instance)
        return origin is not None and origin.kind == "file"

    def _is_rewritten(self, instance: Instance) -> bool:
        home = self._container(instance)
        return instance.dirty or home is None or home.dirty

    def _container(self, instance: Instance) -> Instance | None:
        """Return the root of the model, JSON or not, in whose file an instance is written."""
        container = None
        for each in (instance, *instance.ancestors()):
            origin = self._origins.of(each)
            if origin is not None and origin.kind in ("model", "file") and not self._becomes_node(each, origin):
                container = each  # the outermost counts
        return container

    def _becomes_node(self, instance: Instance, origin: Origin) -> bool:
        """Return whether a model is put where only the project file can hold it."""
        above = self._origins.of(instance.parent)
        if instance.parent is origin.parent or above is None or not above.is_node or above.kind == "folder":
            return False
        return not (origin.is_node and above.project == origin.project)
