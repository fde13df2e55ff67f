"""Animations and sounds played inside a real editor: seen and heard there, and never in what is saved."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from tests.godot.editor.conftest import Workbench

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("editor")]

INSPECTOR = "godot_inspector_manager"
SHOW = "res://show.tscn"
SCENE = """[gd_scene format=3 uid="uid://blive0show001"]

[sub_resource type="AudioStreamWAV" id="Wav"]
data = PackedByteArray(WAVE)
mix_rate = 8000
loop_mode = 1
loop_end = 8000

[sub_resource type="Animation" id="Animation_go"]
length = 4.0
tracks/0/type = "value"
tracks/0/path = NodePath("Ship:position")
tracks/0/interp = 1
tracks/0/keys = {"times": PackedFloat32Array(0, 4), "transitions": PackedFloat32Array(1, 1), "update": 0,
"values": [Vector2(100, 0), Vector2(500, 0)]}
tracks/1/type = "value"
tracks/1/path = NodePath("Space:rotation")
tracks/1/interp = 1
tracks/1/keys = {"times": PackedFloat32Array(0, 4), "transitions": PackedFloat32Array(1, 1), "update": 0,
"values": [Vector3(1, 0, 0), Vector3(2, 0, 0)]}
tracks/2/type = "scale_3d"
tracks/2/path = NodePath("Space")
tracks/2/interp = 1
tracks/2/keys = PackedFloat32Array(0, 1, 3, 3, 3)
tracks/3/type = "value"
tracks/3/path = NodePath("Panel:position")
tracks/3/interp = 1
tracks/3/keys = {"times": PackedFloat32Array(0), "transitions": PackedFloat32Array(1), "update": 0,
"values": [Vector2(77, 88)]}
tracks/4/type = "value"
tracks/4/path = NodePath("Ship:texture:gradient:interpolation_mode")
tracks/4/interp = 1
tracks/4/keys = {"times": PackedFloat32Array(0), "transitions": PackedFloat32Array(1), "update": 1, "values": [2]}
tracks/5/type = "animation"
tracks/5/path = NodePath("Other")
tracks/5/interp = 1
tracks/5/keys = {"clips": PackedStringArray("fade"), "times": PackedFloat32Array(0)}
tracks/6/type = "method"
tracks/6/path = NodePath("Ship")
tracks/6/interp = 1
tracks/6/keys = {"times": PackedFloat32Array(0), "transitions": PackedFloat32Array(1),
"values": [{"args": [], "method": &"hide"}]}
tracks/7/type = "audio"
tracks/7/path = NodePath("Sound")
tracks/7/interp = 1
tracks/7/keys = {"clips": [{"end_offset": 0.0, "start_offset": 0.0, "stream": SubResource("Wav")}],
"times": PackedFloat32Array(0)}

[sub_resource type="Animation" id="Animation_spin"]
length = 2.0
loop_mode = 1
tracks/0/type = "value"
tracks/0/path = NodePath("Ship:rotation")
tracks/0/interp = 1
tracks/0/keys = {"times": PackedFloat32Array(0, 2), "transitions": PackedFloat32Array(1, 1), "update": 0,
"values": [1.0, 2.0]}

[sub_resource type="AnimationLibrary" id="Library_main"]
_data = {&"go": SubResource("Animation_go"), &"spin": SubResource("Animation_spin")}

[sub_resource type="Animation" id="Animation_fade"]
tracks/0/type = "value"
tracks/0/path = NodePath("Panel:modulate")
tracks/0/interp = 1
tracks/0/keys = {"times": PackedFloat32Array(0), "transitions": PackedFloat32Array(1), "update": 0,
"values": [Color(1, 0, 0, 1)]}

[sub_resource type="AnimationLibrary" id="Library_other"]
_data = {&"fade": SubResource("Animation_fade")}

[sub_resource type="Gradient" id="Gradient"]

[sub_resource type="GradientTexture1D" id="Texture"]
gradient = SubResource("Gradient")

[node name="Show" type="Node2D"]

[node name="Ship" type="Sprite2D" parent="."]
position = Vector2(1, 2)
texture = SubResource("Texture")

[node name="Space" type="Node3D" parent="."]
transform = Transform3D(0.8, -0.6, 0, 0.6, 0.8, 0, 0, 0, 1, 4, 5, 6)

[node name="Panel" type="Panel" parent="."]
offset_left = 3.0
offset_top = 4.0
offset_right = 43.0
offset_bottom = 44.0

[node name="Sound" type="AudioStreamPlayer" parent="."]
stream = SubResource("Wav")

