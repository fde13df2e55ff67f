"""What a server lists: both dialects, both toolsets, with and without writes, with and without engines."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import mcp_types as types
import msgspec
import pytest
from mcp_types.methods import serialize_server_result
from mcp_types.version import SUPPORTED_PROTOCOL_VERSIONS
from tests.conftest import MakeCaller
from tests.support.listing import listed_actions

from scenewright.app import ENGINES, catalogues
from scenewright.core.calls.call import Call
from scenewright.core.calls.validation import compile_schema
from scenewright.core.config import Config
from scenewright.core.operations.call_lines import is_outdated
from scenewright.core.operations.declaration import Manager, Operation, Safety, operation
from scenewright.core.operations.model import Inputs, NoInputs, Outputs, about
from scenewright.core.operations.registry import Catalogue, build_registry, portability_problems
from scenewright.core.runtime import Runtime
from scenewright.server.listed_tool import ListedTool
from scenewright.server.surface import Surface, surface_of

GODOT, ROBLOX, _ = ENGINES


class Branch(Inputs, frozen=True, kw_only=True):
    name: Annotated[str, about("Name.")]
    below: Annotated[list[Branch], about("Branches below.")] = msgspec.field(default_factory=list)


class TreeInputs(Inputs, frozen=True, kw_only=True):
    tree: Annotated[Branch, about("A tree.")]


class Done(Outputs, frozen=True, kw_only=True):
    done: Annotated[bool, about("Whether.")]


@operation(
    id="godot.tree.plant",
    name="Plant Tree",
    category="scene",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="plant_tree",
    manager="godot_tree_manager",
    action="plant",
)
def plant(call: Call, inputs: TreeInputs) -> Done:
    """Plants a tree of nodes."""
    return Done(done=True)


@operation(
    id="godot.tree.look",
    name="Look",
    category="scene",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="get_tree",
    manager="godot_tree_manager",
    action="look",
)
def look(call: Call, inputs: NoInputs) -> Done:
    """Looks at the tree."""
    return Done(done=True)


@operation(id="roblox.look", name="Look Around", category="scene", safety=Safety.READ_ONLY, contract="gox")
def roblox_look(call: Call, inputs: NoInputs) -> Done:
    """Looks around."""
    return Done(done=True)


@operation(
    id="workflow.look", name="Look at Runs", category="workflow", safety=Safety.READ_ONLY, contract="gox-workflow"
)
def workflow_look(call: Call, inputs: NoInputs) -> Done:
    """Looks at the runs."""
    return Done(done=True)


COUNT = replace(look, id="godot.tree.count", tool="count_trees", action=None)
FELL = replace(plant, id="godot.tree.fell", tool="fell_tree", action=None, safety=Safety.DESTRUCTIVE)
TREES = Manager(name="godot_tree_manager", title="Trees", description="Trees of nodes.")
PARTS = [
    *(part for part in catalogues() if part.engine is None),
    Catalogue(operations=(workflow_look,)),
    Catalogue(engine=GODOT, operations=(plant, look, COUNT, FELL), managers=(TREES,)),
    Catalogue(engine=ROBLOX, operations=(roblox_look,)),
]
MakeSurface = Callable[..., Surface]


@pytest.fixture
def make_surface(project: Path) -> Iterator[MakeSurface]:
    """The surface of a server over the shipped operations and some of two engines."""
    made: list[Runtime] = []

    def make(*, godot: bool = False, **settings: Any) -> Surface:
        if godot:
            (project / "project.godot").touch()
        runtime = Runtime(Config(**{"project": project, **settings}), build_registry(PARTS), server_version="1")
        made.append(runtime)
        return surface_of(runtime)

    yield make
    for runtime in made:
        runtime.close()


GRID = [
    {"dialect": dialect, "toolset": toolset, "read_only": read_only, "engine": engine, "godot": godot}
    for dialect in ("portable", "contract")
    for toolset in ("compact", "full")
    for read_only in (False, True)
    for engine, godot in (("auto", False), ("auto", True), ("all", False), ("roblox", True))
]
every_surface = pytest.mark.parametrize(
    "settings",
    GRID,
    ids=["-".join(str(v) if k != "read_only" else "ro" if v else "rw" for k, v in g.items()) for g in GRID],
)


def _names(surface: Surface) -> list[str]:
    return [tool.name for tool in surface.tools()]


def _by_name(surface: Surface) -> dict[str, ListedTool]:
    return {tool.name: tool for tool in surface.tools()}


# Every surface


@every_surface
def test_the_listing_is_always_the_same(settings: dict[str, Any], make_surface: MakeSurface) -> None:
    first, second = (json.dumps([tool.wire() for tool in make_surface(**settings).tools()]) for _ in range(2))
    assert first == second
    assert len(set(_names(make_surface(**settings)))) == len(_names(make_surface(**settings)))


@every_surface
def test_every_host_takes_the_portable_listing(settings: dict[str, Any], make_surface: MakeSurface) -> None:
    surface = make_surface(**settings | {"dialect": "portable"})
    for tool in surface.tools():
        assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", tool.name)
        # The compact listing tells a text once, and none of what the instructions explain.
        described = settings["toolset"] == "full"
        assert list(portability_problems(tool.input_schema, described=described)) == []
        assert tool.output_schema is None or list(portability_problems(tool.output_schema, described=False)) == []


@every_surface
def test_every_protocol_version_takes_the_listing(settings: dict[str, Any], make_surface: MakeSurface) -> None:
    tools = [tool.wire() for tool in make_surface(**settings).tools()]
    result = types.ListToolsResult.model_validate({"tools": tools}, by_name=False)
    for version in SUPPORTED_PROTOCOL_VERSIONS:
        sent = serialize_server_result("tools/list", version, result.model_dump(by_alias=True, mode="json"))["tools"]
        assert [tool["name"] for tool in sent] == [tool["name"] for tool in tools]
        assert [tool["inputSchema"] for tool in sent] == [tool["inputSchema"] for tool in tools]


@every_surface
def test_every_schema_is_valid_and_self_contained(settings: dict[str, Any], make_surface: MakeSurface) -> None:
    for tool in make_surface(**settings).tools():
        compile_schema(tool.input_schema)
        compile_schema(tool.output_schema or {})


@every_surface
def test_every_operation_on_offer_is_reached(settings: dict[str, Any], make_surface: MakeSurface) -> None:
    surface = make_surface(**settings)
    listed = _by_name(surface)
    reached = {_operation(surface, name).id for name in listed if name not in surface.registry.managers}
    for name, actions in surface.registry.actions.items():
        if name in listed:
            branches = listed[name].input_schema.get("oneOf")
            named = (branch["properties"]["action"]["const"] for branch in branches or [])
            shown = named if branches else listed_actions(listed[name].wire())
            reached |= {actions[action].id for action in shown}
    assert reached == {op.id for op in surface.registry.operations.values() if _is_offered(op, surface, settings)}


def _operation(surface: Surface, name: str) -> Operation:
    found = surface.registry.find(name)
    assert isinstance(found, Operation)
    return found


def _is_offered(op: Operation, surface: Surface, settings: dict[str, Any]) -> bool:
    engine = surface.registry.engine_of[op.id]
    shown = {"auto": {"godot"} if settings["godot"] else set(), "all": {"godot", "roblox"}}
    engines = shown.get(settings["engine"], {settings["engine"]})
    return (engine is None or engine.name in engines) and not (settings["read_only"] and _is_gated(op))


def _is_gated(op: Operation) -> bool:
    return op.writes or op.executes == "always"


@every_surface
def test_annotations_are_honest(settings: dict[str, Any], make_surface: MakeSurface) -> None:
    surface = make_surface(**settings)
    for tool in surface.tools():
        found = surface.registry.find(tool.name)
        behind = [found] if isinstance(found, Operation) else list(surface.registry.actions[found.name].values())
        behind = [op for op in behind if not (settings["read_only"] and _is_gated(op))]
        assert tool.annotations["readOnlyHint"] is not any(op.writes or op.may_execute for op in behind)
        alone = isinstance(found, Operation)
        assert tool.meta.get("scenewright/executes", False) is (alone and behind[0].may_execute)
        if any(op.safety is Safety.DESTRUCTIVE for op in behind):
            assert tool.annotations["destructiveHint"] is True
        if any((op.writes or op.may_execute) and not op.idempotent for op in behind):
            assert tool.annotations["idempotentHint"] is False
        assert tool.annotations["openWorldHint"] is any(op.open_world or op.starts_other_programs for op in behind)


def test_what_runs_others_is_as_destructive_as_they_are(make_surface: MakeSurface) -> None:
    batch = _by_name(make_surface())["batch_operations"]
    assert batch.annotations["destructiveHint"] is True
    assert batch.annotations["idempotentHint"] is False


@every_surface
def test_a_dry_run_is_offered_on_writing_tools_only(settings: dict[str, Any], make_surface: MakeSurface) -> None:
    for tool in make_surface(**settings).tools():
        assert ("dryRun" in tool.input_schema["properties"]) is not tool.annotations["readOnlyHint"], tool.name


@every_surface
def test_output_schemas_are_in_the_full_listing_only(settings: dict[str, Any], make_surface: MakeSurface) -> None:
    has_schema = {tool.output_schema is not None for tool in make_surface(**settings).tools()}
    assert has_schema == {settings["toolset"] == "full"}


# Engines


@pytest.mark.parametrize(
    ("engine", "godot", "shown"),
    [
        ("auto", False, set()),
        ("auto", True, {"godot_tree_manager", "count_trees"}),
        ("all", False, {"godot_tree_manager", "count_trees", "roblox_look"}),
        ("roblox", True, {"roblox_look"}),
        ("godot", False, {"godot_tree_manager", "count_trees"}),
    ],
)
def test_only_the_engines_asked_for_are_listed(
    engine: str, godot: bool, shown: set[str], make_surface: MakeSurface
) -> None:
    of_engines = {"godot_tree_manager", "count_trees", "roblox_look", "plant_tree", "get_tree"}
    assert set(_names(make_surface(engine=engine, godot=godot))) & of_engines == shown


# Names


def test_the_portable_dialect_has_flat_names_and_says_the_id(make_surface: MakeSurface) -> None:
    tools = _by_name(make_surface(engine="all"))
    assert tools["core_ping"].meta["scenewright/id"] == "core.ping"
    assert tools["roblox_look"].meta["scenewright/id"] == "roblox.look"
    assert "scenewright/id" not in tools["history"].meta


def test_the_contract_dialect_has_the_names_of_the_contracts(make_surface: MakeSurface) -> None:
    names = set(_names(make_surface(dialect="contract", toolset="full", engine="all")))
    assert {"core.ping", "project.workspace_stats", "mcp.tools.list", "roblox.look"} <= names
    assert {"read_file", "plant_tree", "batch_operations"} <= names


def test_compact_lists_managers_and_full_lists_operations(make_surface: MakeSurface) -> None:
    compact, full = (set(_names(make_surface(toolset=toolset, engine="all"))) for toolset in ("compact", "full"))
    assert {"history", "project_file_manager", "meta_tool_manager", "godot_tree_manager"} <= compact
    assert not {"read_file", "history_undo", "plant_tree"} & compact
    assert {"read_file", "history_undo", "plant_tree"} <= full
    assert not {"history", "project_file_manager", "meta_tool_manager", "godot_tree_manager"} & full


# Schemas


def test_managers_show_their_actions_in_one_line_each(make_surface: MakeSurface) -> None:
    history = _by_name(make_surface())["history"]
    assert "\nlist(limit?=20,offset?:int,before?:int,path?)\n" in history.description
    assert "\nundo_to(entry:int)" in history.description


def test_an_action_that_is_called_as_a_tool_keeps_its_name(make_caller: MakeCaller) -> None:
    tools = {tool.name: tool for tool in surface_of(make_caller(engine="godot").runtime).tools()}
    for name in ("pixel_manager", "aseprite_manager"):
        actions = tools[name].description.rpartition(" Actions: ")[2].split(", ")
        assert set(actions) == set(make_caller().runtime.registry.actions[name])


def test_what_is_common_is_shown_whole_and_the_rest_short(make_caller: MakeCaller) -> None:
    surface = surface_of(make_caller(engine="all").runtime)
    listed = _by_name(surface)
    common = [op for op in surface.registry.operations.values() if op.common and op.action]
    assert len(common) > 15
    for op in common:
        manager, action = op.action or ("", "")
        tool = listed[manager]
        texts = f"{tool.description}\n{tool.input_schema['properties']['params'].get('description', '')}"
        (line,) = re.findall(rf"^{re.escape(action)}\(.*$", texts, re.MULTILINE)
        shown = {name for name, part in op.input_schema["properties"].items() if not is_outdated(part)}
        assert shown <= set(re.findall(r"\w+", line)), line
        assert "…)" not in line
    assert "\nlist(folder?,…)" in listed["godot_scene_manager"].description


@pytest.mark.parametrize("toolset", ["compact", "full"])
def test_the_project_is_required_in_the_contract_dialect(toolset: str, make_surface: MakeSurface) -> None:
    for name, schema in _needing_a_project(make_surface(dialect="contract", toolset=toolset, engine="all")):
        assert "projectPath" in schema["required"], name
        assert "Absolute" in schema["properties"]["projectPath"]["description"]


@pytest.mark.parametrize("toolset", ["compact", "full"])
def test_the_project_is_optional_where_the_server_has_one(toolset: str, make_surface: MakeSurface) -> None:
    for name, schema in _needing_a_project(make_surface(toolset=toolset, engine="all")):
        assert "projectPath" not in schema.get("required", []), name
        is_manager = "params" in schema["properties"]  # which takes it beside params and in it, without showing it
        assert ("projectPath" in schema["properties"]) is not is_manager, name


@pytest.mark.parametrize("toolset", ["compact", "full"])
def test_the_project_is_required_where_the_server_has_none(
    toolset: str, make_surface: MakeSurface, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    for name, schema in _needing_a_project(make_surface(toolset=toolset, engine="all", project=None)):
        assert "projectPath" in schema["required"], name


def _needing_a_project(surface: Surface) -> Iterator[tuple[str, dict[str, Any]]]:
    listed = _by_name(surface)
    count = 0
    for op in surface.registry.operations.values():
        if not op.needs_project:
            continue
        count += 1
        if op.flat_name in listed:
            yield op.id, listed[op.flat_name].input_schema
            continue
        assert op.action is not None
        schema = listed[op.action[0]].input_schema
        branches = {b["properties"]["action"]["const"]: b for b in schema.get("oneOf", ())}
        yield op.id, branches.get(op.action[1], schema)
    assert count > 5


def test_branches_of_a_type_that_holds_itself_keep_its_definition(make_surface: MakeSurface) -> None:
    schema = _by_name(make_surface(dialect="contract", engine="all"))["godot_tree_manager"].input_schema
    validator = compile_schema(schema)
    tree = {"name": "a", "below": [{"name": "b", "below": [{"name": "c"}]}]}
    call = {"action": "plant", "projectPath": "/p", "tree": tree}
    assert validator.accepts(call)
    assert not validator.accepts(call | {"tree": {"name": "a", "below": [{"name": "b", "below": [{"name": 5}]}]}})
    assert not validator.accepts(call | {"action": "look"})
    assert validator.accepts({"action": "look", "projectPath": "/p"})


@pytest.mark.parametrize(
    ("arguments", "accepted"),
    [
        ({"action": "read", "projectPath": "/p", "path": "a"}, True),
        ({"action": "read", "path": "a"}, False),
        ({"action": "read", "projectPath": "/p", "path": "a", "content": "x"}, False),
        ({"action": "write", "projectPath": "/p", "path": "a", "content": "x", "dryRun": True}, True),
        ({"action": "read", "projectPath": "/p", "path": "a", "dryRun": True}, False),
        ({"action": "copy", "projectPath": "/p"}, False),
        ({"projectPath": "/p", "path": "a"}, False),
    ],
)
def test_a_branch_takes_only_its_own_parameters(
    arguments: dict[str, Any], accepted: bool, make_surface: MakeSurface
) -> None:
    schema = _by_name(make_surface(dialect="contract"))["project_file_manager"].input_schema
    assert compile_schema(schema).accepts(arguments) is accepted


# Metadata


def test_only_the_actions_of_gox_have_its_metadata(make_surface: MakeSurface) -> None:
    tools = _by_name(make_surface())
    assert tools["core_ping"].meta["gox:sideEffectLevel"] == "none"
    assert tools["history"].meta == {}
    assert "_meta" not in tools["history"].wire()


@pytest.mark.parametrize(
    ("settings", "tool", "hints"),
    [
        ({}, "history", {"destructiveHint": False, "openWorldHint": False}),
        ({}, "core_ping", {"readOnlyHint": True}),
        (
            {"dialect": "contract"},
            "history",
            {"readOnlyHint": False, "destructiveHint": False, "openWorldHint": False},
        ),
    ],
)
def test_a_hint_is_left_out_where_clients_assume_it(
    settings: dict[str, Any], tool: str, hints: dict[str, bool], make_surface: MakeSurface
) -> None:
    sent = {each.name: each.wire()["annotations"] for each in make_surface(**settings).tools()}
    assert sent[tool] == hints


def test_the_compact_listing_has_what_a_model_reads_and_no_more(make_surface: MakeSurface) -> None:
    for tool in make_surface(engine="all").tools():
        assert {"name", "description", "inputSchema", "annotations"} <= tool.wire().keys()
        assert tool.wire().keys() - {"name", "description", "inputSchema", "annotations", "_meta"} == set()
        assert tool.wire().get("_meta", {}).keys() <= {"scenewright/executes"}
    for tool in make_surface(engine="all", toolset="full").tools():
        assert tool.title


def test_workflow_tools_say_just_that(make_surface: MakeSurface) -> None:
    meta = _by_name(make_surface())["workflow_look"].meta
    assert meta == {"gox:type": "workflow", "scenewright/id": "workflow.look"}


# Size


def _size(runtime: Runtime) -> int:
    return len(msgspec.json.encode({"tools": [tool.wire() for tool in surface_of(runtime).tools()]}))


def test_the_compact_listing_stays_small(make_caller: MakeCaller) -> None:
    assert _size(make_caller().runtime) < 10_000


@pytest.mark.parametrize(
    ("engine", "bound"), [("godot", 26_000), ("roblox", 24_000), ("unity", 18_500)], ids=["godot", "roblox", "unity"]
)
def test_the_whole_catalogue_of_an_engine_fits_into_a_small_listing(
    engine: str, bound: int, make_caller: MakeCaller, project: Path
) -> None:
    if engine == "godot":
        (project / "project.godot").touch()
    assert _size(make_caller(engine=engine).runtime) <= bound


@pytest.mark.parametrize("engine", ["godot", "roblox", "unity", "all"])
def test_no_description_is_as_long_as_hosts_cut(engine: str, make_caller: MakeCaller) -> None:
    for tool in surface_of(make_caller(engine=engine).runtime).tools():
        texts = [tool.description, *(part.get("description", "") for part in tool.input_schema["properties"].values())]
        assert max(map(len, texts)) <= 2_000, tool.name


def test_a_text_that_tools_share_is_told_once(make_caller: MakeCaller) -> None:
    tools = surface_of(make_caller(engine="roblox").runtime).tools()
    texts = [part.get("description") for tool in tools for part in tool.input_schema["properties"].values()]
    told = [text for text in texts if text]
    assert len(told) > 40
    assert len(told) == len(set(told))
    assert len(texts) > 2 * len(told)


def test_limits_and_expected_defaults_are_left_to_the_server(make_caller: MakeCaller) -> None:
    flat = _by_name(surface_of(make_caller(engine="roblox").runtime))["roblox_script_search"]
    assert flat.input_schema["properties"]["limit"] == {"type": "integer", "default": 50}
    assert flat.input_schema["properties"]["offset"] == {"type": "integer"}
    assert flat.input_schema["required"] == ["query"]
