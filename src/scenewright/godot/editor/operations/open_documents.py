"""The open editor as a workplace: what it has open, opening, saving, undo and redo."""

from __future__ import annotations

from typing import Annotated, Any

from scenewright.core.calls.call import Call
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.core.text.counts import count_noun
from scenewright.godot.editor.operations.editor_actions import EditorRow, editor_row

__all__ = ["OPERATIONS"]

SAVE_SECONDS = 60.0
Scene = Annotated[str, about("Scene, res:// or from the project's root.", min_length=1)]


class Status(Outputs, frozen=True, kw_only=True):
    connected: Annotated[bool, about("Whether an editor takes calls.")]
    editors: Annotated[list[EditorRow], about("Editors that have the project open.")]
    addon: Annotated[bool, about("Whether the project has the addon enabled.")]
    godot: Annotated[str, about("Version of the Godot that is installed here.")] | None = None


@operation(
    id="godot.editor.status",
    category="editor",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="editor_status",
    manager="godot_workspace_manager",
    action="status",
    examples=(Example("Nothing is open", {}, {"connected": False, "editors": [], "addon": True, "godot": "4.6.3"}),),
)
async def status(call: Call, inputs: Inputs) -> Status:
    """Tells which editors have the project open and whether they can be reached; never fails for lack of one."""
    from scenewright.godot.editor.live.access import live_of
    from scenewright.godot.editor.live.editor_startup import has_addon, installed_version

    del inputs
    links = live_of(call.runtime).editors.links(call.state.project.root)
    ready = sum(link.responsive for link in links)
    call.summary = f"{ready} of {count_noun(len(links), 'editor')} connected."
    return Status(
        connected=ready > 0,
        editors=[editor_row(link) for link in links],
        addon=await has_addon(call),
        godot=await installed_version(),
    )


class State(Outputs, frozen=True, kw_only=True):
    state: Annotated[str, about("ready or importing.")]
    current_scene: Annotated[str, about("The edited scene; empty where none is.")]
    scenes: Annotated[list[dict[str, Any]], about("Open scenes: path, current, unsaved.")]
    unsaved_scripts: Annotated[list[str], about("Scripts and shaders with text that is not saved.")]
    playing_scene: Annotated[str, about("Scene that runs; absent where none does.")] = ""


@operation(
    id="godot.editor.state",
    name="Editor State",
    category="editor",
    safety=Safety.READ_ONLY,
    needs_project=True,
    requires_bridge=True,
    tool="get_editor_state",
    manager="godot_workspace_manager",
    action="get_state",
    examples=(
        Example(
            "One scene",
            {},
            {
                "state": "ready",
                "currentScene": "res://main.tscn",
                "unsavedScripts": [],
                "scenes": [{"path": "res://main.tscn", "current": True, "unsaved": False}],
            },
        ),
    ),
)
async def get_state(call: Call, inputs: Inputs) -> State:
    """Tells what the open editor has open, what of it is not saved, and which scene runs."""
    from scenewright.godot.editor.live.access import ask

    del inputs
    answer = await ask(call, "scenewright.get_state")
    call.summary = f"{count_noun(len(answer['scenes']), 'scene')} open, {answer['current_scene'] or 'none'} is edited."
    return State(
        state=answer["state"],
        current_scene=answer["current_scene"],
        scenes=answer["scenes"],
        unsaved_scripts=answer.get("unsaved_scripts") or [],
        playing_scene=answer.get("playing_scene") or "",
    )


class OpenInputs(Inputs, frozen=True, kw_only=True):
    scene_path: Scene


class Opened(Outputs, frozen=True, kw_only=True):
    scene_path: Annotated[str, about("The edited scene.")]
    root: Annotated[str, about("Name of its root.")]


