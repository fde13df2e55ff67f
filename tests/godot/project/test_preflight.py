from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.support.gdscript_runner import PROJECT, make_project

from scenewright.godot.project.checks.environment import check_port

pytestmark = pytest.mark.anyio

SCENE = '[gd_scene format=3]\n\n[node name="Main" type="Node"]\n'
GUIDELINES = """Welcome.

# Naming

Files are in snake_case.

## Scenes

Roots are called
after their file.

```
# no heading
```

# Style

Tabs, never spaces.
"""


async def run(caller: Caller, tool: str, **arguments: Any) -> dict[str, Any]:
    structured = (await caller.reply(tool, arguments)).structured
    assert structured is not None
    found: dict[str, Any] = structured
    return found


async def checks(caller: Caller, **arguments: Any) -> dict[str, dict[str, Any]]:
    done = await run(caller, "godot_preflight", **arguments)
    return {check["name"]: check for check in done["result"]["checks"]}


async def test_what_is_missing_is_named_with_a_fix(project: Path, caller: Caller) -> None:
    make_project(project, {"hero.png": b"x"})
    found = await checks(caller)
    assert {name for name, check in found.items() if not check["ok"]} == {"godot", "mainScene", "addon", "imports"}
    assert all(check["fix"] for check in found.values() if not check["ok"])
    assert "GODOT_PATH" in found["godot"]["fix"]
    assert not (await run(caller, "godot_preflight"))["result"]["ready"]


async def test_a_main_scene_must_be_there(project: Path, caller: Caller) -> None:
    make_project(project, {"main.tscn": SCENE})
    (project / "project.godot").write_text(PROJECT + 'run/main_scene="res://mian.tscn"\n')
    missing = (await checks(caller))["mainScene"]
    assert (missing["ok"], "optional" in missing) == (False, False)
    (project / "project.godot").write_text(PROJECT + 'run/main_scene="res://main.tscn"\n')
    assert (await checks(caller))["mainScene"]["ok"]


@pytest.mark.parametrize(
    ("text", "fix"), [("config_version=4\n", "convert_3to4"), ('[application\nconfig/name="A\n', "Repair")]
)
async def test_a_project_file_that_will_not_do_is_named(project: Path, caller: Caller, text: str, fix: str) -> None:
    (project / "project.godot").write_text(text)
    found = (await checks(caller))["project"]
    assert not found["ok"]
    assert fix in found["fix"]


async def test_the_addon_is_seen(project: Path, caller: Caller) -> None:
    make_project(project)
    assert (await run(caller, "godot_sync_addon"))["ok"]
    assert (await checks(caller))["addon"]["ok"]


async def test_a_port_that_is_taken_is_named(project: Path, caller: Caller) -> None:
    make_project(project)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert not (await checks(caller, port=port))["port"]["ok"]
    assert check_port(0).ok


async def test_guidelines_are_no_way_to_files_of_git(project: Path, caller: Caller) -> None:
    make_project(project)
    (project / ".git").mkdir()
    (project / ".git/config").write_text("# Token\n\npassword\n")
    (project / "AI_GUIDELINES.md").symlink_to(".git/config")
    reply = await run(caller, "search_guidelines", query="password")
    assert not reply["ok"]
    assert "password" not in str(reply)


async def test_guidelines_are_found_and_searched(project: Path, caller: Caller) -> None:
    make_project(project)
    missing = await run(caller, "search_guidelines", query="x")
    assert "docs/AI_GUIDELINES.md" in missing["error"]["suggestedFix"]
    (project / ".godot_mcp").mkdir(exist_ok=True)
    (project / ".godot_mcp" / "AI_GUIDELINES.md").write_text(GUIDELINES)
    found = (await run(caller, "search_guidelines", query="CALLED roots"))["result"]
    assert found["file"] == ".godot_mcp/AI_GUIDELINES.md"
    assert found["matches"] == [{"section": "Scenes", "line": 9, "text": "Roots are called after their file."}]
    assert found["sections"] == ["Naming", "Scenes", "Style"]
    many = (await run(caller, "search_guidelines", query="e", maxMatches=1))["result"]
    assert (len(many["matches"]), many["total"] > 1) == (1, True)

    (project / "rules.md").write_text("# Other\n\nNothing.\n")
    other = (await run(caller, "search_guidelines", query="nothing", guidelinesFilePath="rules.md"))["result"]
    assert (other["file"], other["total"]) == ("rules.md", 1)


