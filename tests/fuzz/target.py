"""What is fuzzed: a reader or a line, the inputs to begin with, and what it may say to one that it cannot use.

A target is declared once, in `targets/`. `search.py` looks for inputs that break it, guided by coverage where `atheris`
is there and by Hypothesis where it is not; `test_finds.py` replays what was ever found.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from scenewright.core.faults import Fault

__all__ = ["FINDS", "Target", "finds_of", "texts"]

HERE = Path(__file__).parent
FINDS = HERE / "finds"
TESTS = HERE.parent
CORPUS = Path(os.environ.get("SCENEWRIGHT_CORPUS") or TESTS.parents[1] / "shared" / "corpus")
MOST_SEED_BYTES = 12_000
MOST_SEEDS = 40  # from files, of each ending


@dataclass(frozen=True)
class Target:
    """One thing that is fed with bytes of strangers."""

    name: str
    run: Callable[[bytes], object]
    seeds: Callable[[], tuple[bytes, ...]]
    refuses: tuple[type[Exception], ...] = (Fault,)  # how it may turn an input down
    files: tuple[str, ...] = ()  # endings of files to begin with, in the tests' fixtures and the corpus
    words: tuple[bytes, ...] = ()  # what the format is made of
    most_bytes: int = 65_536
    starts_server: bool = False  # which takes seconds
    room: int = 1 << 30  # bytes that it may take beside what is loaded; each thread wants some for its stack

    def refused(self, data: bytes) -> bool:
        """Feed it an input; return whether it was turned down. Whatever else is raised is a find."""
        try:
            self.run(data)
        except self.refuses:
            return True
        return False

    def all_seeds(self) -> list[bytes]:
        """The inputs to begin with: its own, those of files, and what was found before."""
        return [*self.seeds(), *self._from_files(), *(place.read_bytes() for place in finds_of(self.name))]

    def _from_files(self) -> Iterator[bytes]:
        for ending in self.files:
            places = sorted(
                place
                for root in (*TESTS.glob("*/fixtures"), CORPUS)
                for place in root.rglob(f"*{ending}")
                if place.is_file() and place.stat().st_size <= MOST_SEED_BYTES
            )
            for place in places[:: max(1, len(places) // MOST_SEEDS)][:MOST_SEEDS]:
                yield place.read_bytes()


def finds_of(name: str) -> list[Path]:
    """The inputs that once broke a target."""
    return sorted((FINDS / name).glob("*"))


def texts(*given: str) -> Callable[[], tuple[bytes, ...]]:
    """Seeds that are texts."""
    return lambda: tuple(text.encode() for text in given)
