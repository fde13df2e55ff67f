"""What the documents show is what happens: each command is run, in order, and its output compared."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path

import anyio
import pytest
from tests.e2e.documented import Shown, consoles, indented, run
from tests.e2e.tools import godot
from tests.roblox.places import game_tree

from scenewright.app import make_runtime
from scenewright.cli.demo.game import chapters
from scenewright.core.calls.call import Request
from scenewright.core.config import Config
from scenewright.roblox.place.documents import write_tree

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
EMPTY = "config_version=5\n"


def make_coin_run(folder: Path) -> None:
    """The game of the demo, as the calls of the demo make it; that it plays is the demo's own test."""
    (folder / "project.godot").write_text('config_version=5\n\n[application]\nconfig/name="Demo"\n')
    *building, checking = chapters()
    calls = [call for chapter in building for call in chapter.calls] + [checking.calls[0]]

    async def make() -> None:
        runtime = make_runtime(Config(project=folder, rate_limit=None))
        try:
            for tool, arguments in calls:
                outcome = await runtime.run(Request(tool=tool, arguments=arguments))
                assert outcome.ok, outcome.summary
        finally:
            runtime.close()

    anyio.run(make)


@pytest.mark.godot
@pytest.mark.xdist_group("godot")
@pytest.mark.timeout(300)
def test_the_guide_to_godot_shows_what_happens(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GODOT_PATH", godot())
    make_coin_run(project)
    shown = list(consoles(DOCS / "godot.md"))
    assert len(shown) > 30
    wrong = [found for each in shown if (found := _tried(each, project, capsys))]
    assert not wrong, "\n\n".join(wrong)


def test_the_readme_shows_what_happens(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "project.godot").write_text(EMPTY)
    shown = list(consoles(ROOT / "README.md"))
    assert len(shown) == 4
    wrong = [found for each in shown if (found := _tried(each, project, capsys, "/home/me/game"))]
    assert not wrong, "\n\n".join(wrong)


def test_the_page_on_pixel_art_shows_what_happens(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "project.godot").write_text(EMPTY)
    page = DOCS / "pixel.md"
    tools = ("pixel_draw", "pixel_pose", "pixel_pose")
    for tool, block in zip(tools, re.findall(r"```json\n(.*?)```", page.read_text(), re.DOTALL), strict=True):
        made, said = run(Shown(page.name, shlex.join(["scenewright", "call", tool, block]), ()), project, capsys)
        assert made == 0, said
    shown = list(consoles(page))
    assert len(shown) == 2
    wrong = [found for each in shown if (found := _tried(each, project, capsys))]
    assert not wrong, "\n\n".join(wrong)


# Commands of other documents that are not carried out here, by how they begin.
LEFT_OUT = {
    "scenewright init": "sets up the clients of whoever runs the tests; tests/cli/test_init.py does that safely",
    "scenewright uninstall": "takes that back",
    "scenewright dashboard": "serves until it is stopped; tests/dashboard opens it in a browser",
    "scenewright serve": "runs until it is stopped; other tests serve",
    "scenewright roblox plugin --install": "writes into the home of whoever runs the tests",
    "scenewright play --all": "plays tapes, of which this project has none; tests/cli/test_play.py plays some",
    "scenewright unity": "asks an open Unity editor; tests/unity/live has a stand-in",
    "scenewright call unity_editor_manager": "asks an open Unity editor",
    "scenewright workflow status|logs|cancel RUN": "three commands in one line, and a run that is not there",
}
# What stands in the documents for something of the reader's own.
MEANT = {"~/games/maze": ".", "TOOL": "write_file", "JSON": '{"path": "a.md", "content": ""}', "FILE": "pack.json"}


def make_godot_project(folder: Path) -> None:
    (folder / "project.godot").write_text(EMPTY)


def make_policy_project(folder: Path) -> None:
    make_godot_project(folder)
    (folder / ".scenewright").mkdir()
    (folder / "pack.json").write_text('{"version": "v1", "rules": []}')


def make_plan(folder: Path) -> None:
    make_godot_project(folder)
    plan = re.search(r"```yaml\n(.*?)```", (DOCS / "workflows.md").read_text(), re.DOTALL)
    assert plan is not None
    (folder / "plan.yaml").write_text(plan[1])


def make_unity_project(folder: Path) -> None:
    shutil.copytree(ROOT / "tests" / "unity" / "fixtures" / "game", folder / "my-game")


def make_place(folder: Path) -> None:
    (folder / "game.rbxl").write_bytes(write_tree("game.rbxl", game_tree()))


PLACES: dict[str, Callable[[Path], None]] = {
    "live.md": make_godot_project,
    "macros.md": make_godot_project,
    "policy.md": make_policy_project,
    "roblox.md": make_place,
    "unity.md": make_unity_project,
    "workflows.md": make_plan,
}
SHOWN = [each for document in sorted(DOCS.glob("*.md")) for each in indented(document)]
OTHERS = [each for each in SHOWN if not each.command.startswith(tuple(LEFT_OUT))]


@pytest.mark.parametrize("each", OTHERS, ids=[each.place for each in OTHERS])
def test_a_command_of_another_document_works(each: Shown, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    PLACES[each.place.partition(":")[0]](project)
    code, said = run(each, project, capsys, MEANT)
    assert code == 0, said


def test_what_is_left_out_is_still_in_the_documents() -> None:
    assert [start for start in LEFT_OUT if not any(each.command.startswith(start) for each in SHOWN)] == []


def _tried(each: Shown, folder: Path, capsys: pytest.CaptureFixture[str], called: str | None = None) -> str | None:
    code, said = run(each, folder, capsys)
    said = said.replace(str(folder), called) if called else said
    if code != each.exit_code:
        return f"{each.place}: exit code {code}, not {each.exit_code}\n$ {each.command}\n{said}"
    return each.difference(said)
