"""The skill's calls and names are those of the registry and of the compact listing."""

from __future__ import annotations

import json
import re

import pytest
from tests.conftest import MakeCaller

from scenewright.core.calls.call import Call, Request
from scenewright.core.calls.pipeline import STEPS, validate
from scenewright.server.skill import skill_text
from scenewright.server.surface import surface_of

CALLS = re.findall(r"^    (\w+) (\{.*\})$", skill_text(), re.MULTILINE)
# What the text names beside the calls: tools, actions and parameters.
NAMED = set(re.findall(r"`([a-z][\w.]*)`", skill_text()))
pytestmark = pytest.mark.anyio


def test_the_skill_is_short_and_has_what_hosts_ask_for() -> None:
    _, head, body = skill_text().split("---\n", 2)
    fields = dict(line.split(": ", 1) for line in head.splitlines())
    assert fields["name"] == "scenewright"
    assert 100 < len(fields["description"]) <= 1024  # what hosts take
    assert len(body.encode()) < 4_500


@pytest.mark.parametrize(("tool", "arguments"), CALLS, ids=[f"{tool} {text[:40]}" for tool, text in CALLS])
async def test_a_call_of_the_skill_is_listed_and_valid(tool: str, arguments: str, make_caller: MakeCaller) -> None:
    runtime = make_caller(engine="all").runtime
    assert tool in {listed.name for listed in surface_of(runtime).tools()}
    call = Call(
        request=Request(tool=tool, arguments=json.loads(arguments)), runtime=runtime, state=runtime.state_for(None)
    )
    for step in STEPS:
        await step(call)
        if step is validate:
            break
    assert call.inputs is not None
    assert call.warnings == []  # nothing had to be mended


def test_there_are_calls_for_every_engine() -> None:
    tools = {tool for tool, _ in CALLS}
    assert {
        "overview",
        "godot_scene_manager",
        "roblox_script_execute",
        "project_references_missing",
        "history",
    } <= tools


def test_every_name_of_the_skill_is_a_tool_an_action_or_a_parameter(make_caller: MakeCaller) -> None:
    runtime = make_caller(engine="all").runtime
    known = {listed.name for listed in surface_of(runtime).tools()}
    for operation in runtime.registry.operations.values():
        known |= {operation.tool, *(operation.action or ()), *operation.input_schema.get("properties", {})}
    assert {name for name in NAMED if name not in known} == set()
