"""Studio itself: which are connected, what is selected, playtests and the console."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, Literal

from scenewright.core.calls.call import Call
from scenewright.core.faults import NotConnected
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, NoInputs, Outputs, Record, about
from scenewright.roblox.openers import StudioName, open_studio
from scenewright.roblox.operations.common_models import InstanceRecord, PathText, instance_record

if TYPE_CHECKING:
    from scenewright.roblox.studio import StudioBackend

__all__ = ["OPERATIONS"]


class StudioInputs(Inputs, frozen=True, kw_only=True):
    studio: StudioName | None = None


class StudioPong(Outputs, frozen=True, kw_only=True):
    ok: Annotated[bool, about("Always true.")]
    place_id: Annotated[int, about("Id of the place; 0 for one that was never published.")]
    studio: Annotated[bool, about("Whether Studio answered.")]
    round_trip_ms: Annotated[float, about("How long it took.")] | None = None


@operation(
    id="roblox.bridge_ping",
    name="Ping Studio",
    category="editor",
    safety=Safety.READ_ONLY,
    contract="gox",
    requires_bridge=True,
    examples=(Example("Is Studio there?", {}, {"ok": True, "placeId": 0, "studio": True, "roundTripMs": 1.2}),),
)
async def bridge_ping(call: Call, inputs: StudioInputs) -> StudioPong:
    """Asks the connected Studio whether it is there."""
    studio = await _studio(call, inputs.studio)
    began = perf_counter()
    answer = await studio.plain("bridge.ping")
    return StudioPong(
        ok=bool(answer.get("ok")),
        place_id=int(answer.get("placeId", 0)),
        studio=bool(answer.get("studio")),
        round_trip_ms=round((perf_counter() - began) * 1000, 2),
    )


class ConnectedStudio(Record, frozen=True, kw_only=True):
    studio: Annotated[str, about("Id that other tools take as studio.")]
    client: Annotated[str, about("Name of its plugin.")]
    transport: Annotated[str, about("websocket or long-poll.")]
    place_name: Annotated[str, about("Name of the place.")] | None = None
    place_id: Annotated[int, about("Id of the place.")] | None = None
    role: Annotated[str, about("edit, or server for a running playtest.")] | None = None
    plugin_version: Annotated[str, about("Version of the plugin.")] | None = None


class Studios(Outputs, frozen=True, kw_only=True):
    studios: Annotated[list[ConnectedStudio], about("Studios that are connected.")]
    address: Annotated[str, about("Address that plugins connect to.")]


@operation(
    id="roblox.studio_list",
    name="List Studios",
    category="editor",
    safety=Safety.READ_ONLY,
    contract="gox",
    requires_bridge=True,
    examples=(Example("None yet", {}, {"studios": [], "address": "http://127.0.0.1:47012"}),),
)
async def studio_list(call: Call, inputs: NoInputs) -> Studios:
    """Lists the Roblox Studios that are connected, with the ids that other tools take as `studio`."""
    import anyio.to_thread
    import msgspec

    from scenewright.roblox.openers import relay_of

    del inputs
    relay = await anyio.to_thread.run_sync(relay_of, call)
    studios = await anyio.to_thread.run_sync(relay.studios)
    return Studios(studios=msgspec.convert(studios, list[ConnectedStudio]), address=relay.url)


class Selected(Outputs, frozen=True, kw_only=True):
    selected: Annotated[list[InstanceRecord], about("Selected instances.")]


_SELECTED = {
    "selected": [
        {
            "instanceId": "inst-4",
            "name": "Door",
            "className": "Part",
            "path": "Workspace.Door",
            "parentPath": "Workspace",
            "childCount": 0,
        },
    ],
}


@operation(
    id="roblox.selection_get",
    name="Get Studio Selection",
    category="editor",
    safety=Safety.READ_ONLY,
    contract="gox",
    requires_bridge=True,
    examples=(Example("What does the user look at?", {}, _SELECTED),),
)
async def selection_get(call: Call, inputs: StudioInputs) -> Selected:
    """Returns what is selected in Studio."""
    return _read_selection(await (await _studio(call, inputs.studio)).ask("selection.get", {}))


class SelectInputs(StudioInputs, frozen=True, kw_only=True):
    paths: Annotated[list[PathText], about("Instances to select; none clears the selection.", max_length=500)]


@operation(
    id="roblox.selection_set",
    name="Set Studio Selection",
    category="editor",
    safety=Safety.SAFE_WRITE,
    contract="gox",
    requires_bridge=True,
    idempotent=True,
    transactional=False,
    examples=(Example("Show the door", {"paths": ["Workspace.Door"]}, _SELECTED),),
)
async def selection_set(call: Call, inputs: SelectInputs) -> Selected:
    """Selects instances in Studio."""
    studio = await _studio(call, inputs.studio)
    return _read_selection(await studio.ask("selection.set", {"targets": [{"path": path} for path in inputs.paths]}))


class UndoInputs(StudioInputs, frozen=True, kw_only=True):
    redo: Annotated[bool, about("Redo instead of undo.")] = False


class Undone(Outputs, frozen=True, kw_only=True):
    done: Annotated[bool, about("Whether Studio was told to do it.")]


@operation(
    id="roblox.studio_undo",
    name="Undo in Studio",
    category="editor",
    safety=Safety.SAFE_WRITE,
    contract="gox",
    requires_bridge=True,
    transactional=False,
    notes="Each call that changed the place is one step. Changes to place files are undone with history.",
    examples=(Example("Undo the last change", {}, {"done": True}),),
)
async def studio_undo(call: Call, inputs: UndoInputs) -> Undone:
    """Undoes or redoes the last step of Studio's undo history, whoever made it."""
    studio = await _studio(call, inputs.studio)
    answer = await studio.ask("history.redo" if inputs.redo else "history.undo", {})
    return Undone(done=bool(answer.get("done")))


