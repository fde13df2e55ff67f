"""Every figure in README and docs was measured by one command: `make compare`, `make bench`, or the trials in evals.

What is no measurement, a limit that code enforces or a setting's value, stands below, with the words around it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from bench.compare.page import MARKS, comparison_page, readme_table
from bench.records import read_records, results_page

ROOT = Path(__file__).parents[2]
MEASURED = ("docs/comparison.md", "docs/compatibility.md", "docs/evals.md", "bench/RESULTS.md")
UNITS = r"ms|s|seconds?|minutes?|[kKMG]i?B|bytes|tokens|calls/s|steps/s|frames/s|calls a second|×|%|times"
FIGURE = re.compile(rf"(?<![\w.,–/-])(\d[\d,]*(?:\.\d+)?)\s?({UNITS})(?![\w/])")
EXAMPLES = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)
NO_MEASUREMENT = {
    "docs/bridge.md": ("within 10 s is shown out", "at most 16 MiB, and of 64 KiB"),
    "docs/contracts.md": ("`+72 × …`",),
    "docs/dependencies.md": ("versions; 160 kB",),
    "docs/godot.md": ("files over 8 MB",),
    "docs/live.md": ("256 KiB of text and more", "16 and then 30 seconds"),
    "docs/play.md": ("that nobody asks for 15 minutes",),
    "docs/roblox-studio.md": (
        "Sessions end after 30 minutes, or 5\nminutes of silence",
        "more than 32 MB is refused",
        "of its own with 20 seconds\nand 256 MB",
        "at most 48 kB in one",
    ),
    "docs/security.md": (
        "10 s, and on Linux 256 MB",
        "100 kB are kept, of all that a game says 32 MB",
        "up to 8 MB are unpacked, tapes have up to 16 MB",
        "sparse files of 300 MB or 100 GB",
        "code is read up to 8 MB, texts up to 64 MB, other files up to 256 MB, of one call together up to 1 GB",
        "nothing is read beyond 64 kB",
        "10 s for a request's head",
        "10 s for the token",
        "5 s for it",
    ),
    "docs/unity-live.md": ("15 seconds", "at most 1 MB,\nanswers 8 MB (pictures 24 MB)"),
    "docs/unity.md": ("10 to 15 seconds", "more than 500 kB"),
}


def pages() -> list[Path]:
    """README and the documents, without those that a program writes from what it measured, and the reference."""
    names = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    return [page for page in names if relative(page) not in MEASURED]


def relative(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def figures(text: str) -> Iterator[str]:
    for match in FIGURE.finditer(text):
        yield f"{match[1]} {match[2]}"


@cache
def measured() -> frozenset[str]:
    return frozenset(figures("\n".join((ROOT / name).read_text(encoding="utf-8") for name in MEASURED)))


def unexplained(page: str, text: str) -> list[str]:
    text = EXAMPLES.sub("", text)
    if page == "README.md":
        text = text.replace(readme_table(comparison()["results"]), "")
    for words in NO_MEASUREMENT.get(page, ()):
        text = text.replace(words, "")
    known = measured()
    return [figure for figure in figures(text) if figure not in known]


@pytest.mark.parametrize("page", pages(), ids=relative)
def test_a_figure_was_measured_or_is_a_limit(page: Path) -> None:
    assert unexplained(relative(page), page.read_text(encoding="utf-8")) == []


@cache
def comparison() -> dict[str, Any]:
    stored: dict[str, Any] = json.loads((ROOT / "bench" / "comparison.json").read_text(encoding="utf-8"))
    return stored


def test_the_pages_of_results_are_those_of_the_data() -> None:
    assert (ROOT / "docs" / "comparison.md").read_text(encoding="utf-8") == comparison_page(comparison())
    assert (ROOT / "bench" / "RESULTS.md").read_text(encoding="utf-8") == results_page(read_records())
    assert readme_table(comparison()["results"]).join(MARKS) in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", NO_MEASUREMENT)
def test_what_is_no_measurement_is_still_written_there(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    assert [words for words in NO_MEASUREMENT[page] if words not in text] == []


@pytest.mark.parametrize("claim", ["answers in 123.456 ms", "9,876.5 calls/s", "77.77× as fast", "saves 33.33 %"])
def test_a_figure_out_of_nowhere_is_noticed(claim: str) -> None:
    assert unexplained("README.md", f"scenewright {claim}.") != []
