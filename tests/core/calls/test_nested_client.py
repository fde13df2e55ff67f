"""The client as a part of a larger call sees it."""

from __future__ import annotations

import pytest
from tests.core.samples import FakeClient

from scenewright.core.calls.nested_client import PartClient
from scenewright.core.calls.questions import Roots
from scenewright.core.faults import Unsupported

pytestmark = pytest.mark.anyio


async def test_the_progress_of_a_part_is_a_share_of_the_whole() -> None:
    whole = FakeClient()
    part = PartClient(whole, 2, 4)
    for done, total in ((1, 4), (2, 4), (4, 4)):
        await part.progress(done, total, "x")
    assert whole.told == [(2.25, 4, "x"), (2.5, 4, "x")]


async def test_progress_never_goes_back() -> None:
    whole = FakeClient()
    part = PartClient(whole, 0, 2)
    for done, total in ((3, 4), (1, 4), (9, 4), (5, None), (0, 0), (7, 8)):
        await part.progress(done, total, None)
    assert [done for done, _, _ in whole.told] == [0.75, 0.875]


async def test_a_part_logs_as_the_whole_and_asks_nobody() -> None:
    whole = FakeClient(True)
    part = PartClient(whole, 0, 1)
    await part.log("info", "hello")
    await part.hang_up()
    assert part.id == whole.id
    assert whole.logged == [("info", "hello")]
    assert await part.approve("?") is None
    assert whole.questions == []
    assert part.can_answer(Roots()) is False
    with pytest.raises(Unsupported):
        await part.ask({"roots": Roots()})
