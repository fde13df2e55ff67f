"""The installed plugin file in the stand-in for Studio, asked over real sockets."""

from __future__ import annotations

import threading
import time

import pytest
from tests.roblox.studio.conftest import DirectStudio, OpenStudio, OpenWindow

from scenewright.core.faults import Fault, Invalid, NotConnected, NotFound, TimedOut
from scenewright.roblox.backend import (
    Create,
    Delete,
    Duplicate,
    Edit,
    Move,
    Run,
    Search,
    SetAttribute,
    SetProperty,
    SetSource,
    SetTags,
    Snapshot,
    Target,
    View,
)
from scenewright.roblox.relay.hub import Ask
from scenewright.roblox.relay.server import Relay
from scenewright.roblox.relay.settings import BridgeSettings

pytestmark = pytest.mark.anyio
DOOR = Target(path="Workspace.House.Door")
MAIN = Target(path="ReplicatedStorage.Main", field="script")
SIZE = {"_type": "Vector3", "x": 4, "y": 5, "z": 0.3}
COUNT = "return #workspace:GetDescendants()"
CLEAN = "return studio.unrecorded"
HISTORY = "return studio.history()"
UNDO = "game:GetService('ChangeHistoryService'):Undo()"


@pytest.mark.parametrize("transport", ["websocket", "long-poll"])
async def test_a_place_is_looked_at(window: OpenWindow, studio: DirectStudio, transport: str):
    window(transport=transport)
    info = await studio.info(DOOR)
    assert (info.name, info.class_name, info.parent_path, info.child_count) == ("Door", "Part", "Workspace.House", 0)
    assert await studio.info(Target(id=info.instance_id)) == info
    page = await studio.children(Target(path="Workspace.House"), 1, 5)
    assert (page.total, [child.name for child in page.children]) == (2, ["Wall"])
    found = await studio.find(Target(path="game"), Search(name_contains="do", is_a="BasePart"), 0, 10)
    assert [match.path for match in found.matches] == ["Workspace.House.Door"]
    node = await studio.node(DOOR, View(properties=("Size", "Anchored", "Nonsense"), attributes=True, tags=True))
    assert node.properties == {"Anchored": False, "Size": {"_type": "Vector3", "x": 1, "y": 2, "z": 3}}
    tree = await studio.snapshot(Target(path="Workspace"), Snapshot(View(properties=()), max_depth=2))
    (house,) = tree.children
    assert house.children[0].properties["Material"] == {"_type": "Enum", "enum": "Material", "value": "Plastic"}
    assert (await studio.source(MAIN)).text.startswith("return {")
    assert [each.info.name for each in await studio.sources(Target(path="game"))] == ["Main"]


async def test_every_kind_of_edit_is_made_in_one_undo_step(window: OpenWindow, studio: DirectStudio):
    there = window()
    before = there.do(COUNT)
    edits: list[Edit] = [
        Create(Target(path="Workspace"), "Folder", "Things", key="things", attributes={"n": 1}, tags=("a",)),
        Create(Target(key="things"), "Part", "Cube", {"Size": SIZE, "Anchored": True}, key="cube"),
        Create(Target(path="ServerScriptService"), "Script", "Run", source="print(1)"),
        SetProperty(Target(path="Workspace.House"), "PrimaryPart", {"_type": "Ref", "key": "cube"}),
        SetProperty(DOOR, "Name", "Gate"),
        SetAttribute(Target(path="Workspace.House.Gate"), "Open", True),
        SetTags(Target(path="Workspace.House.Gate"), ("b", "c")),
        SetSource(MAIN, "return {}"),
        Duplicate(Target(path="Workspace.House"), Target(key="things"), "Copy"),
        Move(Target(path="Workspace.House.Wall"), Target(key="things")),
        Delete(Target(path="Workspace.House.Gate")),
    ]
    done = await studio.make(edits, label="many things")
    assert studio.undoable
    assert done[1].info.path == "Workspace.Things.Cube"
    assert (done[4].before, done[4].after) == ("Door", "Gate")
    assert done[6].after == ["b", "c"]
    assert done[8].count == 3
    assert done[9].after == "Workspace.Things.Wall"
    cube = await studio.node(Target(path="Workspace.Things.Cube"), View(properties=("Size",)))
    assert cube.properties == {"Size": SIZE}
    assert there.do(HISTORY) == ["many things"]
    assert there.do(CLEAN) == 0
    there.do(UNDO)
    assert there.do(COUNT) == before
    assert (await studio.source(MAIN)).text.startswith("return { double")
    assert (await studio.info(DOOR)).name == "Door"


