"""Project settings and input actions: written losslessly, refused when wrong, and understood by the real engine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import Caller
from tests.support.gdscript_runner import Reply, make_project, run_jobs

from scenewright.app import make_runtime
from scenewright.core.calls.call import Request
from scenewright.core.config import Config
from scenewright.core.faults import Invalid
from scenewright.godot.classes.library import shipped
from scenewright.godot.documents.variant_reader import parse_variant
from scenewright.godot.documents.variant_writer import write_variant
from scenewright.godot.project.input_events import describe_event, is_same_event, read_event

PROJECT = (
    "; Engine configuration file.\r\n\r\nconfig_version=5\r\n\r\n[application]\r\n\r\n"
    'config/name="Maze" ; the title\r\nconfig/features=PackedStringArray("4.6", "Mobile")\r\n\r\n'
    "[display]\r\n\r\nwindow/size/viewport_width=640\r\n\r\n[game]\r\n\r\nspeed=2.5\r\n"
)


@pytest.fixture
def game(project: Path) -> Path:
    (project / "project.godot").write_bytes(PROJECT.encode())
    (project / "main.tscn").write_text('[gd_scene format=3]\n\n[node name="Main" type="Node"]\n')
    return project


@pytest.mark.anyio
async def test_input_actions_among_the_settings_have_their_events_by_name(game: Path, caller: Caller) -> None:
    await caller.result("add_input_action", name="jump", events=["Space", "Joypad Button A"])
    (jump,) = (await caller.result("get_project_settings", section="input"))["settings"]
    assert jump == {"name": "input/jump", "value": {"deadzone": 0.5, "events": ["Space", "Joypad Button A"]}}
    (accept,) = (await caller.result("get_project_settings", key="input/ui_accept", includeDefaults=True))["settings"]
    assert "Enter (keycode)" in accept["value"]["events"]


@pytest.mark.anyio
async def test_settings_are_read_with_their_defaults(game: Path, caller: Caller) -> None:
    read = await caller.result("get_project_settings", section="display", key="window/size")
    assert read["settings"] == [
        {"name": "display/window/size/viewport_width", "value": 640, "default": 1152, "type": "int"}
    ]
    whole = await caller.result(
        "get_project_settings", key="display/window/size/viewport", includeDefaults=True, limit=1
    )
    assert (whole["total"], whole["nextOffset"]) == (2, 1)
    rest = await caller.result(
        "get_project_settings", key="display/window/size/viewport", includeDefaults=True, offset=1
    )
    assert rest["settings"] == [
        {"name": "display/window/size/viewport_height", "value": 648, "type": "int", "isDefault": True}
    ]
    every = await caller.result("godot_project_config_manager", action="project_setting.get")
    assert [row["name"] for row in every["settings"]] == [
        "config_version",
        "application/config/name",
        "application/config/features",
        "display/window/size/viewport_width",
        "game/speed",
    ]


@pytest.mark.anyio
async def test_a_setting_changes_nothing_else_and_an_undo_brings_every_byte_back(game: Path, caller: Caller) -> None:
    done = await caller.result("set_project_setting", key="config/name", section="application", value="Labyrinth")
    assert done == {"key": "application/config/name", "value": "Labyrinth", "previous": "Maze"}
    assert (game / "project.godot").read_bytes() == PROJECT.replace('"Maze"', '"Labyrinth"').encode()
    await caller.result("set_project_setting", key="application/config/name", value=None)
    assert b"config/name" not in (game / "project.godot").read_bytes()
    await caller.result("manage_input_actions", action="add", name="jump", events=["Space"])
    for _ in range(3):
        await caller.result("history_undo")
    assert (game / "project.godot").read_bytes() == PROJECT.encode()


@pytest.mark.anyio
async def test_a_value_of_the_projects_own_keeps_its_type(game: Path, caller: Caller) -> None:
    assert (await caller.result("set_project_setting", key="game/speed", value=3))["value"] == 3.0
    assert b"speed=3.0\r\n" in (game / "project.godot").read_bytes()
    assert (await caller.result("set_project_setting", key="game/start", value="res://main.tscn"))["value"] == {
        "$type": "String",
        "value": "res://main.tscn",
    }


@pytest.mark.anyio
async def test_a_text_the_engine_does_not_offer_is_set_with_a_warning(game: Path, caller: Caller) -> None:
    arguments = {"key": "display/window/stretch/mode", "value": "2d"}
    reply = await caller.reply("set_project_setting", arguments)
    assert reply.structured is not None
    assert "'canvas_items'" in reply.structured["warnings"][0]
    known = await caller.reply("set_project_setting", {**arguments, "value": "canvas_items"})
    assert known.structured is not None
    assert "warnings" not in known.structured


@pytest.mark.anyio
async def test_a_new_name_among_the_engines_settings_must_be_meant(game: Path, caller: Caller) -> None:
    arguments = {"key": "display/window/size/viewport_widht", "value": 3}
    refused = await caller.reply("set_project_setting", arguments)
    assert refused.structured is not None
    assert "viewport_width" in refused.structured["error"]["suggestedFix"]
    assert (await caller.result("set_project_setting", **arguments, custom=True))["value"] == 3
    mobile = await caller.result("set_project_setting", key="display/window/size/viewport_width.mobile", value="300")
    assert mobile["value"] == 300


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("tool", "arguments", "code", "said"),
    [
        ("set_project_setting", {"key": "application/config/nmae", "value": "x"}, "E_NOT_FOUND", "config/name"),
        ("set_project_setting", {"key": "name", "value": "x"}, "E_SCHEMA_VALIDATION", "application/config/name"),
        ("set_project_setting", {"key": "a]/b", "value": "x"}, "E_SCHEMA_VALIDATION", ""),
        ("set_project_setting", {"key": "a/b\nc", "value": "x"}, "E_SCHEMA_VALIDATION", ""),
        (
            "set_project_setting",
            {"key": "display/window/size/viewport_width", "value": "wide"},
            "E_SCHEMA_VALIDATION",
            "int",
        ),
        ("set_project_setting", {"key": "game/speed", "value": "fast"}, "E_SCHEMA_VALIDATION", "float"),
        ("set_project_setting", {"key": "application/run/main_scene", "value": "mian.tscn"}, "E_NOT_FOUND", "main"),
        ("set_project_setting", {"key": "application/run/main_scene", "value": None}, "E_NOT_FOUND", ""),
        ("manage_input_actions", {"action": "add", "events": ["A"]}, "E_SCHEMA_VALIDATION", "name"),
        ("manage_input_actions", {"action": "add", "name": "a/b", "events": ["A"]}, "E_SCHEMA_VALIDATION", "a/b"),
        ("manage_input_actions", {"action": "add", "name": "ui_accept"}, "E_PERMISSION_DENIED", "add_event"),
        ("manage_input_actions", {"action": "add", "name": "x", "events": ["Spcae"]}, "E_SCHEMA_VALIDATION", "Space"),
        ("manage_input_actions", {"action": "add", "name": "x", "events": ["Crtl+A"]}, "E_SCHEMA_VALIDATION", "Ctrl"),
        ("manage_input_actions", {"action": "add", "name": "x", "events": ["Mouse Foot"]}, "E_SCHEMA_VALIDATION", ""),
        (
            "manage_input_actions",
            {"action": "add", "name": "x", "events": ["Joypad Stick Up"]},
            "E_SCHEMA_VALIDATION",
            "Joypad Left Stick Up",
        ),
        (
            "manage_input_actions",
            {"action": "add", "name": "x", "events": [{"type": "key", "keycod": "A"}]},
            "E_SCHEMA_VALIDATION",
            "keycode",
        ),
        (
            "manage_input_actions",
            {"action": "add", "name": "x", "events": [{"type": "key", "keycode": 1.5}]},
            "E_SCHEMA_VALIDATION",
            "int",
        ),
        (
            "manage_input_actions",
            {"action": "add", "name": "x", "events": [{"type": "key"}]},
            "E_SCHEMA_VALIDATION",
            "which",
        ),
        (
            "manage_input_actions",
            {"action": "add", "name": "x", "events": [{"type": "joypad_motion", "axis": 1}]},
            "E_SCHEMA_VALIDATION",
            "axis_value",
        ),
        (
            "manage_input_actions",
            {"action": "add", "name": "x", "events": ["Joypad Axis 1 +."]},
            "E_SCHEMA_VALIDATION",
            "Joypad",
        ),
        (
            "manage_input_actions",
            {"action": "add", "name": "x", "events": [{"type": "touch"}]},
            "E_SCHEMA_VALIDATION",
            "joypad_motion",
        ),
        ("manage_input_actions", {"action": "add", "name": "x", "events": [5]}, "E_SCHEMA_VALIDATION", "Space"),
        (
            "manage_input_actions",
            {"action": "add_event", "name": "ui_accpt", "events": ["A"]},
            "E_NOT_FOUND",
            "ui_accept",
        ),
        (
            "manage_input_actions",
            {"action": "remove_event", "name": "ui_accept", "events": ["A"]},
            "E_NOT_FOUND",
            "Enter",
        ),
        ("manage_input_actions", {"action": "remove", "name": "ui_accept"}, "E_SCHEMA_VALIDATION", "remove_event"),
        ("manage_input_actions", {"action": "remove", "name": "jump"}, "E_NOT_FOUND", ""),
    ],
)
async def test_what_cannot_be_is_refused_and_changes_nothing(
    game: Path, caller: Caller, tool: str, arguments: dict[str, Any], code: str, said: str
) -> None:
    reply = await caller.reply(tool, arguments)
    assert reply.structured is not None
    refused = reply.structured["error"]
    assert refused["code"] == code
    assert said in refused.get("suggestedFix", "") + refused["message"]
    assert (game / "project.godot").read_bytes() == PROJECT.encode()


@pytest.mark.anyio
async def test_events_of_an_action_are_added_and_removed_by_name(game: Path, caller: Caller) -> None:
    await caller.result("manage_input_actions", action="add", name="jump", events=["Space", "space"], deadzone=0.2)
    more = await caller.result("manage_input_actions", action="add_event", name="jump", events=["W", "SPACE"])
    assert more["actions"] == [{"name": "jump", "events": ["Space", "W"], "deadzone": 0.2}]
    less = await caller.result("manage_input_actions", action="remove_event", name="jump", events=["Space"])
    assert less["actions"][0]["events"] == ["W"]
    listed = await caller.result("manage_input_actions", action="list")
    assert [row["name"] for row in listed["actions"]] == ["jump"]
    own = await caller.result("manage_input_actions", action="list", name="ui_accept")
    assert own["actions"] == [
        {
            "name": "ui_accept",
            "events": ["Enter (keycode)", "Kp Enter (keycode)", "Space (keycode)"],
            "deadzone": 0.5,
            "builtin": True,
        }
    ]
    every = await caller.result("manage_input_actions", action="list", includeBuiltin=True)
    assert len(every["actions"]) > 50
    await caller.result("manage_input_actions", action="remove", name="jump")
    assert (game / "project.godot").read_bytes() == PROJECT.encode()


@pytest.mark.anyio
async def test_one_action_or_also_the_engines_own_are_listed(game: Path, caller: Caller) -> None:
    for name in ("jump", "duck"):
        await caller.result("add_input_action", name=name, events=["Key A"])
    assert [row["name"] for row in (await caller.result("list_input_actions"))["actions"]] == ["jump", "duck"]
    one = await caller.result("list_input_actions", name="duck")
    assert [row["name"] for row in one["actions"]] == ["duck"]
    every = await caller.result("list_input_actions", includeBuiltin=True)
    assert {"ui_accept", "jump"} <= {row["name"] for row in every["actions"]}


@pytest.mark.anyio
async def test_an_action_is_only_replaced_when_asked(game: Path, caller: Caller) -> None:
    await caller.result("add_input_action", name="jump", events=["Key A"])
    assert not (await caller.run("add_input_action", {"name": "jump", "events": ["Key B"]})).ok
    await caller.result("add_input_action", name="jump", events=["Key B"], overwrite=True)
    (row,) = (await caller.result("list_input_actions", name="jump"))["actions"]
    assert row["events"] == ["B"]


def test_every_event_of_the_engines_own_actions_has_a_name_that_means_it() -> None:
    index = shipped()
    seen = 0
    for setting in index.properties("ProjectSettings"):
        if setting.name.startswith("input/") and setting.default:
            for event in parse_variant(setting.default).get("events").items:  # type: ignore[union-attr]
                name = describe_event(event, index)
                assert name is not None
                assert is_same_event(read_event(name, index), event), name
                seen += 1
    assert seen > 100


_WORDS = (
    "Ctrl",
    "Shift",
    "+",
    " ",
    "-",
    "Mouse",
    "Joypad",
    "Button",
    "Axis",
    "Left",
    "Stick",
    "Up",
    "Trigger",
    "A",
    "7",
    "0.5",
    "(keycode)",
    "(device 1)",
    "(label)",
    "Key",
    "Kp",
    "Wheel",
    ".",
    "_",
    "\u0663",
)


@given(st.lists(st.sampled_from(_WORDS) | st.text(max_size=3), max_size=6).map("".join) | st.text(max_size=12))
@settings(max_examples=300, deadline=None)
def test_any_text_is_refused_or_an_event_whose_name_means_it(text: str) -> None:
    index = shipped()
    try:
        event = read_event(text, index)
    except Invalid:
        return
    name = describe_event(event, index)
    assert name is not None
    assert read_event(name, index) == event


def test_an_event_without_a_name_comes_as_the_engine_writes_it() -> None:
    event = read_event({"type": "key", "keycode": "Shift", "location": 2}, shipped())
    assert describe_event(event, shipped()) is None
    assert read_event({"$literal": write_variant(event)}, shipped()) == event
    for wrong in ("Object(Node2D)", "Vector2(1, 2)", "Object("):
        with pytest.raises(Invalid):
            read_event({"$literal": wrong}, shipped())


# Each event as it is given, what it is called, and the event that the player's hardware would send.
EVENTS: list[tuple[Any, str, str]] = [
    ("Key A", "A", "physical_keycode=65"),
    ("a (keycode)", "A (keycode)", "keycode=65"),
    ("Ctrl+Shift+S", "Ctrl+Shift+S", "physical_keycode=83 ctrl_pressed=true shift_pressed=true"),
    ("Ctrl++", "Ctrl+Plus", "physical_keycode=43 ctrl_pressed=true"),
    ("CmdOrCtrl+Z", "CmdOrCtrl+Z", "physical_keycode=90 ctrl_pressed=true"),
    ("Space", "Space", "physical_keycode=32"),
    ("esc", "Escape", "physical_keycode=4194305"),
    ("KEY_KP_ADD", "Kp Add", "physical_keycode=4194437"),
    ("7", "7", "physical_keycode=55"),
    ("/", "Slash", "physical_keycode=47"),
    ("Left", "Left", "physical_keycode=4194319"),
    ("F12 (label)", "F12 (label)", "key_label=4194343"),
    ({"type": "key", "keycode": "S", "alt": True}, "Alt+S (keycode)", "keycode=83 alt_pressed=true"),
    ({"type": "key", "physicalKeycode": 81}, "Q", "physical_keycode=81"),
    ("Mouse Left", "Mouse Left", "button_index=1"),
    ("Right Mouse Button", "Mouse Right", "button_index=2"),
    ("Shift+Mouse Wheel Up", "Shift+Mouse Wheel Up", "button_index=4 shift_pressed=true"),
    ({"type": "mouse_button", "button": 8}, "Mouse Xbutton1", "button_index=8"),
    ("Joypad Button A", "Joypad Button A", "button_index=0"),
    ("Joypad D-Pad Up", "Joypad Button Dpad Up", "button_index=11"),
    ("gamepad LB (device 1)", "Joypad Button Left Shoulder (device 1)", "button_index=9 device=1"),
    ("Joypad Button 40", "Joypad Button 40", "button_index=40"),
    ("Joypad Left Stick Up", "Joypad Left Stick Up", "axis=1 axis_value=-1.0"),
    ("Joypad Right Trigger", "Joypad Right Trigger", "axis=5 axis_value=1.0"),
    ("Joypad Axis 7 -0.5", "Joypad Axis 7 -0.5", "axis=7 axis_value=-1.0"),
    ({"type": "joypad_motion", "axis": 2, "value": 1}, "Joypad Right Stick Right", "axis=2 axis_value=1.0"),
]
SETTINGS: list[tuple[str, Any, str]] = [
    ("application/config/name", 'Labyrinth "2"', '"Labyrinth \\"2\\""'),
    ("application/config/tags", ["a", "b"], 'PackedStringArray("a", "b")'),
    ("application/run/main_scene", "main.tscn", '"res://main.tscn"'),
    ("display/window/size/viewport_width", "800", "800"),
    ("display/window/size/mode", "Fullscreen", "3"),
    ("physics/2d/default_gravity_vector", [0, 2], "Vector2(0, 2)"),
    ("rendering/environment/defaults/default_clear_color", "#ff8800", "Color(1, 0.53333336, 0, 1)"),
    ("layer_names/2d_physics/layer_3", "walls", '"walls"'),
    ("game/title", "Vector2(1, 2)", "Vector2(1, 2)"),
    ("game/levels", ["one", 2, 2.5, None, True], '["one", 2, 2.5, null, true]'),
    ("game/rules", {"lives": 3, "names": {"a": 1}}, '{\n"lives": 3,\n"names": {\n"a": 1\n}\n}'),
    ("my game/some key", "x", '"x"'),
]
# Several calls, one after the other, and the events of an action that are then left; None where there is no action.
SEQUENCES: dict[str, tuple[list[tuple[str, dict[str, Any]]], list[str] | None]] = {
    "walk": (
        [
            ("setup_input_map", {"actions": [{"name": "walk", "keys": ["W"]}, {"name": "run", "keys": ["R"]}]}),
            ("setup_input_map", {"actions": [{"name": "walk", "events": ["A (keycode)", "Left (keycode)"]}]}),
        ],
        ["A", "Left"],
    ),
    "ui_accept": (
        [
            ("manage_input_actions", {"action": "add_event", "name": "ui_accept", "events": ["F5 (keycode)"]}),
            ("manage_input_actions", {"action": "remove_event", "name": "ui_accept", "events": ["Space (keycode)"]}),
        ],
        ["Enter", "Kp Enter", "F5"],
    ),
    "gone": (
        [
            ("manage_input_actions", {"action": "add", "name": "gone", "events": ["G"]}),
            ("manage_input_actions", {"action": "remove", "name": "gone"}),
        ],
        None,
    ),
    "other": (
        [
            ("manage_input_actions", {"action": "add", "name": "other", "events": ["G"]}),
            ("manage_input_actions", {"action": "add", "name": "other", "events": ["H (keycode)"], "overwrite": True}),
        ],
        ["H"],
    ),
}
ENGINE = """
func run(job: Variant) -> Variant:
	if job is Dictionary:
		if not InputMap.has_action(job["action"]):
			return null
		return InputMap.action_get_events(job["action"]).map(func(event: InputEvent) -> String: return event.as_text())
	if job is String:
		return var_to_str(ProjectSettings.get_setting(job))
	var sent: InputEvent = ClassDB.instantiate(job[1])
	for part: String in job[2].split(" "):
		sent.set(part.get_slice("=", 0), str_to_var(part.get_slice("=", 1)))
	if "pressed" in sent:
		sent.set("pressed", true)
	var events: Array = InputMap.action_get_events(job[0])
	var other: InputEvent = InputEventKey.new()
	other.set("physical_keycode", KEY_F35)
	return [events.size(), events[0].get_class(), InputMap.event_is_action(sent, job[0], true),
		InputMap.event_is_action(other, job[0], true), InputMap.action_get_deadzone(job[0]), events[0].as_text(),
		var_to_str(events[0])]
