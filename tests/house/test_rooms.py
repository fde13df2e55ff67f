"""The house stays one that a newcomer finds the way in: no crowded folder, no module lost between folders."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PARTS = ("src", "tests", "bench", "scripts")
MOST_MODULES = 30
MOST_FOLDERS_BESIDE_MODULES = 8
AT_HOME_ANYWHERE = {"__init__.py", "__main__.py", "conftest.py"}
UNFORMATTED = "# fmt" + ": skip"  # in two parts, since this file is looked at too


def _folders(part: str) -> Iterator[Path]:
    """Yield the folders of a part that hold something, whatever Python left in others."""
    for folder in [ROOT / part, *(ROOT / part).rglob("*/")]:
        if "__pycache__" not in folder.parts and any(_files_below(folder)):
            yield folder


def _files_below(folder: Path) -> Iterator[Path]:
    return (file for file in folder.rglob("*") if file.is_file() and "__pycache__" not in file.parts)


def _modules(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.glob("*.py") if file.name not in AT_HOME_ANYWHERE)


def _place(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("part", PARTS)
def test_no_folder_has_more_than_30_modules(part: str) -> None:
    crowded = {_place(folder): len(_modules(folder)) for folder in _folders(part)}
    assert crowded
    assert {place: count for place, count in crowded.items() if count > MOST_MODULES} == {}


@pytest.mark.parametrize("part", PARTS)
def test_no_module_lies_loose_beside_more_than_8_folders(part: str) -> None:
    folders = set(_folders(part))
    inside = {folder: [other for other in folders if other.parent == folder] for folder in folders}
    many = [folder for folder in folders if len(inside[folder]) > MOST_FOLDERS_BESIDE_MODULES]
    assert {_place(folder): _modules(folder) for folder in many if _modules(folder)} == {}


def test_no_code_is_kept_from_the_formatter() -> None:
    files = [file for part in PARTS for file in (ROOT / part).rglob("*.py")]
    assert [_place(file) for file in files if UNFORMATTED in file.read_text(encoding="utf-8")] == []