async def test_a_list_of_edits_that_fails_leaves_nothing(window: OpenWindow, studio: DirectStudio):
    there = window()
    edits: list[Edit] = [
        Create(Target(path="Workspace"), "Part", "A"),
        SetProperty(DOOR, "Size", SIZE),
        SetProperty(DOOR, "Size", "nonsense"),
    ]
    for refuse in ("false", "true"):
        there.do(f"studio.refuseRecordings = {refuse}")
        with pytest.raises(Invalid, match=r"Part\.Size could not be set") as raised:
            await studio.make(edits, label="x")
        assert raised.value.details["edit"] == 2
        assert there.do("return { #workspace:GetChildren(), workspace.House.Door.Size.X }") == [1, 1]
        assert there.do(HISTORY) == []


async def test_where_studio_refuses_to_record_the_change_is_made_and_said(window: OpenWindow, studio: DirectStudio):
    there = window(refuseRecordings=True)
    await studio.make([SetProperty(DOOR, "Anchored", True)], label="x")
    assert studio.undoable is False
    assert there.do("return workspace.House.Door.Anchored") is True


async def test_a_dry_run_touches_nothing(window: OpenWindow, studio: DirectStudio, open_studio: OpenStudio):
    there = window()
    state = "return { #game:GetDescendants(), workspace.House.Door.Size.X, studio.unrecorded, #studio.history() }"
    before = there.do(state)
    edits: list[Edit] = [
        Create(Target(path="Workspace"), "Model", "New", key="new"),
        Create(Target(key="new"), "Part", "In", {"Size": SIZE}),
        SetProperty(DOOR, "Size", SIZE),
        SetSource(MAIN, "return 1"),
        Move(DOOR, Target(key="new")),
        Duplicate(Target(path="Workspace.New.Door")),
        Delete(Target(path="Workspace.New.Door")),
    ]
    done = await studio.apply(edits, label="x")
    studio = open_studio()
    assert done[1].info.path == "Workspace.New.In"
    assert done[2].after == SIZE
    assert done[4].info.path == "Workspace.New.Door"
    with pytest.raises(Invalid, match="invalid className"):
        await studio.apply([Create(Target(path="Workspace"), "Nonsense", "x")], label="x")
    with pytest.raises(Invalid, match="cannot be moved into itself"):
        await studio.apply([Move(Target(path="Workspace.House"), DOOR)], label="x")
    assert there.do(state) == before


async def test_what_was_typed_and_not_saved_counts(window: OpenWindow, studio: DirectStudio):
    there = window()
    there.do("studio.type('ReplicatedStorage.Main', 'return 7 -- typed')")
    assert (await studio.source(MAIN)).text == "return 7 -- typed"
    (done,) = await studio.make([SetSource(MAIN, "return 8")], label="x")
    assert (done.before, done.after) == ("return 7 -- typed", "return 8")


async def test_scripts_run_and_what_they_change_is_one_step(
    window: OpenWindow, studio: DirectStudio, open_studio: OpenStudio
):
    there = window()
    run = await studio.execute(Run(MAIN, "double", (21,)))
    assert (run.called, run.return_value, run.info.path) == (True, 42, "ReplicatedStorage.Main")
    source = "return { build = function() Instance.new('Part', workspace) workspace.House.Name = 'H' error('no') end }"
    await studio.make([SetSource(MAIN, source)], label="x")
    with pytest.raises(Fault, match=r"ReplicatedStorage\.Main:1: no"):
        await studio.execute(Run(MAIN, "build", force_require=True))
    assert there.do("return workspace:FindFirstChild('House') ~= nil and #workspace:GetChildren()") == 1
    dry = await open_studio(dry_run=True).execute(Run(MAIN, "build"))
    assert not dry.ran
    assert dry.info.path == "ReplicatedStorage.Main"
    with pytest.raises(NotFound, match="not found on module export"):
        await studio.execute(Run(MAIN, "nothing"))


async def test_targets_that_lead_nowhere_say_what_is_near(window: OpenWindow, studio: DirectStudio):
    window()
    with pytest.raises(
        NotFound, match=r"'Dor' of instancePath 'Workspace\.House\.Dor' is not in Workspace\.House"
    ) as no:
        await studio.info(Target(path="Workspace.House.Dor"))
    assert no.value.hint == "Did you mean 'Door'?"
    with pytest.raises(NotFound, match="no instance with instanceId 'inst-99'"):
        await studio.info(Target(id="inst-99"))
    with pytest.raises(Invalid, match="is a Part, not a script"):
        await studio.source(DOOR)


async def test_the_same_key_is_done_once(window: OpenWindow, relay: Relay):
    there = window()
    payload = {"edits": [{"kind": "create", "parent": {"path": "Workspace"}, "className": "Part", "name": "Once"}]}
    ask = Ask(operation="place.edit", payload=payload | {"label": "x"}, idempotency_key="k")
    first, again = relay.call(ask), relay.call(ask)
    assert first == again
    assert there.do("return #workspace:GetChildren()") == 2


