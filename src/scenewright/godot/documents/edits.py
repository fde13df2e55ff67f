"""Edits of one section's text: each touches its own span and follows the lines around it.

Functions take a chunk and give the new text; spacing, newlines and the place of a new attribute come from the section
itself, or from what the engine would write.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from scenewright.godot.documents.chunk import Chunk
from scenewright.godot.documents.errors import EditError
from scenewright.godot.documents.lexical import Item
from scenewright.godot.documents.variant_writer import write_property_name

__all__ = ["insert_property", "newline_at", "remove_attribute", "remove_property", "set_attribute", "set_property"]

Written = Callable[[str], str]
"""Gives the text of a value for the newline that is used around it."""

_ATTRIBUTE_ORDER = {
    "gd_scene": ("load_steps", "format", "uid"),
    "gd_resource": ("type", "script_class", "load_steps", "format", "uid"),
    "ext_resource": ("type", "uid", "path", "id"),
    "sub_resource": ("type", "id"),
    "node": (
        *("name", "type", "parent", "parent_id_path", "owner", "owner_uid_path", "index", "unique_id", "node_paths"),
        *("groups", "instance_placeholder", "instance"),
    ),
    "connection": (*("signal", "from", "to", "method", "flags", "from_uid_path", "to_uid_path", "unbinds", "binds"),),
}
_SEPARATOR = re.compile(r"[ \t]*=[ \t]*")


def newline_at(text: str, offset: int, default: str) -> str:
    """Return the newline in use right before an offset."""
    position = text.rfind("\n", 0, offset)
    if position < 0:
        return default
    return "\r\n" if text.startswith("\r", position - 1) else "\n"


def set_property(chunk: Chunk, name: str, written: Written, newline: str) -> str:
    """Return the text with a property's value replaced where it stands, or the property added at the end."""
    index = chunk.names.get(name)
    if index is None:
        return insert_property(chunk, name, written, newline, at=len(chunk.items))
    start, _, value_start, value_end = chunk.items[index]
    return chunk.text[:value_start] + written(newline_at(chunk.text, start, newline)) + chunk.text[value_end:]


def insert_property(chunk: Chunk, name: str, written: Written, newline: str, *, at: int) -> str:
    """Return the text with a new property on a line of its own, before the item of that number."""
    text = chunk.text
    place = _line_start(text, chunk.items[at][0]) if at < len(chunk.items) else chunk.body_end
    newline = newline_at(text, place, newline)
    line = write_property_name(name) + _separator_of(chunk) + written(newline)
    if not text[:place].endswith("\n") and place > (1 if text.startswith("\ufeff") else 0):
        # The file ends without a newline.
        return text[:place] + _leading_blank(chunk, newline) + newline + line + text[place:]
    return text[:place] + _leading_blank(chunk, newline) + line + newline + text[place:]


def remove_property(chunk: Chunk, name: str) -> str:
    """Return the text without a property: its line, or only its span if it shares the line."""
    index = chunk.names.get(name)
    if index is None:
        raise EditError(f"There is no property '{name}' to remove.")
    text, item = chunk.text, chunk.items[index]
    name_start, _, _, value_end = item
    start, end = _line_start(text, name_start), text.find("\n", value_end) + 1 or len(text)
    shares = any(start <= other[3] and other[0] < end for other in chunk.items if other is not item)
    if shares or start < chunk.header_end:
        return text[:name_start] + text[value_end:].lstrip(" \t")
    if end == len(text) and not text.endswith("\n"):
        start = max(start - len(newline_at(text, start, "\n")), 0)
    lead = _lead_to_drop(chunk, item)
    return text[: start - lead] + text[end:]


def set_attribute(chunk: Chunk, name: str, value: str) -> str:
    """Return the text with an attribute's value replaced, or the attribute added where the engine writes it."""
    span = chunk.attributes.get(name)
    text = chunk.text
    if span is not None:
        return text[: span[0]] + value + text[span[1] :]
    order = _ATTRIBUTE_ORDER.get(chunk.tag, ())
    rank = order.index(name) if name in order else len(order)
    spans = chunk.attributes
    earlier = [spans[known][1] for known in spans if known in order and order.index(known) < rank]
    if rank == len(order):
        earlier = [end for _, end in spans.values()]
    place = max(earlier, default=0) or _tag_end(text)
    return f"{text[:place]} {name}={value}{text[place:]}"


def remove_attribute(chunk: Chunk, name: str) -> str:
    """Return the header without an attribute and the space before it."""
    span = chunk.attributes.get(name)
    if span is None:
        return chunk.text
    before = re.compile(rf"\s*{name}\s*=\s*\Z").search(chunk.text[: span[0]])
    start = before.start() if before else span[0]
    return chunk.text[:start] + chunk.text[span[1] :]


def _line_start(text: str, offset: int) -> int:
    return text.rfind("\n", 0, offset) + 1


def _tag_end(text: str) -> int:
    match = re.match(r"\[\s*[A-Za-z_0-9.:]*", text)
    return match.end() if match else 1


def _separator_of(chunk: Chunk) -> str:
    """` = ` or `=`, as in the section's last property."""
    for item in reversed(chunk.items):
        if item[1] > item[0]:
            separator = chunk.text[item[1] : item[2]]
            return separator if _SEPARATOR.fullmatch(separator) else " = "
    return " = " if chunk.kind == "tags" else "="


def _leading_blank(chunk: Chunk, newline: str) -> str:
    """The blank line that configuration files have between a header and its first property."""
    return newline if chunk.kind == "plain" and chunk.tag and not chunk.items else ""


def _lead_to_drop(chunk: Chunk, item: Item) -> int:
    """That blank line again, when the only property goes."""
    if chunk.kind != "plain" or not chunk.tag or len(chunk.items) > 1:
        return 0
    between = chunk.text[chunk.header_end : _line_start(chunk.text, item[0])]
    blank = re.fullmatch(r"\r?\n(\r?\n)", between)
    return len(blank[1]) if blank else 0
