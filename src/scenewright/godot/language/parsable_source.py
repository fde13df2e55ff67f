"""A script's source as the grammar can read it: what it stumbles over though the engine takes it, replaced by as many
bytes that mean the same to a parser.

Comments that stand less deep than the code around them end a block there, `%` within a node path is read as modulo,
and letters beyond ASCII are in no name.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["parsable_source"]

# Each string runs to its end or the file's, so that no text is gone through twice.
_TOKEN: Final = re.compile(
    rb"""(?P<string>\"\"\"(?:\\.|[^\\])*?(?:\"\"\"|\Z)|'''(?:\\.|[^\\])*?(?:'''|\Z)"""
    rb"""|"(?:\\.|[^"\\])*(?:"|\Z)|'(?:\\.|[^'\\])*(?:'|\Z))"""
    rb"""|(?P<comment>\#[^\r\n]*)|(?P<unique>(?<=[/$])%(?=[A-Za-z_]))|(?P<letters>[\x80-\xff]+)""",
    re.DOTALL,
)


def parsable_source(source: bytes) -> bytes:
    """Return the source, of the same length, with the same lines."""
    return _TOKEN.sub(_replacement, source)


def _replacement(match: re.Match[bytes]) -> bytes:
    token = match[0]
    if match["unique"]:
        return b"_"
    if match["comment"]:
        line = match.string.rfind(b"\n", 0, match.start()) + 1
        stands_alone = not match.string[line : match.start()].strip()
        return b" " * len(token) if stands_alone else token
    if match["letters"] and f"a{token.decode('utf-8', 'replace')}".isidentifier():
        return b"_" * len(token)
    return token
