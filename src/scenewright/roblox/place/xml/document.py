"""An XML place or model: its tree, over the text it came from. Properties are read when they are first asked for."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from typing import Any

from scenewright.roblox.place.binary.document import MAX_DEPTH
from scenewright.roblox.place.errors import BrokenPlace
from scenewright.roblox.place.xml import scanner
from scenewright.roblox.place.xml.property_elements import Context, read_value
from scenewright.roblox.place.xml.scanner import Element, broken, plain
from scenewright.roblox.tree import Instance, InstanceTree
from scenewright.roblox.values import Value, as_text

__all__ = ["Row", "XmlDocument"]

_ITEM = re.compile(rb'<Item class="([^"<>&]*)" referent="([^"<>&]*)">')
_TOKEN = re.compile(
    rb"<(?:(?P<item>Item)(?P<head>\s[^<>]*)?>|(?P<close>/Item)\s*>|(?P<properties>Properties)\s*(?P<empty>/?)>"
    rb"|(?P<end>/roblox)\s*>|(?P<doctype>!DOCTYPE))"
)
_NAME = re.compile(rb'<string name="Name">([^<&]*)</string>')
_ROOT = re.compile(rb"<roblox(\s[^<>]*)?>")


class Row:
    """Where an instance stands in the text: its element, and what is inside its properties."""

    __slots__ = ("body", "end", "inner", "outer", "start")

    def __init__(self, start: int) -> None:
        self.start = start
        self.inner = self.outer = self.body = self.end = -1  # body: after the properties; end: after the element


class XmlDocument:
    """A parsed file; `tree` may be changed, and `writing.to_bytes` makes a file of it again."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.tree = InstanceTree()
        self.top: list[Element] = []  # what else the root holds, such as <Meta>
        self.inner = 0  # where the inside of the root starts
        self.outer = len(data)  # and ends
        self.keys: dict[str, bytes] = {}
        self.instances: dict[str, Instance] = {}
        self.context = Context(self._instance, self._referent, self._shared, self._share)
        self._owners: dict[int, str] = {}
        self._elements: dict[int, dict[str, Element]] = {}
        self._depth = 0
        self._key_of: dict[bytes, str] | None = None

    @classmethod
    def parse(cls, data: bytes) -> XmlDocument:
        """Read a file.

        Raises:
            BrokenPlace: it cannot be read.
        """
        document = cls(data)
        place = scanner.skip(data, 3 if data.startswith(b"\xef\xbb\xbf") else 0, len(data))
        root = _ROOT.match(data, place)
        if root is None:
            raise broken(data, place, "this is not a Roblox file: it does not start with <roblox>.")
        if scanner.attributes(root.group(1) or b"").get(b"version") not in (b"4", None):
            raise BrokenPlace("This Roblox file has a version that is not known here.")
        document.inner = root.end()
        document._scan(root.end())
        return document

    def _scan(self, place: int) -> None:
        data, current = self.data, self.tree.root
        while (place := data.find(b"<", place)) >= 0:
            fast = _ITEM.match(data, place)
            if fast is not None:
                current = self._open(current, fast.group(1), fast.group(2), place)
                place = fast.end()
                continue
            token = _TOKEN.match(data, place)
            if token is None:
                place = self._other(current, place)
            elif token["close"]:
                current, place = self._close(current, token), token.end()
            elif token["properties"]:
                place = self._properties(current, token)
            elif token["item"]:
                current, place = self._open_slowly(current, token), token.end()
            else:
                self._end(current, token)
                return
        raise broken(data, len(data), "the file is cut off.")

    def _open_slowly(self, parent: Instance, token: re.Match[bytes]) -> Instance:
        attributes = scanner.attributes(token["head"] or b"")
        if b"class" not in attributes:
            raise broken(self.data, token.start(), "an <Item> has no class.")
        return self._open(
            parent, attributes[b"class"], attributes.get(b"referent", b"@%d" % token.start()), token.start()
        )

    def _close(self, current: Instance, token: re.Match[bytes]) -> Instance:
        if current.parent is None:
            raise broken(self.data, token.start(), "'</Item>' closes nothing.")
        current.row.end = token.end()
        self._depth -= 1
        return current.parent

    def _end(self, current: Instance, token: re.Match[bytes]) -> None:
        if token["doctype"]:
            raise broken(self.data, token.start(), "document type declarations are not allowed.")
        if current is not self.tree.root:
            raise broken(self.data, token.start(), "'</roblox>' comes before all items are closed.")
        self.outer = token.start()

    def _open(self, parent: Instance, class_name: bytes, referent: bytes, place: int) -> Instance:
        name = as_text(class_name)
        key = as_text(referent)
        if key in self.instances:
            raise broken(self.data, place, f"the referent '{key[:80]}' is given twice.")
        instance = Instance(name, name, referent=key, source=self, row=Row(place))
        instance.parent = parent
        parent.children.append(instance)
        self.instances[key] = instance
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise broken(self.data, place, f"instances are nested deeper than {MAX_DEPTH} levels.")
        return instance

    def _properties(self, current: Instance, token: re.Match[bytes]) -> int:
        row: Row | None = current.row
        if row is None or row.inner >= 0:
            raise broken(self.data, token.start(), "<Properties> is not where it belongs.")
        row.inner = token.end()
        if token["empty"]:
            row.outer = row.body = token.end()
            return token.end()
        row.outer = scanner.closing(self.data, row.inner, len(self.data), b"</Properties>")
        row.body = row.outer + 13
        name = _NAME.search(self.data, row.inner, row.outer)
        self._owners[row.inner] = current.class_name
        if name is not None and self.data.count(b"<![CDATA[", row.inner, name.start()) == 0:
            current.name = as_text(name.group(1))
        elif self.data.find(b'name="Name"', row.inner, row.outer) >= 0:
            value = self.value(row, "Name")
            if value is not None and isinstance(value.data, bytes):
                current.name = as_text(value.data)
        return row.body

    def _other(self, current: Instance, place: int) -> int:
        after = scanner.skip(self.data, place, len(self.data))
        if after > place:
            return after
        part = scanner.element(self.data, place, len(self.data))
        if current is self.tree.root:
            self.top.append(part)
            if part.tag == b"SharedStrings":
                self._read_shared(part)
        return part.end

    def _read_shared(self, part: Element) -> None:
        for entry in scanner.children(self.data, part.inner, part.outer):
            key = as_text(entry.attributes.get(b"md5", b"")).strip()
            try:
                self.keys[key] = base64.b64decode(plain(self.data, entry.inner, entry.outer))
            except binascii.Error:
                raise broken(self.data, entry.start, "a shared string is not base64.") from None

    # The properties of the file's instances

    def names(self, row: Any) -> list[str]:
        return list(self.elements(row))

    def value(self, row: Any, name: str) -> Value | None:
        element = self.elements(row).get(name)
        if element is None:
            return None
        return read_value(self.data, element, self._owners.get(row.inner, ""), name, self.context)

    def elements(self, row: Row) -> dict[str, Element]:
        """Return the elements of an instance's properties by name, in their order."""
        known = self._elements.get(row.inner)
        if known is None:
            known = {}
            if row.inner >= 0:
                for part in scanner.children(self.data, row.inner, row.outer):
                    name = part.attributes.get(b"name")
                    if name is None:
                        raise broken(self.data, part.start, "a property has no name.")
                    known[as_text(name)] = part
            self._elements[row.inner] = known
        return known

    # Links

    def new_referent(self, *parts: str) -> str:
        """Return a referent that is not taken, the same for the same change to the same file."""
        number = 0
        while True:
            text = "\0".join((*parts, str(number), str(len(self.data))))
            key = "RBX" + hashlib.blake2b(text.encode("utf-8", "surrogateescape"), digest_size=16).hexdigest().upper()
            if key not in self.instances:
                return key
            number += 1

    def _instance(self, referent: str) -> Instance | None:
        return self.instances.get(referent)

    def _referent(self, instance: Instance | None) -> str:
        return str(instance.referent) if instance is not None and instance.referent is not None else "null"

    def _shared(self, key: str) -> bytes:
        if key not in self.keys:
            raise BrokenPlace(f"The shared string '{key[:80]}' is not in the file.")
        return self.keys[key]

    def _share(self, data: bytes) -> str:
        if self._key_of is None:
            self._key_of = {known: key for key, known in self.keys.items()}
        if data not in self._key_of:
            key = base64.b64encode(hashlib.md5(data, usedforsecurity=False).digest()).decode()
            self._key_of[data] = key
            self.keys[key] = data
        return self._key_of[data]
