"""What a project tells those who work on it: AI_GUIDELINES.md, by section."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from scenewright.core.projects.file_names import is_protected

__all__ = ["PLACES", "Section", "find_guidelines", "sections_of"]

NAME = "AI_GUIDELINES.md"
PLACES = (NAME, f"docs/{NAME}", f".godot_mcp/{NAME}")
_HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*\s*$")
_FENCE = re.compile(r"^\s*(```|~~~)")


class Section(msgspec.Struct, frozen=True):
    """A heading and the text up to the next heading, or to the next of its rank with those below it."""

    title: str
    level: int
    line: int
    own: list[str]
    whole: list[str]


def find_guidelines(root: Path) -> Path | None:
    """Return the first guidelines file there is; a link out of the project, or to git's files, does not count."""
    return next((place for name in PLACES if (place := root / name).is_file() and _is_open(place, root)), None)


def _is_open(place: Path, root: Path) -> bool:
    real = place.resolve()
    return real == place or (real.is_relative_to(root) and not is_protected(real.relative_to(root).parts))


def sections_of(text: str) -> list[Section]:
    """Return the sections in order; what stands before the first heading has no title."""
    lines = text.splitlines()
    heads = [(0, 0, ""), *_find_headings(lines)]
    starts = [line for line, _, _ in heads] + [len(lines)]
    sections: list[Section] = []
    for number, (line, level, title) in enumerate(heads):
        end = next((other for other, rank, _ in heads[number + 1 :] if rank <= level), len(lines))
        body = 1 if level else 0
        own = lines[line + body : starts[number + 1]]
        if level or any(line_text.strip() for line_text in own):
            sections.append(Section(title, level, line + 1, own, lines[line : end if level else starts[number + 1]]))
    return sections


def _find_headings(lines: list[str]) -> Iterator[tuple[int, int, str]]:
    fenced = False
    for number, line in enumerate(lines):
        if _FENCE.match(line):
            fenced = not fenced
        elif not fenced and (head := _HEADING.match(line)):
            yield number, len(head[1]), head[2]
