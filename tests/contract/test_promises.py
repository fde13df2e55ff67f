"""Every reply keeps to the output schema that the full listing promises for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller, MakeCaller

from scenewright.app import catalogues
from scenewright.core.calls.reply_cache import Leftovers
from scenewright.core.calls.validation import Validator, compile_schema
from scenewright.core.operations.declaration import Operation
from scenewright.core.policy.packs import source_of
from scenewright.pixel.aseprite_writer import write_sprite
from scenewright.pixel.previews import png
from scenewright.pixel.rendering import Renderer
from scenewright.pixel.worlds.hero_art import draw_hero
from scenewright.server.surface import surface_of

pytestmark = pytest.mark.anyio

SHIPPED = [op for part in catalogues() for op in part.operations if part.engine is None]
each_example = pytest.mark.parametrize(
    ("op", "arguments"),
    [
        pytest.param(op, example.input, id=f"{op.id}: {example.description}")
        for op in SHIPPED
        for example in op.examples
    ],
)


async def _prepare(caller: Caller, op: Operation, arguments: dict[str, Any]) -> dict[str, Any]:
    """Makes the project one in which the operation's examples work; returns the example's arguments for it."""
    project = caller.runtime.project.root
    (project / "docs").mkdir()
    (project / "docs/old.md").write_text("old")
    (project / "player.gd").write_text("extends Node2D\nvar speed = 200\n")
    if op.id.startswith("pixel."):
        (project / "art").mkdir()
        (project / "art/hero.aseprite").write_bytes(write_sprite(draw_hero()))
        for name in ("hero", "heart"):
            (project / f"art/{name}.png").write_bytes(png(Renderer(draw_hero()).frame(0)))
    for number in range(7 if op.category == "history" else 0):
        await caller.run("write_file", {"path": f"{number}.txt", "content": "x"})
    if op.id == "meta.reply.read":
        caller.runtime.services.get(Leftovers, Leftovers).keep("{}")
    if "runId" not in arguments:
        return arguments
    waits = op.id in ("workflow.approve", "workflow.reject")
    clean = {"id": "clean", "actionId": "delete_file", "input": {"path": "docs/old.md"}}
    step = clean if waits else {"actionId": "core.ping"}
    run = await caller.reply("workflow.run", {"definition": {"id": "a", "steps": [step]}})
    while run.structured is not None and run.structured.get("phase") not in (None, "waiting"):
        run = await caller.reply("workflow.status", {"runId": run.structured["runId"], "waitMs": 100})
    assert run.structured is not None
    return arguments | {"runId": run.structured["runId"]}


def _promise(caller: Caller, op: Operation) -> Validator:
    schema = next(tool.output_schema for tool in surface_of(caller.runtime).tools() if tool.name == op.flat_name)
    assert schema is not None
    return compile_schema(schema)


@each_example
async def test_an_example_works_and_its_reply_is_as_promised(
    op: Operation, arguments: dict[str, Any], make_caller: MakeCaller, tmp_path: Path
) -> None:
    # A caller's own word counts under this pack, so that every example can be tried.
    caller = make_caller(toolset="full", policy_rules=str(tmp_path / "pack.json"))
    pack = source_of("careful").replace('"approvedBy": "person"', '"approvedBy": "caller"')
    (tmp_path / "pack.json").write_text(pack)
    arguments = await _prepare(caller, op, arguments)
    for dry_run in (True, False):
        reply = await caller.reply(op.id, arguments, meta={"approved": True, "dryRun": dry_run})
        assert not reply.failed, reply.text
        assert _promise(caller, op).problems(reply.structured) == []
        if dry_run and op.writes and op.contract == "omni":
            assert reply.structured is not None
            assert reply.structured["summary"].startswith("Dry run, nothing was written. A real run would say: ")
            assert reply.structured["execution"]["dryRun"] is True


@pytest.mark.parametrize("op", SHIPPED, ids=lambda op: op.id)
async def test_an_error_with_structured_content_is_as_promised(op: Operation, make_caller: MakeCaller) -> None:
    caller = make_caller(toolset="full")
    reply = await caller.reply(op.id, {"no_such_parameter": 1})
    assert reply.failed
    assert (reply.structured is not None) is (op.contract == "omni")
    if reply.structured is not None:
        assert _promise(caller, op).problems(reply.structured) == []


def _open_places(schema: Any, path: str = "") -> list[str]:
    """Where an object with declared fields would take others too, and nobody would read them."""
    if isinstance(schema, list):
        return [place for number, part in enumerate(schema) for place in _open_places(part, f"{path}[{number}]")]
    if not isinstance(schema, dict):
        return []
    declared = schema.get("properties")
    is_open = isinstance(declared, dict) and "type" in schema and schema.get("additionalProperties") is not False
    inner = [place for key, part in schema.items() for place in _open_places(part, f"{path}.{key}")]
    return [*([path] if is_open and schema["type"] == "object" else []), *inner]


@pytest.mark.parametrize("part", catalogues(), ids=lambda part: part.engine.name if part.engine else "platform")
def test_no_input_takes_names_that_nobody_reads(part: Any) -> None:
    found = {op.id: _open_places(op.input_schema) for op in part.operations}
    assert {op: places for op, places in found.items() if places} == {}
