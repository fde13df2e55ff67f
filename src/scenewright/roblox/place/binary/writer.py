"""Writes a tree as a binary file. What did not change keeps its bytes; a file of its own makes all of it new."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from scenewright.core.faults import Unsupported
from scenewright.roblox.conversion import converted
from scenewright.roblox.defaults import default_value
from scenewright.roblox.place.binary import arrays
from scenewright.roblox.place.binary.chunks import END, MAGIC, Compression, PlaceChunk, pack
from scenewright.roblox.place.binary.columns import BY_ID, type_of
from scenewright.roblox.place.binary.document import BinaryDocument, Column, Group
from scenewright.roblox.place.binary.layouts import Type
from scenewright.roblox.reflection.database import database
from scenewright.roblox.tree import Instance, InstanceTree
from scenewright.roblox.values import Value, as_bytes, zero

__all__ = ["to_bytes", "write"]

_OWN = (b"INST", b"PROP", b"PRNT", b"SSTR", b"END")


def write(tree: InstanceTree, *, compression: Compression = "lz4") -> bytes:
    """Return a file of any tree, whatever it was read from."""
    document = BinaryDocument()
    document.tree = tree
    return _Writer(document, compression, fresh=True).file()


def to_bytes(document: BinaryDocument) -> bytes:
    """Return the file of a document, with its changes.

    Raises:
        Unsupported: the change needs a value of a type that is not known here to be made anew.
    """
    return _Writer(document, document.compression).file()


@dataclass(slots=True)
class _Class:
    """The instances of one class as they are to be written."""

    number: int
    name: str
    service: bool
    group: Group | None
    instances: list[Instance]

    @property
    def kept(self) -> bool:
        """Whether they are those of the file, so that columns can stay."""
        return self.group is not None and self.instances == self.group.instances


class _Writer:
    def __init__(self, document: BinaryDocument, compression: Compression, *, fresh: bool = False) -> None:
        self._document = document
        self._compression = compression
        self._alive = list(document.tree.walk())
        self._classes = self._group_classes()
        before = len(document.shared)
        self._numbers = {id(instance): number for instance, number in self._number_instances(fresh=fresh)}
        self._renumbered = fresh or any(self._numbers[id(each)] != each.referent for each in self._alive)
        gone = len(document.instances) > sum(1 for each in self._alive if self._is_ours(each))
        self._links = type(document.links)(
            document.links.instance, self._number, document.links.shared, document.links.share
        )
        self._refs_changed = self._renumbered or gone
        self._body = self._properties()
        self._more_shared = len(document.shared) > before

    def file(self) -> bytes:
        header = MAGIC + struct.pack("<HiiQ", 0, len(self._classes), len(self._alive), 0)
        parts = [header, *self._other_chunks(before=True), *self._shared()]
        parts += [self._class(each) for each in self._classes]
        parts += self._body
        parts += [self._parents(), *self._other_chunks(before=False), pack(b"END", END, "none")]
        for instance in self._alive:
            instance.referent = self._numbers[id(instance)]
        return b"".join(parts)

    def _other_chunks(self, *, before: bool) -> list[bytes]:
        """Return chunks that are not about the tree, or that nobody knows, from before the first class or from after
        it.
        """
        chunks = self._document.chunks
        first = next((place for place, chunk in enumerate(chunks) if chunk.name == b"INST"), len(chunks))
        some = chunks[:first] if before else chunks[first:]
        return [chunk.raw for chunk in some if chunk.name not in _OWN]

    def _is_ours(self, instance: Instance) -> bool:
        return isinstance(instance.source, Group) and instance.source.document is self._document

    def _group_classes(self) -> list[_Class]:
        classes = [
            _Class(group.number, group.class_name, group.service, group, []) for group in self._document.groups.values()
        ]
        by_group = {id(each.group): each for each in classes}
        by_name: dict[str, _Class] = {}
        for each in classes:
            by_name.setdefault(each.name, each)
        alive = {id(instance) for instance in self._alive}
        for each in classes:
            assert each.group is not None
            each.instances = [instance for instance in each.group.instances if id(instance) in alive]
        for instance in self._alive:
            if self._is_ours(instance) and id(instance.source) in by_group:
                continue
            known = by_name.get(instance.class_name)
            if known is None:
                service = database().is_service(instance.class_name)
                known = by_name[instance.class_name] = _Class(-1, instance.class_name, service, None, [])
                classes.append(known)
            known.instances.append(instance)
        classes = [each for each in classes if each.instances]
        free = set(range(len(classes))) - {each.number for each in classes}
        for each in classes:
            # From 0 without a gap, as the engine expects; those of the file stay if they can.
            if not 0 <= each.number < len(classes):
                each.number = min(free)
                free.discard(each.number)
        return classes

    def _number_instances(self, *, fresh: bool) -> Iterable[tuple[Instance, int]]:
        """Yield numbers from 0 without a gap, which the engine expects; an instance keeps its own if it can."""
        count = len(self._alive)
        free = set(range(count))
        waiting = []
        for instance in self._alive:
            if not fresh and isinstance(instance.referent, int) and instance.referent in free:
                free.discard(instance.referent)
                yield instance, instance.referent
            else:
                waiting.append(instance)
        yield from zip(waiting, sorted(free), strict=True)

    def _number(self, instance: Any) -> int:
        return self._numbers.get(id(instance), -1)

    def _shared(self) -> list[bytes]:
        if not self._more_shared:
            return [chunk.raw for chunk in self._document.chunks if chunk.name == b"SSTR"]
        entries = b"".join(
            hashlib.md5(data, usedforsecurity=False).digest() + len(data).to_bytes(4, "little") + data
            for data in self._document.shared
        )
        return [self._pack_chunk(b"SSTR", struct.pack("<II", 0, len(self._document.shared)) + entries)]

    def _class(self, each: _Class) -> bytes:
        if each.kept and not self._renumbered and each.group and each.group.chunk and each.group.number == each.number:
            return each.group.chunk.raw
        refs = arrays.pack_refs([self._numbers[id(instance)] for instance in each.instances])
        data = struct.pack("<I", each.number) + _text(each.name) + bytes((each.service,))
        data += struct.pack("<I", len(each.instances)) + refs
        return self._pack_chunk(b"INST", data + (b"\x01" * len(each.instances) if each.service else b""))

    def _properties(self) -> list[bytes]:
        chunks: list[bytes] = []
        for each in self._classes:
            columns = each.group.columns if each.group else {}
            changed = {name for instance in each.instances if instance.changes for name in instance.changes}
            kept = each.kept
            for name in self._names(each, columns):
                column = columns.get(name)
                if column is not None and kept and name not in changed and not self._points_anew(column):
                    chunks.append(self._renumber_chunk(column.chunk, each.number))
                else:
                    chunks.append(self._column(each, name, column))
        return chunks

    def _names(self, each: _Class, columns: dict[str, Column]) -> list[str]:
        names = dict.fromkeys(columns)
        for instance in each.instances:
            if not columns or not self._is_ours(instance):
                names.update(dict.fromkeys(instance.stored_names()))
            elif instance.changes:
                names.update(dict.fromkeys(name for name, value in instance.changes.items() if value is not None))
        return list(names)

    def _points_anew(self, column: Column) -> bool:
        return self._refs_changed and column.type is not None and column.type.points

    def _renumber_chunk(self, chunk: PlaceChunk, number: int) -> bytes:
        """Return a chunk as it stands, but for the number of its class."""
        if int.from_bytes(chunk.data[:4], "little") == number:
            return chunk.raw
        return self._pack_chunk(b"PROP", struct.pack("<I", number) + chunk.data[4:])

    def _column(self, each: _Class, name: str, column: Column | None) -> bytes:
        if column is not None and column.type is None:
            raise Unsupported(
                f"'{each.name}.{name}' has a type (0x{column.number:02x}) that is not known here, so instances of"
                f" '{each.name}' can be neither added nor removed in this file.",
                hint="Change other instances, or save the place as .rbxlx.",
            )
        if column is not None and column.type is not None:
            layout: Type | None = column.type
            data = self._rows(each, name, column)
        else:
            values = [instance.stored(name) for instance in each.instances]
            layout = _layout(values)
            data = [self._fit_value(value, layout, each.name, name) for value in values] if layout is not None else []
        if layout is None:
            raise Unsupported(f"'{each.name}.{name}' has a value that the binary format has no place for.")
        head = struct.pack("<I", each.number) + _text(name) + bytes((layout.number,))
        return self._pack_chunk(b"PROP", head + layout.write(data, self._links))

    def _rows(self, each: _Class, name: str, column: Column) -> list[Any]:
        """Return the data of a column of the file: as it was, but for instances that are new or changed."""
        assert each.group is not None
        assert column.type is not None
        known = column.values(len(each.group.instances), self._document.links)
        group, layout = each.group, column.type
        return [
            known[instance.row]
            if instance.source is group and not (instance.changes and name in instance.changes)
            else self._fit_value(instance.stored(name), layout, each.name, name)
            for instance in each.instances
        ]

    def _fit_value(self, value: Value | None, layout: Type, class_name: str, name: str) -> Any:
        """Return the data of a value in a column's kind; what nobody has set is the default."""
        own_or_default = value if value is not None else default_value(class_name, name)
        return _data(own_or_default, layout, f"{class_name}.{name}")

    def _parents(self) -> bytes:
        if not self._document.tree.root.dirty and not self._renumbered:
            return next(chunk.raw for chunk in self._document.chunks if chunk.name == b"PRNT")
        children = _post_order(self._document.tree.root)
        refs = [self._numbers[id(child)] for child in children]
        root = self._document.tree.root
        parents = [-1 if child.parent is root else self._numbers[id(child.parent)] for child in children]
        data = struct.pack("<BI", 0, len(refs)) + arrays.pack_refs(refs) + arrays.pack_refs(parents)
        return self._pack_chunk(b"PRNT", data)

    def _pack_chunk(self, name: bytes, data: bytes) -> bytes:
        return pack(name, data, self._compression)


def _post_order(root: Instance) -> list[Instance]:
    """Return all instances, children before parents, siblings in order."""
    ordered: list[Instance] = []
    waiting = list(root.children)
    while waiting:
        current = waiting.pop()
        ordered.append(current)
        waiting.extend(current.children)
    ordered.reverse()
    return ordered


def _layout(values: Sequence[Value | None]) -> Type | None:
    kind = next((value.kind for value in values if value is not None), None)
    return type_of(kind) if kind else BY_ID[0x01]


def _data(value: Value | None, layout: Type, where: str) -> Any:
    if value is None:
        return zero(layout.kind)
    fitting = converted(value, layout.kind)
    if fitting is None:
        raise Unsupported(f"A value of '{where}' is {value.kind}, and the file has {layout.kind} there.")
    return fitting.data


def _text(text: str) -> bytes:
    data = as_bytes(text)
    return len(data).to_bytes(4, "little") + data
