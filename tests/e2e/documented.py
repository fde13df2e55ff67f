"""Commands as the documents show them, with the output they claim, and how both are carried out and compared."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Mapping
from contextlib import chdir
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest

from scenewright.cli.main import main

__all__ = ["Shown", "consoles", "indented", "run"]

PROGRAM = "scenewright"
MORE = "…"  # any number of lines where it stands alone, else any text


@dataclass(frozen=True)
class Shown:
    """A command of a document, and what comes of it there."""

    place: str
    command: str
    output: tuple[str, ...]

    @property
    def exit_code(self) -> int:
        return 1 if self.output[:1] and self.output[0].startswith("✗") else 0

    def difference(self, said: str) -> str | None:
        """What is wrong with an output; None where it is as shown."""
        # A reply ends where its lines end: trailing space is no claim.
        lines = [line.rstrip() for line in said.rstrip("\n").split("\n")]
        if re.fullmatch(_pattern(self.output), "".join(f"{line}\n" for line in lines)):
            return None
        return f"{self.place}\n$ {self.command}\nshown:\n{_lined(self.output)}\nfound:\n{_lined(lines)}"


def consoles(document: Path) -> Iterator[Shown]:
    """The commands in blocks marked `console`, each with its output."""
    lines = document.read_text(encoding="utf-8").splitlines()
    inside = False
    block: list[tuple[int, str]] = []
    for number, line in enumerate(lines, 1):
        if line.startswith("```"):
            yield from _of_block(document, block)
            inside, block = line == "```console", []
        elif inside:
            block.append((number, line))


def indented(document: Path) -> Iterator[Shown]:
    """The commands in indented blocks, without the words beside them; of their output nothing is claimed."""
    for number, line in enumerate(document.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith(f"    {PROGRAM} "):
            command = re.split(r"\s{2,}", line.strip())[0]
            yield Shown(f"{document.name}:{number}", command, ())


def run(
    shown: Shown, folder: Path, capsys: pytest.CaptureFixture[str], meant: Mapping[str, str] | None = None
) -> tuple[int, str]:
    """The exit code of a command of ours, in this process, and all it prints; a word may stand for another."""
    words = shlex.split(shown.command)
    given = {word.partition("=")[0]: word.partition("=")[2] for word in words[: words.index(PROGRAM)]}
    words = [(meant or {}).get(word, word) for word in words[words.index(PROGRAM) + 1 :]]
    target = folder / words[words.index(">") + 1] if ">" in words else None
    words = words[: words.index(">")] if target else words
    capsys.readouterr()
    with pytest.MonkeyPatch.context() as patch, chdir(folder):
        for name, value in given.items():
            patch.setenv(name, value)
        patch.setitem(os.environ, "NO_COLOR", "1")
        code = main(words)
    found = capsys.readouterr()
    if target is not None:
        target.write_text(found.out)
    return code, found.err + found.out


def _of_block(document: Path, block: list[tuple[int, str]]) -> Iterator[Shown]:
    starts = [at for at, (_, line) in enumerate(block) if line.startswith("$ ")]
    for start, end in pairwise([*starts, len(block)]):
        number, first = block[start]
        rest = [line for _, line in block[start + 1 : end]]
        command = first.removeprefix("$ ")
        while not _is_whole(command):
            command += "\n" + rest.pop(0)
        while rest and not rest[-1]:
            rest.pop()
        yield Shown(f"{document.name}:{number}", command, tuple(rest))


def _is_whole(command: str) -> bool:
    try:
        shlex.split(command)
    except ValueError:
        return False
    return True


def _pattern(output: tuple[str, ...]) -> str:
    def line(text: str) -> str:
        return ".*".join(re.escape(part) for part in text.split(MORE)) + "\n"

    return "".join(r"(?:.*\n)*?" if text == MORE else line(text) for text in output)


def _lined(lines: tuple[str, ...] | list[str]) -> str:
    return "\n".join(f"  {line}" for line in lines)
