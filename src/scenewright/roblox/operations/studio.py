"""Studio itself: which are connected, what is selected, and the console."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, Literal

from scenewright.core.calls.call import Call
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import NoInputs, Outputs, Record, about
from scenewright.roblox.openers import open_studio
from scenewright.roblox.operations.common_models import InstanceRecord, PathText, instance_record
from scenewright.roblox.operations.playtest_models import Peer, PlayerName, StudioInputs

if TYPE_CHECKING:
    from scenewright.roblox.studio import StudioBackend

__all__ = ["MANAGER", "OPERATIONS", "studio_of"]

MANAGER = "roblox_studio_manager"


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
    studio = await studio_of(call, inputs.studio)
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
    """Lists the connected Studios, with the ids that `studio` takes."""
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
    manager=MANAGER,
    action="selection_get",
    beyond_contract=True,
    requires_bridge=True,
    examples=(Example("What does the user look at?", {}, _SELECTED),),
)
async def selection_get(call: Call, inputs: StudioInputs) -> Selected:
    """Returns what is selected in Studio."""
    return _read_selection(await (await studio_of(call, inputs.studio)).ask("selection.get", {}))


class SelectInputs(StudioInputs, frozen=True, kw_only=True):
    paths: Annotated[list[PathText], about("Instances to select; none clears the selection.", max_length=500)]


@operation(
    id="roblox.selection_set",
    name="Set Studio Selection",
    category="editor",
    safety=Safety.SAFE_WRITE,
    contract="gox",
    manager=MANAGER,
    action="selection_set",
    beyond_contract=True,
    requires_bridge=True,
    idempotent=True,
    transactional=False,
    examples=(Example("Show the door", {"paths": ["Workspace.Door"]}, _SELECTED),),
)
async def selection_set(call: Call, inputs: SelectInputs) -> Selected:
    """Selects instances in Studio."""
    studio = await studio_of(call, inputs.studio)
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
    manager=MANAGER,
    action="undo",
    beyond_contract=True,
    requires_bridge=True,
    transactional=False,
    notes="Each call that changed the place is one step. Changes to place files are undone with history.",
    examples=(Example("Undo the last change", {}, {"done": True}),),
)
async def studio_undo(call: Call, inputs: UndoInputs) -> Undone:
    """Undoes or redoes the last step of Studio's undo history, whoever made it."""
    studio = await studio_of(call, inputs.studio)
    answer = await studio.ask("history.redo" if inputs.redo else "history.undo", {})
    return Undone(done=bool(answer.get("done")))


class ConsoleInputs(StudioInputs, frozen=True, kw_only=True):
    cursor: Annotated[int, about("Only messages after this number, `cursor` of an earlier answer.", ge=0)] = 0
    limit: Annotated[int, about("Most messages, newest kept.", ge=1, le=1000)] = 100
    level: Annotated[Literal["output", "info", "warning", "error"], about("Only this level.")] | None = None
    peer: Annotated[Peer, about("Whose: the place's in edit, or in the playtest the server's or a player's.")] = "edit"
    player: PlayerName | None = None
    playtest: Annotated[bool, about("The same as peer server.")] = False


class ConsoleMessage(Record, frozen=True, kw_only=True):
    number: Annotated[int, about("Running number.")]
    level: Annotated[str, about("output, info, warning or error.")]
    message: Annotated[str, about("Text.")]
    time: Annotated[float, about("Seconds since 1970.")]


class Console(Outputs, frozen=True, kw_only=True):
    messages: Annotated[list[ConsoleMessage], about("Messages, oldest first.")]
    cursor: Annotated[int, about("Number of the newest message.")]
    left_out: Annotated[int, about("Older messages that the limit left out.")]


@operation(
    id="roblox.console_output",
    name="Read Studio Console",
    category="debug",
    safety=Safety.READ_ONLY,
    contract="gox",
    manager=MANAGER,
    action="console",
    common=True,
    parameter_aliases={"since": "cursor"},
    beyond_contract=True,
    requires_bridge=True,
    examples=(
        Example(
            "Errors only",
            {"level": "error"},
            {
                "messages": [{"number": 7, "level": "error", "message": "Main:3: oh no", "time": 1767225600.0}],
                "cursor": 9,
                "leftOut": 0,
            },
        ),
    ),
)
async def console_output(call: Call, inputs: ConsoleInputs) -> Console:
    """Reads Studio's output window, or that of a playtest's server or player, from where an earlier call left off."""
    import msgspec

    from scenewright.roblox.edits import tidy
    from scenewright.roblox.playtests import Playtest

    studio = await studio_of(call, inputs.studio)
    asked = {"since": inputs.cursor, "limit": inputs.limit} | ({"level": inputs.level} if inputs.level else {})
    peer: Peer = "server" if inputs.playtest and inputs.peer == "edit" else inputs.peer
    if peer == "edit":
        answer = await studio.ask("console.read", asked)
    else:
        client = peer == "client"
        answer = await Playtest(studio).ask("console.read", asked, in_client=client, player=inputs.player)
    console = tidy(answer)
    return msgspec.convert(console | {"cursor": console["last"]}, Console, strict=False)


async def studio_of(call: Call, name: str | None) -> StudioBackend:
    import anyio.to_thread

    return await anyio.to_thread.run_sync(open_studio, call, name)


def _read_selection(answer: dict[str, Any]) -> Selected:
    from scenewright.roblox.edits import info_from_wire

    return Selected(selected=[instance_record(info_from_wire(each)) for each in answer["selected"]])


OPERATIONS = (
    bridge_ping,
    studio_list,
    studio_undo,
    selection_get,
    selection_set,
    console_output,
)