[node name="Flat" type="AudioStreamPlayer2D" parent="."]
stream = SubResource("Wav")

[node name="Mute" type="AudioStreamPlayer3D" parent="."]

[node name="Other" type="AnimationPlayer" parent="."]
libraries = {&"": SubResource("Library_other")}

[node name="Player" type="AnimationPlayer" parent="."]
libraries = {&"": SubResource("Library_main")}
""".replace("WAVE", ", ".join(["0"] * 8000))


class Stage:
    """The scene with the players, open in the editor."""

    def __init__(self, live: Workbench) -> None:
        self.live = live

    async def __call__(self, action: str, **arguments: Any) -> dict[str, Any]:
        found: dict[str, Any] = await self.live.result(INSPECTOR, action=action, **arguments)
        return found

    async def animation(self, verb: str, **arguments: Any) -> dict[str, Any]:
        return await self(f"animation.{verb}", playerPath="Player", **arguments)

    async def value(self, node: str, name: str) -> str:
        answer = await self.live.ask("scenewright.get_properties", node_path=node, properties=[name])
        return str(answer["nodes"][0]["properties"][name])

    async def text(self) -> str:
        return str((await self.live.ask("scenewright.scene_text", scene=SHOW))["text"])

    async def is_unsaved(self) -> bool:
        state = await self.live.ask("scenewright.get_state")
        return bool({row["path"]: row["unsaved"] for row in state["scenes"]}[SHOW])


@pytest.fixture
async def stage(live: Workbench) -> AsyncIterator[Stage]:
    (live.project / "show.tscn").write_text(SCENE, encoding="utf-8")
    await live.ask("scenewright.reload_files", paths=[SHOW])
    await live.ask("scenewright.open_scene", scene_path=SHOW)
    found = Stage(live)
    yield found
    await found.animation("stop")
    await live.ask("scenewright.save_scene", overwrite=True)


async def test_an_animation_plays_and_all_that_it_changed_is_put_back(stage: Stage) -> None:
    before, history = await stage.text(), await stage.live.ask("scenewright.get_history", scene=SHOW)
    played = await stage.animation("play", animation="go")
    assert played == {
        "playerPath": "/root/Show/Player",
        "playing": True,
        "animation": "go",
        "position": 0.0,
        "speed": 1.0,
        "length": 4.0,
        "loop": "none",
    }
    while await stage.value("Ship", "position") == "Vector2(1, 2)" or "1, 0, 0" not in await stage.value(
        "Panel", "modulate"
    ):
        await stage.live.ask("ping")
    assert await stage.value("Space", "scale") == "Vector3(3, 3, 3)"
    assert await stage.value("Panel", "position") == "Vector2(77, 88)"
    assert await stage.value("Ship", "texture:gradient:interpolation_mode") == "2"
    assert await stage.value("Ship", "visible") == "true"  # methods are not called
    stopped = await stage.animation("stop")
    assert stopped == {"playerPath": "/root/Show/Player", "playing": False}
    assert await stage.value("Ship", "position") == "Vector2(1, 2)"
    assert await stage.value("Ship", "texture:gradient:interpolation_mode") == "0"
    assert await stage.text() == before
    assert await stage.is_unsaved() is False
    assert await stage.live.ask("scenewright.get_history", scene=SHOW) == history


async def test_it_plays_backwards_and_at_another_speed(stage: Stage) -> None:
    backwards = await stage.animation("play", animation="spin", backwards=True, speed=0.5)
    assert (backwards["position"], backwards["speed"], backwards["loop"]) == (2.0, -0.5, "linear")


async def test_it_plays_from_a_moment_on(stage: Stage) -> None:
    played = await stage.animation("play", animation="spin", startTime=1)
    assert played["playing"] is True
    assert played["position"] == pytest.approx(1, abs=0.5)
    await stage.animation("stop")


async def test_a_moment_is_shown_until_it_is_stopped(stage: Stage) -> None:
    shown = await stage.animation("seek", animation="go", time=1)
    assert (shown["playing"], shown["position"], shown["animation"]) == (False, 1.0, "go")
    assert await stage.value("Ship", "position") == "Vector2(200, 0)"
    await stage.animation("seek", time=2)
    assert await stage.value("Ship", "position") == "Vector2(300, 0)"
    await stage.animation("seek", animation="spin", time=1)
    assert await stage.value("Ship", "rotation") == "1.5"
    await stage.animation("stop")
    assert (await stage.value("Ship", "position"), await stage.value("Ship", "rotation")) == ("Vector2(1, 2)", "0.0")


async def test_a_preview_is_not_saved(stage: Stage) -> None:
    file = stage.live.project / "show.tscn"
    await stage.live.ask("scenewright.save_scene", overwrite=True)
    saved = file.read_bytes()
    await stage.animation("seek", animation="go", time=1)
    await stage.live.ask("scenewright.save_scene", overwrite=True)
    assert file.read_bytes() == saved
    assert await stage.value("Ship", "position") == "Vector2(1, 2)"


async def test_a_preview_is_over_before_the_scene_is_edited_or_undone(stage: Stage) -> None:
    before = await stage.text()
    await stage.animation("seek", animation="go", time=1)
    edit = {"scenePath": "show.tscn", "nodePath": "Ship", "properties": {"position": {"x": 8, "y": 8}}}
    assert (await stage.live("edit_node", **edit))["execution"]["mode"] == "live"
    assert await stage.value("Ship", "position") == "Vector2(8, 8)"
    await stage.animation("seek", animation="go", time=1)
    await stage.live.ask("scenewright.set_property", node_path="Ship", property="position", value=[9, 9])
    for shown in ("Vector2(8, 8)", "Vector2(1, 2)"):
        await stage.animation("seek", animation="go", time=1)
        await stage.live("godot_scene_manager", action="undo")
        assert await stage.value("Ship", "position") == shown
    assert await stage.text() == before


async def test_a_preview_is_over_when_another_scene_is_brought_to_the_front(stage: Stage) -> None:
    await stage.animation("seek", animation="go", time=1)
    await stage.live.ask("scenewright.open_scene", scene_path="res://main.tscn")
    await stage.live.ask("scenewright.open_scene", scene_path=SHOW)
    assert await stage.value("Ship", "position") == "Vector2(1, 2)"


async def test_a_scene_behind_is_brought_to_the_front(stage: Stage) -> None:
    await stage.live.ask("scenewright.open_scene", scene_path="res://main.tscn")
    wrong = await stage.live.body("play_animation", playerPath="Player", animation="go", scenePath="main.tscn")
    assert "an AnimationPlayer; this is a CharacterBody2D" in wrong["error"]["message"]
    asked: dict[str, dict[str, Any]] = {"seek": {"animation": "go", "time": 0}, "play": {"animation": "go"}, "stop": {}}
    for verb, given in asked.items():
        await stage.animation(verb, scenePath="show.tscn", **given)
        await stage.live.ask("scenewright.open_scene", scene_path="res://main.tscn")
    heard = await stage("audio.play", nodePath="Sound", scenePath="show.tscn")
    assert heard == {"nodePath": "/root/Show/Sound", "playing": True, "length": 1.0}


async def test_sounds_play_and_stop(stage: Stage) -> None:
    before = await stage.text()
    for node in ("Sound", "Flat"):
        assert (await stage("audio.play", nodePath=node, fromPosition=0.25))["playing"] is True
        assert await stage.value(node, "playing") == "true"
        assert await stage("audio.stop", nodePath=node) == {"nodePath": f"/root/Show/{node}", "playing": False}
        assert await stage.value(node, "playing") == "false"
    assert await stage.text() == before
    assert await stage.is_unsaved() is False


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("play_animation", {"playerPath": "Player", "animation": "gone"}, "one of go, spin"),
        ("play_animation", {"playerPath": "Ship", "animation": "go"}, "this is a Sprite2D"),
        ("play_animation", {"playerPath": "Nobody", "animation": "go"}, "Node not found"),
        ("seek_animation", {"playerPath": "Player", "animation": "go", "time": 4.5}, "from 0 to 4"),
        ("seek_animation", {"playerPath": "Other", "time": 0}, "none was played yet"),
        ("play_audio", {"nodePath": "Mute"}, "a player that has a stream"),
        ("play_audio", {"nodePath": "Ship"}, "this is a Sprite2D"),
        ("play_audio", {"nodePath": "Sound", "fromPosition": 1.5}, "to below 1"),
        ("stop_audio", {"nodePath": "Player"}, "this is a AnimationPlayer"),
        ("stop_animation", {"playerPath": "Player", "scenePath": "player.tscn"}, "the scene is not open"),
        ("stop_audio", {"nodePath": "Sound", "scenePath": "player.tscn"}, "the scene is not open"),
    ],
)
async def test_what_cannot_be_played_is_refused(stage: Stage, tool: str, arguments: dict[str, Any], says: str) -> None:
    body = await stage.live.body(tool, **arguments)
    assert body["ok"] is False
    assert says in body["error"]["message"]
