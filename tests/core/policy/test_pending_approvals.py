"""What waits for a person on the shell: named shortly, kept apart, made room for, and not trusted when damaged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from scenewright.core.faults import NotFound
from scenewright.core.policy.pending_approvals import MAX_FILES, Approvals

ABOUT: dict[str, Any] = {"project": "/game", "tool": "delete_file", "text": "Allow it?"}


@pytest.fixture
def approvals(tmp_path: Path) -> Approvals:
    return Approvals(tmp_path / "approvals")


def test_the_same_call_waits_once_and_others_get_longer_names(approvals: Approvals) -> None:
    first, again, other = (approvals.file(digest, ABOUT) for digest in ("abcd1", "abcd1", "abcd2"))
    assert (first.id, again.id, other.id) == ("abcd", "abcd", "abcd2")
    assert [each.id for each in approvals.waiting()] == ["abcd", "abcd2"]


def test_an_answer_is_for_its_own_digest_and_a_yes_is_used_up(approvals: Approvals) -> None:
    approvals.file("abcd1", ABOUT)
    assert approvals.take("abcd1") is None
    approvals.answer("abcd", "approved")
    assert approvals.take("abcd2") is None
    assert approvals.take("abcd1") == "approved"
    assert approvals.take("abcd1") is None
    assert approvals.waiting() == []


def test_a_no_stays_and_can_be_taken_back(approvals: Approvals) -> None:
    approvals.file("abcd1", ABOUT)
    approvals.answer("abcd", "rejected")
    assert [approvals.take("abcd1"), approvals.take("abcd1")] == ["rejected", "rejected"]
    approvals.answer("abcd", "approved")
    assert approvals.take("abcd1") == "approved"


def test_what_does_not_wait_cannot_be_answered(approvals: Approvals) -> None:
    for name in ("nope", "../nope", ""):
        with pytest.raises(NotFound):
            approvals.answer(name, "approved")


def test_a_damaged_or_renamed_file_counts_for_nothing(approvals: Approvals, tmp_path: Path) -> None:
    approvals.file("abcd1", ABOUT)
    folder = tmp_path / "approvals"
    (folder / "ffff.json").write_bytes((folder / "abcd.json").read_bytes())
    (folder / "eeee.json").write_text("{")
    assert [each.id for each in approvals.waiting()] == ["abcd"]


def test_the_oldest_questions_make_room(approvals: Approvals) -> None:
    for number in range(MAX_FILES + 5):
        approvals.file(f"{number:04x}0", ABOUT)
    waiting = approvals.waiting()
    assert len(waiting) == MAX_FILES
    assert waiting[-1].digest == f"{MAX_FILES + 4:04x}0"
