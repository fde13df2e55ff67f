"""Running code is not reading: attacks on the boundary around engines and scripts, with a Godot that only takes note.

Those that need the real engine are in `test_engines.py`.
"""

from __future__ import annotations

import os
import re
import stat
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest
from tests.conftest import Caller, MakeCaller
from tests.core.samples import FakeClient, fault_of, sample

from scenewright.app import catalogues
from scenewright.core.calls.call import Call
from scenewright.core.faults import TimedOut
from scenewright.core.operations.declaration import Operation
from scenewright.core.operations.registry import build_registry
from scenewright.core.policy.execution import Permit, permit_execution
from scenewright.godot.classes.library import shipped
from scenewright.godot.engine.conditions import for_expression
from scenewright.godot.engine.probe_expressions import DENIED, check_expression
from scenewright.godot.engine.process import WatchedProcess
from scenewright.godot.language.dotnet import run_build

pytestmark = pytest.mark.anyio

FAKE = """#!/bin/sh
[ "$1" = "--version" ] && { echo 4.6.3.stable.official.7d41c59c4; exit 0; }
echo "$@" >> "$(dirname "$0")/started"
exit 1
"""
SCENE = '[gd_scene format=3]\n\n[node name="Main" type="Node2D"]\n'
OPERATIONS = tuple(build_registry(catalogues(), verified=True).operations.values())
EXECUTING = [op for op in OPERATIONS if op.executes == "always" and op.id.startswith("godot.")]
UNDECLARED = "does not declare"


