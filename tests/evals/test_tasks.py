"""Each task's check passes on the task's solution, and fails on what an agent finds, sentence by sentence."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from evals.checks import check_task, godot
from evals.task import Task, all_tasks
from evals.trial import start_files
from tests.e2e import tools

TASKS = all_tasks()
SUBJECTS = {"coins", "door", "menu", "hero", "flash", "tiles", "audio", "broken", "new_game", "arena", "obby", "shop"}


@pytest.fixture
def _engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GODOT_PATH", tools.godot())
    if shutil.which("Xvfb") is None:
        (pytest.fail if tools.MUST_HAVE else pytest.skip)("a check that draws needs Xvfb")


def test_there_are_twelve_tasks_of_six_to_ten_sentences() -> None:
    assert {task.name.partition("_")[2] for task in TASKS} == SUBJECTS
    assert all(6 <= len(task.sentences) <= 10 for task in TASKS)


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The assets of all tasks, imported by one run of the engine; no two have the same path."""
    folder = tmp_path_factory.mktemp("assets")
    (folder / "project.godot").write_text("config_version=5\n")
    for task in (task for task in TASKS if task.engine == "Godot"):
        for root in (task.start, task.solution):
            for file in root.glob("*.*"):
                if godot.ASSETS & set(file.suffixes):
                    shutil.copy2(file, folder / file.name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GODOT_PATH", tools.godot())
        godot.import_assets(folder)
    assert not godot.needs_import(folder)
    return folder


def _adopt_imported(project: Path, imported: Path) -> None:
    shutil.copytree(imported / ".godot", project / ".godot")
    for told in imported.glob("*.import"):
        if (project / told.stem).is_file():
            shutil.copy2(told, project / told.name)


def _holding(task: Task, project: Path) -> list[str]:
    return [verdict.line() for verdict in check_task(task, project) if verdict.holds]


def _failing(task: Task, project: Path) -> list[str]:
    return [verdict.line() for verdict in check_task(task, project) if not verdict.holds]


@pytest.mark.godot
@pytest.mark.usefixtures("_engine")
@pytest.mark.xdist_group("evals")
@pytest.mark.parametrize("task", [task for task in TASKS if task.engine == "Godot"], ids=lambda task: task.name)
def test_a_check_by_the_engine_tells_the_solution_from_the_start(task: Task, tmp_path: Path, imported: Path) -> None:
    start_files(task, tmp_path)
    faults = godot.check(task, tmp_path, imports=False)
    assert [number for number in range(1, len(task.sentences) + 1) if not faults.get(number)] == []
    shutil.copytree(task.solution, tmp_path, dirs_exist_ok=True)
    _adopt_imported(tmp_path, imported)
    assert _failing(task, tmp_path) == []


@pytest.mark.parametrize("task", [task for task in TASKS if task.engine != "Godot"], ids=lambda task: task.name)
def test_a_check_of_files_tells_the_solution_from_the_start(task: Task, tmp_path: Path) -> None:
    start_files(task, tmp_path)
    assert _holding(task, tmp_path) == []
    shutil.copytree(task.solution, tmp_path, dirs_exist_ok=True)
    assert _failing(task, tmp_path) == []
