"""Every operation and every manager action, with arguments of every kind, through the pipeline in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from anyio.from_thread import BlockingPortal
from hypothesis import given
from hypothesis import strategies as st
from tests.fuzz.calls import REGISTRY
from tests.fuzz.effort import few
from tests.fuzz.hostile import TEXTS, arguments, hostile, metadata
from tests.fuzz.shapes import check, wire_form
from tests.fuzz.trees import picture

from scenewright.app import make_runtime
from scenewright.contracts import render
from scenewright.core.calls.call import Request
from scenewright.core.config import Config
from scenewright.core.operations.declaration import Operation
from scenewright.core.runtime import Runtime

OPERATIONS = list(REGISTRY.operations.values())
ACTIONS = [(manager, action) for manager, actions in REGISTRY.actions.items() for action in actions]
Call = Callable[[str, dict[str, Any], dict[str, Any] | None], None]


@pytest.fixture(scope="module")
def runtime(trapped: Path) -> Iterator[Runtime]:
    runtime = make_runtime(Config(project=trapped, rate_limit=None, action_timeout=20.0, journal_max_entries=10))
    yield runtime
    runtime.close()


@pytest.fixture(scope="module")
def call(runtime: Runtime, portal: BlockingPortal, trapped: Path) -> Call:
    """Makes a call and sees that the reply keeps the contract, a refusal changed nothing, and the next call works."""
    around = trapped.parent

    def call(tool: str, given: dict[str, Any], meta: dict[str, Any] | None) -> None:
        before = picture(around)
        outcome = portal.call(runtime.run, Request(tool=tool, arguments=given, meta=meta))
        found = runtime.registry._names.get(tool)
        ok = check(wire_form(render(outcome)), found)
        after = picture(around)
        if not ok or outcome.call.dry_run:
            assert after == before
        assert {k: v for k, v in after.items() if not k.startswith("project/")} == {
            k: v for k, v in before.items() if not k.startswith("project/")
        }
        assert portal.call(runtime.run, Request(tool="core.ping", arguments={})).ok

    return call


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.id)
@few
@given(data=st.data())
def test_an_operation_survives_any_arguments(call: Call, operation: Operation, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from((operation.id, operation.flat_name)))
    call(name, data.draw(arguments(operation.input_schema)), data.draw(metadata()))


@pytest.mark.parametrize(("manager", "action"), ACTIONS)
@few
@given(data=st.data())
def test_a_manager_survives_any_arguments(call: Call, manager: str, action: str, data: st.DataObject) -> None:
    parts = data.draw(arguments(REGISTRY.actions[manager][action].input_schema))
    parts = data.draw(st.sampled_from((parts, {"params": parts}, {"params": parts, **parts})))
    named = data.draw(
        st.sampled_from((action, action, action, action.upper(), None, 5, "x" * 5000, ["list"], "\ud800"))
    )
    call(manager, {"action": named} | parts if data.draw(st.integers(0, 9)) else parts, data.draw(metadata()))


@few
@given(
    name=st.text(max_size=40) | st.sampled_from(TEXTS),
    given_=st.dictionaries(st.text(max_size=9), hostile(), max_size=2),
)
def test_a_name_no_tool_has_is_refused(call: Call, name: str, given_: dict[str, Any]) -> None:
    call(name, given_, None)


@few
@given(
    items=st.lists(
        st.fixed_dictionaries(
            {},
            optional={
                "tool": st.sampled_from((*REGISTRY.operations, "nope", "")) | hostile(),
                "args": arguments({}) | hostile(),
                "id": hostile(),
            },
        ),
        max_size=4,
    ),
    flags=st.fixed_dictionaries(
        {}, optional={"atomic": st.booleans(), "dryRun": st.booleans(), "stopOnError": st.booleans()}
    ),
)
def test_a_batch_survives_any_items(call: Call, items: list[Any], flags: dict[str, Any]) -> None:
    call("batch_operations", {"operations": items, **flags}, None)