"""


def _class(name: str) -> str:
    if "Mouse" in name:
        return "InputEventMouseButton"
    if name.startswith("Joypad"):
        return "InputEventJoypadButton" if "Button" in name else "InputEventJoypadMotion"
    return "InputEventKey"


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> list[Reply]:
    main = '[gd_scene format=3]\n\n[node name="Main" type="Node"]\n'
    project = make_project(tmp_path_factory.mktemp("game"), {"main.tscn": main})
    runtime = make_runtime(Config(project=project, rate_limit=None))

    async def call_all() -> None:
        for key, value, _ in SETTINGS:
            done = await runtime.run(Request(tool="set_project_setting", arguments={"key": key, "value": value}))
            assert done.ok, (key, done.summary)
        for number, (event, _, _) in enumerate(EVENTS):
            arguments = {"action": "add", "name": f"event_{number}", "events": [event], "deadzone": 0.25}
            done = await runtime.run(Request(tool="manage_input_actions", arguments=arguments))
            assert done.ok, (event, done.summary)

        for calls, _ in SEQUENCES.values():
            for tool, arguments in calls:
                done = await runtime.run(Request(tool=tool, arguments=arguments))
                assert done.ok, (arguments, done.summary)

    anyio.run(call_all)
    runtime.close()
    jobs: list[Any] = [key for key, _, _ in SETTINGS]
    jobs += [[f"event_{number}", _class(name), sent] for number, (_, name, sent) in enumerate(EVENTS)]
    return run_jobs(project, ENGINE, [*jobs, *({"action": name} for name in SEQUENCES)])


@pytest.mark.godot
@pytest.mark.parametrize("number", range(len(SETTINGS)), ids=[key for key, _, _ in SETTINGS])
@pytest.mark.since_godot(4, 5)  # older ones shorten floats
def test_the_engine_reads_a_setting_as_it_was_meant(loaded: list[Reply], number: int) -> None:
    assert loaded[number] == Reply(SETTINGS[number][2], [])


@pytest.mark.godot
@pytest.mark.parametrize("number", range(len(EVENTS)), ids=[name for _, name, _ in EVENTS])
def test_the_engine_takes_an_event_for_the_action_it_was_given_to(loaded: list[Reply], number: int) -> None:
    asked, name, _ = EVENTS[number]
    reply = loaded[len(SETTINGS) + number]
    assert reply.complaints == []
    assert reply.value[:5] == [1, _class(name), True, False, 0.25], reply.value
    assert reply.value[5]
    event = read_event(asked, shipped())
    assert reply.value[6] == write_variant(event)
    assert describe_event(event, shipped()) == name


@pytest.mark.godot
@pytest.mark.parametrize("name", SEQUENCES)
def test_the_engine_has_the_events_that_are_left_after_some_calls(loaded: list[Reply], name: str) -> None:
    replies = dict(zip(SEQUENCES, loaded[-len(SEQUENCES) :], strict=True))
    assert replies[name] == Reply(SEQUENCES[name][1], [])


@pytest.mark.anyio
async def test_a_folder_that_is_no_project_yet_says_how_to_begin_one(project: Path, caller: Caller) -> None:
    given = {"key": "application/config/name", "value": "Game"}
    reply = await caller.reply("set_project_setting", given)
    assert reply.structured is not None
    assert "config_version=5" in reply.structured["error"]["suggestedFix"]
    begun = {"path": "project.godot", "content": "config_version=5\n"}
    assert (await caller.run("write_file", begun)).ok
    assert (await caller.run("set_project_setting", given)).ok
