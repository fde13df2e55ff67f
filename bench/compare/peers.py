"""The servers that are compared, and exactly which: the one place of their versions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from bench.compare.ways import (
    CODING_SOLO,
    GOPEAK,
    GOPEAK_READY,
    RUNTIME,
    SATELLITE,
    TREE_IN_EDITOR,
    TREE_OF_FILE,
    Call,
    Way,
    Ways,
    ours,
)

__all__ = ["BARE", "OURS", "PEERS", "Peer"]


@dataclass(frozen=True, slots=True)
class Peer:
    """A server: by its name in its registry, or one of this checkout."""

    name: str
    cheap: Call  # needs nothing; ten of them come before its memory is looked at
    version: str = ""
    registry: Literal["PyPI", "npm", ""] = ""
    program: str = ""
    options: tuple[str, ...] = ()
    settings: Mapping[str, str] = field(default_factory=dict)
    addon: str = ""  # where its package has the addon, if any
    addon_name: str = ""
    ready: Way | None = None  # succeeds as soon as its editor is there
    ways: Ways = field(default_factory=dict)
    reason: str = ""  # why it can be given no task here
    is_measured_at_start: bool = True

    @property
    def folder(self) -> str:
        """A name for a folder of its own."""
        return re.sub(r"[^\w.-]+", "-", f"{self.name} {self.version}").strip("-")


SILENT = {"DISABLE_TELEMETRY": "true"}
PING: Call = ("core_ping", {})
LISTED: Call = ("list_projects", {"directory": "."})
OURS = Peer(
    "scenewright",
    PING,
    addon="ours",
    addon_name="scenewright_bridge",
    ready=Way([("godot_connect", {})]),
    ways=ours(
        ("godot_get_node", {"node_path": "Player", "property_filter": ["position"]}),
        TREE_IN_EDITOR,
        ("godot_capture_viewport", {"viewport_type": "2d"}),
    ),
)
WITHOUT_EDITOR = Peer(
    "scenewright, no editor",
    PING,
    ways=ours(
        ("get_node_properties", {"scenePath": "main.tscn", "nodePath": "Player", "names": ["position"]}),
        TREE_OF_FILE,
        ("scene_picture", {"scenePath": "main.tscn"}),
    ),
    is_measured_at_start=False,
)
BARE = Peer("bare `mcp` server", PING)
PEERS = (
    OURS,
    WITHOUT_EDITOR,
    Peer(
        "godot-ai",
        ("session_manage", {"op": "list"}),
        version="4.3.1",
        registry="PyPI",
        program="godot-ai",
        settings=SILENT,
        reason="its addon is in no registry, and needs a newer Godot (4.7) than the registry here has",
    ),
    Peer(
        "@satelliteoflove/godot-mcp",
        ("godot_project", {"action": "get_info"}),
        version="4.1.11",
        registry="npm",
        program="godot-mcp",
        addon="@satelliteoflove/godot-mcp/addon",
        addon_name="godot_mcp",
        ready=Way([("godot_project", {"action": "get_info"})]),
        ways=SATELLITE,
    ),
    Peer(
        "gopeak",
        ("editor-status", {}),
        version="2.3.8",
        registry="npm",
        program="gopeak",
        addon="gopeak/build/addon/godot_mcp_editor",
        addon_name="godot_mcp_editor",
        ready=GOPEAK_READY,
        ways=GOPEAK,
    ),
    Peer(
        "godot-mcp-runtime",
        LISTED,
        version="3.8.0",
        registry="npm",
        program="godot-mcp-runtime",
        settings={"GODOT_MCP_DISABLE_ELICITATION": "true"},
        ways=RUNTIME,
    ),
    Peer(
        "@coding-solo/godot-mcp",
        LISTED,
        version="0.1.1",
        registry="npm",
        program="godot-mcp",
        ways=CODING_SOLO,
    ),
    Peer(
        "mcpforunityserver",
        ("manage_script_capabilities", {}),
        version="10.3.0",
        registry="PyPI",
        program="mcp-for-unity",
        options=("--transport", "stdio"),
        settings=SILENT,
        reason="it needs a Unity editor, which does not run here",
    ),
    Peer(
        "@chrrxs/robloxstudio-mcp",
        ("get_connected_instances", {}),
        version="3.1.5",
        registry="npm",
        program="robloxstudio-mcp",
        reason="it needs Roblox Studio, which does not run here",
    ),
)