async def test_a_section_comes_with_those_below_it(project: Path, caller: Caller) -> None:
    make_project(project, {"docs/AI_GUIDELINES.md": GUIDELINES, "rules.md": "# Other\n\nNothing.\n"})
    found = (await run(caller, "get_guidelines_section", section="naming"))["result"]
    assert (found["section"], found["line"]) == ("Naming", 3)
    assert found["text"].startswith("# Naming\n\nFiles are in snake_case.\n\n## Scenes")
    assert found["text"].endswith("# no heading\n```")
    short = (await run(caller, "get_guidelines_section", section="Naming", maxChars=100))["result"]
    assert (len(short["text"]), short["truncated"]) == (100, True)
    other = await run(caller, "get_guidelines_section", section="other", guidelinesFilePath="res://rules.md")
    assert other["result"]["text"] == "# Other\n\nNothing."
    missing = await run(caller, "get_guidelines_section", section="Styel")
    assert "Style" in missing["error"]["suggestedFix"]


async def test_guidelines_outside_the_project_are_not_read(project: Path, caller: Caller, tmp_path: Path) -> None:
    make_project(project)
    (tmp_path / "secret.md").write_text("# Secret\n")
    (project / "AI_GUIDELINES.md").symlink_to(tmp_path / "secret.md")
    assert (await run(caller, "search_guidelines", query="secret"))["error"]["code"] == "E_NOT_FOUND"
    outside = await run(caller, "search_guidelines", query="secret", guidelinesFilePath="../secret.md")
    assert outside["error"]["code"] == "E_PERMISSION_DENIED"


BROKEN = {
    "main.tscn": SCENE.replace("\n\n", '\n\n[ext_resource type="Script" path="res://gone.gd" id="1"]\n\n', 1),
    "bad.gd": "extends Node\n\nfunc f(:\n\tpass\n",
    "one.tres": '[gd_resource type="Gradient" format=3 uid="uid://b4one"]\n\n[resource]\n',
    "two.tres": '[gd_resource type="Gradient" format=3 uid="uid://b4one"]\n\n[resource]\n',
}


async def report(caller: Caller, /, path: str = "doctor_report.md", **options: Any) -> dict[str, Any]:
    done = await run(caller, "doctor_report", reportRelativePath=path, options=options)
    assert done["ok"], done
    found: dict[str, Any] = done["result"]
    return found


async def test_a_report_names_what_is_wrong_by_category(project: Path, caller: Caller) -> None:
    make_project(project, {name: text.encode() for name, text in BROKEN.items()})
    done = await report(caller, "docs/health.md", includeExport=True)
    assert (done["healthy"], done["reportPath"]) == (False, "docs/health.md")
    assert set(done["counts"]) == {"environment", "scripts", "scenes", "assets", "uid", "export"}
    text = (project / "docs" / "health.md").read_text()
    assert text.startswith("# Doctor report: project\n")
    for part in ("## Scripts", "## Scenes", "## UIDs", "`res://main.tscn", "res://gone.gd", "uid://b4one"):
        assert part in text
    assert (await caller.run("history_undo")).ok
    assert not (project / "docs").exists()


@pytest.mark.parametrize(
    ("option", "category"),
    [("includeScripts", "scripts"), ("includeScenes", "scenes"), ("includeAssets", "assets"), ("includeUID", "uid")],
)
async def test_a_category_can_be_left_out(project: Path, caller: Caller, option: str, category: str) -> None:
    make_project(project, {name: text.encode() for name, text in BROKEN.items()})
    assert category in (await report(caller))["counts"]
    assert "export" not in (await report(caller))["counts"]
    assert category not in (await report(caller, "doctor_report.md", **{option: False}))["counts"]


async def test_a_report_can_be_short_in_length_and_time(project: Path, caller: Caller) -> None:
    make_project(project, {f"bad{number}.gd": BROKEN["bad.gd"] for number in range(4)})
    done = await report(caller, maxIssuesPerCategory=1)
    assert done["counts"]["scripts"] >= 4
    assert len([issue for issue in done["issues"] if issue["category"] == "scripts"]) == 1
    assert "more" in (project / "doctor_report.md").read_text()
    assert (await report(caller, timeBudgetMs=0))["partial"]
    refused = await run(caller, "doctor_report", reportRelativePath="report.gd")
    assert refused["error"]["code"] == "E_SCHEMA_VALIDATION"
