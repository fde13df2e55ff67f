"""What the server says about itself."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller, MakeCaller
from tests.core.samples import fault_of, sample

from scenewright import __version__
from scenewright.core.operations.tiers import Tier

pytestmark = pytest.mark.anyio


async def ask(caller: Caller, tool: str, **arguments: Any) -> Any:
    outcome = await caller.run(tool, arguments)
    assert outcome.ok, outcome.fault
    return outcome.call.output


async def test_ping_answers_with_the_time(caller: Caller) -> None:
    pong = await ask(caller, "core.ping")
    assert pong.ok is True
    assert datetime.fromisoformat(pong.server_time).tzinfo is not None


async def test_the_info_is_about_this_server(make_caller: MakeCaller, project: Path) -> None:
    (project / "project.godot").write_text("config_version=5\n")
    info = await ask(make_caller(tier=Tier.TIER1), "mcp.server.info")
    assert (info.server_version, info.tier, info.read_only) == (__version__, "tier1", False)
    assert (info.project_path, info.engines) == (str(project), ["godot"])
    assert "mcp.platform" in info.enabled_tool_categories


async def test_what_a_read_only_server_does_not_offer_is_not_counted(make_caller: MakeCaller) -> None:
    whole, reading = make_caller(), make_caller(read_only=True)
    everything, some = await ask(whole, "mcp.server.info"), await ask(reading, "mcp.server.info")
    assert some.read_only is True
    assert 0 < some.tool_count < everything.tool_count
    assert everything.tool_count == len(whole.runtime.registry.operations)
    listed = await ask(reading, "mcp.tools.list", limit=200)
    assert {tool.safety_level for tool in listed.tools} == {"read-only"}
    assert listed.total == some.tool_count


async def test_the_list_is_sorted_and_comes_in_pages(caller: Caller) -> None:
    whole = await ask(caller, "mcp.tools.list", limit=200)
    ids = [tool.id for tool in whole.tools]
    assert ids == sorted(caller.runtime.registry.operations)[:200]
    paged: list[str] = []
    offset: int | None = 0
    while offset is not None:
        page = await ask(caller, "mcp.tools.list", limit=7, offset=offset)
        assert page.total == whole.total
        paged += [tool.id for tool in page.tools]
        offset = page.next_offset
    assert paged[:200] == ids
    beyond = await ask(caller, "mcp.tools.list", offset=10_000)
    assert (beyond.tools, beyond.next_offset) == ([], None)


async def test_the_list_can_be_narrowed_to_a_category_and_a_tier(make_caller: MakeCaller) -> None:
    higher = sample(id="test.higher", category="project.extra", tier=Tier.TIER2)
    caller = make_caller(higher, sample(id="test.other", category="core"))
    project = await ask(caller, "mcp.tools.list", category="project", limit=200)
    assert {tool.category for tool in project.tools} >= {"project", "project.extra"}
    assert all(tool.category.partition(".")[0] == "project" for tool in project.tools)
    assert (await ask(caller, "mcp.tools.list", category="proj")).total == 0
    (only,) = (await ask(caller, "mcp.tools.list", tier="tier2")).tools
    assert only.id == "test.higher"
    both = await ask(caller, "mcp.tools.list", category="core", tier="tier2")
    assert both.total == 0


async def test_a_tool_is_described_under_each_of_its_names(caller: Caller) -> None:
    for name in ("core.ping", "core_ping"):
        tool = (await ask(caller, "mcp.tool.describe", toolId=name)).tool
        assert (tool["id"], tool["safetyLevel"], tool["inputs"]) == ("core.ping", "read-only", {})


@pytest.mark.parametrize(("name", "hint"), [("core.pong", "'core.ping'"), ("history", "history.undo_to")])
async def test_what_is_no_tool_is_not_described(caller: Caller, name: str, hint: str) -> None:
    fault = fault_of(await caller.run("mcp.tool.describe", {"toolId": name}))
    assert fault.kind == "not_found"
    assert hint in str(fault.hint)


async def test_a_healthy_server_says_so_and_gives_figures_where_asked(caller: Caller) -> None:
    health = await ask(caller, "system_health")
    assert (health.status, set(health.checks.values())) == ("healthy", {"ok"})
    assert health.metrics is None
    figures = (await ask(caller, "mcp.health", includeMetrics=True)).metrics
    assert figures["calls"] == 2
    assert figures["uptimeSeconds"] >= 0


async def test_a_tampered_audit_log_shows(caller: Caller) -> None:
    for _ in range(3):
        await caller.run("core.ping")
    log = caller.runtime.state.audit.path
    log.write_bytes(log.read_bytes().replace(b"core.ping", b"core.pong", 1))
    health = await ask(caller, "system_health")
    assert health.status == "degraded"
    assert health.checks["audit"].startswith("broken")
    assert health.checks["project"] == "ok"


async def test_the_info_is_an_action_of_the_manager_too(caller: Caller) -> None:
    reply = await caller.reply("meta_tool_manager", {"action": "server_info"})
    assert reply.structured is not None
    assert reply.structured["result"]["serverVersion"] == __version__
