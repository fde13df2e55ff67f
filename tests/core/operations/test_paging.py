"""Pages of long results: what is on one, and where the next starts."""

from __future__ import annotations

import pytest

from scenewright.core.operations.paging import Page


@pytest.mark.parametrize(
    ("offset", "limit", "items", "next_offset"),
    [
        (0, 2, [1, 2], 2),
        (2, 2, [3, 4], 4),
        (4, 2, [5], None),
        (3, 2, [4, 5], None),
        (0, 9, [1, 2, 3, 4, 5], None),
        (5, 2, [], None),
        (9, 2, [], None),
    ],
)
def test_a_page_says_where_the_next_starts(offset: int, limit: int, items: list[int], next_offset: int | None) -> None:
    page = Page.cut([1, 2, 3, 4, 5], offset, limit)
    assert page.items == items
    assert page.next_offset == next_offset
    assert page.has_more is (next_offset is not None)


def test_following_the_offsets_reads_a_text_whole() -> None:
    text, parts, offset = "a long text", [], 0
    while True:
        page = Page.cut(text, offset, 4)
        parts.append(page.items)
        if page.next_offset is None:
            break
        offset = page.next_offset
    assert parts == ["a lo", "ng t", "ext"]


def test_a_page_cut_elsewhere_counts_from_its_offset() -> None:
    assert Page([7, 8], 6, has_more=True).next_offset == 8
    assert Page([7, 8], 6, has_more=False).next_offset is None
