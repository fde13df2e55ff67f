"""Replacing a text that must occur a known number of times."""

from __future__ import annotations

import pytest

from scenewright.core.faults import Invalid
from scenewright.core.writes.text_replacement import replaced


def test_everything_around_the_place_stays_byte_for_byte() -> None:
    content = b"\xef\xbb\xbfone\r\ntwo\xff\r\n"
    assert replaced(content, "one", "three", count=1, name="a") == b"\xef\xbb\xbfthree\r\ntwo\xff\r\n"


@pytest.mark.parametrize(("find", "count", "found"), [("x", 1, 0), ("o", 1, 2), ("o", 3, 2)])
def test_another_number_of_places_is_refused_and_told(find: str, count: int, found: int) -> None:
    with pytest.raises(Invalid, match=f"occurs {found} times in 'a', not {count}") as refused:
        replaced(b"foo", find, "y", count=count, name="a")
    assert refused.value.path == "input.find"
