"""Every example of a Unity definition is run on the small game and gives exactly what it says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import MakeCaller

from scenewright.core.calls.validation import compile_schema
from scenewright.core.operations.declaration import Example, Operation
from scenewright.unity.catalogue import CATALOGUE

pytestmark = pytest.mark.anyio

EXAMPLES = [
    pytest.param(op, example, id=f"{op.id}: {example.description}")
    for op in CATALOGUE.operations
    for example in op.examples
    if not op.requires_bridge
]


@pytest.mark.parametrize(("op", "example"), EXAMPLES)
async def test_an_example_gives_what_it_says(
    op: Operation, example: Example, make_caller: MakeCaller, project: Path
) -> None:
    reply = await make_caller().reply(op.id, example.input, meta={"approved": True})
    assert not reply.failed, reply.text
    assert reply.structured is not None
    said: dict[str, Any] = reply.structured["result"] if op.contract == "omni" else reply.structured
    expected = dict(example.output)
    if "projectPath" in expected:
        expected["projectPath"] = str(project)
    if expected.get("guid") == "0" * 32:  # a new one each time
        assert said["guid"] != expected["guid"]
        expected["guid"] = said["guid"]
    assert said == expected
    assert op.output_schema is not None
    assert compile_schema(op.output_schema).problems(said) == []


async def test_what_needs_the_editor_says_so_and_what_to_do(make_caller: MakeCaller) -> None:
    reply = await make_caller().reply("editor.selection.info")
    assert reply.is_error
    assert "E_NOT_CONNECTED" in (reply.text or "")
    assert "scene_objects_find" in (reply.text or "")


@pytest.mark.parametrize("op", [op for op in CATALOGUE.operations if not op.writes], ids=lambda op: op.id)
def test_every_read_is_a_v0_1_definition_with_examples(op: Operation) -> None:
    assert op.definition_version == "0.1"
    assert op.contract == "editormcp"
    assert 1 <= len(op.examples) <= 3