async def test_a_change_that_was_cut_off_is_finished_by_the_same_plugin_and_not_made_twice(
    window: OpenWindow, studio: DirectStudio
):
    there = window()
    await studio.info(DOOR)
    # The connection is lost after the plugin got the request and before it answers.
    there.do("studio.cut = true")
    (done,) = await studio.make([Create(Target(path="Workspace"), "Part", "One")], label="x")
    assert done.info.path == "Workspace.One"
    assert there.do("return { #workspace:GetChildren(), studio.cuts }") == [2, 1]


async def test_a_studio_that_crashes_in_mid_call_leaves_the_outcome_unknown(
    window: OpenWindow, studio: DirectStudio, relay: Relay
):
    there = window()
    source = "return { hang = function() task.wait(60) end }"
    await studio.make([SetSource(MAIN, source)], label="x")
    faults: list[Fault] = []

    def call() -> None:
        payload = {"scriptPath": "ReplicatedStorage.Main", "functionName": "hang", "forceRequire": True}
        try:
            relay.call(Ask(operation="script.execute", payload=payload, idempotency_key="k", timeout=3.0))
        except Fault as fault:
            faults.append(fault)

    waiting = threading.Thread(target=call)
    waiting.start()
    while not there.do("return game:GetService('ChangeHistoryService'):IsRecordingInProgress()"):
        pass
    there.end()
    waiting.join(10)
    assert isinstance(faults[0], TimedOut)
    assert faults[0].details["outcome"] == "unknown"
    with pytest.raises(NotConnected):
        relay.call(Ask(operation="bridge.ping", payload={}, timeout=0.2))


@pytest.mark.parametrize("transport", ["websocket", "long-poll"])
async def test_long_lines_arrive_whole_both_ways(window: OpenWindow, studio: DirectStudio, transport: str):
    window(transport=transport)
    text = "-- " + "äöü€😀" * 60_000
    await studio.make([SetSource(MAIN, text)], label="x")
    assert (await studio.source(MAIN)).text == text


async def test_without_websockets_the_plugin_polls(window: OpenWindow, relay: Relay, studio: DirectStudio):
    there = window(withoutSockets=True)
    assert (await studio.info(DOOR)).name == "Door"
    assert [each["transport"] for each in relay.studios()] == ["long-poll"]
    assert there.do("return studio.requests") < 12


async def test_two_windows_are_told_apart_by_name(window: OpenWindow, relay: Relay, open_studio: OpenStudio):
    window(name="Lobby")
    window(name="Arena")
    assert relay.wait_for_studio(10)
    for name in ("Lobby", "Arena"):
        there = open_studio(studio=name)
        await there.make([Create(Target(path="Workspace"), "Part", name)], label="x")
        assert (await there.info(Target(path=f"Workspace.{name}"))).name == name
    with pytest.raises(Fault, match=r"Lobby.*Arena|Arena.*Lobby"):
        await open_studio().info(DOOR)


async def test_a_plugin_with_another_token_does_not_get_in(window: OpenWindow, relay: Relay, settings: BridgeSettings):
    window(settings=BridgeSettings(settings.host, settings.port, "wrong"))
    with pytest.raises(NotConnected):
        relay.call(Ask(operation="bridge.ping", payload={}, timeout=1.5))


async def test_the_selection_is_read_and_set(window: OpenWindow, studio: DirectStudio):
    there = window()
    answer = await studio.ask("selection.set", {"targets": [{"path": "Workspace.House"}]})
    assert [each["path"] for each in answer["selected"]] == ["Workspace.House"]
    assert there.do("return game:GetService('Selection'):Get()[1].Name") == "House"


async def test_the_console_is_read_from_where_one_left_off(window: OpenWindow, studio: DirectStudio):
    there = window()
    await studio.info(DOOR)
    there.do("print('one') warn('two')")
    first = await studio.ask("console.read", {})
    assert [(each["level"], each["message"]) for each in first["messages"]] == [("output", "one"), ("warning", "two")]
    there.do("print('three')")
    rest = await studio.ask("console.read", {"since": first["last"]})
    assert [each["message"] for each in rest["messages"]] == ["three"]


async def test_a_playtest_is_started_and_ended_through_its_own_copy(window: OpenWindow, studio: DirectStudio):
    window()
    assert (await studio.ask("play.start", {"mode": "play"})) == {"started": True, "mode": "play"}
    assert (await studio.ask("play.stop", {"value": {"coins": 3}}, role="server")) == {"stopped": True}
    ended = await studio.ask("play.await", {"seconds": 10})
    assert (ended["running"], ended["last"]["ok"], ended["last"]["value"]) == (False, True, {"coins": 3})


async def test_the_button_disconnects_and_connects_again(window: OpenWindow, studio: DirectStudio, relay: Relay):
    there = window()
    await studio.info(DOOR)
    there.do("studio.press()")
    deadline = time.monotonic() + 20
    while relay.studios() and time.monotonic() < deadline:
        there.do("return 1")
    with pytest.raises(NotConnected):
        relay.call(Ask(operation="bridge.ping", payload={}, timeout=1.0))
    there.do("studio.press()")
    assert (await studio.info(DOOR)).name == "Door"
