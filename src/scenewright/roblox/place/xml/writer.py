"""Writes a tree as XML. In a file that was read, only what changed gets new text; all else stays byte for byte."""

from __future__ import annotations

from scenewright.roblox.place.xml.document import Row, XmlDocument
from scenewright.roblox.place.xml.property_elements import Context, escaped, wrapped, write_value
from scenewright.roblox.place.xml.scanner import Element
from scenewright.roblox.tree import Instance, InstanceTree
from scenewright.roblox.values import Value, as_bytes

__all__ = ["to_bytes", "write"]

_BLANK = (
    b'<roblox xmlns:xmime="http://www.w3.org/2005/05/xmlmime" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
    b' xsi:noNamespaceSchemaLocation="http://www.roblox.com/roblox.xsd" version="4">\n'
    b"\t<External>null</External>\n\t<External>nil</External>\n</roblox>"
)


def write(tree: InstanceTree) -> bytes:
    """Return a file of any tree, whatever it was read from."""
    document = XmlDocument.parse(_BLANK)
    document.tree = tree
    tree.root.dirty = True
    return _Writer(document, fresh=True).file()


def to_bytes(document: XmlDocument) -> bytes:
    """Return the file of a document, with its changes."""
    return document.data if not document.tree.root.dirty else _Writer(document).file()


