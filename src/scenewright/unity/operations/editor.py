"""What only the running editor knows: its state, the selection, the console, pictures; and saving and importing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

from scenewright.core.calls.call import Attachment, Call
from scenewright.core.faults import NotConnected, Unsupported
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, NoInputs, Outputs, Record, about
from scenewright.core.text.counts import count_noun

if TYPE_CHECKING:
    from scenewright.unity.live.open_scenes import OpenScene
    from scenewright.unity.live.pipeline import Pipeline

__all__ = ["LONGEST_LOOK", "MANAGER", "OPERATIONS"]

MANAGER = "unity_editor_manager"
LONGEST_LOOK = 90.0  # seconds: an editor that loads scripts is waited for
_LONGEST_MESSAGE = 2000


class SelectedObject(Record, frozen=True, kw_only=True):
    name: Annotated[str, about("Name.")]
    path: Annotated[str, about("Path from the root of its scene, or of the asset.")]
    instance_id: Annotated[int, about("The editor's id of the object; 0 where it tells none.")]
    type: Annotated[str, about("Class of the object.")]


class Selection(Outputs, frozen=True, kw_only=True):
    selected_objects: Annotated[list[SelectedObject], about("Objects that are selected, in their order.")]
    active_scene: Annotated[str, about("Path of the active scene.")]
    active_game_object: Annotated[str, about("Path of the active GameObject.")] | None = None


@operation(
    id="editor.selection.info",
    category="editor",
    safety=Safety.READ_ONLY,
    needs_project=True,
    contract="editormcp",
    definition_version="0.1",
    requires_bridge=True,
    timeout=LONGEST_LOOK,
    notes="Needs Unity 6 with the package com.unity.pipeline, and the project open in it; else E_NOT_CONNECTED.",
    examples=(
        Example(
            "The camera is selected",
            {},
            {
                "activeScene": "Assets/Scenes/Main.unity",
                "activeGameObject": "Main Camera",
                "selectedObjects": [
                    {"name": "Main Camera", "path": "Main Camera", "instanceId": 12345, "type": "GameObject"}
                ],
            },
        ),
    ),
)
async def selection_info(call: Call, inputs: NoInputs) -> Selection:
    """Returns what is selected in the running Unity editor, and the active scene."""
    from scenewright.unity.live import intents
    from scenewright.unity.live.access import pipeline_of

    del inputs
    pipeline = pipeline_of(call)
    try:
        answer = _mapping(await pipeline.run(intents.SELECTION, repeats=True))
    except NotConnected as fault:
        fault.hint = f"{fault.hint} Without it, name the object: scene.objects.find and go.find look in the files."
        raise
    scenes = await _open_scenes(pipeline)
    objects = answer.get("objects")
    active = answer.get("active")
    rows = objects if isinstance(objects, list) else []
    return Selection(
        selected_objects=[_selected(row) for row in rows if isinstance(row, dict)],
        active_scene=next((path for path, scene in scenes.items() if scene.active), ""),
        active_game_object=_selected(active).path if isinstance(active, dict) and "hierarchyPath" in active else None,
    )


def _selected(row: Mapping[str, Any]) -> SelectedObject:
    path = str(row.get("hierarchyPath") or row.get("assetPath") or "").lstrip("/")
    number = str(row.get("instanceId") or row.get("entityId") or "0")
    return SelectedObject(
        name=str(row.get("name") or path.rpartition("/")[2]),
        path=path,
        instance_id=int(number) if number.lstrip("-").isdigit() else 0,
        type=str(row.get("type") or "Object"),
    )


class OpenSceneRow(Record, frozen=True, kw_only=True):
    path: Annotated[str, about("Path; empty for one that was never saved.")]
    unsaved: Annotated[bool, about("Whether it has changes that are not in its file.")]
    active: Annotated[bool, about("Whether it is the active one.")] = False


class EditorState(Outputs, frozen=True, kw_only=True):
    connected: Annotated[bool, about("Whether the editor answers.")]
    problem: Annotated[str, about("Why it does not, and what to do.")] | None = None
    status: Annotated[str, about("ready, compiling, reloading, settling or blocked_by_dialog.")] | None = None
    play_mode: Annotated[str, about("stopped, playing or paused.")] | None = None
    unity_version: Annotated[str, about("Version of the editor.")] | None = None
    port: Annotated[int, about("Where it listens.")] | None = None
    process_id: Annotated[int, about("Its process.")] | None = None
    open_scenes: Annotated[list[OpenSceneRow], about("Scenes that are open.")] | None = None
    commands: Annotated[int, about("How many commands it offers.")] | None = None
    missing: Annotated[list[str], about("What it has no command for, of what we would ask.")] | None = None
    advice: Annotated[str, about("What the editor wants its clients to know.")] | None = None


@operation(
    id="unity.editor.status",
    name="Unity Editor Status",
    category="editor",
    safety=Safety.READ_ONLY,
    needs_project=True,
    contract="editormcp",
    definition_version="0.1",
    beyond_contract=True,
    requires_bridge=True,
    timeout=LONGEST_LOOK,
    manager=MANAGER,
    action="status",
    asked_for="Is Unity open, connected, compiling or playing? Which scenes are open?",
    examples=(
        Example(
            "Nothing is open",
            {},
            {
                "connected": False,
                "problem": "No Unity editor with the Pipeline package has this project open. Open it in Unity.",
            },
        ),
    ),
)
async def editor_status(call: Call, inputs: NoInputs) -> EditorState:
    """Tells whether the Unity editor answers, what it is doing, and which scenes are open and saved."""
    from scenewright.unity.live.access import pipeline_of
    from scenewright.unity.live.intents import ALL_INTENTS

    del inputs
    pipeline = pipeline_of(call)
    try:
        status = await pipeline.status(patience=0.0)
    except NotConnected as fault:
        call.summary = fault.message
        return EditorState(connected=False, problem=" ".join(filter(None, (fault.message, fault.hint))))
    commands, editor = await pipeline.commands(), pipeline.find().descriptor
    try:
        scenes = await _open_scenes(pipeline)
    except Unsupported:
        scenes = {}
    return EditorState(
        connected=True,
        status=str(status.get("status") or "ready"),
        play_mode=str(status.get("playMode") or "stopped"),
        unity_version=str(status.get("unityVersion") or "") or None,
        port=editor.port if editor else None,
        process_id=editor.pid if editor else None,
        open_scenes=[OpenSceneRow(path=one.path, unsaved=one.unsaved, active=one.active) for one in scenes.values()],
        commands=len(commands.by_name),
        missing=[intent.purpose for intent in ALL_INTENTS if commands.find(intent) is None] or None,
        advice=(editor.advice or None) if editor else None,
    )


class ConsoleInputs(Inputs, frozen=True, kw_only=True):
    level: Annotated[Literal["log", "warn", "error"], about("Least severity.")] = "log"
    limit: Annotated[int, about("Most entries, the newest.", ge=1, le=500)] = 50
    cursor: Annotated[int, about("Only what came after this, as an earlier reply said.", ge=0)] | None = None


class ConsoleEntry(Record, frozen=True, kw_only=True):
    level: Annotated[str, about("log, warn or error.")]
    message: Annotated[str, about("Text.")]
    stack_trace: Annotated[str, about("Where it came from.")] | None = None
    time: Annotated[str, about("When.")] | None = None


class Console(Outputs, frozen=True, kw_only=True):
    entries: Annotated[list[ConsoleEntry], about("Entries, the oldest first.")]
    cursor: Annotated[int, about("What to pass to read on.")] | None = None
    dropped: Annotated[bool, about("Whether entries since then are lost.")] = False


@operation(
    id="unity.editor.console",
    name="Read Unity Console",
    category="editor",
    safety=Safety.READ_ONLY,
    needs_project=True,
    contract="editormcp",
    definition_version="0.1",
    beyond_contract=True,
    requires_bridge=True,
    timeout=LONGEST_LOOK,
    manager=MANAGER,
    action="console",
    common=True,
    asked_for="Compile errors, exceptions and Debug.Log of the running Unity editor.",
    parameter_aliases={"since": "cursor"},
    examples=(
        Example(
            "Errors",
            {"level": "error"},
            {"entries": [{"level": "error", "message": "NullReferenceException"}], "cursor": 12},
        ),
    ),
)
async def read_console(call: Call, inputs: ConsoleInputs) -> Console:
    """Returns what the editor's console shows, compile errors included."""
    from scenewright.unity.live import intents
    from scenewright.unity.live.access import pipeline_of

    asked: dict[str, Any] = {"most": inputs.limit, "level": inputs.level}
    asked |= {} if inputs.cursor is None else {"since": inputs.cursor}
    answer = await pipeline_of(call).run(intents.CONSOLE, asked, repeats=True)
    rows = _mapping(answer).get("entries")
    entries = [_console_entry(row) for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    call.summary = f"{count_noun(len(entries), 'entry', 'entries')} in Unity's console."
    cursor = answer.get("cursor")
    return Console(
        entries=entries[-inputs.limit :],
        cursor=cursor if isinstance(cursor, int) else None,
        dropped=answer.get("dropped") is True,
    )


def _console_entry(row: Mapping[str, Any]) -> ConsoleEntry:
    trace = str(row.get("stackTrace") or "")
    return ConsoleEntry(
        level=str(row.get("level") or "log").lower(),
        message=str(row.get("message") or "")[:_LONGEST_MESSAGE],
        stack_trace=trace[:_LONGEST_MESSAGE] or None,
        time=str(row.get("timestamp") or row.get("time") or "") or None,
    )


class CaptureInputs(Inputs, frozen=True, kw_only=True):
    view: Annotated[Literal["game", "scene"], about("What to show: the game's camera, or the Scene view.")] = "game"
    width: Annotated[int, about("Width in pixels.", ge=16, le=1600)] = 800
    height: Annotated[int, about("Height in pixels.", ge=16, le=1600)] = 450
    camera: Annotated[str, about("Name of the camera; the main one if left out.")] | None = None


class Captured(Outputs, frozen=True, kw_only=True):
    width: Annotated[int, about("Width in pixels.")]
    height: Annotated[int, about("Height in pixels.")]
    source: Annotated[str, about("What the editor says it shows.")] | None = None


@operation(
    id="unity.editor.capture",
    name="Capture Unity View",
    category="editor",
    safety=Safety.READ_ONLY,
    needs_project=True,
    contract="editormcp",
    definition_version="0.1",
    beyond_contract=True,
    requires_bridge=True,
    timeout=LONGEST_LOOK,
    manager=MANAGER,
    action="capture",
    notes="The picture comes beside the reply. In play mode the game view has its UI too, where the package can.",
    examples=(Example("The Scene view", {"view": "scene"}, {"width": 800, "height": 450, "source": "sceneView"}),),
)
async def capture_view(call: Call, inputs: CaptureInputs) -> Captured:
    """Takes a picture of the game or of the Scene view in the running editor."""
    from scenewright.unity.live import intents
    from scenewright.unity.live.access import pipeline_of
    from scenewright.unity.live.pictures import MOST_BYTES, picture_in

    intent = intents.CAPTURE_GAME if inputs.view == "game" else intents.CAPTURE_SCENE
    asked: dict[str, Any] = {"width": inputs.width, "height": inputs.height}
    asked |= {"camera": inputs.camera} if inputs.camera is not None else {}
    answer = _mapping(await pipeline_of(call).run(intent, asked, repeats=True, most=MOST_BYTES))
    picture = picture_in(answer)
    call.attach(Attachment("image", picture.content, "image/png"))
    call.summary = f"Took a picture of the {inputs.view} view."
    return Captured(width=picture.width, height=picture.height, source=str(answer.get("source") or "") or None)


class Saved(Outputs, frozen=True, kw_only=True):
    saved: Annotated[list[str], about("Scenes that had unsaved changes and were saved.")]


@operation(
    id="unity.editor.save",
    name="Save Unity Scenes",
    category="editor",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    requires_bridge=True,
    timeout=LONGEST_LOOK,
    transactional=False,
    manager=MANAGER,
    action="save",
    examples=(Example("All", {}, {"saved": ["Assets/Scenes/Main.unity"]}),),
)
async def save_scenes(call: Call, inputs: NoInputs) -> Saved:
    """Saves all open scenes that have unsaved changes."""
    from scenewright.core.calls.effects import begin_lasting
    from scenewright.unity.live import intents
    from scenewright.unity.live.access import pipeline_of

    del inputs
    pipeline = pipeline_of(call)
    unsaved = [path for path, scene in (await _open_scenes(pipeline)).items() if scene.unsaved]
    if unsaved and await begin_lasting(call, "Unity saves at once."):
        await pipeline.run(intents.SAVE_ALL)
    call.summary = f"Saved {count_noun(len(unsaved), 'scene')}." if unsaved else "Nothing was unsaved."
    return Saved(saved=unsaved)


async def _open_scenes(pipeline: Pipeline) -> dict[str, OpenScene]:
    from scenewright.unity.live import intents
    from scenewright.unity.live.open_scenes import read_open_scenes

    return read_open_scenes(await pipeline.run(intents.OPEN_SCENES, repeats=True))


def _mapping(answer: Any) -> Mapping[str, Any]:
    if not isinstance(answer, Mapping):
        raise Unsupported(
            "Unity answered in a form that is not known here.",
            hint="Please report it with a recording (scenewright unity record).",
        )
    return answer


OPERATIONS = (selection_info, editor_status, read_console, capture_view, save_scenes)
