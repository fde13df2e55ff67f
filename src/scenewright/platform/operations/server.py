"""Operations about the server itself: Gox's ping, EditorMCP's `mcp.*` and godot-mcp-unified's health."""

from __future__ import annotations

import platform
import sys
from datetime import UTC, datetime
from time import perf_counter
from typing import Annotated, Any

from scenewright.contracts.editormcp.definition import define
from scenewright.core.calls.call import Call
from scenewright.core.faults import NotFound
from scenewright.core.operations.declaration import Example, Manager, Operation, Safety, operation
from scenewright.core.operations.model import Inputs, NoInputs, Outputs, Record, about
from scenewright.core.operations.paging import NextOffset, Page
from scenewright.core.operations.tiers import Tier
from scenewright.core.policy.gates import is_offered

__all__ = ["OPERATIONS"]


class Pong(Outputs, frozen=True, kw_only=True):
    ok: Annotated[bool, about("Always true.")]
    server_time: Annotated[str, about("The server's clock, RFC 3339.")]


@operation(
    id="core.ping",
    name="Ping",
    category="core",
    safety=Safety.READ_ONLY,
    contract="gox",
    pure=True,
    examples=(Example("Is the server there?", {}, {"ok": True, "serverTime": "2026-01-01T12:00:00Z"}),),
)
async def ping(call: Call, inputs: NoInputs) -> Pong:
    """Answers at once, to show that the server is there."""
    del call, inputs
    return Pong(ok=True, server_time=_now())


class ServerInfo(Outputs, frozen=True, kw_only=True):
    server_version: Annotated[str, about("Version of scenewright.")]
    platform: Annotated[str, about("Operating system and Python version.")]
    enabled_tool_categories: Annotated[list[str], about("Categories with at least one operation on offer.")]
    tier: Annotated[str, about("The highest tier on offer.")]
    tool_count: Annotated[int, about("Number of operations on offer.")]
    project_path: Annotated[str, about("The project's folder.")]
    engines: Annotated[list[str], about("Engines the project belongs to.")]
    read_only: Annotated[bool, about("Whether the server refuses every change.")]
    unity_version: Annotated[str, about("Version of Unity that a Unity project was saved with.")] | None = None


@operation(
    id="mcp.server.info",
    category="mcp.platform",
    safety=Safety.READ_ONLY,
    contract="editormcp",
    definition_version="0.1",
    manager="meta_tool_manager",
    action="server_info",
    examples=(
        Example(
            "A Godot project, nothing switched off",
            {},
            {
                "serverVersion": "0.1.0",
                "platform": "Linux, Python 3.11.7",
                "enabledToolCategories": ["core", "mcp.platform", "project"],
                "tier": "tier4",
                "toolCount": 17,
                "projectPath": "/home/me/game",
                "engines": ["godot"],
                "readOnly": False,
            },
        ),
    ),
)
async def server_info(call: Call, inputs: NoInputs) -> ServerInfo:
    """Returns the server's version, project and settings, to verify that it works on what you think it does."""
    del inputs
    offered, root = _offered(call), call.state.project.root
    return ServerInfo(
        server_version=call.runtime.server_version,
        platform=f"{platform.system()}, Python {platform.python_version()}",
        enabled_tool_categories=sorted({op.category for op in offered}),
        tier=str(call.runtime.config.tier),
        tool_count=len(offered),
        project_path=call.state.project.address,
        engines=[engine.name for engine in call.state.engines],
        read_only=call.runtime.config.read_only,
        unity_version=next((engine.version_of(root) for engine in call.state.engines if engine.name == "unity"), None),
    )


class ToolFilter(Inputs, frozen=True, kw_only=True):
    category: Annotated[str, about("Only this category and those below it, such as 'project'.")] | None = None
    tier: Annotated[Tier, about("Only operations of this tier.")] | None = None
    limit: Annotated[int, about("Tools per page.", ge=1, le=200)] = 50
    offset: Annotated[int, about("Tools to skip, from nextOffset of the page before.", ge=0)] = 0


class ToolEntry(Record, frozen=True, kw_only=True):
    id: Annotated[str, about("Canonical id.")]
    name: Annotated[str, about("Display name.")]
    description: Annotated[str, about("What it does.")]
    category: Annotated[str, about("Category.")]
    safety_level: Annotated[str, about("read-only, safe-write or destructive.")]
    tier: Annotated[str, about("Tier that provides it.")]


class ToolList(Outputs, frozen=True, kw_only=True):
    tools: Annotated[list[ToolEntry], about("Operations, sorted by id.")]
    total: Annotated[int, about("How many there are in all.")]
    next_offset: NextOffset = None


