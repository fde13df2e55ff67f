"""The reconnection schedule, as the Godoty protocol has it."""

from __future__ import annotations

from scenewright.contracts.godoty.reconnection import Backoff


def test_waits_are_those_of_the_godoty_protocol_and_end_after_ten_attempts() -> None:
    backoff = Backoff()
    assert [backoff.next() for _ in range(12)] == [1, 2, 4, 8, 16, 30, 30, 30, 30, 30, None, None]
    assert backoff.exhausted


def test_a_reset_starts_anew() -> None:
    backoff = Backoff()
    for _ in range(7):
        backoff.next()
    backoff.reset()
    assert backoff.next() == 1
