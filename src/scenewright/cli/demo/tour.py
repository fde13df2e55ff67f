"""The first part of the demo: finding tools, mistakes, dry runs, refusals and undo, without an engine."""

from __future__ import annotations

from pathlib import Path

from scenewright.cli.demo.transcript import Transcript, expect

__all__ = ["tour"]

SCRIPT = "extends Node2D\n\nvar speed = 200\n"


async def tour(show: Transcript, project: Path) -> None:
    """Change a project and take it all back."""
    (project / "turret.gd").write_text(SCRIPT)
    await show.listing()
    await show.call("core_ping", {})
    await show.call("meta_tool_manager", {"action": "tool_search", "query": "undo a change", "limit": 1})

    show.say("\n# A mistake comes back with the right way to say it.")
    await show.call("project_file_manager", {"action": "edit", "path": "turret.gd", "find": "speed"}, fails=True)

    show.say("\n# A dry run shows the change and writes nothing; then it is made.")
    edit = {"action": "edit", "path": "turret.gd", "find": "speed = 200", "replace": "speed = 300"}
    await show.call("project_file_manager", edit | {"dryRun": True})
    expect((project / "turret.gd").read_text() == SCRIPT, "a dry run writes nothing")
    await show.call("project_file_manager", edit)
    expect("speed = 300" in (project / "turret.gd").read_text(), "the edit is on disk")

    show.say("\n# A scene, made without the editor; values by their declared types.")
    scene = {"scenePath": "level.tscn"}
    await show.call("godot_scene_manager", {"action": "create_scene", **scene, "rootNodeType": "Node2D"})
    wall = {"$resource": "RectangleShape2D", "props": {"size": [64, 16]}}
    shape = {"nodeType": "CollisionShape2D", "nodeName": "Wall", "properties": {"position": [8, 4], "shape": wall}}
    await show.call("godot_scene_manager", {"action": "create", **scene, **shape})
    wrong = {"nodePath": "Wall", "properties": {"positon": [0, 0]}}
    await show.call("godot_scene_manager", {"action": "update", **scene, **wrong}, fails=True)

    show.say("\n# What other programs trust is written when a person agrees; nothing gets out of the project.")
    hook = {"action": "write", "path": ".github/workflows/build.yml", "content": "on: push\n"}
    await show.call("project_file_manager", hook, fails=True)
    await show.call("project_file_manager", {"action": "delete", "path": "turret.gd"})
    await show.call("project_file_manager", {"action": "read", "path": "../../etc/passwd"}, fails=True)

    show.say("\n# Every change can be taken back, byte for byte.")
    await show.call("history", {"action": "undo_to", "entry": 0})
    expect((project / "turret.gd").read_text() == SCRIPT, "the undo restored the script")
    expect(not (project / "level.tscn").exists(), "the undo removed the scene")
    (project / "turret.gd").unlink()
