"""What is to be said of the project that this process is for: its engine, files, addon and open editor."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from scenewright.core.calls.call import Call
from scenewright.core.operations.model import to_wire
from scenewright.setup.findings import Finding, Level
from scenewright.setup.machine_checks import check_port, check_room

__all__ = ["IMPORTS", "SYNC_ADDON", "check_project"]

SYNC_ADDON, IMPORTS = "sync-addon", "import-assets"


async def check_project(call: Call) -> AsyncIterator[Finding]:
    """Check the server's own project, by its engine's own operations."""
    runtime = call.runtime
    for problem in runtime.discovery.problems:
        yield Finding("project", "error", problem)
    for choice in runtime.discovery.choices:
        yield Finding("project", "note", f"There is a project in {choice}.")
    if not runtime.has_project or not runtime.engines:
        if not runtime.discovery.problems:
            yield Finding("project", "note", "There is no project here.", "Name one with --project DIR.")
        return
    names = [engine.name for engine in runtime.engines]
    yield Finding("project", "ok", f"{runtime.project.root} ({', '.join(names)}).")
    yield check_room(runtime.project.root)
    if "godot" in names:
        async for finding in _check_godot(call):
            yield finding
    if "unity" in names:
        yield await _unity_editor(call)
    if "roblox" in names:
        from scenewright.roblox.relay.settings import BridgeSettings

        yield check_port(BridgeSettings.from_environment().port, "for Roblox Studio")


async def _check_godot(call: Call) -> AsyncIterator[Finding]:
    for row in (await _asked(call, "godot_preflight", {})).get("checks", []):
        if row["name"] in ("port", "project") and row["ok"]:
            continue
        level: Level = "ok" if row["ok"] else "warning" if row.get("optional") else "error"
        remedy = IMPORTS if row["name"] == "imports" else ""
        fix = row.get("fix") or ""
        yield Finding(row["name"], level, row["message"], fix, "" if row["ok"] else remedy)
    if (call.runtime.project.root / "addons" / "scenewright_bridge").is_dir():
        yield _addon(await _asked(call, "godot_sync_addon", {"dryRun": True}))
    status = await _asked(call, "editor_status", {})
    editors = len(status.get("editors", []))
    if status.get("connected"):
        yield Finding("editor", "ok", f"{editors} open and connected.")
    elif editors:
        yield Finding("editor", "warning", "The open editor does not answer.", "Restart it; then reload the project.")
    else:
        yield Finding("editor", "note", "No editor has the project open; the tools work on its files.")


async def _unity_editor(call: Call) -> Finding:
    state = await _asked(call, "unity_editor_status", {})
    if state.get("connected"):
        return Finding("editor", "ok", f"Unity {state.get('unityVersion', '')} answers at port {state.get('port')}.")
    problem = str(state.get("problem") or "The editor could not be asked.")
    level: Level = "warning" if "is not used" in problem else "note"
    return Finding("editor", level, f"{problem} The tools work on the files.")


def _addon(synced: dict[str, Any]) -> Finding:
    stale = sum(synced.get(key, 0) for key in ("installed", "renewed", "removed"))
    if not synced or not stale:
        return Finding("addon version", "ok", f"The addon is that of this server, {synced.get('version', '')}.")
    text = f"The addon in the project is not that of this server: {stale} files differ."
    return Finding(
        "addon version", "warning", text, "scenewright call godot_sync_addon, then restart the editor", SYNC_ADDON
    )


async def _asked(call: Call, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """What another operation answers; nothing where it refuses."""
    outcome = await call.invoke(tool, arguments)
    if outcome.fault is not None:
        call.warnings.append(f"{tool}: {outcome.fault.message}")
        return {}
    output: dict[str, Any] = to_wire(outcome.call.output)
    return output
