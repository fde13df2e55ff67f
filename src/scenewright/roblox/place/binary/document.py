"""A binary place or model: its tree, and the chunks it came from, which are read when a value is first asked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scenewright.core.text.counts import count_noun
from scenewright.roblox.kinds import stored_kind
from scenewright.roblox.place.binary import arrays
from scenewright.roblox.place.binary.arrays import ArrayReader
from scenewright.roblox.place.binary.chunks import Compression, PlaceChunk, split
from scenewright.roblox.place.binary.columns import BY_ID
from scenewright.roblox.place.binary.layouts import Links, Type
from scenewright.roblox.place.errors import BrokenPlace
from scenewright.roblox.tree import Instance, InstanceTree
from scenewright.roblox.values import Value, as_text

__all__ = ["MAX_DEPTH", "BinaryDocument", "Column", "Group"]

MAX_DEPTH = 250


class Column:
    """One property of all instances of a class in the file."""

    __slots__ = ("_values", "chunk", "kind", "name", "number", "place", "type")

    def __init__(self, name: str, number: int, chunk: PlaceChunk, place: int, kind: str) -> None:
        self.name = name
        self.number = number  # the type's id, known here or not
        self.chunk = chunk
        self.place = place  # where the values start in the chunk's data
        self.kind = kind
        self.type: Type | None = BY_ID.get(number)
        self._values: list[Any] | None = None

    def values(self, count: int, links: Links) -> list[Any]:
        if self._values is None:
            assert self.type is not None
            reader = ArrayReader(self.chunk.data, self.place)
            values = self.type.read(reader, count, links)
            if reader.left:
                raise BrokenPlace(f"The chunk of '{self.name}' is {reader.left} bytes longer than its values.")
            self._values = values
        return self._values


class Group:
    """The instances of one class in the file, and their properties."""

    def __init__(self, document: BinaryDocument, number: int, class_name: str, *, service: bool) -> None:
        self.document = document
        self.number = number
        self.class_name = class_name
        self.service = service
        self.chunk: PlaceChunk | None = None
        self.instances: list[Instance] = []
        self.columns: dict[str, Column] = {}

    def names(self, row: Any) -> list[str]:
        del row
        return list(self.columns)

    def value(self, row: Any, name: str) -> Value | None:
        column = self.columns.get(name)
        if column is None:
            return None
        if column.type is None:
            return Value("Unknown", column.chunk.data[column.place :])
        return Value(column.kind, column.values(len(self.instances), self.document.links)[row])


class BinaryDocument:
    """A parsed file; `tree` may be changed, and `writing.to_bytes` makes a file of it again."""

    def __init__(self) -> None:
        self.tree = InstanceTree()
        self.chunks: list[PlaceChunk] = []
        self.groups: dict[int, Group] = {}
        self.shared: list[bytes] = []
        self.instances: dict[int, Instance] = {}
        self.links = Links(self._instance, self._referent, self._shared, self._share)
        self._places: dict[bytes, int] | None = None

    @property
    def compression(self) -> Compression:
        """How most of the file is packed."""
        compressions = [chunk.compression for chunk in self.chunks]
        if "zstd" in compressions:
            return "zstd" if compressions.count("zstd") >= compressions.count("lz4") else "lz4"
        return "lz4" if "lz4" in compressions or not compressions else "none"

    @classmethod
    def parse(cls, content: bytes) -> BinaryDocument:
        """Read a file.

        Raises:
            BrokenPlace: it cannot be read.
        """
        document = cls()
        document.chunks = split(content)
        readers = {b"SSTR": document._read_shared, b"INST": document._read_group, b"PROP": document._read_column}
        for chunk in document.chunks:
            if chunk.name in readers:
                readers[chunk.name](chunk)
        for group in document.groups.values():
            document._name(group)
        parents = [chunk for chunk in document.chunks if chunk.name == b"PRNT"]
        if len(parents) != 1:
            raise BrokenPlace(f"The file has {len(parents)} PRNT chunks, not one.")
        document._read_parents(parents[0])
        return document

    def new_referent(self) -> int:
        return max(self.instances, default=-1) + 1

    def _instance(self, number: int) -> Instance | None:
        return self.instances.get(number)

    def _referent(self, instance: Instance | None) -> int:
        referent = instance.referent if instance is not None else None
        return referent if isinstance(referent, int) else -1

    def _shared(self, number: int) -> bytes:
        if number >= len(self.shared):
            raise BrokenPlace(f"Shared string {number} is used, and the file has only {len(self.shared)}.")
        return self.shared[number]

    def _share(self, data: bytes) -> int:
        if self._places is None:
            self._places = {known: place for place, known in reversed(list(enumerate(self.shared)))}
        if data not in self._places:
            self._places[data] = len(self.shared)
            self.shared.append(data)
        return self._places[data]

    def _read_shared(self, chunk: PlaceChunk) -> None:
        reader = ArrayReader(chunk.data)
        if reader.word() != 0:
            raise BrokenPlace("The shared strings have a version that is not known here.")
        for _ in range(reader.count(20)):
            reader.take(16)
            self.shared.append(reader.text())

    def _read_group(self, chunk: PlaceChunk) -> None:
        reader = ArrayReader(chunk.data)
        number = reader.word()
        class_name = as_text(reader.text())
        if number in self.groups:
            raise BrokenPlace(f"The class number {number} is given twice.")
        group = self.groups[number] = Group(self, number, class_name, service=reader.byte() == 1)
        group.chunk = chunk
        for row, referent in enumerate(arrays.refs(reader, reader.count(4))):
            if referent in self.instances or referent < 0:
                raise BrokenPlace(f"The instance number {referent} is given twice, or cannot be one.")
            instance = Instance(class_name, class_name, referent=referent, source=group, row=row)
            group.instances.append(instance)
            self.instances[referent] = instance

    def _read_column(self, chunk: PlaceChunk) -> None:
        reader = ArrayReader(chunk.data)
        group = self.groups.get(reader.word())
        if group is None:
            raise BrokenPlace("A property belongs to a class that is not in the file.")
        name = as_text(reader.text())
        if not reader.left:
            return  # old Studios left a column of a type that was gone empty; there is nothing in it
        number = reader.byte()
        known = BY_ID.get(number)
        kind = stored_kind(group.class_name, name, known.kind) if known else "Unknown"
        group.columns[name] = Column(name, number, chunk, reader.place, kind)

    def _name(self, group: Group) -> None:
        column = group.columns.get("Name")
        if column is None or column.number != 0x01:
            return
        for instance, name in zip(group.instances, column.values(len(group.instances), self.links), strict=True):
            instance.name = as_text(name)

    def _read_parents(self, chunk: PlaceChunk) -> None:
        reader = ArrayReader(chunk.data)
        if reader.byte() != 0:
            raise BrokenPlace("The PRNT chunk has a version that is not known here.")
        count = reader.count(8)
        children, parents = arrays.refs(reader, count), arrays.refs(reader, count)
        known, root = self.instances, self.tree.root
        for child, parent in zip(children, parents, strict=True):
            instance, above = known.get(child), known.get(parent) if parent != -1 else root
            if instance is None or above is None or instance.parent is not None:
                raise BrokenPlace(f"The parent of instance {child} is given twice, or is not in the file.")
            instance.parent = above
            above.children.append(instance)
        reached = sum(1 for _ in _walk_levels(root))
        if reached != len(known):
            raise BrokenPlace(f"The tree does not reach {count_noun(len(known) - reached, 'instance')}.")


def _walk_levels(root: Instance) -> Iterator[Instance]:
    """Yield all below the root, level by level, so that neither a circle nor a very deep tree goes unseen."""
    level, depth = root.children, 0
    while level:
        depth += 1
        if depth > MAX_DEPTH:
            raise BrokenPlace(f"Instances are nested deeper than {MAX_DEPTH} levels.")
        yield from level
        level = [child for instance in level for child in instance.children]
