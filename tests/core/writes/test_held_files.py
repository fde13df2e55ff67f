"""A file that a virus scanner holds on Windows: tried again for a while, and only where that is the reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from scenewright.core.writes import disk


class HeldError(PermissionError):
    """What Windows raises; elsewhere the number that tells why does not exist."""

    def __init__(self, number: int) -> None:
        super().__init__(13, "held")
        self.winerror = number


def fail_times(times: int, problem: OSError) -> tuple[list[int], object]:
    tries: list[int] = []

    def do() -> None:
        tries.append(1)
        if len(tries) <= times:
            raise problem

    return tries, do


@pytest.mark.parametrize("number", [5, 32, 33])
def test_a_held_file_is_tried_again(number: int) -> None:
    tries, do = fail_times(3, HeldError(number))
    disk._try_patiently(do, pauses=(0, 0, 0))  # type: ignore[arg-type]
    assert len(tries) == 4


def test_one_that_stays_held_fails_in_the_end() -> None:
    tries, do = fail_times(9, HeldError(32))
    with pytest.raises(PermissionError):
        disk._try_patiently(do, pauses=(0, 0, 0))  # type: ignore[arg-type]
    assert len(tries) == 4


@pytest.mark.parametrize("problem", [PermissionError(13, "no"), HeldError(19), FileNotFoundError(2, "gone")])
def test_other_reasons_fail_at_once(problem: OSError) -> None:
    tries, do = fail_times(9, problem)
    with pytest.raises(type(problem)):
        disk._try_patiently(do, pauses=(0, 0, 0))  # type: ignore[arg-type]
    assert len(tries) == 1


def test_files_are_replaced_and_deleted(tmp_path: Path) -> None:
    new, old = tmp_path / "new", tmp_path / "old"
    new.write_text("new")
    old.write_text("old")
    disk.replace_file(new, old)
    assert old.read_text() == "new"
    disk.delete_file(old)
    disk.delete_file(old)
    assert list(tmp_path.iterdir()) == []
