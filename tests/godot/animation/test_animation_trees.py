"""Animation trees made through the pipeline: the real engine travels through states and blends positions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.godot.animation.animated import FILES, MAIN, PLAYER, add, files_of, play_all, table
from tests.godot.catalogue.writes.model import Case
from tests.support.gdscript_runner import Reply, make_project

TREE = (
    "create_animation_tree",
    {**MAIN, "nodeName": "Tree", "animPlayerPath": "AnimationPlayer", "processCallback": "manual"},
)
IN_TREE = {**MAIN, "animTreePath": "Tree"}
GO = "node('Tree').advance(0.25); "


def _still(name: str, x: float) -> tuple[str, dict[str, Any]]:
    """An animation that holds the body at a place."""
    return add(name, table("Body", "position", [0, [x, 0]], [1, [x, 0]]), loop=True)


START = (
    PLAYER,
    _still("idle", 0),
    _still("walk", 8),
    _still("run", 16),
    add("hit", table("Body", "skew", [0, 0])),
    TREE,
)


def _machine(states: list[dict[str, Any]], *transitions: dict[str, Any], **more: Any) -> tuple[str, dict[str, Any]]:
    return "setup_state_machine", {**IN_TREE, "states": states, "transitions": list(transitions), **more}


def _blend(kind: str, *points: tuple[str, Any], **more: Any) -> tuple[str, dict[str, Any]]:
    made = [{"animation": name, "position": place} for name, place in points]
    return "blend_animations", {**IN_TREE, "type": kind, **({"points": made} if made else {}), **more}


def _of_tree(nodes: list[dict[str, Any]], *wires: tuple[str, str, int], **more: Any) -> tuple[str, dict[str, Any]]:
    connections = [{"from": source, "to": to, "input": number} for source, to, number in wires]
    return "blend_animations", {**IN_TREE, "type": "tree", "nodes": nodes, "connections": connections, **more}


def _on(*calls: tuple[str, dict[str, Any]], asked: dict[str, Any]) -> Case:
    return Case((*START, *calls), asked)


def _plays(name: str) -> dict[str, Any]:
    return {"name": name, "type": "Animation", "animation": name}


BOTH = [{"name": "idle"}, {"name": "walk"}]
MIX = [_plays("idle"), _plays("run"), {"name": "Mix", "type": "Blend2", "parameters": {"blend_amount": 0.25}}]
MIXED = (("idle", "Mix", 0), ("run", "Mix", 1), ("Mix", "output", 0))
CASES: dict[str, Case] = {
    "a tree is joined to its player": _on(
        (
            "create_animation_tree",
            {
                **MAIN,
                "nodeName": "Inner",
                "parentNodePath": "Body",
                "processCallback": "physics",
                "animPlayerPath": "AnimationPlayer",
                "rootMotionTrack": "Box:Hips",
                "properties": {"active": False},
            },
        ),
        asked={
            "str(node('Body/Inner').anim_player)": "../../AnimationPlayer",
            "node('Body/Inner').active": False,
            "str(node('Body/Inner').root_motion_track)": "Box:Hips",
            "node('Body/Inner').callback_mode_process": 0,
            "node('Tree').callback_mode_process": 2,
        },
    ),
    "a machine starts in its first state": _on(
        _machine(BOTH), asked={GO + "playback().get_current_node()": "idle", GO + "x()": 0.0}
    ),
    "a machine starts where it is told": _on(
        _machine(BOTH, startState="walk"), asked={GO + "playback().get_current_node()": "walk", GO + "x()": 8.0}
    ),
    "a later start state replaces the first": _on(
        _machine(BOTH),
        _machine([{"name": "run"}], startState="run"),
        asked={GO + "playback().get_current_node()": "run", "node('Tree').tree_root.get_transition_count()": 1},
    ),
    "a state plays the animation it is told": _on(
        _machine([{"name": "Resting", "animation": "walk"}]),
        asked={GO + "x()": 8.0, "state('Resting').animation": "walk"},
    ),
    "a condition is waited for": _on(
        _machine(BOTH, {"from": "idle", "to": "walk", "advanceCondition": "moving"}),
        asked={
            GO + GO + "playback().get_current_node()": "idle",
            GO
            + "node('Tree').set('parameters/conditions/moving', true); "
            + GO
            + GO
            + "playback().get_current_node()": "walk",
            "node('Tree').get('parameters/conditions/moving')": False,
            "between('idle', 'walk').advance_mode": 2,
        },
    ),
    "an expression is waited for": _on(
        _machine(BOTH, {"from": "idle", "to": "walk", "advanceExpression": "process_priority == 3"}),
        asked={
            GO + GO + "playback().get_current_node()": "idle",
            GO + "node('Tree').set('process_priority', 3); " + GO + GO + "playback().get_current_node()": "walk",
        },
    ),
    "a plain transition is for travel": _on(
        _machine(BOTH, {"from": "idle", "to": "walk"}),
        asked={
            GO + GO + "playback().get_current_node()": "idle",
            GO + "playback().travel('walk'); " + GO + "playback().get_current_node()": "walk",
        },
    ),
    "a transition goes on by itself": _on(
        _machine(BOTH, {"from": "idle", "to": "walk", "autoAdvance": True}),
        asked={GO + GO + "playback().get_current_node()": "walk"},
    ),
    "transitions keep what they are told": _on(
        _machine(
            BOTH,
            {
                "from": "idle",
                "to": "walk",
                "xfadeTime": 0.5,
                "switchMode": "at_end",
                "advanceMode": "disabled",
                "properties": {"priority": 7, "reset": False},
            },
            {"from": "walk", "to": "idle", "switchMode": "sync"},
            {"from": "walk", "to": "End"},
        ),
        asked={
            "between('idle', 'walk').xfade_time": 0.5,
            "between('idle', 'walk').switch_mode": 2,
            "between('idle', 'walk').advance_mode": 0,
            "between('idle', 'walk').priority": 7,
            "between('idle', 'walk').reset": False,
            "between('walk', 'idle').switch_mode": 1,
            "between('walk', 'End').switch_mode": 0,
        },
    ),
    "a fade mixes two states": _on(
        _machine(BOTH, {"from": "idle", "to": "walk", "xfadeTime": 1.0}),
        asked={GO + "playback().travel('walk'); node('Tree').advance(0); " + GO + "x() > 0.0 and x() < 8.0": True},
    ),
    "states are added to those that are there": _on(
        _machine(BOTH, {"from": "idle", "to": "walk", "xfadeTime": 0.5}),
        _machine([{"name": "run"}], {"from": "walk", "to": "run"}, {"from": "idle", "to": "walk", "xfadeTime": 0.25}),
        asked={
            "node('Tree').tree_root.get_transition_count()": 3,
            "between('idle', 'walk').xfade_time": 0.25,
            GO + "playback().travel('run'); " + GO * 4 + "playback().get_current_node()": "run",
        },
    ),
    "overwrite starts anew": _on(
        _machine(BOTH),
        _machine([{"name": "run"}], overwrite=True),
        asked={"node('Tree').tree_root.has_node('idle')": False, GO + "x()": 16.0},
    ),
    "overwrite replaces another kind of tree": _on(
        _blend("1d", ("idle", 0)), _machine([{"name": "run"}], overwrite=True), asked={GO + "x()": 16.0}
    ),
    "states are laid out from the start, and as told": _on(
        _machine(
            [*BOTH, {"name": "run", "position": [500, 400]}, {"name": "hit"}],
            {"from": "idle", "to": "walk"},
            {"from": "idle", "to": "hit"},
        ),
        asked={
            f"var_to_str(node('Tree').tree_root.get_node_position('{name}'))": place
            for name, place in {
                "idle": "Vector2(420, 100)",
                "walk": "Vector2(640, 100)",
                "hit": "Vector2(640, 220)",
                "run": "Vector2(500, 400)",
                "Start": "Vector2(200, 100)",
                "End": "Vector2(900, 100)",
            }.items()
        },
    ),
    "a machine inside a machine": _on(
        _machine(BOTH),
        _machine([{"name": "run"}, {"name": "hit"}], machine="Fast"),
        _machine([{"name": "idle"}], {"from": "idle", "to": "Fast"}),
        asked={
            GO + "playback().travel('Fast'); " + GO + GO + "x()": 16.0,
            GO + "playback().travel('Fast'); " + GO + GO + "playback('Fast/').get_current_node()": "run",
        },
    ),
    "a line of animations is blended": _on(
        _blend("1d", ("idle", -2), ("walk", 0), ("run", 4)),
        asked={
            GO + "x()": 8.0,
            "node('Tree').set('parameters/blend_position', 2); " + GO + "x()": 12.0,
            "node('Tree').tree_root.min_space": -2.0,
            "node('Tree').tree_root.max_space": 4.0,
        },
    ),
    "a plane of animations is blended": _on(
        _blend(
            "2d",
            minSpace=-3,
            maxSpace=5,
            minSpaceY=-2,
            maxSpaceY=7,
            points=[
                {"animation": "idle", "position": [0, 0]},
                {"animation": "walk", "positionX": 1, "positionY": 0},
                {"animation": "run", "positionX": 0, "positionY": 6},
            ],
        ),
        asked={
            "node('Tree').set('parameters/blend_position', Vector2(0.5, 0)); " + GO + "x()": 4.0,
            "node('Tree').set('parameters/blend_position', Vector2(0, 3)); " + GO + "x()": 8.0,
            "var_to_str(node('Tree').tree_root.min_space)": "Vector2(-3, -2)",
            "var_to_str(node('Tree').tree_root.max_space)": "Vector2(5, 7)",
        },
    ),
    "a blend space is discrete or in step": _on(
        _blend("1d", ("idle", 0), ("run", 1), blendMode="discrete", sync=True),
        asked={
            "node('Tree').set('parameters/blend_position', 0.75); " + GO + "x()": 16.0,
            "node('Tree').tree_root.blend_mode": 1,
            "node('Tree').tree_root.sync": True,
        },
    ),
    "a blend space is a state, and starts where it is told": _on(
        _machine([{"name": "idle"}]),
        _blend("1d", ("walk", 0), ("run", 4), blendSpaceName="Move"),
        _machine([{"name": "Move", "blendPosition": 2}], {"from": "idle", "to": "Move"}),
        asked={
            GO + "playback().travel('Move'); " + GO + GO + "x()": 12.0,
            "node('Tree').get('parameters/Move/blend_position')": 2.0,
        },
    ),
    "a blend space is replaced where told": _on(
        _machine([{"name": "idle"}]),
        _blend("1d", ("idle", 0), blendSpaceName="Move"),
        _blend("1d", ("run", 0), blendSpaceName="Move", overwrite=True),
        asked={"state('Move').get_blend_point_node(0).animation": "run"},
    ),
    "a blend tree mixes by its wires": _on(
        _of_tree(MIX, *MIXED),
        asked={GO + "x()": 4.0, "node('Tree').set('parameters/Mix/blend_amount', 1.0); " + GO + "x()": 16.0},
    ),
    "a blend tree has nodes of every kind": _on(
        _of_tree(
            [
                _plays("idle"),
                _plays("run"),
                _plays("walk"),
                {
                    "name": "Which",
                    "type": "Transition",
                    "inputs": ["calm", "wild"],
                    "properties": {"xfade_time": 0.5},
                    "parameters": {"transition_request": "wild"},
                },
                {"name": "Once", "type": "AnimationNodeOneShot", "position": [40, 50]},
                {"name": "Rate", "type": "TimeScale", "parameters": {"scale": 2}},
            ],
            ("idle", "Which", 0),
            ("run", "Which", 1),
            ("Which", "Once", 0),
            ("walk", "Once", 1),
            ("Once", "Rate", 0),
            ("Rate", "output", 0),
        ),
        asked={
            GO + GO + GO + GO + "x()": 16.0,
            "state('Which').get_input_name(1)": "wild",
            "state('Which').xfade_time": 0.5,
            "node('Tree').get('parameters/Rate/scale')": 2.0,
            "var_to_str(node('Tree').tree_root.get_node_position('Once'))": "Vector2(40, 50)",
        },
    ),
    "a blend tree is a state": _on(
        _machine([{"name": "idle"}]),
        _of_tree(MIX, *MIXED, blendSpaceName="Mixed"),
        _machine([{"name": "Mixed"}], {"from": "idle", "to": "Mixed"}, startState="Mixed"),
        asked={GO + GO + "x()": 4.0},
    ),
    "a blend tree holds a blend space": _on(
        _of_tree([_plays("idle")], ("idle", "output", 0)),
        _blend("1d", ("run", 0), blendSpaceName="Space"),
        asked={"state('Space').get_blend_point_count()": 1, GO + "x()": 0.0},
    ),
}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], Reply]:
    names = {f"c{at}": case for at, case in enumerate(CASES.values())}
    return play_all(make_project(tmp_path_factory.mktemp("game"), files_of(names)), names)


@pytest.mark.godot
@pytest.mark.xdist_group("godot-operations")
@pytest.mark.parametrize("name", CASES)
def test_the_engine_plays(played: dict[tuple[str, str], Reply], name: str) -> None:
    folder = f"c{list(CASES).index(name)}"
    for asked, wanted in CASES[name].asked.items():
        assert played[folder, asked] == Reply(wanted, []), asked


WIRE = {"from": "idle", "to": "walk"}
REFUSED: dict[str, tuple[tuple[str, dict[str, Any]], str]] = {
    "no such animation": (_machine([{"name": "x", "animation": "wlak"}]), "'walk'"),
    "a state without an animation": (_machine([{"name": "resting"}]), "needs an animation"),
    "a state called Start": (_machine([{"name": "Start", "animation": "idle"}]), "Start and End"),
    "no such state": (_machine(BOTH, {"from": "idle", "to": "wlak"}), "'walk'"),
    "no such start": (_machine(BOTH, startState="idel"), "'idle'"),
    "a transition to itself": (_machine(BOTH, {"from": "idle", "to": "idle"}), "no transition can go"),
    "a condition that is never looked at": (
        _machine(BOTH, {**WIRE, "advanceCondition": "x", "advanceMode": "enabled"}),
        "never looks",
    ),
    "no such property of a transition": (_machine(BOTH, {**WIRE, "properties": {"priorty": 1}}), "priority"),
    "a blend position of a plain state": (_machine([{"name": "idle", "blendPosition": 1}]), "not a blend space"),
    "no points": (_blend("1d"), "Give points"),
    "a point without a place": (_blend("2d", ("idle", 1)), "[x, y]"),
    "a point with two places": (
        _blend("1d", points=[{"animation": "idle", "position": 0, "positionX": 1, "positionY": 1}]),
        "only in 2d",
    ),
    "half a place in one dimension": (_blend("1d", points=[{"animation": "idle", "positionX": 1}]), "only in 2d"),
    "a point outside": (_blend("1d", ("idle", 5), maxSpace=2), "outside -1 to 2"),
    "no such point's animation": (_blend("1d", ("wlak", 0)), "'walk'"),
    "y in one dimension": (_blend("1d", ("idle", 0), minSpaceY=-2), "minSpaceY has no meaning"),
    "points of a blend tree": (_blend("tree", ("idle", 0)), "points has no meaning"),
    "nodes of a blend space": (_blend("1d", ("idle", 0), nodes=MIX), "nodes has no meaning"),
    "no such holder": (_blend("1d", ("idle", 0), blendSpaceName="Deep/Space"), "cannot contain other nodes"),
    "no such node class": (_of_tree([{"name": "a", "type": "Blend4"}]), "Blend2"),
    "an animation node without one": (_of_tree([{"name": "a", "type": "Animation"}]), "needs an animation"),
    "inputs of a Blend2": (_of_tree([{"name": "a", "type": "Blend2", "inputs": ["x"]}]), "only a Transition"),
    "no such parameter": (_of_tree([{"name": "a", "type": "Blend2", "parameters": {"blend": 1}}]), "blend_amount"),
    "no such wire's node": (_of_tree(MIX, ("idel", "Mix", 0)), "'idle'"),
    "no such input": (_of_tree(MIX, ("idle", "Mix", 2)), "has 2 inputs"),
    "an input with two wires": (_of_tree(MIX, ("idle", "Mix", 0), ("run", "Mix", 0)), "only one connection"),
    "a circle": (
        _of_tree([{"name": name, "type": "TimeScale"} for name in "ab"], ("a", "b", 0), ("b", "a", 0)),
        "depend on itself",
    ),
    "two nodes of one name": (_of_tree([_plays("idle"), _plays("idle")]), "same name"),
    "a tree that is none": (_machine(BOTH, animTreePath="Body"), "AnimationTree"),
    "a player that is none": (("create_animation_tree", {**MAIN, "animPlayerPath": "Body"}), "AnimationPlayer"),
    "no such root motion": (("create_animation_tree", {**MAIN, "rootMotionTrack": "Bax"}), "'Box'"),
}


@pytest.fixture
def game(project: Path) -> Path:
    return make_project(project, {file: text.replace("~/", "") for file, text in FILES.items()})


async def _run(caller: Caller, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    here = {key: value.replace("~/", "") if isinstance(value, str) else value for key, value in arguments.items()}
    reply = await caller.reply(tool, here, meta={"approved": True})
    assert reply.structured is not None
    return reply.structured


@pytest.mark.anyio
@pytest.mark.parametrize("name", REFUSED)
async def test_a_refusal_says_what_to_do_and_changes_nothing(game: Path, caller: Caller, name: str) -> None:
    for tool, arguments in START:
        assert (await _run(caller, tool, arguments))["ok"]
    before = (game / "main.tscn").read_bytes()
    (tool, arguments), said = REFUSED[name]
    error = (await _run(caller, tool, arguments))["error"]
    assert error is not None
    assert said in f"{error['message']} {error.get('suggestedFix', '')}"
    assert (game / "main.tscn").read_bytes() == before


@pytest.mark.anyio
async def test_what_is_there_is_not_replaced_unasked(game: Path, caller: Caller) -> None:
    for tool, arguments in (*START, _blend("1d", ("idle", 0))):
        assert (await _run(caller, tool, arguments))["ok"]
    for tool, arguments in (_blend("1d", ("run", 0)), _machine(BOTH)):
        error = (await _run(caller, tool, arguments))["error"]
        assert "overwrite: true" in error["suggestedFix"]
    assert "AnimationNodeBlendSpace1D" in (game / "main.tscn").read_text()


@pytest.mark.anyio
async def test_the_reply_tells_a_script_what_to_set(game: Path, caller: Caller) -> None:
    for tool, arguments in START:
        assert (await _run(caller, tool, arguments))["ok"]
    wires = ({**WIRE, "advanceCondition": "moving"}, {"from": "walk", "to": "idle", "advanceCondition": "resting"})
    told = (await _run(caller, *_machine(BOTH, *wires)))["result"]
    assert told["parameters"] == ["parameters/conditions/moving", "parameters/conditions/resting"]
    assert told["transitions"] == ["Start -> idle", "idle -> walk", "walk -> idle"]
    assert told["travel"] == 'get("parameters/playback").travel("idle")'
    assert "parameters/conditions/moving = false" in (game / "main.tscn").read_text()


@pytest.mark.anyio
async def test_a_tree_that_an_instance_brings_belongs_to_its_scene(game: Path, caller: Caller) -> None:
    tree = {"scenePath": "part.tscn", "animPlayerPath": "Blinker"}
    assert (await _run(caller, "create_animation_tree", tree))["ok"]
    refused = await _run(caller, *_machine([{"name": "blink"}], animTreePath="Part/AnimationTree"))
    assert "comes with an instance" in refused["error"]["message"]
    inner = {"scenePath": "part.tscn", "animTreePath": "AnimationTree", "states": [{"name": "blink"}]}
    assert (await _run(caller, "setup_state_machine", inner))["ok"]
    assert "AnimationNodeStateMachine" in (game / "part.tscn").read_text()


@pytest.mark.anyio
async def test_a_tree_knows_a_player_by_its_unique_name(game: Path, caller: Caller) -> None:
    for tool, arguments in START:
        assert (await _run(caller, tool, arguments))["ok"]
    for path, properties in (
        ("AnimationPlayer", {"unique_name_in_owner": True}),
        (IN_TREE["animTreePath"], {"anim_player": "%AnimationPlayer"}),
    ):
        edited = {**MAIN, "nodePath": path, "properties": properties}
        assert (await _run(caller, "edit_node", edited))["ok"]
    assert (await _run(caller, *_machine([{"name": "idle"}])))["ok"]
    assert "'walk'" in (await _run(caller, *_machine([{"name": "x", "animation": "wlak"}])))["error"]["suggestedFix"]


HERE = {"scenePath": "main.tscn"}
TRAVEL = {"from": "idle", "to": "walk", "advanceCondition": "moving"}
PARAMETERS: dict[str, tuple[str, Any, str]] = {
    "a number for a line": ("parameters/Move/blend_position", 0.5, "parameters/Move/blend_position = 0.5"),
    "a condition": ("parameters/conditions/moving", "true", "parameters/conditions/moving = true"),
}
WRONG = {
    "another name": ("parameters/Move/blendposition", 0.5, "Did you mean 'parameters/Move/blend_position'"),
    "another place": ("parameters/blend_position", 0.5, "has no 'parameters/blend_position'"),
    "another type": ("parameters/Move/blend_position", "fast", "takes a float"),
    "no condition": ("parameters/conditions/resting", True, "has no"),
}


async def _with_a_line_in_a_machine(project: Path, caller: Caller) -> None:
    make_project(project, FILES)
    line = _blend("1d", ("idle", 0), ("run", 1), blendSpaceName="Move")
    for tool, arguments in (*START, _machine(BOTH, TRAVEL), line):
        reply = await caller.reply(tool, arguments | HERE)
        assert reply.structured is not None
        assert reply.structured["ok"], reply.structured


@pytest.mark.anyio
@pytest.mark.parametrize("case", PARAMETERS)
async def test_a_parameter_is_set_by_what_the_graph_makes_of_it(project: Path, caller: Caller, case: str) -> None:
    await _with_a_line_in_a_machine(project, caller)
    name, value, written = PARAMETERS[case]
    reply = await caller.reply("edit_node", {**HERE, "nodePath": "Tree", "properties": {name: value}})
    assert reply.structured is not None
    assert reply.structured["ok"], reply.structured
    assert written in (project / "main.tscn").read_text()


@pytest.mark.anyio
@pytest.mark.parametrize("case", WRONG)
async def test_a_parameter_that_the_graph_has_not_is_refused(project: Path, caller: Caller, case: str) -> None:
    await _with_a_line_in_a_machine(project, caller)
    before = (project / "main.tscn").read_text()
    name, value, said = WRONG[case]
    reply = await caller.reply("edit_node", {**HERE, "nodePath": "Tree", "properties": {name: value}})
    assert reply.structured is not None
    error = reply.structured["error"]
    assert said in f"{error['message']} {error.get('suggestedFix')}"
    assert (project / "main.tscn").read_text() == before
