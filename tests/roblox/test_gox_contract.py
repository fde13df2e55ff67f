"""The Gox MCP contract's Roblox tools on every form of a place: names, inputs, outputs, dry runs, refusals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import MakeCaller
from tests.roblox.conftest import Game
from tests.roblox.places import CONFIG, MAIN

from scenewright.core.calls.call import DRY_RUN
from scenewright.server.surface import surface_of

pytestmark = pytest.mark.anyio

TOOLS = {
    "script_create",
    "script_update",
    "script_delete",
    "script_get_source",
    "instance_create",
    "instance_set_property",
    "instance_delete",
    "instance_get",
    "instance_list_children",
    "instance_find",
}
SCENES = {"scene_snapshot", "scene_plan", "scene_apply", "scene_validate", "scene_capture"}


# Catalogue


@pytest.mark.parametrize("enabled", [True, False])
def test_the_tools_are_listed_by_the_bridge_switch_or_for_a_roblox_project(
    enabled: bool, make_caller: MakeCaller, project: Path
) -> None:
    listed = {tool.name for tool in surface_of(make_caller(bridge_enabled=enabled).runtime).tools()}
    assert {f"roblox_{name}" for name in TOOLS | SCENES} <= listed if enabled else "roblox_instance_find" not in listed
    (project / "game.rbxlx").write_text('<roblox version="4"></roblox>')
    assert "roblox_instance_find" in {tool.name for tool in surface_of(make_caller().runtime).tools()}


def test_the_tools_keep_their_names_and_required_fields_and_carry_their_metadata(make_caller: MakeCaller) -> None:
    surface = surface_of(make_caller(bridge_enabled=True, dialect="contract").runtime)
    tools = {tool.name: tool for tool in surface.tools()}
    required = {
        "script_create": ["name", "scriptType", "source"],
        "script_update": ["source"],
        "script_delete": [],
        "script_get_source": [],
        "instance_create": ["className", "name"],
        "instance_set_property": ["propertyName", "value"],
        "instance_delete": [],
        "instance_get": [],
        "instance_list_children": [],
        "instance_find": [],
    }
    for name, fields in required.items():
        tool = tools[f"roblox.{name}"]
        assert sorted(tool.input_schema.get("required", [])) == fields
        level = (
            "read"
            if name in ("script_get_source", "instance_get", "instance_list_children", "instance_find")
            else "write"
        )
        assert tool.meta["gox:sideEffectLevel"] == level
        assert tool.meta["gox:supportsDryRun"] is True
        assert tool.meta["gox:version"] == "v1"


# Scripts


async def test_a_script_is_created_read_updated_and_deleted(game: Game) -> None:
    made = await game.ask(
        "script_create", parentPath="ServerScriptService", name="Extra", scriptType="Script", source="print(1)\n"
    )
    assert made["created"] is True
    assert made["className"] == "Script"
    assert made["path"] == "ServerScriptService.Extra"
    read = await game.ask("script_get_source", scriptId=made["instanceId"])
    assert {key: read[key] for key in ("path", "instanceId", "className", "source")} == {
        "path": made["path"],
        "instanceId": made["instanceId"],
        "className": "Script",
        "source": "print(1)\n",
    }
    updated = await game.ask("script_update", scriptPath=made["path"], source="print(2)\n")
    assert updated["updated"] is True
    assert updated["path"] == made["path"]
    assert await game.source(made["path"]) == "print(2)\n"
    deleted = await game.ask("script_delete", scriptPath=made["path"])
    assert deleted["deleted"] is True
    assert (await game.refused("script_get_source", scriptPath=made["path"])).code == -32044


@pytest.mark.parametrize("kind", ["Script", "LocalScript", "ModuleScript"])
async def test_every_script_type_can_be_made_anywhere(game: Game, kind: str) -> None:
    for parent in ("ReplicatedStorage", "ReplicatedStorage.Empty", "ServerScriptService.Main"):
        made = await game.ask("script_create", parentPath=parent, name=f"New{kind}", scriptType=kind, source="return 1")
        assert (await game.ask("instance_get", instancePath=made["path"]))["instance"]["className"] == kind
        assert await game.source(made["path"]) == "return 1"
    assert await game.source("ServerScriptService.Main") == MAIN


async def test_a_source_is_kept_to_the_last_character(game: Game) -> None:
    source = 'local s = "]]> & <tag> \\u{1F600} 😀"\r\n--[[ ünïcode ]]\n\treturn s -- no newline at the end'
    await game.ask("script_update", scriptPath="ReplicatedStorage.Config", source=source)
    assert await game.source("ReplicatedStorage.Config") == source


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("script_create", {"parentPath": "ServerScriptService", "name": "Bad", "scriptType": "Script"}),
        ("script_update", {"scriptPath": "ServerScriptService.Main"}),
    ],
)
async def test_a_source_that_is_not_luau_is_refused_with_line_and_column(
    game: Game, tool: str, arguments: dict[str, Any]
) -> None:
    before = game.contents()
    error = await game.refused(tool, **arguments, source="local x = 1\nlocal y = = 2\n")
    assert error.code == -32602
    assert error.data["validation_path"] == "input.source"
    assert error.data["validation_rule"] == "syntax"
    assert (error.data["details"]["line"], error.data["details"]["column"]) == (2, 11)
    assert game.contents() == before


async def test_a_part_of_a_script_is_edited_only_where_it_is_found_as_often_as_said(game: Game) -> None:
    edited = await game.ask("script_edit", scriptPath="ServerScriptService.Main", find='"hello"', replace='"bye"')
    assert edited["replacements"] == 1
    assert await game.source("ServerScriptService.Main") == MAIN.replace("hello", "bye")
    error = await game.refused("script_edit", scriptPath="ServerScriptService.Main", find="Config", replace="C")
    assert "occurs 3 times" in error.message
    broken = await game.refused("script_edit", scriptPath="ServerScriptService.Main", find="print(", replace="((")
    assert broken.data["validation_rule"] == "syntax"


async def test_scripts_are_searched_by_text_and_by_pattern(game: Game) -> None:
    found = await game.ask("script_search", query="require(")
    assert found["matches"] == [
        {"path": "ServerScriptService.Main", "line": 1, "column": 16, "text": MAIN.splitlines()[0]}
    ]
    assert found["scripts"] == 2
    pattern = await game.ask("script_search", query=r"speed\s*=\s*\d+", regex=True, rootPath="ReplicatedStorage")
    assert [(match["path"], match["column"]) for match in pattern["matches"]] == [("ReplicatedStorage.Config", 10)]
    assert (await game.ask("script_search", query="CONFIG", ignoreCase=True, limit=1))["truncated"] is True
    assert (await game.refused("script_search", query="(", regex=True)).data["validation_rule"] == "regex"


async def test_what_is_not_a_script_is_refused_as_one(game: Game) -> None:
    for tool, more in (("script_get_source", {}), ("script_update", {"source": ""}), ("script_delete", {})):
        error = await game.refused(tool, scriptPath="Workspace.Baseplate", **more)
        assert error.code == -32602
        assert "not a script" in error.message


# Instances


async def test_an_instance_is_created_with_all_it_needs(game: Game) -> None:
    made = await game.ask(
        "instance_create",
        parentPath="Workspace",
        className="Part",
        name="Block",
        properties={"Anchored": True, "Size": [4, 1, 2], "Color": "#f80", "Material": "Slate", "Position": [0, 5, 0]},
        attributes={"Price": 10, "Owner": "me", "At": {"_type": "Vector3", "x": 1, "y": 2, "z": 3}},
        tags=["Lava"],
    )
    assert made["created"] is True
    got = await game.ask(
        "instance_get",
        instanceId=made["instanceId"],
        includeAttributes=True,
        includeTags=True,
        properties=["Anchored", "Size", "Color", "Material", "Position"],
    )
    assert got["instance"] == {
        "instanceId": made["instanceId"],
        "name": "Block",
        "className": "Part",
        "path": "Workspace.Block",
        "parentPath": "Workspace",
        "childCount": 0,
    }
    assert got["properties"] == {
        "Anchored": True,
        "Size": {"_type": "Vector3", "x": 4, "y": 1, "z": 2},
        "Color": {"_type": "Color3", "r": 255, "g": 136, "b": 0},
        "Material": {"_type": "Enum", "enum": "Material", "value": "Slate"},
        "Position": {"_type": "Vector3", "x": 0, "y": 5, "z": 0},
    }
    assert got["attributes"] == {"Price": 10, "Owner": "me", "At": {"_type": "Vector3", "x": 1, "y": 2, "z": 3}}
    assert got["tags"] == ["Lava"]


async def test_a_property_is_set_and_read_back(game: Game) -> None:
    done = await game.ask(
        "instance_set_property", instancePath="Workspace.Baseplate", propertyName="Transparency", value=0.25
    )
    assert done["updated"] is True
    assert (done["previous"], done["value"]) == (0, 0.25)
    assert done["propertyName"] == "Transparency"
    assert await game.value("Workspace.Baseplate", "Transparency") == 0.25
    assert await game.value("Workspace.House.Wall", "Transparency") == 0


async def test_a_name_is_a_property_like_others(game: Game) -> None:
    await game.ask("instance_set_property", instancePath="Workspace.House", propertyName="Name", value="Home")
    assert "Workspace.Home.Roof" in await game.paths("Workspace")
    assert (await game.refused("instance_get", instancePath="Workspace.House")).code == -32044
    error = await game.refused("instance_set_property", instancePath="Workspace.Home", propertyName="Name", value="")
    assert error.data["validation_rule"] == "name"


async def test_a_reference_leads_to_the_instance_and_not_to_what_is_gone(game: Game) -> None:
    target = {"_type": "Ref", "path": "Workspace.House.Wall"}
    done = await game.ask(
        "instance_set_property", instancePath="Workspace.House", propertyName="PrimaryPart", value=target
    )
    assert done["value"]["path"] == "Workspace.House.Wall"
    await game.ask("instance_move", instancePath="Workspace.House.Wall", newParentPath="Workspace")
    assert (await game.value("Workspace.House", "PrimaryPart"))["path"] == "Workspace.Wall"
    await game.ask("instance_delete", instancePath="Workspace.Wall")
    assert await game.value("Workspace.House", "PrimaryPart") is None


async def test_children_are_listed_a_page_at_a_time(game: Game) -> None:
    page = await game.ask("instance_list_children", parentPath="Workspace.House", limit=1)
    assert {key: page[key] for key in ("parentPath", "offset", "limit", "total", "count", "hasMore", "nextOffset")} == {
        "parentPath": "Workspace.House",
        "offset": 0,
        "limit": 1,
        "total": 2,
        "count": 1,
        "hasMore": True,
        "nextOffset": 1,
    }
    rest = await game.ask("instance_list_children", parentPath="Workspace.House", limit=1, offset=page["nextOffset"])
    assert rest["hasMore"] is False
    assert [child["name"] for child in page["children"] + rest["children"]] == ["Roof", "Wall"]
    services = await game.ask("instance_list_children", parentPath="game")
    names = {child["name"] for child in services["children"]}
    # Studio has all services, a file those that were used.
    assert names >= {"Workspace", "ServerScriptService", "ReplicatedStorage"}
    assert (len(names) == 3) == (game.form != "studio")
    assert all(child["parentPath"] == "" for child in services["children"])
    for wrong in ({"limit": 0}, {"limit": 501}, {"offset": -1}):
        assert (await game.refused("instance_list_children", parentPath="game", **wrong)).code == -32602


async def test_instances_are_found_by_name_and_class(game: Game) -> None:
    by_name = await game.ask("instance_find", rootPath="Workspace", nameContains="ROO")
    assert [match["path"] for match in by_name["matches"]] == ["Workspace.House.Roof"]
    assert (by_name["limit"], by_name["count"], by_name["truncated"]) == (50, 1, False)
    by_class = await game.ask("instance_find", className="Part")
    assert by_class["count"] == 3
    assert (await game.ask("instance_find", className="BasePart"))["count"] == 0
    assert (await game.ask("instance_find", isA="BasePart"))["count"] == 3
    both = await game.ask("instance_find", className="Part", nameContains="wall")
    assert [match["name"] for match in both["matches"]] == ["Wall"]


async def test_max_results_is_an_older_name_of_limit(game: Game) -> None:
    found = await game.ask("instance_find", className="Part", maxResults=2)
    assert (found["limit"], found["count"], found["hasMore"], found["nextOffset"]) == (2, 2, True, 2)
    rest = await game.ask("instance_find", className="Part", limit=2, offset=2)
    assert (rest["count"], rest["hasMore"]) == (1, False)
    error = await game.refused("instance_find", className="Part", maxResults=2, limit=2)
    assert error.code == -32602
    assert error.data["validation_path"] == "input.maxResults"


async def test_find_needs_a_filter_whichever_way_the_root_is_given(game: Game) -> None:
    root = (await game.ask("instance_get", instancePath="Workspace"))["instance"]["instanceId"]
    for given in ({}, {"rootPath": "Workspace"}, {"rootId": root}, {"rootPath": "Workspace", "rootId": root}):
        assert (await game.refused("instance_find", **given)).data["validation_rule"] == "required"


async def test_an_instance_is_deleted_with_what_is_below_it(game: Game) -> None:
    done = await game.ask("instance_delete", instancePath="Workspace.House")
    assert (done["deleted"], done["count"], done["path"]) == (True, 3, "Workspace.House")
    assert await game.paths("Workspace") == ["Workspace.Baseplate"]


async def test_an_instance_is_moved_and_copied_with_what_is_below_it(game: Game) -> None:
    moved = await game.ask("instance_move", instancePath="Workspace.House", newParentPath="ReplicatedStorage.Empty")
    assert (moved["previousPath"], moved["path"]) == ("Workspace.House", "ReplicatedStorage.Empty.House")
    copied = await game.ask("instance_duplicate", instancePath=moved["path"], newParentPath="Workspace", name="Second")
    assert (copied["count"], copied["path"]) == (3, "Workspace.Second")
    assert await game.value("Workspace.Second.Roof", "Size") == {"_type": "Vector3", "x": 8, "y": 1, "z": 8}
    error = await game.refused("instance_move", instancePath="Workspace.Second", newParentPath="Workspace.Second.Roof")
    assert "into itself" in error.message


async def test_attributes_and_tags_are_set_one_by_one(game: Game) -> None:
    target = {"instancePath": "Workspace.House"}
    await game.ask("instance_set_attributes", **target, attributes={"A": 1, "B": "x"})
    await game.ask("instance_set_attributes", **target, attributes={"A": None, "C": True})
    await game.ask("instance_set_tags", **target, add=["one", "two"])
    done = await game.ask("instance_set_tags", **target, add=["three"], remove=["one"])
    assert done["tags"] == ["two", "three"]
    got = await game.ask("instance_get", **target, includeAttributes=True, includeTags=True)
    assert got["attributes"] == {"B": "x", "C": True}
    assert sorted(got["tags"]) == ["three", "two"]
    assert [match["path"] for match in (await game.ask("instance_find", tag="two"))["matches"]] == ["Workspace.House"]


async def test_many_instances_are_set_at_once_or_not_at_all(game: Game) -> None:
    done = await game.ask(
        "instance_set_properties", rootPath="Workspace", isA="BasePart", properties={"CanCollide": False}
    )
    assert (done["instances"], done["changed"]) == (3, 3)
    assert await game.value("Workspace.House.Wall", "CanCollide") is False
    before = game.contents()
    mixed = ["Workspace.Baseplate", "Workspace.House"]
    error = await game.refused("instance_set_properties", instancePaths=mixed, properties={"CanCollide": True})
    assert "'Model' has no property 'CanCollide'" in error.message
    assert game.contents() == before
    error = await game.refused(
        "instance_set_properties", isA="BasePart", properties={"CanCollide": True}, maxInstances=2
    )
    assert error.data["validation_path"] == "input.maxInstances"


# Envelope, dry runs, history


async def test_reads_have_no_diff_and_writes_say_what_changed(game: Game) -> None:
    assert (await game.reply("instance_get", {"instancePath": "Workspace"}))["diff"] is None
    wrote = await game.reply(
        "instance_set_property", {"instancePath": "Workspace.Baseplate", "propertyName": "Anchored", "value": False}
    )
    assert set(wrote) == {"runId", "output", "diff"}
    assert wrote["diff"]["entries"] == ["modified Workspace.Baseplate.Anchored: true → false"]
    assert wrote["diff"]["summary"].startswith("set 1 property in ")
    assert wrote["output"]["diffSummary"] == wrote["diff"]["summary"]
    again = await game.reply(
        "instance_set_property", {"instancePath": "Workspace.Baseplate", "propertyName": "Anchored", "value": False}
    )
    assert again["diff"] is None
    script = await game.reply("script_update", {"scriptPath": "ReplicatedStorage.Config", "source": "return {}\n"})
    assert script["diff"]["entries"] == [
        "modified ReplicatedStorage.Config.Source\n@@ -1 +1 @@\n-return { speed = 16 }\n+return {}"
    ]


WRITES: dict[str, dict[str, Any]] = {
    "script_create": {"parentPath": "ServerScriptService", "name": "A", "scriptType": "Script", "source": ""},
    "script_update": {"scriptPath": "ReplicatedStorage.Config", "source": "return 1"},
    "script_edit": {"scriptPath": "ReplicatedStorage.Config", "find": "16", "replace": "20"},
    "script_delete": {"scriptPath": "ReplicatedStorage.Config"},
    "instance_create": {"parentPath": "Workspace", "className": "Folder", "name": "A"},
    "instance_set_property": {"instancePath": "Workspace.Baseplate", "propertyName": "Anchored", "value": False},
    "instance_delete": {"instancePath": "Workspace.House"},
    "instance_move": {"instancePath": "Workspace.House", "newParentPath": "ReplicatedStorage"},
    "instance_duplicate": {"instancePath": "Workspace.House", "name": "Two"},
    "instance_set_attributes": {"instancePath": "Workspace.House", "attributes": {"A": 1}},
    "instance_set_tags": {"instancePath": "Workspace.House", "add": ["A"]},
    "instance_set_properties": {"className": "Part", "properties": {"Anchored": False}},
    "scene_apply": {"definition": {"nodes": [{"id": "a", "className": "Folder"}]}},
}


@pytest.mark.parametrize("tool", WRITES)
async def test_a_dry_run_says_what_it_would_do_and_does_nothing(game: Game, tool: str) -> None:
    before = game.contents()
    dry = await game.reply(tool, WRITES[tool], dryRun=True)
    assert dry["output"]["dryRun"] is True
    assert not any(dry["output"].get(key) for key in ("created", "updated", "deleted", "moved", "applied"))
    assert game.contents() == before
    wet = await game.reply(tool, WRITES[tool])
    assert "dryRun" not in wet["output"]
    assert wet["diff"] == dry["diff"]
    assert wet["output"].get("path") == dry["output"].get("path")
    assert dry["output"]["diffSummary"] == f"{DRY_RUN} {wet['output']['diffSummary']}"


@pytest.mark.parametrize("tool", WRITES)
async def test_every_write_can_be_taken_back(game: Game, tool: str) -> None:
    before = game.contents()
    await game.reply(tool, WRITES[tool])
    assert game.contents() != before
    await game.undo()
    assert game.contents() == before


# Refusals


async def test_a_path_that_leads_nowhere_is_not_found_and_says_where_it_ends(game: Game) -> None:
    error = await game.refused("instance_get", instancePath="Workspace.Houze.Wall")
    assert error.code == -32044
    assert error.data["code"] == "NOT_FOUND"
    assert "'Houze'" in error.message
    assert "Did you mean 'House'?" in error.data["details"]["hint"]
    assert (await game.refused("instance_get", instanceId="inst-none")).code == -32044


async def test_paths_may_start_with_game_and_an_id_comes_before_a_path(game: Game) -> None:
    roof = (await game.ask("instance_get", instancePath="game.Workspace.House.Roof"))["instance"]
    both = await game.ask("instance_get", instancePath="Workspace.Baseplate", instanceId=roof["instanceId"])
    assert both["instance"] == roof
    stale = await game.ask("instance_get", instancePath="Workspace.Baseplate", instanceId="inst-none")
    assert stale["instance"]["name"] == "Baseplate"


REFUSED: list[tuple[str, dict[str, Any], str, str]] = [
    ("instance_find", {"isA": "BasePrat"}, "input.isA", "class"),
    ("instance_get", {}, "input.instancePath", "required"),
    ("instance_create", {"parentPath": "Workspace", "className": "Prat", "name": "A"}, "input.className", "class"),
    ("instance_create", {"parentPath": "game", "className": "BasePart", "name": "A"}, "input.className", "creatable"),
    ("instance_create", {"parentPath": "game", "className": "Lighting", "name": "A"}, "input.className", "creatable"),
    ("instance_create", {"parentPath": "Workspace", "className": "Part", "name": ""}, "input.name", "minLength"),
    ("instance_create", {"className": "Part", "name": "A"}, "input.parentPath", "required"),
    (
        "instance_create",
        {"parentPath": "Workspace", "className": "Part", "name": "A", "properties": {"Size": [1, 2]}},
        "input.properties.Size",
        "type",
    ),
    (
        "instance_create",
        {"parentPath": "Workspace", "className": "Part", "name": "A", "attributes": {"a b": 1}},
        "input.attributes.a b",
        "name",
    ),
    (
        "script_create",
        {"parentPath": "Workspace", "name": "A", "scriptType": "Srcipt", "source": ""},
        "input.scriptType",
        "enum",
    ),
]
PROPERTIES: list[tuple[str, Any, str]] = [
    ("Anchord", True, "property"),
    ("Anchored", "yes", "type"),
    ("Anchored", 1, "type"),
    ("Transparency", "clear", "type"),
    ("Material", "Wodo", "type"),
    ("Material", {"_type": "Enum", "enum": "PartType", "value": "Ball"}, "type"),
    ("Size", {"x": 1, "y": 2}, "type"),
    ("Color", [300, 0, 0], "type"),
    ("AssemblyMass", 1, "readOnly"),
    ("Parent", "Workspace", "property"),
    ("ClassName", "Part", "property"),
]


@pytest.mark.parametrize(("tool", "arguments", "path", "rule"), REFUSED)
async def test_wrong_arguments_are_refused_by_name_and_rule(
    game: Game, tool: str, arguments: dict[str, Any], path: str, rule: str
) -> None:
    before = game.contents()
    error = await game.refused(tool, **arguments)
    assert error.code == -32602
    assert (error.data["validation_path"], error.data["validation_rule"]) == (path, rule)
    assert game.contents() == before


@pytest.mark.parametrize(("name", "value", "rule"), PROPERTIES, ids=[f"{row[0]}={row[1]}" for row in PROPERTIES])
async def test_a_property_is_set_to_nothing_that_it_cannot_be(game: Game, name: str, value: Any, rule: str) -> None:
    before = game.contents()
    error = await game.refused(
        "instance_set_property", instancePath="Workspace.Baseplate", propertyName=name, value=value
    )
    assert error.code == -32602
    assert error.data["validation_rule"] == rule
    assert game.contents() == before


async def test_services_are_neither_deleted_nor_moved_but_made_where_they_are_missing(game: Game) -> None:
    for tool in ("instance_delete", "instance_duplicate"):
        assert (await game.refused(tool, instancePath="Workspace")).code == -32043
    made = await game.ask("instance_create", parentPath="StarterGui", className="ScreenGui", name="Hud")
    assert made["path"] == "StarterGui.Hud"
    assert (await game.ask("instance_get", instancePath="StarterGui"))["instance"]["className"] == "StarterGui"


async def test_a_module_of_the_game_is_untouched_by_all_of_this(game: Game) -> None:
    await game.ask("instance_create", parentPath="Workspace", className="Folder", name="A")
    assert await game.source("ReplicatedStorage.Config") == CONFIG
    assert await game.source("ServerScriptService.Main") == MAIN
