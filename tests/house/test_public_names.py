"""The documents we serve go by their public names, which docs/contracts.md introduces, never by a number of ours."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# Three digits that begin with zero: a seed of random numbers is written without leading zeros.
NUMBERED = re.compile(r"(?<![a-z])seeds?[ _-]?0\d\d(?!\d)", re.IGNORECASE)


def tracked_files() -> list[Path]:
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z"]  # also where another user owns the checkout
    listing = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in listing.split("\0") if name]


def text_of(path: Path) -> str:
    """Return the text of a file, or nothing if it is none or was just deleted."""
    try:
        return path.read_text(encoding="utf-8")
    except (FileNotFoundError, IsADirectoryError, UnicodeDecodeError):
        return ""


def test_no_document_goes_by_a_number() -> None:
    files = tracked_files()
    assert len(files) > 1000
    named = [str(path.relative_to(ROOT)) for path in files if NUMBERED.search(str(path.relative_to(ROOT)))]
    written = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:120]}"
        for path in files
        for number, line in enumerate(text_of(path).splitlines(), 1)
        if NUMBERED.search(line)
    ]
    assert [*named, *written] == []


@pytest.mark.parametrize("digits", ["000", "004"])
@pytest.mark.parametrize("form", ["seed {}", "Seed {}'s", "seeds {} and", "test_seed_{}_edits", "seed-{}.md", "seed{}"])
def test_a_number_is_noticed_in_every_form(form: str, digits: str) -> None:
    assert NUMBERED.search(form.format(digits))


@pytest.mark.parametrize("number", ["0", "7", "15", "100", "20_261_118"])
@pytest.mark.parametrize("form", ["seed={}", "seed {}", "SEED={}", "ground(10, 8, seed={})"])
def test_a_seed_of_random_numbers_is_something_else(form: str, number: str) -> None:
    assert not NUMBERED.search(form.format(number))