@pytest.fixture
def started(tmp_path: Path, project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Exists once an engine was started on anything; GODOT_PATH is one that only notes its arguments."""
    binary = tmp_path / "bin" / "godot"
    binary.parent.mkdir()
    binary.write_text(FAKE)
    binary.chmod(binary.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("GODOT_PATH", str(binary))
    (project / "project.godot").write_text('config_version=5\n\n[application]\n\nrun/main_scene="res://main.tscn"\n')
    (project / "main.tscn").write_text(SCENE)
    return binary.with_name("started")


def given(op: Operation) -> dict[str, Any]:
    """Arguments that the operation's schema takes, about the scene that there is."""
    arguments = dict(op.examples[0].input) if op.examples else {}
    return {key: "main.tscn" if key.lower().endswith("scenepath") else value for key, value in arguments.items()}


@pytest.mark.parametrize("op", EXECUTING, ids=lambda op: op.flat_name)
async def test_a_read_only_server_starts_no_engine(make_caller: MakeCaller, started: Path, op: Operation) -> None:
    caller = make_caller(read_only=True)
    fault = fault_of(await caller.run(op.flat_name, given(op)))
    assert fault.kind == "denied"
    assert "read-only" in fault.message
    assert not started.exists()


async def test_a_probe_gives_no_shell_on_a_read_only_server(
    make_caller: MakeCaller, started: Path, tmp_path: Path
) -> None:
    shell = f'OS.execute("touch", ["{tmp_path / "owned"}"]) == 0'
    probe = {"scenePath": "main.tscn", "checks": [shell]}
    caller = make_caller(read_only=True)
    batch = await caller.run("batch_operations", {"operations": [{"tool": "probe_scene", "args": probe}]})
    assert batch.call.output.failed == 1
    manager = await caller.run("godot_scene_manager", {"action": "probe", **probe})
    headless = await caller.run(
        "godot_headless_op", {"operation": "validate_scene", "params": {"scene_path": "main.tscn"}}
    )
    plan = {"id": "x", "steps": [{"id": "a", "actionId": "godot.scene.probe", "input": probe}]}
    workflow = await caller.run("workflow.run", {"definition": plan})
    assert {fault_of(each).kind for each in (manager, headless, workflow)} == {"denied"}
    assert not started.exists()


async def test_allow_run_runs_and_still_does_not_write(make_caller: MakeCaller, started: Path, project: Path) -> None:
    caller = make_caller(read_only=True, allow_run=True)
    await caller.run("get_script_errors")
    assert started.exists()
    assert fault_of(await caller.run("import_assets")).kind == "denied"
    assert fault_of(await caller.run("write_file", {"path": "a.txt", "content": "x"})).kind == "denied"
    assert not (project / "a.txt").exists()


@pytest.mark.parametrize("tool", ["inspect_image", "validate_project"])
async def test_what_runs_code_for_some_inputs_is_refused_when_it_comes_to_that(
    make_caller: MakeCaller, started: Path, project: Path, tool: str
) -> None:
    (project / "drawing.svg").write_text("<svg/>")
    inputs: dict[str, dict[str, Any]] = {
        "inspect_image": {"imagePath": "drawing.svg"},
        "validate_project": {"loadScenes": True},
    }
    caller = make_caller(read_only=True)
    fault = fault_of(await caller.run(tool, inputs[tool]))
    assert fault.kind == "denied"
    assert not started.exists()


@pytest.mark.parametrize("what", ["condition", "log"])
async def test_a_breakpoint_evaluates_nothing_where_nothing_may_be_run(
    make_caller: MakeCaller, started: Path, project: Path, what: str
) -> None:
    """It would in a game that a person started and let join."""
    (project / "a.gd").write_text("extends Node\n")
    caller = make_caller(read_only=True)
    fault = fault_of(await caller.run("set_breakpoint", {"path": "a.gd", "line": 1, what: "get_tree().quit()"}))
    assert fault.kind == "denied"
    assert (await caller.run("set_breakpoint", {"path": "a.gd", "line": 1})).ok


EXPRESSIONS = ("check", "checks", "condition", "expression", "expressions", "log", "until", "watch")


def _takes_expressions(op: Operation) -> bool:
    properties = op.input_schema.get("properties", {})
    return any("enum" not in properties[name] for name in EXPRESSIONS if name in properties)


def test_what_takes_expressions_says_that_it_may_run_code() -> None:
    taking = {op.id: op for op in OPERATIONS if _takes_expressions(op)}
    assert {"godot.scene.probe", "godot.play.step", "godot.debug.breakpoint"} <= taking.keys()
    assert [name for name, op in taking.items() if name.startswith("godot.") and not op.may_execute] == []


def test_what_may_ask_other_programs_says_that_it_reaches_beyond_the_project() -> None:
    asking = [
        op for op in OPERATIONS if {"allowExternalTools", "engine"} & op.input_schema.get("properties", {}).keys()
    ]
    assert len(asking) >= 6
    assert [op.id for op in asking if not (op.open_world or op.starts_other_programs)] == []


SOMETIMES = [op for op in OPERATIONS if op.executes == "sometimes" and op.id.startswith("godot.")]


@pytest.mark.parametrize("op", SOMETIMES, ids=lambda op: op.flat_name)
async def test_what_runs_code_sometimes_starts_no_engine_either(
    make_caller: MakeCaller, started: Path, op: Operation
) -> None:
    caller = make_caller(read_only=True)
    for example in op.examples:
        await caller.run(op.flat_name, example.input)
    assert not started.exists()


@pytest.mark.skipif(os.name != "posix", reason="a shell")
def test_a_build_that_leaves_a_process_behind_ends_in_time(tmp_path: Path) -> None:
    """A build file may start what holds the output open for ever."""
    noted = tmp_path / "pid"
    command = ["/bin/sh", "-c", f"sleep 90 & echo $! > '{noted}'; exec sleep 90"]
    held: list[WatchedProcess] = []
    with pytest.raises(TimedOut):
        run_build(Permit("test"), command, tmp_path, held.append, 0.5)
    with suppress(psutil.NoSuchProcess):
        psutil.Process(int(noted.read_text())).wait(20)


async def test_launch_editor_writes_so_a_read_only_server_refuses_it(make_caller: MakeCaller, started: Path) -> None:
    caller = make_caller(read_only=True, allow_run=True)
    assert fault_of(await caller.run("launch_editor", {"headless": True, "waitSeconds": 0})).kind == "denied"
    assert not started.exists()


# What a policy says


@pytest.mark.parametrize("pack", ["read-only", "local-dev", "quarantine", "deny-by-default"])
async def test_packs_that_only_look_run_nothing(make_caller: MakeCaller, started: Path, pack: str) -> None:
    caller = make_caller(policy_rules=pack)
    for tool, arguments in (("get_script_errors", {}), ("validate_project", {"loadScenes": True})):
        assert fault_of(await caller.run(tool, arguments)).kind == "denied"
    assert not started.exists()


async def test_a_policy_that_denies_running_is_obeyed_after_a_write(
    make_caller: MakeCaller, started: Path, project: Path, tmp_path: Path
) -> None:
    policy = tmp_path / "policy.json"
    policy.write_text(
        '{"version": "v1", "mode": "allow-all", "rules": [{"match": {"sideEffects": ["execute"]}, "effect": "deny"}]}'
    )
    outcome = await make_caller(policy_rules=str(policy)).run(
        "write_file", {"path": "a.gd", "content": "extends Node\n"}
    )
    assert outcome.ok
    assert (project / "a.gd").exists()
    assert any("Not compiled" in warning for warning in outcome.call.warnings)
    assert not started.exists()


# Whose project it is


def unnamed(caller: Caller) -> Caller:
    caller.runtime.state.named = False
    return caller


async def test_code_of_a_project_that_nobody_named_is_not_run(caller: Caller, started: Path) -> None:
    fault = fault_of(await unnamed(caller).run("get_script_errors"))
    assert fault.kind == "denied"
    assert "--project" in str(fault.hint)
    assert not started.exists()


async def test_a_persons_yes_to_running_is_asked_for_once(caller: Caller, started: Path) -> None:
    client = FakeClient(True)
    for _ in range(2):
        await unnamed(caller).run("get_script_errors", client=client)
    assert len(client.questions) == 1
    assert str(caller.runtime.project.root) in client.questions[0]
    assert started.exists()


async def test_a_persons_no_to_running_holds(caller: Caller, started: Path) -> None:
    fault = fault_of(await unnamed(caller).run("get_script_errors", client=FakeClient(False)))
    assert fault.kind == "denied"
    assert not started.exists()


async def test_a_script_written_to_a_project_that_nobody_named_is_not_compiled(
    started: Path, make_caller: MakeCaller, project: Path
) -> None:
    (project / "x.gd").write_text("extends Node\n")
    outcome = await unnamed(make_caller()).run(
        "write_file", {"path": "x.gd", "content": "extends Node2D\n", "overwrite": True}, client=FakeClient(True)
    )
    assert outcome.ok
    assert any("Not compiled" in warning for warning in outcome.call.warnings)
    assert not started.exists()


# The declaration is the truth


async def test_an_operation_that_forgot_to_say_that_it_executes_is_refused(make_caller: MakeCaller) -> None:
    async def run_code(call: Call, inputs: Any) -> None:
        await permit_execution(call)

    fault = fault_of(await make_caller(sample(run_code)).run("test.sample"))
    assert UNDECLARED in fault.message


async def test_no_operation_that_does_not_say_so_comes_to_run_code(make_caller: MakeCaller, started: Path) -> None:
    caller = make_caller(allow_dangerous=True, policy_rules="allow-all", action_timeout=5)
    quiet = [op for op in OPERATIONS if not op.may_execute and op.contract != "gox-workflow"]
    assert len(quiet) > 250
    for op in quiet:
        for example in op.examples:
            outcome = await caller.run(op.flat_name, example.input)
            assert outcome.fault is None or UNDECLARED not in outcome.fault.message, op.id
            assert not any(UNDECLARED in warning for warning in outcome.call.warnings), op.id


def test_engines_are_started_in_one_place_only() -> None:
    """`EngineProcess` takes a permit; the other programs started here are none of the project's."""
    source = Path(__file__).parents[2] / "src" / "scenewright"
    starting = {
        path.relative_to(source).as_posix()
        for path in source.rglob("*.py")
        if any(
            word in path.read_text()
            for word in ("subprocess.Popen(", "subprocess.run(", "os.exec", "create_subprocess")
        )
    }
    assert {place for place in starting if place.startswith("godot/")} == {
        "godot/classes/engine.py",  # on an empty project of ours
        "godot/engine/started_editors.py",  # the person's own editor, with a permit
        "godot/engine/watchdog.py",  # our own
        "godot/language/gdtoolkit.py",  # a formatter, on a text
    }


# What reaches the engine's command line


@pytest.mark.parametrize("name", ["--help", "--script", "++", "/tmp/other/project.godot"])
@pytest.mark.parametrize("tool", ["export_project", "export_pack"])
async def test_a_preset_never_reaches_godot_as_an_option(
    make_caller: MakeCaller, started: Path, project: Path, name: str, tool: str
) -> None:
    preset = f'[preset.0]\n\nname="{name}"\nplatform="Linux"\nrunnable=true\nexport_path=""\n\n[preset.0.options]\n'
    (project / "export_presets.cfg").write_text(preset)
    output = {"export_project": "build/game.x86_64", "export_pack": "build/game.pck"}[tool]
    fault = fault_of(await make_caller().run(tool, {"preset": name, "outputPath": output}))
    assert fault.kind == "invalid"
    assert "'preset'" in fault.message
    assert not started.exists()


async def test_scenes_and_arguments_that_look_like_options_stay_what_they_are(
    make_caller: MakeCaller, started: Path, project: Path
) -> None:
    (project / "--help.tscn").write_text(SCENE)
    caller = make_caller()
    await caller.run("run_project", {"scene": "--help.tscn", "headless": True, "arguments": ["--quit"]})
    words = started.read_text().split()
    assert words[words.index("res://--help.tscn") :] == ["res://--help.tscn", "--", "--quit"]


@pytest.mark.parametrize(
    ("platform", "options"),
    [
        ("Android", ""),
        ("iOS", ""),
        ("Windows Desktop", "codesign/enable=true\n"),
        ("macOS", "codesign/codesign=3\n"),
    ],
)
async def test_an_export_that_starts_other_programs_needs_a_setting(
    make_caller: MakeCaller, started: Path, project: Path, platform: str, options: str
) -> None:
    preset = f'[preset.0]\n\nname="P"\nplatform="{platform}"\nrunnable=true\nexport_path=""\n\n[preset.0.options]\n'
    (project / "export_presets.cfg").write_text(f"{preset}\n{options}")
    name = {"Android": "a.apk", "iOS": "a.ipa", "Windows Desktop": "a.exe", "macOS": "a.zip"}[platform]
    fault = fault_of(await make_caller().run("export_project", {"preset": "P", "outputPath": f"build/{name}"}))
    assert (fault.kind, "ALLOW_EXTERNAL_TOOLS" in str(fault.hint)) == ("denied", True)
    assert not started.exists()
    await make_caller(allow_external=True).run("export_project", {"preset": "P", "outputPath": f"build/{name}"})
    assert started.exists()


# What a probe may name

# Methods that take such a text and do nothing with it but keep, compare, draw or hand it to a graphics card; or that
# belong to objects which no scene holds, under a name that games use, too.
HARMLESS = {
    "add_code_completion_option",
    "add_file_removal",
    "create_from_string",
    "draw_command_begin_label",
    "draw_command_insert_label",
    "file_exists",
    "font_get_script_support_override",
    "font_remove_script_support_override",
    "font_set_script_support_override",
    "get_built_in_include_file",
    "get_compression_level",
    "get_extension",
    "has_built_in_include_file",
    "open",
    "parse",
    "remove_script_support_override",
    "set_code",
    "set_code_hint",
    "set_code_region_tags",
    "set_expression",
    "set_filename",
    "set_filename_filter",
    "set_id_for_path",
    "set_path",
    "set_path_cache",
    "set_script_support_override",
    "set_source",
    "set_stage_source",
    "shader_set_code",
    "shader_set_path_hint",
    "take_over_path",
    "texture_set_path",
}
SHELL = 'OS.execute("sh", ["-c", "id"]) == 0'


@pytest.mark.parametrize(
    "expression",
    [
        SHELL,
        'self . call("set_script", x)',
        'callv("set", ["script", 1])',
        'Engine.get_singleton("OS")',
        "Engine . get_singleton('OS')",
        "get_script().new()",
        'get("script").set("source_code", "x")',
        '["source_code", "x"].reduce(get("script").get("set"))',
        "[false].map(self['reload'])",
        "script",
        "FileAccess.open('/etc/passwd', 1)",
        "DirAccess.open('/')",
        "ClassDB.instantiate('OS')",
        "ResourceSaver",
        "JavaScriptBridge.eval('x')",
        "EditorInterface",
        "ProjectSettings.save()",
        "ProjectSettings.load_resource_pack('/tmp/x.pck')",
        "get_viewport().get_texture().get_image().save_png('/tmp/x.png')",
        "create_tween().tween_callback(1)",
        "get_tree().call_group('a', 'set_script')",
        "propagate_call('set_script')",
        "Callable(self, 'x')",
        "str_to_var('Object(GDScript)')",
        "bytes_to_var_with_objects(x)",
        "instance_from_id(1)",
        "get_tree().change_scene_to_file('/tmp/x.tscn')",
        "$HTTPRequest.request('http://evil')",
        "$'OS'.x + \"a\" + OS.get_name()",
        "1 if OS else 2",
        "'\\'' + OS.get_name() + '\\''",
        "[OS][0]",
        "OS",
        'get("script").set_source_code("static var x = 1")',
        "$Tree.tree_root.get_transition(0).set_advance_expression('OS')",
        "ThemeDB.get_fallback_font().load_dynamic_font('/etc/passwd')",
        "$Link.set_uri('file:///etc/passwd')",
        "set_scene_file_path('/tmp/x.tscn')",
        "$Http.set_download_file('/tmp/x')",
    ],
)
async def test_an_expression_that_reaches_beyond_the_game_is_refused_before_anything_runs(
    caller: Caller, started: Path, expression: str
) -> None:
    fault = fault_of(await caller.run("probe_scene", {"scenePath": "main.tscn", "checks": [expression]}))
    assert fault.kind == "denied"
    assert "checks[0]" in fault.message
    assert not started.exists()


@pytest.mark.parametrize(
    "expression",
    [
        "position.x > 8 and not $Hero.visible",
        "get_tree().get_nodes_in_group('coins').size() == 3",
        "get_tree().current_scene == self and get_tree().paused",
        "Input.is_action_pressed('jump') or Engine.get_frames_drawn() > 3",
        "'OS.execute is only text' != \"set_script\"",
        "$Timer.time_left > 0.5e1 and $Timer.is_connected('timeout', x)",
        "ProjectSettings.get_setting('application/config/name') == 'x'",
        "Vector2(3, 4).length() == 5.0 and inventory.get('coins', 0) >= Vector2.ZERO.x",
        "Game.score == 3 and mouse_filter == Control.MOUSE_FILTER_IGNORE",
        "$Anim.current_animation == 'run' and $Sprite.texture.get_width() == 8",
    ],
)
def test_what_looks_at_a_game_is_allowed(expression: str) -> None:
    index = shipped()
    check_expression(for_expression(expression, index), index, "checks[0]")


@pytest.mark.parametrize(
    "call",
    [
        {"method": "set_script", "arguments": ["res://a.gd"]},
        {"method": "call", "arguments": ["set_script", None]},
        {"method": "set", "arguments": ["script", "res://a.gd"]},
        {"method": "set_indexed", "arguments": ["script:source_code", "x"]},
        {"method": "set", "arguments": ['&"script"', None]},
        {"method": "set", "arguments": ['"scr\\u0069pt"', None]},
        {"method": "set_indexed", "arguments": ['NodePath("script:source_code")', "x"]},
        {"method": "set_indexed", "arguments": ["tree_root:transitions:advance_expression", "OS.get_name()"]},
        {"method": "set", "arguments": ["uri", "file:///etc/passwd"]},
        {"method": "set_source_code", "arguments": ["x"]},
        {"method": "request", "arguments": ["http://evil"]},
        {"method": "add_child", "arguments": ['Object(GDScript, "script/source": "x")']},
        {"method": "add_child", "arguments": ['[Object ; so\n(GDScript, "script/source": "x")]']},
    ],
)
async def test_a_call_in_a_probe_that_reaches_beyond_the_game_is_refused(
    caller: Caller, started: Path, call: dict[str, Any]
) -> None:
    fault = fault_of(await caller.run("probe_scene", {"scenePath": "main.tscn", "calls": [call]}))
    assert fault.kind == "denied"
    assert "calls[0]" in fault.message
    assert not started.exists()


def test_every_method_of_the_engine_that_calls_what_it_is_given_is_denied() -> None:
    """A method by its name as text is a Callable; what takes one would call it."""
    index = shipped()
    harmless = {"is_connected", "disconnect", "start", "remove_visibility_filter"}
    beyond = ("Editor", "OpenXR", "DisplayServer", "NativeMenu", "PopupMenu", "Script", "JavaScriptBridge", "XRServer")
    taking = {
        method.name
        for name in index.class_names
        if not name.startswith(beyond)
        for method in index.methods(name, inherited=False, accessors=True)
        if not method.is_virtual and any(each.type == "Callable" for each in method.arguments)
    }
    assert len(taking) > 40
    assert taking - harmless <= DENIED


def test_every_method_of_the_engine_that_takes_code_or_a_place_is_denied() -> None:
    """By these a text becomes code, or the name of what is loaded, opened or written."""
    index = shipped()
    word = re.compile(r"(^|_)(path|file|filename|dir|directory|url|uri|source|code|expression|script|command)(_|$)")
    beyond = (
        "Editor",
        "OpenXR",
        "Resource",
        "FileAccess",
        "DirAccess",
        "Script",
        "GDScript",
        "UPNP",
        "JavaScript",
        "OS",
    )
    kept = ("Resource", "Script", "GDScript")
    taking = {
        method.name
        for name in index.class_names
        if name in kept or not name.startswith((*beyond, "FileSystemDock", "EngineDebugger", "DisplayServer"))
        for method in index.methods(name, inherited=False, accessors=True)
        if not {"const", "virtual"} & set(method.qualifiers)
        and any(word.search(f"{each.name}_{method.name}") and each.type == "String" for each in method.arguments)
    }
    assert len(taking) > 40
    assert taking - HARMLESS <= DENIED
