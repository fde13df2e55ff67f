"""Replaces a text in a file's content, only where it occurs as often as expected."""

from __future__ import annotations

import re

from scenewright.core.faults import Invalid

__all__ = ["replaced", "replaced_all"]


def replaced(content: bytes, find: str, replace: str, *, count: int, name: str) -> bytes:
    """The content with the text replaced; on bytes, so that line ends and byte order marks around it stay.

    Raises:
        Invalid: the text occurs more or less often.
    """
    found = content.count(find.encode())
    if found == count:
        return content.replace(find.encode(), replace.encode())
    raise _unexpected(found, f"not {count}", name)


def replaced_all(
    content: bytes, find: str, replace: str, *, regex: bool, counts: range, name: str
) -> tuple[bytes, int]:
    """The content with every occurrence of a text or regular expression replaced, and how many there were.

    Raises:
        Invalid: it is no expression, or does not occur one of these numbers of times.
    """
    pattern = _compiled(find) if regex else re.compile(re.escape(find))
    # Bytes that are no text stay what they are.
    text = content.decode("utf-8", "surrogateescape")
    found = sum(1 for _ in pattern.finditer(text))
    if found not in counts:
        many = f"and {counts[0]} to {counts[-1]} are replaced"
        raise _unexpected(found, many if len(counts) > 1 else f"not {counts[0]}", name)
    try:
        after = pattern.sub(replace if regex else lambda _: replace, text)
    except (re.error, IndexError) as wrong:
        raise Invalid(f"'replace' does not fit the expression: {wrong}.", path="input.replace", rule="regex") from None
    return after.encode("utf-8", "surrogateescape"), found


def _compiled(find: str) -> re.Pattern[str]:
    try:
        return re.compile(find, re.MULTILINE)
    except re.error as wrong:
        raise Invalid(f"'find' is no regular expression: {wrong}.", path="input.find", rule="regex") from None


def _unexpected(found: int, but: str, name: str) -> Invalid:
    return Invalid(
        f"'find' occurs {found} times in '{name}', {but}.",
        path="input.find",
        rule="count",
        hint="Give more of the text around the place, or the right count."
        if found
        else "Read the file; find must match exactly, spaces and line ends included.",
    )