class ConsoleInputs(StudioInputs, frozen=True, kw_only=True):
    since: Annotated[int, about("Only messages after this number, `last` of an earlier answer.", ge=0)] = 0
    limit: Annotated[int, about("Most messages, newest kept.", ge=1, le=1000)] = 100
    level: Annotated[Literal["output", "info", "warning", "error"], about("Only this level.")] | None = None
    playtest: Annotated[bool, about("The console of the running playtest instead of the place's.")] = False


class ConsoleMessage(Record, frozen=True, kw_only=True):
    number: Annotated[int, about("Running number.")]
    level: Annotated[str, about("output, info, warning or error.")]
    message: Annotated[str, about("Text.")]
    time: Annotated[float, about("Seconds since 1970.")]


class Console(Outputs, frozen=True, kw_only=True):
    messages: Annotated[list[ConsoleMessage], about("Messages, oldest first.")]
    last: Annotated[int, about("Number of the newest message.")]
    left_out: Annotated[int, about("Older messages that the limit left out.")]


@operation(
    id="roblox.console_output",
    name="Read Studio Console",
    category="debug",
    safety=Safety.READ_ONLY,
    contract="gox",
    requires_bridge=True,
    examples=(
        Example(
            "Errors only",
            {"level": "error"},
            {
                "messages": [{"number": 7, "level": "error", "message": "Main:3: oh no", "time": 1767225600.0}],
                "last": 9,
                "leftOut": 0,
            },
        ),
    ),
)
async def console_output(call: Call, inputs: ConsoleInputs) -> Console:
    """Reads Studio's output window, or the playtest's, from where an earlier call left off."""
    import msgspec

    studio = await _studio(call, inputs.studio)
    asked = {"since": inputs.since, "limit": inputs.limit} | ({"level": inputs.level} if inputs.level else {})
    answer = await studio.ask("console.read", asked, role="server" if inputs.playtest else "edit")
    return msgspec.convert(_make_whole(answer), Console, strict=False)


class PlayInputs(StudioInputs, frozen=True, kw_only=True):
    mode: Annotated[Literal["play", "run"], about("play with a character, run without.")] = "play"


class Playing(Outputs, frozen=True, kw_only=True):
    started: Annotated[bool, about("Whether a playtest was started.")]
    mode: Annotated[str, about("play or run.")]


@operation(
    id="roblox.play_start",
    name="Start Playtest",
    category="editor",
    safety=Safety.SAFE_WRITE,
    contract="gox",
    requires_bridge=True,
    transactional=False,
    executes="always",
    examples=(Example("Play", {}, {"started": True, "mode": "play"}),),
)
async def play_start(call: Call, inputs: PlayInputs) -> Playing:
    """Starts a playtest in Studio; roblox.console_output with playtest reads what it prints."""
    answer = await (await _studio(call, inputs.studio)).ask("play.start", {"mode": inputs.mode})
    return Playing(started=bool(answer["started"]), mode=str(answer["mode"]))


class Stopped(Outputs, frozen=True, kw_only=True):
    stopped: Annotated[bool, about("Whether the playtest was told to end.")]


@operation(
    id="roblox.play_stop",
    name="Stop Playtest",
    category="editor",
    safety=Safety.SAFE_WRITE,
    contract="gox",
    requires_bridge=True,
    transactional=False,
    examples=(Example("Stop", {}, {"stopped": True}),),
)
async def play_stop(call: Call, inputs: StudioInputs) -> Stopped:
    """Ends the running playtest, through the plugin's copy inside it."""
    studio = await _studio(call, inputs.studio)
    try:
        answer = await studio.ask("play.stop", {}, role="server")
    except NotConnected as fault:
        fault.message = "No playtest is connected, so there is none to stop."
        fault.hint = "A playtest connects a moment after it has started; start one with roblox.play_start."
        raise
    return Stopped(stopped=bool(answer.get("stopped")))


async def _studio(call: Call, name: str | None) -> StudioBackend:
    import anyio.to_thread

    return await anyio.to_thread.run_sync(open_studio, call, name)


def _read_selection(answer: dict[str, Any]) -> Selected:
    from scenewright.roblox.edits import info_from_wire

    return Selected(selected=[instance_record(info_from_wire(each)) for each in answer["selected"]])


def _make_whole(value: Any) -> Any:
    """Luau has one kind of number; whole ones are whole."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: _make_whole(part) for key, part in value.items()}
    return [_make_whole(part) for part in value] if isinstance(value, list) else value


OPERATIONS = (
    bridge_ping,
    studio_list,
    studio_undo,
    selection_get,
    selection_set,
    console_output,
    play_start,
    play_stop,
)
