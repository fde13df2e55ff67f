"""Edits of a file as replaced spans: what lies between them stays as it was, byte for byte."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scenewright.core.faults import Invalid
from scenewright.unity.yaml.property_spans import PathStep, ValueSpan, locate
from scenewright.unity.yaml.source import ObjectDocument, UnityFile
from scenewright.unity.yaml.writer import write_block, write_flow, write_item, write_scalar

__all__ = ["Edits"]


class Edits:
    """Collects the changes of one file; places are those of the file before any of them."""

    def __init__(self, file: UnityFile) -> None:
        self.file = file
        self._changes: list[tuple[int, int, bytes]] = []

    def __bool__(self) -> bool:
        return bool(self._changes)

    def replace(self, start: int, end: int, text: str) -> None:
        content = text.encode("utf-8", "surrogateescape")
        self._changes.append((start, end, content.replace(b"\n", self.file.line_break)))

    def covers(self, start: int, end: int) -> bool:
        """Return whether a place is among what is replaced already."""
        return any(first <= start and end <= last for first, last, _ in self._changes)

    def insert(self, at: int, text: str) -> None:
        self.replace(at, at, text)

    def remove_document(self, document: ObjectDocument) -> None:
        self.replace(document.start, document.end, "")

    def set_value(self, document: ObjectDocument, path: Sequence[PathStep], value: Any) -> None:
        """Give a property that the file writes another value.

        Raises:
            Invalid: the file does not write it.
        """
        place = locate(document, path)
        if place is None:
            raise Invalid(f"The object has no property '{_shown(path)}'.", path="input.property", rule="path")
        if place.value == value:
            return
        compact = not isinstance(value, (list, dict)) or not value or place.style in ("flow", "scalar")
        if compact and place.style != "block" and not (isinstance(value, list) and value):
            self._replace_text(place, write_flow(value) if isinstance(value, (list, dict)) else write_scalar(value))
        else:
            self._replace_entry(place, path[-1], value)

    def add_entry(self, document: ObjectDocument, path: Sequence[PathStep], key: str, value: Any) -> None:
        """Add a key at the end of a mapping (of the whole document for an empty path)."""
        place = locate(document, path)
        if place is None or place.style != "block":
            raise Invalid(f"'{_shown(path)}' cannot take more keys.", path="input.property", rule="path")
        self.insert(place.after, write_block(key, value, place.indent + 2))

    def insert_entry(
        self, document: ObjectDocument, path: Sequence[PathStep], before: str, key: str, value: Any
    ) -> None:
        """Add a key to a mapping, before another one that it has."""
        place = locate(document, [*path, before])
        if place is None:
            raise Invalid(f"'{_shown(path)}' has no '{before}'.", path="input.property", rule="path")
        text = write_block(key, value, place.indent)
        begins_item = self.file.data[place.entry : place.start].lstrip().startswith(b"- ")
        self.insert(place.after if begins_item else place.entry, text)

    def add_item(self, document: ObjectDocument, path: Sequence[PathStep], value: Any, at: int | None = None) -> None:
        """Add an item to a list, last if no place is given.

        Raises:
            Invalid: the file writes no such list.
        """
        place = locate(document, path)
        if place is None or not (isinstance(place.value, list) or place.style == "empty"):
            raise Invalid(f"'{_shown(path)}' is not a list.", path="input.property", rule="path")
        count = len(place.value) if isinstance(place.value, list) else 0
        if place.style != "block":
            self._replace_entry(place, path[-1], [value])
            return
        first = locate(document, [*path, 0])
        indent = first.indent if first is not None else place.indent
        before = locate(document, [*path, at]) if at is not None and at < count else None
        self.insert(before.entry if before is not None else place.end, write_item(value, indent))

    def set_list(self, document: ObjectDocument, path: Sequence[PathStep], items: list[Any]) -> None:
        """Give a list other items; those that stay at its begin and end keep their bytes."""
        place = locate(document, path)
        if place is None:
            raise Invalid(f"The object has no list '{_shown(path)}'.", path="input.property", rule="path")
        old = place.value if isinstance(place.value, list) else []
        if old == items:
            return
        if place.style != "block" or not old or not items:
            self._replace_entry(place, path[-1], items)
            return
        most = min(len(old), len(items))
        head = next((at for at in range(most) if old[at] != items[at]), most)
        tail = next((at for at in range(most - head) if old[-1 - at] != items[-1 - at]), most - head)
        first, last = locate(document, [*path, 0]), locate(document, [*path, len(old) - tail - 1])
        changed = locate(document, [*path, head]) if head < len(old) else None
        start = changed.entry if changed is not None else place.end
        end = last.after if last is not None and head < len(old) - tail else start
        indent = first.indent if first is not None else place.indent
        self.replace(start, end, "".join(write_item(item, indent) for item in items[head : len(items) - tail]))

    def remove_item(self, document: ObjectDocument, path: Sequence[PathStep], number: int) -> None:
        self.remove_items(document, path, {number})

    def remove_items(self, document: ObjectDocument, path: Sequence[PathStep], numbers: set[int]) -> None:
        """Remove items of a list; an emptied one becomes `[]`."""
        place = locate(document, path)
        if place is None or not isinstance(place.value, list) or not numbers:
            return
        if numbers >= set(range(len(place.value))):
            self._replace_entry(place, path[-1], [])
        elif place.style == "flow":
            kept = [item for number, item in enumerate(place.value) if number not in numbers]
            self._replace_text(place, write_flow(kept))
        else:
            for number in sorted(numbers):
                item = locate(document, [*path, number])
                if item is not None:
                    self.replace(item.entry, item.after, "")

    def applied(self) -> UnityFile:
        """Return the file with all changes made.

        Raises:
            ValueError: two of them overlap.
        """
        parts, at = [], 0
        for start, end, content in sorted(self._changes, key=lambda change: change[:2]):
            if start < at:
                raise ValueError("two edits overlap")
            parts += [self.file.data[at:start], content]
            at = end
        parts.append(self.file.data[at:])
        return UnityFile(b"".join(parts), self.file.path)

    def _replace_text(self, place: ValueSpan, text: str) -> None:
        bare = self.file.data[place.start - 1 : place.start] == b":"
        self.replace(place.start, place.end, f" {text}" if bare and text else text)

    def _replace_entry(self, place: ValueSpan, step: PathStep, value: Any) -> None:
        """Write a whole entry anew, its key as it stood."""
        if isinstance(step, int):
            self.replace(place.entry, place.after, write_item(value, place.indent))
            return
        # Of the first key of an item, the dash before it stays.
        key = self.file.data[place.entry : place.start].rstrip().rstrip(b":").decode("utf-8", "surrogateescape")
        lead, written = key[: place.indent], key[place.indent :].strip()
        self.replace(place.entry, place.after, lead + write_block(written, value, place.indent)[place.indent :])


def _shown(path: Sequence[PathStep]) -> str:
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return text.lstrip(".")
