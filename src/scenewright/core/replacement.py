"""Replaces a text in a file's content, only where it occurs exactly as often as expected."""

from __future__ import annotations

from scenewright.core.faults import Invalid

__all__ = ["replaced"]


def replaced(content: bytes, find: str, replace: str, *, count: int, name: str) -> bytes:
    """The content with the text replaced; on bytes, so that line ends and byte order marks around it stay.

    Raises:
        Invalid: the text occurs more or less often.
    """
    found = content.count(find.encode())
    if found == count:
        return content.replace(find.encode(), replace.encode())
    raise Invalid(
        f"'find' occurs {found} times in '{name}', not {count}.",
        path="input.find",
        rule="count",
        hint="Give more of the text around the place, or the right count."
        if found
        else "Read the file; find must match exactly, spaces and line ends included.",
    )
