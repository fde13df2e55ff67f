"""A place in one file, of either format: its tree, names for its instances, and the way back to bytes."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from pathlib import PurePosixPath
from typing import Protocol

from scenewright.core.faults import Unsupported
from scenewright.core.writes.changeset import Changeset
from scenewright.roblox.place.binary import writer as binary
from scenewright.roblox.place.binary.document import BinaryDocument
from scenewright.roblox.place.xml import writer as xml
from scenewright.roblox.place.xml.document import XmlDocument
from scenewright.roblox.tree import Instance, InstanceTree
from scenewright.roblox.values import Value

__all__ = ["SUFFIXES", "FileDocument", "PlaceDocument", "alive", "open_place", "read_tree", "unique_id", "write_tree"]

SUFFIXES = (".rbxl", ".rbxlx", ".rbxm", ".rbxmx")


class PlaceDocument(Protocol):
    """A place that can be changed in memory and staged as files."""

    @property
    def tree(self) -> InstanceTree: ...

    @property
    def is_place(self) -> bool:
        """Whether the root is a game, which holds services; a model's is not."""

    def adopt(self, instance: Instance) -> None:
        """Give a new instance, already in the tree, its own name in the file."""

    def identify(self, instance: Instance) -> str:
        """Return the instance's id, which stays the same while the place is changed through us."""

    def find(self, identifier: str) -> Instance | None: ...

    def forget(self, instance: Instance) -> None:
        """Told of an instance that is about to go."""

    def save(self, files: Changeset) -> None:
        """Stage the files that differ."""


class FileDocument(PlaceDocument, Protocol):
    """A place in one file."""

    def content(self) -> bytes:
        """Return the file as it is now."""


def open_place(path: str, content: bytes) -> FileDocument:
    """Return the place in a file.

    Raises:
        BrokenPlace: it cannot be read.
    """
    return XmlPlace(path, content) if _is_xml(path, content) else BinaryPlace(path, content)


def read_tree(path: str, content: bytes) -> InstanceTree:
    return open_place(path, content).tree


def write_tree(path: str, tree: InstanceTree) -> bytes:
    """Return any tree as a file of the format that the path's ending says."""
    suffix = PurePosixPath(path).suffix
    if suffix not in SUFFIXES:
        raise Unsupported(f"'{path}' is not a Roblox file.", hint=f"Use one of {', '.join(SUFFIXES)}.")
    return xml.write(tree) if suffix.endswith("x") else binary.write(tree)


def _is_xml(path: str, content: bytes) -> bool:
    # The engine goes by the content, and so do files with the wrong ending work.
    if content.startswith(b"<roblox!"):
        return False
    return path.endswith("x") or content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"<roblox", b"<?xml", b"<!--"))


def unique_id(instance: Instance) -> str | None:
    """Return the id that Studio gave an instance for good, where it did."""
    value = instance.stored("UniqueId")
    if value is None or value.kind != "UniqueId" or not any(value.data):
        return None
    index, time, random = value.data
    return f"{random & (1 << 64) - 1:016x}{time:08x}{index:08x}"


def alive(tree: InstanceTree, instance: Instance | None) -> Instance | None:
    """Return the instance, if it is still in the tree."""
    if instance is None:
        return None
    top = instance
    while top.parent is not None:
        top = top.parent
    return instance if top is tree.root else None


class _UniqueIds:
    """Instances by the ids that Studio gave them, listed at the first question."""

    def __init__(self, tree: InstanceTree) -> None:
        self._tree = tree
        self._known: dict[str, Instance] | None = None

    def find(self, wanted: str) -> Instance | None:
        if not re.fullmatch(r"[0-9a-f]{32}", wanted):
            return None
        if self._known is None:
            self._known = {identifier: each for each in self._tree.walk() if (identifier := unique_id(each))}
        return alive(self._tree, self._known.get(wanted))


class BinaryPlace:
    """A .rbxl or .rbxm file."""

    def __init__(self, path: str, content: bytes) -> None:
        self._path = path
        self._document = BinaryDocument.parse(content)
        self._next = self._document.new_referent()
        self._unique = _UniqueIds(self._document.tree)

    @property
    def tree(self) -> InstanceTree:
        return self._document.tree

    @property
    def is_place(self) -> bool:
        return not self._path.endswith(".rbxm")

    def adopt(self, instance: Instance) -> None:
        instance.referent = self._next
        self._document.instances[self._next] = instance
        self._next += 1

    def identify(self, instance: Instance) -> str:
        return f"inst-{unique_id(instance) or f'{instance.referent}-{_check(instance)}'}"

    def find(self, identifier: str) -> Instance | None:
        wanted = identifier.removeprefix("inst-")
        number, _, check = wanted.partition("-")
        if not check:
            return self._unique.find(wanted)
        instance = alive(self.tree, self._document.instances.get(int(number))) if number.isdigit() else None
        # Numbers are given anew when instances go, so that one alone could lead to a stranger.
        return instance if instance is not None and _check(instance) == check else None

    def forget(self, instance: Instance) -> None:
        del instance  # its number is dropped when the file is written

    def content(self) -> bytes:
        return binary.to_bytes(self._document)

    def save(self, files: Changeset) -> None:
        files.write(self._path, self.content())


def _check(instance: Instance) -> str:
    text = f"{instance.class_name}\0{instance.name}".encode("utf-8", "surrogateescape")
    return hashlib.blake2b(text, digest_size=3).hexdigest()


class XmlPlace:
    """A .rbxlx or .rbxmx file."""

    def __init__(self, path: str, content: bytes) -> None:
        self._path = path
        self._document = XmlDocument.parse(content)
        self._unique = _UniqueIds(self._document.tree)
        self._starts: list[tuple[int, Instance]] | None = None

    @property
    def tree(self) -> InstanceTree:
        return self._document.tree

    @property
    def is_place(self) -> bool:
        return not self._path.endswith(".rbxmx")

    def adopt(self, instance: Instance) -> None:
        above = str(instance.parent.referent) if instance.parent else ""
        instance.referent = self._document.new_referent(above, instance.class_name, instance.name)
        self._document.instances[instance.referent] = instance

    def identify(self, instance: Instance) -> str:
        return f"inst-{unique_id(instance) or instance.referent}"

    def find(self, identifier: str) -> Instance | None:
        wanted = identifier.removeprefix("inst-")
        instance = alive(self.tree, self._document.instances.get(wanted))
        return instance or self._unique.find(wanted)

    def forget(self, instance: Instance) -> None:
        """References to what goes become null, instead of leading nowhere."""
        for gone in instance.walk():
            text = str(gone.referent).encode("utf-8", "surrogateescape")
            for match in re.finditer(rb'<Ref name="([^"]*)">\s*%s\s*</Ref>' % re.escape(text), self._document.data):
                holder = self._holder(match.start())
                name = match.group(1).decode("utf-8", "surrogateescape")
                value = holder.stored(name) if holder is not None else None
                if holder is not None and value is not None and value.data is gone:
                    holder.store(name, Value("Ref", None))

    def _holder(self, place: int) -> Instance | None:
        """Return the instance in whose properties a place of the text lies."""
        if self._starts is None:
            known = [each for each in self._document.instances.values() if each.source is self._document]
            self._starts = sorted(((each.row.inner, each) for each in known), key=lambda pair: pair[0])
        index = bisect_right(self._starts, place, key=lambda pair: pair[0]) - 1
        return self._starts[index][1] if index >= 0 else None

    def content(self) -> bytes:
        return xml.to_bytes(self._document)

    def save(self, files: Changeset) -> None:
        files.write(self._path, self.content())