class _Writer:
    def __init__(self, document: XmlDocument, *, fresh: bool = False) -> None:
        self._document = document
        self._fresh = fresh
        self._data = document.data
        self._known = len(document.keys)
        self._newline = b"\r\n" if b"\r\n" in document.data[:4096] else b"\n"
        self._referents: dict[int, str] = {}
        if fresh:
            self._referents = {id(each): f"RBX{number:032X}" for number, each in enumerate(document.tree.walk())}
        else:
            self._referents = {id(each): str(each.referent) for each in document.tree.walk()}
        links = document.context
        self._context = Context(links.instance, self._referent, links.shared, links.share)
        self._rows: dict[int, Row] = {}  # by where they start; made when something is gone
        self._out: list[bytes] = []

    def file(self) -> bytes:
        document = self._document
        self._children(document.tree.root, document.inner, document.outer, 0)
        body = b"".join(self._out)
        head, tail = self._data[: document.inner], self._data[document.outer :]
        return self._shared(head + body) + tail

    def _referent(self, instance: Instance | None) -> str:
        return self._referents.get(id(instance), "null")

    def _is_ours(self, instance: Instance) -> bool:
        return not self._fresh and instance.source is self._document

    def _children(self, parent: Instance, start: int, end: int, depth: int) -> None:
        """Everything between a parent's properties and its closing tag: items in their order, other text kept."""
        place = start
        for child in parent.children:
            row: Row = child.row
            if self._is_ours(child) and place <= row.start < end:
                self._out.append(self._gap(place, row.start))
                self._item(child, depth + 1)
                place = row.end
            else:
                self._out.append(self._newline + b"\t" * (depth + 1))
                self._item(child, depth + 1)
        self._out.append(self._gap(place, end))

    def _gap(self, start: int, end: int) -> bytes:
        """Return the text between two places, without items that are gone or stand elsewhere now."""
        parts, place, search = [], start, start
        while (item := self._data.find(b"<Item", search, end)) >= 0:
            row = self._row_at(item)
            if row is None:  # in a comment
                search = item + 1
                continue
            before = self._data[place:item]
            parts.append(before[: len(before) - len(_indent(before))])
            place = search = row.end
        parts.append(self._data[place:end])
        return b"".join(parts)

    def _row_at(self, place: int) -> Row | None:
        if not self._rows:
            known = [each.row for each in self._document.instances.values() if each.source is self._document]
            self._rows = {row.start: row for row in known}
        return self._rows.get(place)

    def _item(self, instance: Instance, depth: int) -> None:
        if not self._is_ours(instance):
            self._new_item(instance, depth)
            return
        row: Row = instance.row
        if not instance.dirty:
            self._out.append(self._data[row.start : row.end])
            return
        if row.inner < 0 or (row.inner == row.outer and row.outer == row.body):
            self._new_item(instance, depth)
            return
        self._out.append(self._data[row.start : row.inner])
        self._out.append(self._properties(instance, row, depth))
        self._out.append(self._data[row.outer : row.body])
        close = self._data.rfind(b"</Item", row.body, row.end)
        self._children(instance, row.body, close, depth)
        self._out.append(self._data[close : row.end])

    def _new_item(self, instance: Instance, depth: int) -> None:
        outside, inside = b"\t" * depth, b"\t" * (depth + 1)
        head = b'<Item class="%s" referent="%s">' % (
            escaped(as_bytes(instance.class_name)),
            escaped(as_bytes(self._referent(instance))),
        )
        lines = [head, inside + b"<Properties>"]
        for name in sorted(instance.stored_names()):
            value = instance.stored(name)
            if value is not None:
                lines.append(b"\t" * (depth + 2) + self._element(name, value, depth + 2))
        lines.append(inside + b"</Properties>")
        self._out.append(self._newline.join(lines))
        for child in instance.children:
            self._out.append(self._newline + inside)
            self._item(child, depth + 1)
        self._out.append(self._newline + outside + b"</Item>")

    def _properties(self, instance: Instance, row: Row, depth: int) -> bytes:
        """Return the inside of an instance's properties with its changes: replaced, taken out, or put in by name."""
        changes = instance.changes or {}
        elements = self._document.elements(row)
        edits: list[tuple[int, int, bytes]] = []
        for name, value in changes.items():
            part = elements.get(name)
            if part is not None and value is not None:
                edits.append((part.start, part.end, self._element(name, value, depth + 2)))
            elif part is not None:
                start = part.start - len(_indent(self._data[row.inner : part.start]))
                edits.append((start, part.end, b""))
            elif value is not None:
                edits.append(self._insertion(elements, name, value, (row, depth)))
        text, place = [], row.inner
        for start, end, new in sorted(edits, key=lambda edit: edit[:2]):
            text += [self._data[place:start], new]
            place = end
        return b"".join([*text, self._data[place : row.outer]])

    def _insertion(
        self, elements: dict[str, Element], name: str, value: Value, at: tuple[Row, int]
    ) -> tuple[int, int, bytes]:
        row, depth = at
        new = self._newline + b"\t" * (depth + 2) + self._element(name, value, depth + 2)
        after = [part.end for known, part in elements.items() if known < name]
        place = max(after, default=row.inner)
        return place, place, new

    def _element(self, name: str, value: Value, depth: int) -> bytes:
        text = write_value(name, value, self._context, "\t" * depth)
        return text if self._newline == b"\n" or value.kind in _VERBATIM else text.replace(b"\n", self._newline)

    def _shared(self, text: bytes) -> bytes:
        """Add the shared strings that are new, to those of the file or in a section of their own."""
        new = list(self._document.keys.items())[self._known :]
        if not new:
            return text
        lines = b"".join(
            b'\t\t<SharedString md5="%s">%s</SharedString>%s' % (escaped(as_bytes(key)), wrapped(data), self._newline)
            for key, data in new
        )
        mark = b"</SharedStrings>"
        place = text.rfind(mark)
        if place > text.rfind(b"</Item"):  # not in some script's text
            start = place - len(_indent(text[:place])) + len(self._newline)
            return text[:start] + lines + text[start:]
        body = text.rstrip()
        section = self._newline + b"\t<SharedStrings>" + self._newline + lines + b"\t</SharedStrings>"
        return body + section + (text[len(body) :] or self._newline)


_VERBATIM = frozenset(("String", "ProtectedString", "ContentId", "Unknown"))


def _indent(before: bytes) -> bytes:
    """Return the white space at the end of a text, from its last line's start on."""
    stripped = before.rstrip(b" \t\r\n")
    return before[len(stripped) :]
