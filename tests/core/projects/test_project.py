"""Which paths are inside a project, and which are nobody's business."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from scenewright.core.faults import Denied, Invalid, NotFound
from scenewright.core.projects.project import Engine, Project


@pytest.fixture
def there(project: Path, tmp_path: Path) -> Project:
    """A project with ways out of it."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/secret.txt").write_bytes(b"secret")
    (tmp_path / "project-twin").mkdir()
    (project / "inside").mkdir()
    (project / "inside/a.txt").write_bytes(b"")
    for name, target in {
        "out": "../outside",
        "out.txt": "../outside/secret.txt",
        "in": "inside",
        "round": "in/../out",
        "loop": "loop",
        "nowhere": "../outside/none",
        "ours": ".git",
    }.items():
        (project / name).symlink_to(target)
    return Project.at(project)


@pytest.mark.parametrize(
    "path",
    [
        "..",
        "../outside/secret.txt",
        "inside/../../outside/secret.txt",
        "/etc/passwd",
        "//etc/passwd",
        "out/secret.txt",
        "out/new/deep.txt",
        "out.txt",
        "round/secret.txt",
        "nowhere",
        "../project-twin/a.txt",
    ],
)
def test_a_path_that_leads_out_is_refused(there: Project, path: str) -> None:
    with pytest.raises(Denied, match="outside the project"):
        there.locate(path)


@pytest.mark.parametrize(
    "path",
    [
        ".git",
        ".git/config",
        ".git/hooks/pre-commit",
        ".scenewright/journal.sqlite",
        ".godot_mcp/audit.log",
        "inside/../.git/config",
        "ours/config",
        ".GIT/config",
        ".Git./config",
        "addons/plugin/.git/hooks/x",
        "nested/.scenewright/token",
    ],
)
def test_records_of_ours_and_of_git_are_refused_at_any_depth(there: Project, path: str) -> None:
    with pytest.raises(Denied, match="belongs to scenewright or git"):
        there.locate(path)


@pytest.mark.parametrize("path", ["", "a\0b", "x" * 5000, "loop", "loop/a", "half \ud800 character", "\udcff"])
def test_what_cannot_be_a_path_is_refused(there: Project, path: str) -> None:
    with pytest.raises(Invalid):
        there.locate(path)


def test_a_link_to_a_name_that_is_not_unicode_is_refused(there: Project) -> None:
    (there.root / "odd").symlink_to(os.fsdecode(b"n\xff"))
    with pytest.raises(Invalid, match="not valid Unicode"):
        there.locate("odd")


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("inside/a.txt", "inside/a.txt"),
        ("in/a.txt", "inside/a.txt"),
        ("./inside/../inside/a.txt", "inside/a.txt"),
        ("new/deep.txt", "new/deep.txt"),
        (".", "."),
        (".gitignore", ".gitignore"),
        ("git/.github/x", "git/.github/x"),
        ("~/a", "~/a"),
        ("ü 名", "ü 名"),
    ],
)
def test_a_path_inside_is_found_where_it_really_is(there: Project, path: str, place: str) -> None:
    found = there.locate(path)
    assert found == there.root / place
    assert there.relative(found) == place


def test_an_absolute_path_inside_is_inside(there: Project) -> None:
    assert there.locate(str(there.root / "inside/a.txt")) == there.root / "inside/a.txt"


def test_a_project_reached_through_a_link_is_the_folder_itself(project: Path, tmp_path: Path) -> None:
    (tmp_path / "shortcut").symlink_to(project)
    assert Project.at(tmp_path / "shortcut") == Project.at(project)


@pytest.mark.parametrize("folder", ["missing", "file", "a\0b", "\ud800"])
def test_a_project_must_be_a_folder(tmp_path: Path, folder: str) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(NotFound, match="no folder at"):
        Project.at(f"{tmp_path}/{folder}")


def test_engines_are_known_by_what_the_folder_holds(project: Path) -> None:
    godot, roblox = Engine("godot", ("project.godot",)), Engine("roblox", ("*.rbxl", "*.rbxlx"))
    (project / "place.rbxl").write_bytes(b"")
    assert Project.at(project).engines([godot, roblox]) == [roblox]