@operation(
    id="godot.editor.open_scene",
    name="Open Scene in Editor",
    category="editor",
    safety=Safety.READ_ONLY,
    needs_project=True,
    requires_bridge=True,
    tool="open_scene",
    manager="godot_workspace_manager",
    transactional=False,
    timeout=150.0,
    executes="always",
    examples=(Example("A level", {"scenePath": "level.tscn"}, {"scenePath": "res://level.tscn", "root": "Level"}),),
)
async def open_scene(call: Call, inputs: OpenInputs) -> Opened:
    """Opens a scene in the open editor, or brings it to the front."""
    from scenewright.godot.editor.live.access import ask
    from scenewright.godot.project.openers import open_workspace

    path = inputs.scene_path
    if not path.startswith("uid://"):
        path = open_workspace(call).resource_path(path)
    answer = await ask(call, "scenewright.open_scene", {"scene_path": path}, timeout=120.0)
    call.summary = f"{answer['scene_path']} is in front."
    return Opened(scene_path=answer["scene_path"], root=answer["root"])


class SaveAllInputs(Inputs, frozen=True, kw_only=True):
    overwrite: Annotated[bool, about("Also scenes whose files changed since they were opened.")] = False


class SavedAll(Outputs, frozen=True, kw_only=True):
    saved: Annotated[list[str], about("Scenes that were saved.")]
    failed: Annotated[list[dict[str, Any]], about("Scenes that were not, and why.")]
    also_saved: Annotated[list[str], about("Resources that went with them.")] | None = None


@operation(
    id="godot.editor.save_all",
    category="editor",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    requires_bridge=True,
    tool="save_all_scenes",
    transactional=False,
    timeout=90.0,
    manager="godot_workspace_manager",
    action="save_all",
    examples=(Example("One scene had changes", {}, {"saved": ["res://main.tscn"], "failed": []}),),
)
async def save_all(call: Call, inputs: SaveAllInputs) -> SavedAll:
    """Saves every scene that has unsaved changes in the open editor."""
    from scenewright.godot.editor.live.access import change

    answer = await change(call, "scenewright.save_all", {"overwrite": inputs.overwrite}, timeout=SAVE_SECONDS)
    call.summary = f"{count_noun(len(answer['saved']), 'scene')} saved, {len(answer['failed'])} not."
    return SavedAll(saved=answer["saved"], failed=answer["failed"], also_saved=answer.get("also_saved") or None)


class StepInputs(Inputs, frozen=True, kw_only=True):
    count: Annotated[int, about("How many steps.", ge=1, le=1000)] = 1
    scene: Annotated[str, about("Open scene, res:// path; the edited one if left out.")] | None = None


class Stepped(Outputs, frozen=True, kw_only=True):
    done: Annotated[list[str], about("Names of the steps, in the order they were taken.")]
    revision: Annotated[int, about("Revision of the scene now.")] | None = None


@operation(
    id="godot.editor.undo",
    name="Undo in Editor",
    category="editor",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    requires_bridge=True,
    tool="editor_undo",
    manager="godot_scene_manager",
    action="undo",
    transactional=False,
    notes="The editor's own history, a person's steps included; history_undo takes back only what tools did.",
    parameter_aliases={"scenePath": "scene"},
    examples=(Example("The last step", {}, {"done": ["add_node: Enemy"], "revision": 9}),),
)
async def undo(call: Call, inputs: StepInputs) -> Stepped:
    """Undoes the last steps of a scene in the open editor, whoever made them."""
    return await _step(call, "scenewright.undo", inputs)


@operation(
    id="godot.editor.redo",
    name="Redo in Editor",
    category="editor",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    requires_bridge=True,
    tool="editor_redo",
    manager="godot_scene_manager",
    action="redo",
    transactional=False,
    parameter_aliases={"scenePath": "scene"},
    examples=(Example("One step", {}, {"done": ["add_node: Enemy"], "revision": 10}),),
)
async def redo(call: Call, inputs: StepInputs) -> Stepped:
    """Redoes steps of a scene that were undone in the open editor."""
    return await _step(call, "scenewright.redo", inputs)


OPERATIONS = (status, get_state, open_scene, save_all, undo, redo)


async def _step(call: Call, method: str, inputs: StepInputs) -> Stepped:
    from scenewright.godot.editor.live.access import change

    where = {} if inputs.scene is None else {"scene": inputs.scene}
    answer = await change(call, method, {"count": inputs.count} | where)
    deed = "Undone" if method.endswith("undo") else "Redone"
    call.summary = f"{deed}: {', '.join(answer['done'])}" if answer["done"] else f"There was nothing to {method[-4:]}."
    return Stepped(done=answer["done"], revision=answer.get("revision"))