@operation(
    id="mcp.tools.list",
    name="List MCP Tools",
    category="mcp.platform",
    safety=Safety.READ_ONLY,
    manager="meta_tool_manager",
    action="tools_list",
    contract="editormcp",
    definition_version="0.1",
    examples=(
        Example(
            "One of the project tools",
            {"category": "project", "limit": 1},
            {
                "tools": [
                    {
                        "id": "project.file.delete",
                        "name": "Delete File",
                        "description": "Deletes a file.",
                        "category": "project",
                        "safetyLevel": "safe-write",
                        "tier": "core",
                    }
                ],
                "total": 5,
                "nextOffset": 1,
            },
        ),
    ),
)
async def tools_list(call: Call, inputs: ToolFilter) -> ToolList:
    """Lists every operation on offer with its category, safety level and tier, sorted by id."""
    chosen = sorted((op for op in _offered(call) if _matches_filter(op, inputs)), key=lambda op: op.id)
    page = Page.cut(chosen, inputs.offset, inputs.limit)
    return ToolList(
        tools=[_entry(op) for op in page.items],
        total=len(chosen),
        next_offset=page.next_offset,
    )


class ToolId(Inputs, frozen=True, kw_only=True):
    tool_id: Annotated[str, about("Canonical id or tool name, such as 'core.ping'.", min_length=1)]


class ToolDefinition(Outputs, frozen=True, kw_only=True):
    tool: Annotated[dict[str, Any], about("The whole tool definition.")]


@operation(
    id="mcp.tool.describe",
    name="Describe MCP Tool",
    category="mcp.platform",
    safety=Safety.READ_ONLY,
    manager="meta_tool_manager",
    action="tool_describe",
    contract="editormcp",
    definition_version="0.1",
    examples=(
        Example(
            "The ping",
            {"toolId": "core.ping"},
            {"tool": {"id": "core.ping", "name": "Ping", "category": "core"}},
        ),
    ),
)
async def tool_describe(call: Call, inputs: ToolId) -> ToolDefinition:
    """Returns the complete definition of one tool: inputs, outputs, safety, notes and examples."""
    tool = call.runtime.registry.find(inputs.tool_id)
    if isinstance(tool, Manager):
        raise NotFound(
            f"'{tool.name}' is a manager of several operations.",
            hint=f"Describe one of: {', '.join(op.id for op in call.runtime.registry.actions[tool.name].values())}.",
        )
    return ToolDefinition(tool=define(tool))


class HealthQuery(Inputs, frozen=True, kw_only=True):
    include_metrics: Annotated[bool, about("Add calls, uptime and memory.")] = False


class Health(Outputs, frozen=True, kw_only=True):
    status: Annotated[str, about("'healthy', or 'degraded' where a check failed.")]
    checks: Annotated[dict[str, str], about("Each part of the server and its state.")]
    metrics: Annotated[dict[str, float], about("Figures of this process.")] | None = None


@operation(
    id="mcp.health",
    name="Server Health",
    category="mcp.platform",
    safety=Safety.READ_ONLY,
    contract="editormcp",
    tool="system_health",
    examples=(
        Example(
            "All is well",
            {},
            {"status": "healthy", "checks": {"project": "ok", "history": "ok", "audit": "ok"}},
        ),
    ),
)
def health(call: Call, inputs: HealthQuery) -> Health:
    """Checks the project folder, the history and the audit log, and says which of them needs attention."""
    state = call.state
    checks = {
        "project": _folder_check(call),
        "history": "ok" if state.kept or not state.folder.exists() else "the folder cannot be written",
        "audit": "ok",
    }
    if state.kept and state.audit.path.exists():
        verdict = state.audit.verify()
        checks["audit"] = "ok" if verdict.intact else f"broken: {verdict.problem}"
    degraded = any(value != "ok" for value in checks.values())
    return Health(
        status="degraded" if degraded else "healthy",
        checks=checks,
        metrics=_metrics(call) if inputs.include_metrics else None,
    )


def _folder_check(call: Call) -> str:
    if not call.state.project.address:
        return "no project is open; a person opens one with --project DIR"
    return "ok" if call.state.project.root.is_dir() else "the folder is gone"


OPERATIONS = (ping, server_info, tools_list, tool_describe, health)


def _metrics(call: Call) -> dict[str, float]:
    figures = {"uptimeSeconds": round(perf_counter() - call.runtime.started, 1), "calls": float(call.runtime.calls)}
    if sys.platform != "win32":
        import resource

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        figures["peakMemoryBytes"] = float(peak if sys.platform == "darwin" else peak * 1024)
    return figures


def _offered(call: Call) -> list[Operation]:
    return [op for op in call.runtime.registry.operations.values() if is_offered(op, call.runtime.config)]


def _matches_filter(op: Operation, wanted: ToolFilter) -> bool:
    category = wanted.category is None or f"{op.category}.".startswith(f"{wanted.category}.")
    return category and wanted.tier in (None, op.tier)


def _entry(op: Operation) -> ToolEntry:
    return ToolEntry(
        id=op.id,
        name=op.name,
        description=op.description,
        category=op.category,
        safety_level=str(op.safety),
        tier=str(op.tier),
    )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
