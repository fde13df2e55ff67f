"""What an editor refuses, in our words."""

from __future__ import annotations

import pytest

from scenewright.bridge.messages import Refusal
from scenewright.bridge.refusals import fault_of


@pytest.mark.parametrize(
    ("code", "data", "kind"),
    [
        (-32602, {"parameter": "line"}, "invalid"),
        (-32601, {}, "unsupported"),
        (-32603, {}, "internal"),
        (-32000, {}, "not_found"),
        (-32001, {}, "not_found"),
        (-32002, {}, "denied"),
        (-32002, {"conflict": True}, "conflict"),
        (-32003, {}, "not_connected"),
        (-32004, {}, "unsupported"),
        (-32005, {}, "timed_out"),
        (-32006, {}, "invalid"),
        (-32007, {}, "denied"),
        (-32008, {"retry_after_ms": 1000}, "rate_limited"),
    ],
)
def test_each_code_of_the_protocol_is_a_fault_of_its_kind(code: int, data: dict[str, object], kind: str) -> None:
    fault = fault_of(Refusal(1, code, "No", data), "some_method")
    assert fault.kind == kind
    assert fault.details["bridgeCode"] == code
    assert fault.details.items() >= data.items()


def test_a_client_that_sent_too_much_may_try_again() -> None:
    data = {"retry_after_ms": 1000, "suggestion": "Wait for answers before sending more"}
    fault = fault_of(Refusal(1, -32008, "Too many calls are waiting", data), "get_tree")
    assert fault.retryable
    assert fault.hint == data["suggestion"]


def test_a_game_that_does_not_run_is_started_by_a_tool_and_not_by_a_method() -> None:
    data = {"suggestion": "Use execute_action with action='run_scene' to start the game"}
    assert "godot_run_action" in str(fault_of(Refusal(1, -32003, "Game not running", data), "capture_game").hint)
