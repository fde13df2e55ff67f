"""Acting in the open editor: connecting to it, the Godoty protocol's actions, and batches of edits in one undo step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from scenewright.core.calls.call import Call
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about
from scenewright.core.text.counts import count_noun
from scenewright.godot.editor.operations.captures import as_named

if TYPE_CHECKING:
    from scenewright.bridge.link import Link

__all__ = ["OPERATIONS", "EditorRow", "editor_row"]

Action = Literal[
    "run_scene",
    "run_main_scene",
    "stop_scene",
    "pause_scene",
    "resume_scene",
    "select_node",
    "select_nodes",
    "focus_node",
    "set_property",
    "create_node",
    "delete_node",
    "save_scene",
    "reload_scene",
]
ACTION_SECONDS = 25.0
BATCH_SECONDS = 60.0
Key = Annotated[str, about("Repeats with the same key are done once.", min_length=1, max_length=100)]


class ConnectInputs(Inputs, frozen=True, kw_only=True):
    editor: Annotated[int, about("Port or process id, where several editors are open.", ge=1)] | None = None
    timeout_ms: Annotated[int, about("How long to wait for each editor.", ge=1, le=25_000)] = 5_000


class EditorRow(Record, frozen=True, kw_only=True):
    port: Annotated[int, about("Port.")]
    pid: Annotated[int, about("Process id.")]
    state: Annotated[str, about("ready, connecting, waiting, refused or stopped.")]
    version: Annotated[str, about("Version of the engine.")] | None = None
    problem: Annotated[str, about("Why it is not ready.")] | None = None


class Connected(Outputs, frozen=True, kw_only=True):
    editors: Annotated[list[EditorRow], about("Editors that have the project open.")]
    chosen: Annotated[int, about("Port of the editor that calls go to.")] | None = None
    state: Annotated[dict[str, Any], about("What that editor has open.")] | None = None


@operation(
    id="godot.editor.connect",
    name="Connect to Editor",
    category="editor",
    safety=Safety.READ_ONLY,
    needs_project=True,
    requires_bridge=True,
    tool="godot_connect",
    manager="godot_workspace_manager",
    action="connect",
    parameter_aliases={"port": "editor"},
    timeout=120.0,
    notes="Editors are found and connected automatically; this lists them, chooses one, and tries again"
    " where ten attempts failed.",
    examples=(
        Example("Is one open?", {}, {"editors": [{"port": 6550, "pid": 4711, "state": "ready"}], "chosen": 6550}),
    ),
)
async def connect(call: Call, inputs: ConnectInputs) -> Connected:
    """Connects to the editors that have the project open, and chooses one where there are several."""
    from scenewright.core.faults import Fault
    from scenewright.godot.editor.live.access import ask, live_of

    editors, root = live_of(call.runtime).editors, call.state.project.root
    links = editors.reconnect(root)
    if inputs.editor is not None:
        editors.choose(root, inputs.editor)
    for link in links:
        try:
            await link.until_ready(inputs.timeout_ms / 1000)
        except Fault:
            continue  # its row says why
    chosen = editors.preferred(links)
    preferred = chosen[0] if len(chosen) == 1 else None
    state = await ask(call, "scenewright.get_state") if preferred is not None and preferred.responsive else None
    rows = [editor_row(link) for link in links]
    if not rows:
        editors.only(root)  # says what to do
    call.summary = f"{sum(link.responsive for link in links)} of {count_noun(len(rows), 'editor')} connected."
    return Connected(editors=rows, chosen=preferred.editor.port if preferred else None, state=state)


class ActionInputs(Inputs, frozen=True, kw_only=True, rename=as_named):
    action: Annotated[Action, about("What to do.")]
    params: (
        Annotated[
            dict[str, Any],
            about(
                "run_scene(scene_path?, save?), select_node(node_path), select_nodes(node_paths), "
                "focus_node(node_path), set_property(node_path, property, value), "
                "create_node(parent_path, node_type, name?), delete_node(node_path).",
            ),
        ]
        | None
    ) = None
    idempotency_key: Key | None = None


class Acted(Outputs, frozen=True, kw_only=True, rename=as_named):
    action: Annotated[str, about("What was done.")]
    outcome: Annotated[dict[str, Any], about("What the editor answered.")]


@operation(
    id="godot.editor.action",
    name="Run Editor Action",
    category="editor",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    requires_bridge=True,
    transactional=False,
    tool="godot_run_action",
    notes="Edits are undo steps of the editor and are not saved until save_scene.",
    executes="sometimes",
    examples=(
        Example(
            "Start the game",
            {"action": "run_main_scene"},
            {"action": "run_main_scene", "outcome": {"message": "Scene started successfully"}},
        ),
    ),
)
async def run_action(call: Call, inputs: ActionInputs) -> Acted:
    """Runs, stops or pauses the game, selects, focuses, changes, saves or reloads in the open editor."""
    from scenewright.godot.editor.live.access import change

    params = {"action": inputs.action, "args": inputs.params or {}}
    answer = await change(call, "execute_action", params, key=inputs.idempotency_key, timeout=ACTION_SECONDS)
    answer.pop("action", None)
    call.summary = str(answer.get("message") or f"{inputs.action}: done.")
    return Acted(action=inputs.action, outcome=answer)


class EditorEdit(Inputs, frozen=True, kw_only=True):
    method: Annotated[str, about("Such as 'add_node', 'set_properties', 'remove_node', 'rename_node'.")]
    params: Annotated[dict[str, Any], about("The method's parameters.")] | None = None


class BatchInputs(Inputs, frozen=True, kw_only=True):
    steps: Annotated[list[EditorEdit], about("Edits, in order.", min_length=1, max_length=10_000)]
    scene: Annotated[str, about("Open scene to edit, res:// path; the edited one if left out.")] | None = None
    name: Annotated[str, about("Name of the undo step.", max_length=200)] | None = None
    idempotency_key: Key | None = None


class BatchDone(Outputs, frozen=True, kw_only=True):
    results: Annotated[list[dict[str, Any]], about("What each edit answered.")]
    revision: Annotated[int, about("Revision of the scene now.")] | None = None


@operation(
    id="godot.editor.batch",
    name="Batch Editor Edits",
    category="editor",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    requires_bridge=True,
    transactional=False,
    tool="godot_editor_batch",
    manager="godot_scene_manager",
    action="editor_batch",
    timeout=90.0,
    parameter_aliases={"actionName": "name"},
    examples=(
        Example(
            "A node, and where it stands",
            {
                "steps": [
                    {"method": "add_node", "params": {"parent_path": ".", "type": "Node2D", "name": "A"}},
                    {"method": "set_properties", "params": {"node_path": "A", "properties": {"position": [1, 2]}}},
                ]
            },
            {"results": [{"node_path": "/root/Main/A"}, {"node_path": "/root/Main/A"}], "revision": 7},
        ),
    ),
)
async def batch(call: Call, inputs: BatchInputs) -> BatchDone:
    """Makes many edits in the open editor as one undo step; if one fails, none is made."""
    from scenewright.godot.editor.live.access import change

    params: dict[str, Any] = {
        "calls": [{"method": step.method, "params": step.params or {}} for step in inputs.steps],
        "name": inputs.name or f"Batch of {count_noun(len(inputs.steps), 'edit')}",
    }
    if inputs.scene is not None:
        params["scene"] = inputs.scene
    answer = await change(call, "scenewright.batch", params, key=inputs.idempotency_key, timeout=BATCH_SECONDS)
    call.summary = f"{count_noun(len(answer['results']), 'edit')} in one undo step."
    return BatchDone(results=answer["results"], revision=answer.get("revision"))


OPERATIONS = (connect, run_action, batch)


def editor_row(link: Link) -> EditorRow:
    return EditorRow(
        port=link.editor.port,
        pid=link.editor.pid,
        state=link.state,
        version=link.info.get("godot_version"),
        problem=link.problem,
    )
