"""Which parts of which files a call wants to read: paths, patterns for paths, and lines as errors name them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scenewright.core.faults import Invalid, NotFound, Unsupported, closest
from scenewright.core.projects.project import Engine
from scenewright.core.text.counts import count_noun
from scenewright.core.text.path_patterns import is_path_pattern, matches_path
from scenewright.core.writes.changeset import Changeset
from scenewright.platform.file_listing import dates_of

__all__ = ["Wish", "decode_text", "pick_lines", "wishes_of"]

_LINES = re.compile(r"(?P<path>.+?):(?P<first>[0-9]{1,9})(?:-(?P<last>[0-9]{1,9})|:[0-9]{1,9})?")
_LINES_IN_BRACKETS = re.compile(r"(?P<path>.+?)\((?P<first>[0-9]{1,9})(?P<last>)(?:,[0-9]{1,9})?\)")  # as C# names them
_AROUND = 10  # lines shown on either side of one that is asked for
_MOST_NEAR = 3


@dataclass(frozen=True, slots=True)
class Wish:
    """A file, or some of its lines: the first and the last, from 1."""

    path: str
    lines: tuple[int, int] | None = None
    asked: int | None = None  # the line that those are around


def wishes_of(files: Changeset, written: Sequence[str], engines: Sequence[Engine]) -> tuple[list[Wish], list[str]]:
    """Return what some paths stand for, each file once unless other lines of it are wanted; and what there is not.

    Raises:
        NotFound: there is none of them.
    """
    wishes: dict[Wish, None] = {}
    missing: list[NotFound] = []
    for text in written:
        try:
            wishes |= dict.fromkeys(_wishes(files, text, engines))
        except NotFound as fault:
            missing.append(fault)
    if missing and not wishes:
        raise missing[0]
    return list(wishes), [fault.message for fault in missing]


def pick_lines(text: str, wish: Wish) -> tuple[str, str, int]:
    """Return the wanted lines of a text, which they are, and how many characters come before them.

    Raises:
        Invalid: the text has no such line.
    """
    parts = text.splitlines(keepends=True)
    wanted = wish.lines or (1, len(parts))
    first, last = max(wanted[0], 1), min(wanted[1], len(parts))
    asked = first if wish.asked is None else wish.asked
    if asked > len(parts):
        raise Invalid(
            f"'{wish.path}' has {count_noun(len(parts), 'line')}; there is no line {asked}.",
            path="input.path",
            rule="maximum",
        )
    return "".join(parts[first - 1 : last]), f"{first}-{last} of {len(parts)}", sum(map(len, parts[: first - 1]))


def decode_text(content: bytes, path: str) -> str:
    """Return the text of a file.

    Raises:
        Unsupported: it is none.
    """
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Unsupported(f"'{path}' is not a text file.", hint="Only UTF-8 text can be read.") from None


def _wishes(files: Changeset, text: str, engines: Sequence[Engine]) -> Iterator[Wish]:
    path = text.removeprefix("res://")
    if files.exists(path):
        yield Wish(path)
    elif is_path_pattern(path):
        yield from map(Wish, _matching(files, path, engines))
    elif (match := _LINES.fullmatch(path) or _LINES_IN_BRACKETS.fullmatch(path)) and files.exists(match["path"]):
        first = int(match["first"])
        if match["last"]:
            yield Wish(match["path"], _in_order((first, int(match["last"])), text))
        else:
            yield Wish(match["path"], (first - _AROUND, first + _AROUND), first)
    else:
        raise _no_file(files, match["path"] if match else path)


def _no_file(files: Changeset, path: str) -> NotFound:
    """A refusal that names the files that are called so elsewhere, or nearly so."""
    known = [*dates_of(files.project), *files.written()]
    name = path.rpartition("/")[2].casefold()
    near = sorted(each for each in known if each.rpartition("/")[2].casefold() == name)[:_MOST_NEAR]
    near = [each for each in near or closest(path, known) if files.exists(each)]
    hint = f"Did you mean {' or '.join(map(repr, near))}?" if near else "A path is relative to the project's root."
    return NotFound(f"There is no file at '{path}'.", hint=hint)


def _in_order(lines: tuple[int, int], text: str) -> tuple[int, int]:
    if lines[0] > lines[1]:
        raise Invalid(
            f"'{text}' names its last line first.", path="input.path", rule="range", hint="Such as player.gd:12-40."
        )
    return lines


def _matching(files: Changeset, pattern: str, engines: Sequence[Engine]) -> list[str]:
    """The files that fit a pattern; what an engine keeps beside files only where the pattern says its ending."""
    companions = tuple(ending for engine in engines for ending in engine.companions)
    hidden = tuple(ending for ending in companions if not pattern.endswith(ending))
    known = {*dates_of(files.project), *files.written()}
    fitting = sorted(path for path in known if matches_path(path, pattern) and files.exists(path))
    shown = [path for path in fitting if not (hidden and path.endswith(hidden))]
    if not shown:
        raise NotFound(
            f"No file matches '{pattern}'; case matters.",
            hint="A pattern without a slash is for names alone, and * goes across folders, as in '*.gd' or 'levels/*'.",
        )
    return shown
