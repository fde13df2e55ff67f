"""Animations made through the pipeline and played by the real engine."""

from __future__ import annotations

import pytest
from tests.godot.animation.animated import (
    IN_PLAYER,
    MAIN,
    SLIDE,
    TURN,
    add,
    files_of,
    from_player,
    in_go,
    play_all,
    table,
)
from tests.godot.catalogue.writes.model import Case
from tests.support.gdscript_runner import Reply, make_project

HALF = "at('go', 0.5, 'Body', 'position')"
CASES: dict[str, Case] = {
    "an animation is empty, of one second and does not loop unless told otherwise": from_player(
        add(), asked={"go().length": 1.0, "go().loop_mode": 0, "go().get_track_count()": 0}
    ),
    "length, loop and step are kept": from_player(
        add("go", length=2.5, loop="pingpong", step=0.25),
        add("on", loop=True),
        add("off", loop=False, step=0),
        asked={
            "go().length": 2.5,
            "go().loop_mode": 2,
            "go().step": 0.25,
            "animation('on').loop_mode": 1,
            "animation('off').loop_mode": 0,
            "animation('off').step": 0.0,
        },
    ),
    "the length follows from the last key": from_player(
        add("go", table("Body", "position", [0, [0, 0]], [3, [1, 1]])), asked={"go().length": 3.0}
    ),
    "values go by their declared type": from_player(
        add(
            "go",
            SLIDE,
            table("Body", "modulate", [0, "#ff0000"]),
            table("Body", "speed", [0, 7]),
            table("Body", "hp", [0, 9]),
            table("Body", "visible", [0, False]),
            table("Body", "texture_filter", [0, "Nearest"]),
        ),
        asked={
            HALF: "Vector2(4, 0)",
            "at('go', 0, 'Body', 'modulate')": "Color(1, 0, 0, 1)",
            "at('go', 0, 'Body', 'speed')": "7.0",
            "at('go', 0, 'Body', 'hp')": "9",
            "at('go', 0, 'Body', 'visible')": "false",
            "at('go', 0, 'Body', 'texture_filter')": "1",
        },
    ),
    "parts of values and of resources are reached": from_player(
        add(
            "go",
            table("Body", "modulate:a", [0, 1], [1, 0]),
            table("Body", "position:y", [0, 0], [1, 6]),
            table("Body", "material:blend_mode", [0, "Add"]),
        ),
        asked={
            "at('go', 0.5, 'Body', 'modulate:a')": "0.5",
            "at('go', 0.5, 'Body', 'position')": "Vector2(3, 3)",
            "at('go', 0, 'Body', 'material:blend_mode')": "1",
        },
    ),
    "numbers are mixed and choices switch, as the editor would have it": from_player(
        add(
            "go",
            SLIDE,
            table("Body", "frame", [0, 0]),
            table("Body", "position:x", [0, 0], update="capture"),
            table("Body", "scale", [0, [1, 1]], update="discrete"),
        ),
        asked={
            "go().value_track_get_update_mode(0)": 0,
            "go().value_track_get_update_mode(1)": 1,
            "go().value_track_get_update_mode(2)": 2,
            "go().value_track_get_update_mode(3)": 1,
        },
    ),
    "interpolation, loop wrap and enabled are kept": from_player(
        add(
            "go",
            table("Body", "rotation", [0, 0], interpolation="cubic_angle", loopWrap=False, enabled=False),
            table("Body", "skew", [0, 0], interpolation="nearest"),
        ),
        asked={
            "go().track_get_interpolation_type(0)": 4,
            "go().track_get_interpolation_type(1)": 0,
            "go().track_get_interpolation_loop_wrap(0)": False,
            "go().track_is_enabled(0)": False,
            "go().track_is_enabled(1)": True,
        },
    ),
    "easings have names and numbers": from_player(
        add(
            "go",
            table(
                "Body",
                "position",
                [0, [0, 0], "in"],
                [1, [8, 0], 0.5],
                [2, [0, 0], "ease_in_out"],
                {"time": 3, "value": [8, 0], "easing": "EASE_OUT", "transition": 4},
                {"time": 4, "value": [0, 0], "easing": "constant"},
                {"time": 5, "value": [8, 0], "easing": -0.5},
                {"time": 6, "value": [8, 0], "easing": "out_in", "transition": 4},
            ),
        ),
        asked={
            HALF: "Vector2(2, 0)",
            "go().track_get_key_transition(0, 1)": 0.5,
            "go().track_get_key_transition(0, 2)": -2.0,
            "go().track_get_key_transition(0, 3)": 0.25,
            "at('go', 4.75, 'Body', 'position')": "Vector2(0, 0)",
            "go().track_get_key_transition(0, 5)": -0.5,
            "go().track_get_key_transition(0, 6)": -0.25,
        },
    ),
    "a method track calls with arguments": from_player(
        add(
            "go",
            table(
                "Body",
                None,
                [0.25, {"method": "hurt", "args": [2, "fire"]}],
                [0.5, "hide"],
                {"time": 0.75, "value": {"method": "set_position", "args": [[5, 6]]}},
                type="method",
            ),
        ),
        asked={
            "go().method_track_get_name(0, 1)": "hide",
            "var_to_str(go().method_track_get_params(0, 2))": "[Vector2(5, 6)]",
            "node('AnimationPlayer').set('callback_mode_method', 1); node('AnimationPlayer').play('go'); "
            "node('AnimationPlayer').advance(0); node('AnimationPlayer').advance(0.4); node('Body').hits": [
                [2, "fire"]
            ],
        },
    ),
    "a bezier track has handles": from_player(
        add(
            "go",
            table(
                "Body",
                "rotation",
                [0, 0],
                {"time": 1, "value": 4, "inHandle": [-0.5, 1], "outHandle": [0.25, -1], "handleMode": "balanced"},
                type="bezier",
            ),
        ),
        asked={
            "go().track_get_type(0)": 6,
            "var_to_str(go().bezier_track_get_key_in_handle(0, 1))": "Vector2(-0.5, 1)",
            "var_to_str(go().bezier_track_get_key_out_handle(0, 1))": "Vector2(0.25, -1)",
            "var_to_str(go().bezier_track_get_key_out_handle(0, 0))": "Vector2(0.25, 0)",
            "at('go', 1, 'Body', 'rotation')": "4.0",
        },
    ),
    "3D tracks move, turn and scale": from_player(
        add(
            "go",
            table("Box", None, [0, [0, 0, 0]], [1, [4, 0, 0]], type="position_3d"),
            table("Box", None, [0, {"rotation_degrees": [0, 90, 0]}], type="rotation_3d"),
            table("Box", None, [0, [3, 3, 3], "in"], type="scale_3d"),
            table("Box", "smile", [0, 0.5], type="blend_shape", enabled=False),
        ),
        asked={
            "at('go', 0.5, 'Box', 'position')": "Vector3(2, 0, 0)",
            "at('go', 0, 'Box', 'scale')": "Vector3(3, 3, 3)",
            "snappedf(go().rotation_track_interpolate(1, 0).y, 0.001)": 0.707,
            "go().track_get_key_transition(2, 0)": 2.0,
            "go().track_get_type(3)": 4,
            "str(go().track_get_path(3))": "Box:smile",
            "go().track_get_key_value(3, 0)": 0.5,
        },
    ),
    "2D kinds are value tracks": from_player(
        add(
            "go",
            table("Body", None, [0, [1, 2]], type="position_2d"),
            table("Body", None, [0, 1], type="rotation_2d"),
            table("Body", None, [0, [2, 2]], type="scale_2d"),
        ),
        asked={
            "str(go().track_get_path(0))": "Body:position",
            "at('go', 0, 'Body', 'rotation')": "1.0",
            "at('go', 0, 'Body', 'scale')": "Vector2(2, 2)",
            "go().track_get_type(2)": 0,
        },
    ),
    "audio and animation tracks": from_player(
        add("calm"),
        add(
            "go",
            table(
                "Sound",
                None,
                {
                    "time": 0.5,
                    "value": {"$resource": "AudioStreamGenerator", "props": {"mix_rate": 22050}},
                    "startOffset": 0.25,
                    "endOffset": 0.125,
                },
                type="audio",
            ),
            table("Part/Blinker", None, [0, "blink"], [1, "[stop]"], type="animation"),
        ),
        asked={
            "go().audio_track_get_key_stream(0, 0).mix_rate": 22050.0,
            "go().audio_track_get_key_start_offset(0, 0)": 0.25,
            "go().audio_track_get_key_end_offset(0, 0)": 0.125,
            "go().animation_track_get_key_animation(1, 1)": "[stop]",
        },
    ),
    "paths start at the scene's root and end up at the player's": Case(
        (
            ("create_animation_player", {**MAIN, "parentNodePath": "Body", "nodeName": "Inner"}),
            (
                "create_animation_player",
                {
                    **MAIN,
                    "parentNodePath": "Part",
                    "nodeName": "Far",
                    "rootNode": "Body/Arm",
                    "properties": {"speed_scale": 2},
                },
            ),
            (
                "add_animation",
                {
                    **MAIN,
                    "playerNodePath": "Body/Inner",
                    "animationName": "a",
                    "tracks": [
                        table("Body", "position", [0, [1, 1]]),
                        table("%Arm", "position", [0, [2, 2]]),
                        table("/root/Main/Part/Eye", "visible", [0, False]),
                    ],
                },
            ),
            (
                "add_animation",
                {
                    **MAIN,
                    "playerNodePath": "Part/Far",
                    "animationName": "a",
                    "tracks": [table("Body", "position", [0, [1, 1]]), table(".", "visible", [0, True])],
                },
            ),
        ),
        {
            "str(node('Body/Inner').get_animation('a').track_get_path(0))": ".:position",
            "str(node('Body/Inner').get_animation('a').track_get_path(1))": "Arm:position",
            "str(node('Body/Inner').get_animation('a').track_get_path(2))": "../Part/Eye:visible",
            "str(node('Part/Far').get_animation('a').track_get_path(0))": "..:position",
            "str(node('Part/Far').get_animation('a').track_get_path(1))": "../..:visible",
            "str(node('Part/Far').root_node)": "../../Body/Arm",
            "node('Part/Far').speed_scale": 2.0,
        },
    ),
    "RESET gets what the scene starts with": from_player(
        add(
            "go",
            SLIDE,
            TURN,
            table("Box", None, [0, [0, 0, 0]], type="position_3d"),
            table("Box", None, [0, [1, 1, 1]], type="scale_3d"),
            table("Body", None, [0, "hide"], type="method"),
            reset=True,
        ),
        add("more", SLIDE, table("Body", "modulate:a", [0, 0]), reset=True),
        asked={
            "animation('RESET').get_track_count()": 5,
            "snappedf(animation('RESET').length, 0.001)": 0.001,
            "at('RESET', 0, 'Body', 'position')": "Vector2(3, 4)",
            "at('RESET', 0, 'Box', 'position')": "Vector3(1, 2, 3)",
            "at('RESET', 0, 'Box', 'scale')": "Vector3(2, 2, 2)",
            "at('RESET', 0, 'Body', 'modulate:a')": "1.0",
        },
    ),
    "overwrite replaces the whole animation": from_player(
        add("go", SLIDE, TURN, length=4),
        add("go", TURN, overwrite=True),
        asked={"go().get_track_count()": 1, "go().length": 1.0},
    ),
    "a library of the scene's own is made by name": from_player(
        add("moves/go", SLIDE),
        add("plain"),
        asked={
            "at('moves/go', 0.5, 'Body', 'position')": "Vector2(4, 0)",
            "node('AnimationPlayer').has_animation('plain')": True,
            "', '.join(node('AnimationPlayer').get_animation_library_list())": ", moves",
        },
    ),
    "a library's file is changed in its place": Case(
        (
            ("create_animation_player", {**MAIN, "properties": {"libraries/moves": "res://~/moves.tres"}}),
            add("moves/go", SLIDE),
            add("moves/old", TURN),
            ("set_keyframe", {**IN_PLAYER, "animationName": "moves/go", "trackIndex": 0, "time": 1, "value": [16, 0]}),
            ("remove_animation", {**IN_PLAYER, "animationName": "moves/old"}),
        ),
        {
            "at('moves/go', 0.5, 'Body', 'position')": "Vector2(8, 0)",
            "', '.join(file('~/moves.tres').get_animation_list())": "go",
        },
    ),
    "a simple animation starts where the scene is": from_player(
        (
            "create_simple_animation",
            {
                **MAIN,
                "playerPath": "AnimationPlayer",
                "animation": "go",
                "nodePath": "Body",
                "property": "position",
                "endValue": [13, 4],
                "duration": 2,
            },
        ),
        (
            "create_simple_animation",
            {
                **MAIN,
                "playerPath": "AnimationPlayer",
                "animation": "turn",
                "nodePath": "Body",
                "property": "rotation",
                "startValue": 1,
                "endValue": 2,
            },
        ),
        (
            "create_simple_animation",
            {
                **MAIN,
                "playerPath": "AnimationPlayer",
                "animation": "turn",
                "nodePath": "Body/Arm",
                "property": "rotation",
                "startValue": 1,
                "endValue": 3,
                "replaceExisting": True,
            },
        ),
        (
            "create_simple_animation",
            {
                **MAIN,
                "playerPath": "AnimationPlayer",
                "animation": "up",
                "nodePath": "Box",
                "property": "position",
                "endValue": [1, 4, 3],
            },
        ),
        asked={
            "at('go', 1, 'Body', 'position')": "Vector2(8, 4)",
            "go().length": 2.0,
            "at('turn', 0.5, 'Body/Arm', 'rotation')": "2.0",
            "animation('turn').length": 1.0,
            "at('turn', 0.5, 'Body', 'rotation')": "0.0",
            "at('up', 0.5, 'Box', 'position')": "Vector3(1, 3, 3)",
        },
    ),
    "a track is added behind the others": from_player(
        add("go", SLIDE),
        in_go(
            "add_animation_track",
            trackType="value",
            nodePath="Body/Arm",
            property="rotation",
            reset=True,
            keys=[[0, 0], [1, 2]],
            options={"interpolation": "cubic", "update": "discrete", "loopWrap": False},
        ),
        in_go("add_animation_track", trackType="method", nodePath="Body", options={"enabled": False}),
        asked={
            "str(go().track_get_path(1))": "Body/Arm:rotation",
            "at('go', 1, 'Body/Arm', 'rotation')": "2.0",
            "go().track_get_interpolation_type(1)": 2,
            "go().value_track_get_update_mode(1)": 1,
            "go().track_get_interpolation_loop_wrap(1)": False,
            "go().track_is_enabled(2)": False,
            "go().track_get_type(2)": 5,
            "at('RESET', 0, 'Body/Arm', 'rotation')": "0.0",
        },
    ),
    "a track that starts from where its node is can come later and go": from_player(
        add("go", SLIDE),
        in_go("add_animation_track", trackType="scale_2d", nodePath="Body", options={"update": "capture"}),
        add("gone", table("Body", "skew", [0, 0], update="capture"), TURN),
        ("remove_animation_track", {**IN_PLAYER, "animationName": "gone", "trackIndex": 0}),
        asked={"go().capture_included": True, "animation('gone').capture_included": False},
    ),
    "a key is set by number, replaced at its time, and kept in order": from_player(
        add("go", SLIDE),
        in_go("set_keyframe", trackIndex=0, time=0.5, value=[0, 6], transition=3),
        in_go("set_keyframe", trackIndex=0, time=1.0, value={"x": 20, "y": 0}, easing="out"),
        in_go("set_keyframe", nodePath="Body", property="position", time=2, value="Vector2(1, 1)", easing=0.25),
        asked={
            "go().track_get_key_count(0)": 4,
            HALF: "Vector2(0, 6)",
            "at('go', 1, 'Body', 'position')": "Vector2(20, 0)",
            "go().track_get_key_transition(0, 1)": 3.0,
            "go().track_get_key_transition(0, 2)": 0.5,
            "go().track_get_key_time(0, 3)": 2.0,
            "go().track_get_key_transition(0, 3)": 0.25,
        },
    ),
    "a key for a property without a track makes the track": from_player(
        add("go"),
        in_go("set_keyframe", nodePath="Body", property="frame", time=0.5, value=0, reset=True),
        in_go("set_keyframe", nodePath="Body", property="scale", time=0, value=[2, 2]),
        in_go("set_keyframe", trackIndex=1, time=1, value=[4, 4], reset=True),
        asked={
            "go().value_track_get_update_mode(0)": 1,
            "animation('RESET').get_track_count()": 2,
            "at('go', 0.5, 'Body', 'scale')": "Vector2(3, 3)",
            "at('RESET', 0, 'Body', 'scale')": "Vector2(1, 1)",
        },
    ),
    "tracks of every kind take keys": from_player(
        add(
            "go",
            table("Body", None, type="method"),
            table("Body", "rotation", [1, 1], type="bezier"),
            table("Box", None, type="position_3d"),
            table("Part/Blinker", None, type="animation"),
            table("Sound", None, type="audio"),
        ),
        in_go("set_keyframe", trackIndex=0, time=0, value="hide"),
        in_go("set_keyframe", trackIndex=1, time=1, value=2),
        in_go("set_keyframe", trackIndex=2, time=0, value=[7, 8, 9]),
        in_go("set_keyframe", trackIndex=3, time=0, value="blink"),
        in_go("set_keyframe", trackIndex=4, time=0, value={"$resource": "AudioStreamGenerator"}),
        asked={
            "go().method_track_get_name(0, 0)": "hide",
            "go().bezier_track_get_key_value(1, 0)": 2.0,
            "var_to_str(go().position_track_interpolate(2, 0))": "Vector3(7, 8, 9)",
            "go().animation_track_get_key_animation(3, 0)": "blink",
            "go().audio_track_get_key_stream(4, 0).get_class()": "AudioStreamGenerator",
        },
    ),
    "a removed track makes the others move up": from_player(
        add("go", SLIDE, TURN, table("Body", "skew", [0, 0.5])),
        in_go("remove_animation_track", trackIndex=0),
        in_go("remove_animation_track", nodePath="Body", property="skew"),
        asked={"go().get_track_count()": 1, "at('go', 0.5, 'Body/Arm', 'rotation')": "1.0"},
    ),
    "a removed key is gone": from_player(
        add("go", SLIDE),
        in_go("remove_keyframe", nodePath="Body", property="position", time=0.0),
        asked={"go().track_get_key_count(0)": 1, HALF: "Vector2(8, 0)"},
    ),
    "a removed animation leaves nothing behind in the player": from_player(
        add("go", SLIDE),
        add("on"),
        (
            "edit_node",
            {
                **MAIN,
                "nodePath": "AnimationPlayer",
                "properties": {
                    "autoplay": "go",
                    "next/go": "on",
                    "next/on": "on",
                    "blend_times": {"$literal": '[&"go", &"on", 0.5, &"on", &"on", 0.25]'},
                },
            },
        ),
        in_go("remove_animation"),
        asked={
            "', '.join(node('AnimationPlayer').get_animation_list())": "on",
            "var_to_str(node('AnimationPlayer').autoplay)": '&""',
            "node('AnimationPlayer').get_blend_time('on', 'on')": 0.25,
            "node('AnimationPlayer').animation_get_next('on')": "on",
        },
    ),
}


NEWER = pytest.mark.since_godot(4, 5)
# Older ones complain of a blend shape that is not there, and keep autoplay as a String.
ODD = ("3D tracks move, turn and scale", "a removed animation leaves nothing behind in the player")


@pytest.fixture(scope="module", params=[None, (4, 5)], ids=["newest", "older"])
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], Reply]:
    """Played in a project of the newest engine, and in one of an older, which reads libraries in another form."""
    names = {f"c{at}": case for at, case in enumerate(CASES.values())}
    project = make_project(tmp_path_factory.mktemp("game"), files_of(names), version=request.param)
    answers = play_all(project, names)
    if request.param is not None:
        assert not [path for path in project.rglob("main.tscn") if "\nlibraries/" in path.read_text()]
    return answers


@pytest.mark.godot
@pytest.mark.xdist_group("godot-operations")
@pytest.mark.parametrize("name", [pytest.param(name, marks=NEWER if name in ODD else ()) for name in CASES])
def test_the_engine_plays(played: dict[tuple[str, str], Reply], name: str) -> None:
    folder = f"c{list(CASES).index(name)}"
    for asked, wanted in CASES[name].asked.items():
        assert played[folder, asked] == Reply(wanted, []), asked
