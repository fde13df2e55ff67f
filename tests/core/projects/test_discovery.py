"""Which project a process is about: named, around or below the working folder, or not there yet."""

from __future__ import annotations

from pathlib import Path

import pytest

from scenewright.app import ENGINES
from scenewright.core.config import Config
from scenewright.core.faults import NotFound
from scenewright.core.projects.discovery import MOST_FOLDERS, discover, find_projects_below
from scenewright.core.projects.project import NO_PROJECT

MARKERS = ("project.godot", "default.project.json", "ProjectSettings/ProjectVersion.txt")


def make_game(folder: Path, marker: str = "project.godot") -> Path:
    (folder / marker).parent.mkdir(parents=True, exist_ok=True)
    (folder / marker).touch()
    return folder


@pytest.mark.parametrize("marker", MARKERS)
def test_the_only_project_below_the_working_folder_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, marker: str
) -> None:
    game = make_game(tmp_path / "client/game", marker)
    monkeypatch.chdir(tmp_path)
    for shell in (False, True):
        assert discover(Config(shell=shell), ENGINES).project.root == game


def test_of_several_none_is_taken_and_all_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    games = [make_game(tmp_path / name) for name in ("a", "b")]
    monkeypatch.chdir(tmp_path)
    found = discover(Config(), ENGINES)
    assert (found.project, list(found.choices), found.folder) == (NO_PROJECT, games, tmp_path)


def test_a_project_around_comes_before_those_below(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = make_game(tmp_path / "game")
    make_game(game / "scenes/inner")
    monkeypatch.chdir(game / "scenes")
    assert discover(Config(), ENGINES).project.root == game


def test_hidden_linked_deep_and_foreign_folders_are_not_looked_into(tmp_path: Path) -> None:
    make_game(tmp_path / ".cache/game")
    make_game(tmp_path / "node_modules/game")
    make_game(tmp_path / "one/two/three/four")
    make_game(tmp_path / "elsewhere")
    start = tmp_path / "start"
    start.mkdir()
    (start / "link").symlink_to(tmp_path / "elsewhere")
    for name in (".cache", "node_modules", "one"):
        (tmp_path / name).rename(start / name)
    assert find_projects_below(start, ENGINES) == []
    outer = make_game(start / "outer")
    make_game(outer / "demo")
    assert find_projects_below(start, ENGINES) == [outer]


def test_a_crowd_of_folders_is_looked_at_up_to_a_limit(tmp_path: Path) -> None:
    for number in range(MOST_FOLDERS + 10):
        (tmp_path / f"{number:04}").mkdir()
    make_game(tmp_path / f"{MOST_FOLDERS + 5:04}")
    assert find_projects_below(tmp_path, ENGINES) == []


def test_a_home_or_system_folder_is_not_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_game(tmp_path / "game")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    found = discover(Config(), ENGINES)
    assert (found.project, found.folder, found.choices) == (NO_PROJECT, None, ())


def test_a_bad_project_ends_a_command_and_not_a_server(tmp_path: Path) -> None:
    gone, there = tmp_path / "gone", make_game(tmp_path / "there")
    with pytest.raises(NotFound):
        discover(Config(project=gone), ENGINES)
    waiting = Config(project=gone, further_projects=(there,), waits_for_project=True)
    found = discover(waiting, ENGINES)
    assert (found.project, found.further) == (NO_PROJECT, (there,))
    assert str(gone) in found.problems[0]
    make_game(gone)
    found = discover(waiting, ENGINES)
    assert (found.project.root, found.problems) == (gone, ())


def test_a_project_file_given_for_its_folder_is_named(tmp_path: Path) -> None:
    file = make_game(tmp_path) / "project.godot"
    (problem,) = discover(Config(project=file, waits_for_project=True), ENGINES).problems
    assert "is a file: name the folder" in problem
