"""Characters that steer a terminal instead of showing on it, made visible.

Text of a project may hold them: an escape sequence hides or forges what a person reads, and marks of direction make a
line read backwards.
"""

from __future__ import annotations

import re
from typing import Any

__all__ = ["escape_controls", "escape_json_controls", "visible_values"]

# Controls but tab and newline, DEL with the C1 range, marks of direction, line separators, and halves of characters.
_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")
_LINE_END = re.compile(r"\r+(?=\n|\Z)")


def escape_controls(text: str) -> str:
    r"""Return the text with `\x1b` and the like in the place of what a terminal would act on; line ends stay."""
    return _STEERING.sub(_escaped, _LINE_END.sub("", text))


def escape_json_controls(text: str) -> str:
    """Return JSON that means the same, with such characters written as escapes."""
    return _STEERING.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def visible_values(value: Any) -> Any:
    """Return a JSON value with the controls in all of its texts made visible."""
    if isinstance(value, str):
        return escape_controls(value)
    if isinstance(value, list):
        return [visible_values(item) for item in value]
    if isinstance(value, dict):
        return {escape_controls(str(key)): visible_values(item) for key, item in value.items()}
    return value


def _escaped(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
