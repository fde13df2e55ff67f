"""Animations as calls see them: refusals that change nothing, read back, paged and listed, files kept as they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.godot.animation.animated import FILES, IN_PLAYER, MAIN, PLAYER, SLIDE, TURN, add, in_go, table
from tests.support.gdscript_runner import make_project


@pytest.fixture
def game(project: Path) -> Path:
    return make_project(project, {file: text.replace("~/", "") for file, text in FILES.items()})


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.relative_to(folder).parts[0].startswith(".")
    }


async def done(caller: Caller, *calls: tuple[str, dict[str, Any]]) -> Any:
    """Makes calls that must succeed; gives the data of the last."""
    found: Any = None
    for tool, arguments in calls:
        reply = await caller.reply(tool, _here(arguments), meta={"approved": True})
        assert reply.structured is not None
        assert reply.structured["ok"], reply.structured
        found = reply.structured["result"]
    return found


def _here(arguments: dict[str, Any]) -> dict[str, Any]:
    return {name: value.replace("~/", "") if isinstance(value, str) else value for name, value in arguments.items()}


REFUSED: dict[str, tuple[tuple[str, dict[str, Any]], str]] = {
    "no such node": (add("no", table("Bodi", "position")), "Did you mean 'Body'"),
    "no such unique name": (add("no", table("%Amr", "position")), "%Arm"),
    "no such property": (add("no", table("Body", "positoin")), "'position'"),
    "no such part": (add("no", table("Body", "position:z")), "'z'"),
    "no such property of a resource": (add("no", table("Body", "material:blend_mod")), "blend_mode"),
    "a wrong value": (add("no", table("Body", "position", [0, [1, 2]], [1, "left"])), "Key 1: Node2D.position"),
    "two keys at one time": (add("no", table("Body", "position", [0, [1, 2]], [0, [1, 2]])), "key at 0 s already"),
    "a key without a value": (add("no", table("Body", "position", [0])), "[time, value]"),
    "a key with an unknown field": (
        add("no", table("Body", "position", {"time": 0, "value": [0, 0], "ease": 1})),
        "easing",
    ),
    "an unknown easing": (add("no", table("Body", "position", [0, [0, 0], "inn"])), "'in'"),
    "two easings": (in_go("set_keyframe", trackIndex=0, time=0, value=[0, 0], easing=2, transition=3), "one curve"),
    "a time before the start": (add("no", table("Body", "position", [-1, [0, 0]])), "not a time"),
    "a handle on a value": (
        add("no", table("Body", "position", {"time": 0, "value": [0, 0], "inHandle": [0, 0]})),
        "has no inHandle",
    ),
    "an easing of a curve": (add("no", table("Body", "rotation", [0, 0, "in"], type="bezier")), "has no transition"),
    "an update mode of calls": (add("no", table("Body", None, type="method", update="discrete")), "no update mode"),
    "no such inner animation": (add("no", table("Part/Blinker", None, [0, "blonk"], type="animation")), "'blink'"),
    "no such method": (add("no", table("Body", None, [0, "hurtt"], type="method")), "'hurt'"),
    "too many arguments": (
        add("no", table("Box", None, [0, {"method": "hide", "args": [1]}], type="method")),
        "with 1 argument:",
    ),
    "an easing that is no text": (
        add("no", table("Body", "position", {"time": 0, "value": [0, 0], "easing": {"in": 1}})),
        "in_out",
    ),
    "a curve without strength": (
        add("no", table("Body", "position", {"time": 0, "value": [0, 0], "easing": "in", "transition": 0})),
        "above 0",
    ),
    "a bezier track on a vector": (add("no", table("Body", "position", type="bezier")), "'position:x'"),
    "a 3D track on a 2D node": (add("no", table("Body", None, type="position_3d")), "Node3D"),
    "audio on a sprite": (add("no", table("Body", None, type="audio")), "AudioStreamPlayer"),
    "a value track without a property": (add("no", table("Body", None)), "needs a property"),
    "a blend shape without a name": (add("no", table("Box", None, type="blend_shape")), "name in property"),
    "two tracks to one property": (add("no", SLIDE, SLIDE), "already"),
    "a track that is there": (
        in_go("add_animation_track", trackType="value", nodePath="Body", property="position"),
        "already",
    ),
    "a name that is taken": (add("go", SLIDE), "overwrite: true"),
    "a name that the engine does not take": (add("a:b"), "without any of"),
    "a player that is none": (
        ("add_animation", {**MAIN, "playerNodePath": "Body", "animationName": "x"}),
        "AnimationPlayer",
    ),
    "a player that an instance brings": (
        ("add_animation", {**MAIN, "playerNodePath": "Part/Blinker", "animationName": "x"}),
        "scenePath 'res://part.tscn'",
    ),
    "an animation that an instance brings": (
        ("remove_animation", {**MAIN, "playerNodePath": "Part/Blinker", "animationName": "blink"}),
        "res://part.tscn",
    ),
    "no such animation": (("get_animation", {**IN_PLAYER, "animationName": "goo"}), "'go'"),
    "no such track": (in_go("set_keyframe", trackIndex=5, time=0, value=[0, 0]), "0: Body:position"),
    "neither number nor node": (in_go("set_keyframe", time=0, value=[0, 0]), "get_animation"),
    "a track that is not there": (in_go("remove_animation_track", nodePath="Body", property="scale"), "Body:position"),
    "a key that is not there": (in_go("remove_keyframe", trackIndex=0, time=0.5), "0, 1"),
    "a start that the files do not tell": (
        (
            "create_simple_animation",
            {
                **MAIN,
                "playerPath": "AnimationPlayer",
                "animation": "x",
                "nodePath": "Body",
                "property": "hp",
                "endValue": 1,
            },
        ),
        "value to start from",
    ),
}


@pytest.mark.anyio
@pytest.mark.parametrize("name", REFUSED)
async def test_a_refusal_says_what_to_do_and_changes_nothing(game: Path, caller: Caller, name: str) -> None:
    await done(caller, PLAYER, add("go", SLIDE))
    before = contents(game)
    (tool, arguments), said = REFUSED[name]
    reply = await caller.reply(tool, _here(arguments), meta={"approved": True})
    assert reply.structured is not None
    error = reply.structured["error"]
    assert error is not None
    assert said in f"{error['message']} {error.get('suggestedFix', '')}"
    assert contents(game) == before


@pytest.mark.anyio
async def test_an_animation_read_back_makes_the_same_animation(game: Path, caller: Caller) -> None:
    rows = [
        table("Body", "position", [0, [0, 0], "in"], [0.1, [8, 0]], interpolation="cubic", loopWrap=False),
        table("Body", "visible", [0, True], enabled=False),
        table("Body/Arm", "rotation", [0, 1], type="bezier"),
        table("Body", None, [0.3, {"method": "hurt", "args": [1, "x"]}], type="method"),
        table("Box", None, [0, [1, 2, 3]], type="position_3d"),
    ]
    await done(caller, PLAYER, add("go", *rows, length=2, loop="pingpong", step=0.5))
    read = await done(caller, ("get_animation", {**IN_PLAYER, "animationName": "go"}))
    assert read["tracks"][0]["keys"] == [[0.0, "Vector2(0, 0)", 2.0], [0.1, "Vector2(8, 0)"]]
    again = {"length": read["length"], "loop": read["loop"], "step": read["step"]}
    await done(caller, add("copy", *reversed(read["tracks"]), **again))
    text = (game / "main.tscn").read_text()
    bodies = [part.partition("]\n")[2] for part in text.split('[sub_resource type="Animation" ')[1:]]
    assert bodies[0].replace('"go"', '"copy"') == bodies[1].partition("[sub_resource")[0]


@pytest.mark.anyio
async def test_a_long_animation_comes_in_pages(game: Path, caller: Caller) -> None:
    keys = [[at / 10, [at, 0]] for at in range(10)]
    await done(caller, PLAYER, add("go", table("Body", "position", *keys), TURN))
    get = ("get_animation", {**IN_PLAYER, "animationName": "go", "limit": 4})
    first = await done(caller, get)
    assert [len(track["keys"]) for track in first["tracks"]] == [4]
    assert (first["total"], first["nextOffset"]) == (12, 4)
    last = await done(caller, (get[0], {**get[1], "offset": 8}))
    assert [(track["index"], len(track["keys"])) for track in last["tracks"]] == [(0, 2), (1, 2)]
    assert "nextOffset" not in last


@pytest.mark.anyio
async def test_animations_are_listed_also_those_of_an_instance(game: Path, caller: Caller) -> None:
    await done(caller, PLAYER, add("go", SLIDE, TURN, loop=True), add("moves/stay"))
    await done(caller, ("edit_node", {**MAIN, "nodePath": "AnimationPlayer", "properties": {"autoplay": "go"}}))
    listed = await done(caller, ("list_animations", {**MAIN, "playerPath": "AnimationPlayer"}))
    assert listed["animations"] == [
        {"name": "go", "length": 1.0, "loop": "linear", "tracks": 2, "keys": 4},
        {"name": "moves/stay", "length": 1.0, "tracks": 0, "keys": 0},
    ]
    assert (listed["libraries"], listed["autoplay"], listed["rootNode"]) == (["", "moves"], "go", ".")
    inner = await done(caller, ("list_animations", {**MAIN, "playerPath": "Part/Blinker"}))
    assert [(row["name"], row["file"]) for row in inner["animations"]] == [("blink", "res://part.tscn")]
    assert inner["rootNode"] == "Part"
    read = await done(caller, ("get_animation", {**MAIN, "playerNodePath": "Part/Blinker", "animationName": "blink"}))
    assert read["tracks"][0]["nodePath"] == "Part/Eye"


@pytest.mark.anyio
async def test_a_library_for_the_engine_alone_stops_no_other(game: Path, caller: Caller) -> None:
    await done(caller, PLAYER, add("go", SLIDE))
    text = (
        (game / "main.tscn")
        .read_text()
        .replace(
            '[ext_resource type="Script"',
            '[ext_resource type="AnimationLibrary" path="res://hero.glb" id="3_glb"]\n[ext_resource type="Script"',
        )
    )
    (game / "main.tscn").write_text(f'{text}libraries/model = ExtResource("3_glb")\n')
    listed = await done(caller, ("list_animations", {**MAIN, "playerPath": "AnimationPlayer"}))
    assert [row["name"] for row in listed["animations"]] == ["go"]
    assert any(
        "res://hero.glb" in each
        for each in await _warnings(caller, ("list_animations", {**MAIN, "playerPath": "AnimationPlayer"}))
    )
    for call in (("get_animation", {**IN_PLAYER, "animationName": "model/run"}), add("model/run", SLIDE)):
        refused = await caller.reply(call[0], _here(call[1]))
        assert refused.structured is not None
        assert "res://hero.glb" in refused.structured["error"]["message"]


@pytest.mark.anyio
async def test_a_player_of_what_is_outside_its_scene_is_read_and_not_added_to(game: Path, caller: Caller) -> None:
    text = (game / "part.tscn").read_text()
    only = (
        text[: text.index("[node ")]
        + '[node name="P" type="AnimationPlayer"]\nlibraries/ = SubResource("AnimationLibrary_own")\n'
    )
    (game / "only.tscn").write_text(only)
    which = {"scenePath": "only.tscn", "playerNodePath": "."}
    listed = await done(caller, ("list_animations", {"scenePath": "only.tscn", "playerPath": "."}))
    assert ([row["name"] for row in listed["animations"]], listed.get("rootNode")) == (["blink"], None)
    read = await done(caller, ("get_animation", {**which, "animationName": "blink"}))
    assert read["tracks"][0]["missing"] == "Eye:visible"
    refused = await caller.reply(
        "add_animation", {**which, "animationName": "x", "tracks": [table(".", "speed_scale")]}
    )
    assert refused.structured is not None
    assert "root_node" in refused.structured["error"]["message"]


@pytest.mark.anyio
async def test_a_track_to_a_node_that_is_gone_is_told(game: Path, caller: Caller) -> None:
    await done(caller, PLAYER, add("go", SLIDE))
    text = (game / "main.tscn").read_text()
    (game / "main.tscn").write_text(text.replace('NodePath("Body:position")', 'NodePath("Gone:position")'))
    read = await done(caller, ("get_animation", {**IN_PLAYER, "animationName": "go"}))
    assert read["tracks"][0]["missing"] == "Gone:position"
    refused = await caller.reply(*in_go("set_keyframe", trackIndex=0, time=0, value=[0, 0], scenePath="main.tscn"))
    assert refused.structured is not None
    assert "remove_animation_track" in refused.structured["error"]["suggestedFix"]


@pytest.mark.anyio
@pytest.mark.since_godot(4, 6)  # the form before it is what older ones write
async def test_what_an_older_version_wrote_keeps_its_form(game: Path, caller: Caller) -> None:
    await done(caller, PLAYER, add("go", SLIDE))
    text = (game / "main.tscn").read_text()
    start = text.index("libraries/ = ")
    reference = text[start:].partition(" = ")[2].partition("\n")[0]
    old = text.replace(f"libraries/ = {reference}", f'libraries = {{\n"": {reference}\n}}').replace('&"go"', '"go"')
    (game / "main.tscn").write_text(old)
    await done(caller, add("on", TURN), add("moves/on", TURN))
    new = (game / "main.tscn").read_text()
    assert "libraries/" not in new
    listed = await done(caller, ("list_animations", {**MAIN, "playerPath": "AnimationPlayer"}))
    assert [row["name"] for row in listed["animations"]] == ["go", "moves/on", "on"]


@pytest.mark.anyio
@pytest.mark.parametrize("written", ['"go"', '&"go"'])
@pytest.mark.since_godot(4, 6)  # as above
async def test_what_plays_from_the_start_is_told_as_any_version_writes_it(
    game: Path, caller: Caller, written: str
) -> None:
    await done(caller, PLAYER, add("go", SLIDE))
    path = game / "main.tscn"
    path.write_text(path.read_text().replace("\nlibraries/ = ", f"\nautoplay = {written}\nlibraries/ = "))
    listed = await done(caller, ("list_animations", {**MAIN, "playerPath": "AnimationPlayer"}))
    assert listed["autoplay"] == "go"


@pytest.mark.anyio
async def test_other_tracks_stay_as_they_are_written(game: Path, caller: Caller) -> None:
    await done(caller, PLAYER, add("go", SLIDE, TURN, table("Body", "skew", [0, 1])))
    path = game / "main.tscn"
    odd = path.read_text().replace("PackedFloat32Array(0, 1),", "PackedFloat32Array( 0.0,1 ),")
    path.write_text(odd)
    await done(caller, in_go("set_keyframe", trackIndex=2, time=0, value=2))
    assert path.read_text() == odd.replace('"values": [1.0]', '"values": [2.0]')
    await done(caller, in_go("remove_animation_track", trackIndex=0))
    assert path.read_text().count("PackedFloat32Array( 0.0,1 )") == 1


@pytest.mark.anyio
async def test_markers_and_names_stay_when_an_animation_is_replaced(game: Path, caller: Caller) -> None:
    await done(caller, PLAYER, add("go", SLIDE, length=2))
    path = game / "main.tscn"
    kept = 'resource_name = "go"\nmarkers = [{\n"color": Color(1, 1, 1, 1),\n"name": &"here",\n"time": 0.5\n}]\n'
    path.write_text(path.read_text().replace("length = 2.0\n", f"{kept}length = 2.0\n"))
    await done(caller, add("go", TURN, overwrite=True))
    assert kept in path.read_text()
    assert "length = " not in path.read_text()


@pytest.mark.anyio
async def test_what_cannot_play_is_warned_of(game: Path, caller: Caller) -> None:
    await done(caller, PLAYER)
    late = await _warnings(caller, add("go", SLIDE, table("Body", "hp", [0, 1]), length=0.5, reset=True))
    assert any("after the end" in warning for warning in late)
    assert any("The hp of" in warning for warning in late)
    tree = ("create_animation_tree", {**MAIN, "animPlayerPath": "AnimationPlayer"})
    machine = ("setup_state_machine", {**MAIN, "animTreePath": "AnimationTree", "states": [{"name": "go"}]})
    await done(caller, tree, machine)
    gone = await _warnings(caller, in_go("remove_animation"))
    assert any("still plays 'go'" in warning for warning in gone)


async def _warnings(caller: Caller, call: tuple[str, dict[str, Any]]) -> list[str]:
    outcome = await caller.run(call[0], _here(call[1]), meta={"approved": True})
    assert outcome.ok
    return outcome.call.warnings
