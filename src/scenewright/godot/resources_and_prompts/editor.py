"""What the open editor shows, as resources that can be subscribed to; its events say when they change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scenewright.core.operations.resources_and_prompts import Content, Resource
from scenewright.core.runtime import Runtime
from scenewright.godot.resources_and_prompts.operation_resources import Read, as_json

__all__ = ["RESOURCES"]

TREE_NODES = 500
LINES = 100


def _answered_by_editor(method: str, params: dict[str, Any] | None = None) -> Read:
    async def read(runtime: Runtime, values: Mapping[str, str]) -> Content:
        del values
        from scenewright.godot.editor.live.access import ask_editor_of

        return as_json(await ask_editor_of(runtime, method, params or {}))

    return read


async def _state(runtime: Runtime, values: Mapping[str, str]) -> Content:
    """Which editors there are, and what the one that calls go to has open; an answer also where there is none."""
    del values
    from scenewright.core.faults import Fault
    from scenewright.godot.editor.live.access import ask_editor_of, live_of

    state: dict[str, Any] = {"connected": False}
    try:
        state = {"connected": True} | await ask_editor_of(runtime, "scenewright.get_state", {})
    except Fault as fault:
        state |= {"problem": fault.message, "suggestion": fault.hint}
    links = live_of(runtime).editors.links(runtime.project.root)
    state["editors"] = [
        {"port": link.editor.port, "pid": link.editor.pid, "state": link.state, "attempt": link.attempt}
        for link in links
    ]
    return as_json(state)


async def _tree(runtime: Runtime, values: Mapping[str, str]) -> Content:
    del values
    from scenewright.godot.editor.live.access import ask_editor_of
    from scenewright.godot.editor.live.trees import outline

    answer = await ask_editor_of(runtime, "scenewright.get_tree", {"limit": TREE_NODES})
    more = f"\n… more with godot_get_scene, cursor {answer['next_cursor']}" if answer.get("next_cursor") else ""
    return Content(f"{answer['scene_path']}\n{outline(answer['nodes'])}{more}", "text/plain")


RESOURCES = (
    Resource(
        uri="godot://editor/state",
        name="editor-state",
        title="Editor State",
        read=_state,
        description="The connected Godot editors, open scenes, unsaved changes, whether the game runs.",
    ),
    Resource(
        uri="godot://editor/selection",
        name="editor-selection",
        title="Selection",
        read=_answered_by_editor("get_selected_nodes"),
        description="The nodes selected in the open editor.",
    ),
    Resource(
        uri="godot://editor/scene_tree",
        name="editor-scene-tree",
        title="Edited Scene",
        read=_tree,
        mime_type="text/plain",
        description="The edited scene as an outline, unsaved changes included.",
    ),
    Resource(
        uri="godot://editor/log",
        name="editor-log",
        title="Editor Log",
        read=_answered_by_editor("get_editor_log", {"count": LINES}),
        description="Recent lines of the editor's log, prints of the running game included.",
    ),
    Resource(
        uri="godot://editor/errors",
        name="editor-errors",
        title="Errors",
        read=_answered_by_editor("get_errors", {"count": LINES}),
        description="Recent errors and warnings, with where they happened.",
    ),
)
