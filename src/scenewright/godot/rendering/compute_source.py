"""A `.glsl` file taken apart as the engine's importer does: versions, stages, what they include, and which line is
whose.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from typing import Final

import msgspec

__all__ = ["ComputeSource", "Mistake", "Stage", "read_compute_source"]

STAGES: Final = ("vertex", "fragment", "tesselation_control", "tesselation_evaluation", "compute")
_VERSION: Final = re.compile(r'\s*([A-Za-z_]\w*)\s*=\s*"(.*)"\s*;?\s*')
_ESCAPES: Final = {r"\n": "\n", r"\t": "\t", r"\"": '"', r"\\": "\\"}
_DEFINES: Final = "VERSION_DEFINES"

Line = tuple[str, str, int]
"""A line's text, and the file and number it comes from."""
Read = Callable[[str], str | None]


class Mistake(msgspec.Struct, frozen=True):
    """What keeps the file from being compiled at all."""

    path: str
    line: int
    message: str


class Stage(msgspec.Struct, frozen=True):
    """What is compiled: one stage of one version."""

    version: str
    name: str
    lines: tuple[Line, ...]

    @property
    def text(self) -> str:
        return "".join(f"{text}\n" for text, _, _ in self.lines)

    def place(self, line: int) -> tuple[str, int]:
        """Return file and line of a line of the text, counted from 1."""
        _, path, number = self.lines[min(max(line, 1), len(self.lines)) - 1]
        return path, number


class ComputeSource(msgspec.Struct, frozen=True):
    """The stages of a file, or what is wrong with how it is laid out."""

    stages: tuple[Stage, ...] = ()
    mistake: Mistake | None = None


def read_compute_source(path: str, text: str, read: Read) -> ComputeSource:
    """Take a file apart; `read` returns the text of another by its `res://` path, None where there is none."""
    try:
        versions, stages = _Reader(path, read).sections(text)
    except _Malformed as problem:
        return ComputeSource(mistake=problem.mistake)
    return ComputeSource(
        tuple(
            Stage(version, name, tuple(_with_defines(lines, defines)))
            for version, defines in versions.items()
            for name, lines in stages.items()
            if lines
        )
    )


class _Malformed(Exception):
    def __init__(self, path: str, line: int, message: str) -> None:
        self.mistake = Mistake(path, line, message)


class _Reader:
    def __init__(self, path: str, read: Read) -> None:
        self._path = path
        self._read = read

    def sections(self, text: str) -> tuple[dict[str, str], dict[str, list[Line]]]:
        versions: dict[str, str] = {}
        stages: dict[str, list[Line]] = {}
        section = ""
        for number, raw in enumerate(text.split("\n"), 1):
            line = raw.removesuffix("\r")
            if line.startswith("#[") and line.endswith("]"):
                section = self._begin(line[2:-1].strip(), stages, number)
            elif section == "versions":
                versions |= self._version(line, number)
            elif section:
                stages[section] += self._lines(line, number)
            elif line.strip() and not line.strip().startswith(("//", "/*")):
                raise self._malformed(
                    number, f"'{line.strip()[:60]}' is in no section: #[compute] or #[vertex] begins one."
                )
        if not stages:
            raise self._malformed(0, "It has no section: #[compute], or #[vertex] and #[fragment], begins one.")
        if "compute" in stages and len(stages) > 1:
            raise self._malformed(0, "Beside #[compute] there can be no other stage.")
        return versions or {"": ""}, stages

    def _begin(self, name: str, stages: dict[str, list[Line]], number: int) -> str:
        if name == "versions":
            if stages:
                raise self._malformed(number, "#[versions] must be the first section.")
        elif name not in STAGES:
            raise self._malformed(number, f"There is no section #[{name}]; there are {', '.join(STAGES)} and versions.")
        elif name in stages:
            raise self._malformed(number, f"#[{name}] is there twice.")
        else:
            stages[name] = []
        return name

    def _version(self, line: str, number: int) -> dict[str, str]:
        if not line.strip():
            return {}
        match = _VERSION.fullmatch(line)
        if match is None:
            raise self._malformed(number, 'A version is written as: name = "#define SOMETHING";')
        return {match[1]: re.sub(r'\\[nt"\\]', lambda escape: _ESCAPES[escape[0]], match[2])}

    def _lines(self, line: str, number: int) -> list[Line]:
        if not line.strip().startswith("#include"):
            return [(line, self._path, number)]
        named = line.strip().removeprefix("#include").strip()
        if len(named) < 2 or named[0] + named[-1] != '""':
            raise self._malformed(number, 'An include is written as: #include "file.glslinc"')
        target = named[1:-1].strip()
        if not target.startswith("res://"):
            folder = posixpath.dirname(self._path.removeprefix("res://"))
            target = "res://" + posixpath.normpath(posixpath.join(folder, target))
        content = self._read(target)
        if not content:
            raise self._malformed(number, f"There is no file '{target}' to include, or it is empty.")
        included = [(text.removesuffix("\r"), target, at) for at, text in enumerate(content.split("\n"), 1)]
        return [("", self._path, number), *included]

    def _malformed(self, number: int, message: str) -> _Malformed:
        return _Malformed(self._path, number, message)


def _with_defines(lines: list[Line], defines: str) -> list[Line]:
    """The defines of a version, where the code asks for them."""
    expanded: list[Line] = []
    for text, path, number in lines:
        replaced = text.replace(_DEFINES, f"\n{defines}\n" if defines else "")
        expanded += [(part, path, number) for part in replaced.split("\n")]
    return expanded
