"""Prints lines for a person, of whatever text: what would steer the terminal is shown instead, and what the terminal's
encoding does not have is written another way.
"""

from __future__ import annotations

import codecs
import sys
from typing import Final, TextIO

__all__ = ["clear_line", "has_every_letter", "say", "show_line", "take_any_text"]

_ANOTHER_WAY: Final = {
    "✓": "ok",
    "✗": "x",
    "→": "->",
    "←": "<-",
    "…": "...",
    "×": "x",
    "−": "-",
    "≤": "<=",
    "≥": ">=",
    "•": "*",
    "–": "-",
    "—": "-",
    "’": "'",
    "█": "#",
    "░": ".",
}
_LINES: Final = dict.fromkeys("─━", "-") | dict.fromkeys("│┃", "|") | dict.fromkeys("┌┐└┘├┤┬┴┼╭╮╯╰┡╇┩╞╪╡", "+")


def say(text: str, *, to: TextIO | None = None, end: str = "\n") -> None:
    """Print a text, to stdout unless told otherwise."""
    print(_escaped(text), end=end, file=to or sys.stdout, flush=True)


def show_line(text: str) -> None:
    """Show a text in the last line of the terminal, in place of what stands there."""
    print(f"\r\033[K{_escaped(text)}", end="", file=sys.stderr, flush=True)


def _escaped(text: str) -> str:
    from scenewright.core.text.control_characters import escape_controls  # a server starts without a word

    return escape_controls(text)


def clear_line() -> None:
    """Clear the last line of the terminal."""
    show_line("")


def has_every_letter(stream: TextIO) -> bool:
    """Return whether a stream can be given any text as it is."""
    try:
        return codecs.lookup(stream.encoding or "ascii").name.startswith("utf")
    except (LookupError, AttributeError):
        return False


def take_any_text() -> None:
    """Let stdout and stderr take any text: a pipe on Windows has but the letters of its code page."""
    codecs.register_error("another_way", _write_another_way)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None and not has_every_letter(stream):
            reconfigure(errors="another_way")


def _write_another_way(problem: UnicodeError) -> tuple[str, int]:
    if not isinstance(problem, UnicodeEncodeError):
        raise problem
    letters = problem.object[problem.start : problem.end]
    return "".join(_ANOTHER_WAY.get(each) or _LINES.get(each) or "?" for each in letters), problem.end
