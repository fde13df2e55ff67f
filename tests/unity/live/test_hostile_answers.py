"""Whatever an editor answers: it is read, or refused with a reason; nothing else happens."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenewright.core.faults import Fault
from scenewright.unity.live.commands import Commands
from scenewright.unity.live.intents import ALL_INTENTS
from scenewright.unity.live.open_scenes import read_open_scenes
from scenewright.unity.live.pictures import picture_in
from scenewright.unity.live.refusals import fault_of, result_of
from scenewright.unity.live.scene_edits import is_same, present_value
from scenewright.unity.live.test_results import read_results
from scenewright.unity.live.wire import Answer

KEYS = st.sampled_from(
    [
        *("commands", "groups", "children", "name", "group", "description", "parameters", "tags", "type", "required"),
        *(
            "success",
            "result",
            "error",
            "errorDetails",
            "message",
            "busyReason",
            "scenes",
            "path",
            "isDirty",
            "isActive",
        ),
        *("fields", "value", "propertyType", "guid", "fileId", "globalId", "base64", "total", "Failed", "results"),
    ]
)
LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12) | KEYS
ANSWERS = st.recursive(LEAVES, lambda inside: st.lists(inside, max_size=4) | st.dictionaries(KEYS, inside, max_size=5))


def _find_all(answer: Any) -> None:
    commands = Commands.read(answer)
    for intent in ALL_INTENTS:
        commands.find(intent)


def _compare(answer: Any) -> None:
    told, value = present_value(answer)
    for raw in ("1", "a", {"x": "1", "y": "2"}, {"fileID": "3"}, {"fileID": "3", "guid": "a", "type": "2"}):
        is_same(value if told else answer, raw, "a" * 32)


READERS: list[Callable[[Any], Any]] = [
    _find_all,
    _compare,
    read_open_scenes,
    read_results,
    lambda answer: picture_in(answer) if isinstance(answer, dict) else None,
    lambda answer: result_of(Answer(200, answer)),
    lambda answer: [fault_of(Answer(status, answer)) for status in (302, 400, 401, 404, 413, 429, 500, 503)],
]


@pytest.mark.parametrize("read", READERS)
@settings(max_examples=25)
@given(answer=ANSWERS)
def test_any_answer_is_read_or_refused(read: Callable[[Any], Any], answer: Any) -> None:
    with suppress(Fault):
        read(answer)
