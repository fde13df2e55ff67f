"""A file of the engine: its bytes as they are, and an index of the documents in it, made by one scan.

Every place is a position in the file's bytes. A document is parsed when somebody asks for its data, not before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from scenewright.core.faults import NotFound, Unsupported
from scenewright.unity.yaml.parser import ParseError, parse

__all__ = ["ObjectDocument", "UnityFile", "kind_of", "pointer_fault", "read_meta"]

# It begins with a fixed text, not with an anchor, because that is searched for ten times as fast.
HEADER = re.compile(rb"--- !u!(-?\d+) &(-?\d+)( stripped)?[ \t]*(?:\r?\n|\Z)")
_BOM = b"\xef\xbb\xbf"
_LFS = b"version https://git-lfs"


def kind_of(start: bytes) -> str:
    """Return what the first bytes of a file say it is: text, lfs-pointer, empty or binary."""
    start = start.removeprefix(_BOM)
    if start.startswith(b"%YAML") or start.startswith(b"--- !u!"):
        return "text"
    if start.startswith(_LFS):
        return "lfs-pointer"
    return "binary" if start.strip() else "empty"


class ObjectDocument:
    """One object of a file: its class, its id, and where it stands."""

    __slots__ = ("_data", "body", "class_id", "end", "file", "file_id", "start", "stripped")

    def __init__(self, file: UnityFile, header: re.Match[bytes]) -> None:
        class_id, file_id, stripped = header.groups()
        self.file = file
        self.class_id = int(class_id)
        self.file_id = int(file_id)
        self.stripped = stripped is not None
        self.start, self.body = header.span()
        self.end = len(file.data)
        self._data: Any = None

    @property
    def text(self) -> str:
        return self.file.data[self.body : self.end].decode("utf-8", "surrogateescape")

    @property
    def tree(self) -> dict[str, Any]:
        """The whole document: one key, the name of its class, and its properties below."""
        if self._data is None:
            self._data = self._parsed()
        return self._data  # type: ignore[no-any-return]

    @property
    def type_name(self) -> str:
        """The class as the document itself names it."""
        start = self.file.data[self.body : self.body + 80]
        return start.partition(b":")[0].decode("utf-8", "replace").strip()

    @property
    def data(self) -> dict[str, Any]:
        """The object's serialized properties."""
        inside: Any = next(iter(self.tree.values()), None)
        return inside if isinstance(inside, dict) else {}

    def _parsed(self) -> dict[str, Any]:
        try:
            tree = parse(self.text)
        except ParseError as error:
            raise self._broken(error.reason, error.line) from None
        if not isinstance(tree, dict):
            raise self._broken("a document must be a mapping", 1)
        return tree

    def _broken(self, reason: str, line: int) -> ParseError:
        above = self.file.data.count(b"\n", 0, self.body)
        return ParseError(reason, above + line, self.file.path)


class UnityFile:
    """A text-serialized scene, prefab or asset."""

    def __init__(self, data: bytes, path: str = "") -> None:
        """Index a file.

        Raises:
            Unsupported: it is a git-LFS pointer or binary.
        """
        self.data = data
        self.path = path
        if (kind := kind_of(data[:64])) not in ("text", "empty"):
            raise _unreadable(path, kind)

    @cached_property
    def documents(self) -> list[ObjectDocument]:
        data, documents = self.data, []
        last: ObjectDocument | None = None
        for match in HEADER.finditer(data):
            if not _begins_line(data, match.start()):
                continue
            document = ObjectDocument(self, match)
            if last is not None:
                last.end = document.start
            documents.append(document)
            last = document
        return documents

    @cached_property
    def by_id(self) -> dict[int, ObjectDocument]:
        return {document.file_id: document for document in self.documents}

    def of_class(self, *class_ids: int) -> Iterator[ObjectDocument]:
        return (document for document in self.documents if document.class_id in class_ids)

    def document(self, file_id: int) -> ObjectDocument:
        """Return the document of an id.

        Raises:
            NotFound: the file has none.
        """
        document = self.by_id.get(file_id)
        if document is None:
            raise NotFound(f"'{self.path}' has no object with the file id {file_id}.")
        return document

    @property
    def line_break(self) -> bytes:
        """How this file ends its lines."""
        first = self.data.find(b"\n")
        return b"\r\n" if first > 0 and self.data[first - 1 : first] == b"\r" else b"\n"


def _begins_line(data: bytes, at: int) -> bool:
    return at == 0 or data[at - 1] == 10 or (at == 3 and data.startswith(_BOM))


def read_meta(data: bytes) -> dict[str, Any]:
    """Return a `.meta` file, which is one document without a header.

    Raises:
        ParseError: it is something else.
    """
    tree = parse(data.removeprefix(_BOM).decode("utf-8", "surrogateescape"))
    if not isinstance(tree, dict):
        raise ParseError("a .meta file must be a mapping", 1)
    return tree


def pointer_fault(name: str) -> Unsupported:
    """Return what to say where a file is needed that git-LFS has not fetched."""
    return Unsupported(f"{name} is a git-LFS pointer, not the file itself.", hint="Run `git lfs pull` in the project.")


def _unreadable(path: str, kind: str) -> Unsupported:
    name = f"'{path}'" if path else "The file"
    if kind == "lfs-pointer":
        return pointer_fault(name)
    return Unsupported(
        f"{name} is not text-serialized.",
        hint="Set Project Settings > Editor > Asset Serialization to Force Text; baked data such as lighting, NavMesh"
        " and terrain stays binary all the same.",
    )
