"""Values as the engine writes them."""

from __future__ import annotations

import re
from typing import Any

__all__ = ["write_block", "write_flow", "write_item", "write_scalar"]

_PLAIN = re.compile(r"(?![-?:](?: |$)|[,\[\]{}#&*!|>'\"%@` ])[\x20-\x7e]*(?<! )")
_ESCAPES = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\", "\0": "\\0"}


def write_scalar(value: Any, *, inside_flow: bool = False) -> str:
    """Return a scalar on one line. The engine only decodes other than ASCII characters between double quotes."""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    text = str(value)
    if any(not " " <= char <= "~" for char in text):
        return f'"{"".join(map(_escaped, text))}"'
    awkward = ": " in text or " #" in text or text.endswith(":") or (inside_flow and re.search(r"[,\[\]{}]", text))
    if text and (awkward or not _PLAIN.fullmatch(text)):
        return "'" + text.replace("'", "''") + "'"
    return text


def write_flow(value: Any) -> str:
    """Return a value on one line: `{x: 0, y: 1}`."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {write_flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(write_flow, value)) + "]"
    return write_scalar(value, inside_flow=True)


def write_block(key: str, value: Any, indent: int) -> str:
    """Return an entry with its lines below; references, vectors and what is empty stand beside the key."""
    lead = " " * indent
    if isinstance(value, list) and value:
        return f"{lead}{key}:\n" + "".join(write_item(item, indent) for item in value)
    if isinstance(value, dict) and value and not _is_flat(value):
        return f"{lead}{key}:\n" + "".join(write_block(name, item, indent + 2) for name, item in value.items())
    return f"{lead}{key}: {_write_inline(value)}\n"


def write_item(value: Any, indent: int) -> str:
    """Return an item of a list with its lines below."""
    lead = " " * indent
    if isinstance(value, dict) and value and not _is_flat(value):
        body = "".join(write_block(name, item, indent + 2) for name, item in value.items())
        return f"{lead}- {body[indent + 2 :]}"
    if isinstance(value, list) and value:
        body = "".join(write_item(item, indent + 2) for item in value)
        return f"{lead}- {body[indent + 2 :]}"
    return f"{lead}- {_write_inline(value)}\n"


def _write_inline(value: Any) -> str:
    return write_flow(value) if isinstance(value, (dict, list)) else write_scalar(value)


def _is_flat(value: dict[str, Any]) -> bool:
    """References, vectors and colours: what the engine writes on one line."""
    return "fileID" in value or (len(value) > 1 and (set(value) <= set("xyzw") or set(value) <= set("rgba")))


def _escaped(char: str) -> str:
    if char in _ESCAPES:
        return _ESCAPES[char]
    if " " <= char <= "~":
        return char
    code = ord(char)
    return f"\\x{code:02X}" if code < 0x100 else f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}"
