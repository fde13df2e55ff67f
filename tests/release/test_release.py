"""What is published: made as a release makes it, looked into, and the server started from the wheel alone."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import subprocess
import sys
import tarfile
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from mcp import ClientSession, StdioServerParameters, stdio_client
from release.addon import addon_files
from release.archive import project_files, write_zip
from release.bundle import bundle_files
from release.project import ROOT, read_project
from release.registry import MOST_DESCRIPTION, server_entry
from tests.e2e.tools import mcpb
from tests.support.installed import install_wheel, plain_environment

from release import agreement
from scenewright.godot.editor.addon_files import shipped_version

pytestmark = pytest.mark.xdist_group("release")
PROJECT = read_project()


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("release") / "dist"
    made = subprocess.run(
        [sys.executable, "-m", "release", "build", "--out", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    assert "Left to press" in made.stdout
    return folder


def _wheel(published: Path) -> Path:
    (wheel,) = published.glob("*.whl")
    return wheel


def test_all_versions_agree() -> None:
    assert list(agreement.disagreements(PROJECT)) == []


def test_a_version_that_differs_is_named() -> None:
    wrong = list(agreement.disagreements(replace(PROJECT, version="9.9.9")))
    assert any("pyproject.toml 9.9.9" in sentence for sentence in wrong)


def test_a_lock_file_that_lacks_something_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agreement, "LOCK", "README.md")
    assert any("run `make lock`" in sentence for sentence in agreement.disagreements(PROJECT))


def test_the_lock_file_names_files_by_hash_and_no_place() -> None:
    text = (ROOT / "requirements.lock").read_text()
    assert "://" not in text
    packages = re.findall(r"^[\w.-]+==.*(?:\n    --hash=sha256:[0-9a-f]{64}.*)+", text, re.MULTILINE)
    assert len(packages) == len(re.findall(r"^[\w.-]+==", text, re.MULTILINE)) > 50


def test_the_wheel_holds_the_whole_package_and_nothing_else(published: Path) -> None:
    names = set(zipfile.ZipFile(_wheel(published)).namelist())
    package = {name.removeprefix("src/") for name in project_files("src")}
    assert package <= names
    assert {name for name in names - package if ".dist-info/" not in name} == set()


def test_the_source_archive_builds_the_same_wheel_and_has_no_tests(published: Path) -> None:
    (archive,) = published.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        names = {name.split("/", 1)[1] for name in opened.getnames()}
    assert set(project_files("src")) <= names
    assert {"pyproject.toml", "README.md", "LICENSE", "PKG-INFO"} <= names
    assert {name.split("/")[0] for name in names} & {"tests", "evals", "bench", "docs", "release"} == set()


def test_the_sums_are_those_of_the_files(published: Path) -> None:
    lines = (published / "SHA256SUMS").read_text().splitlines()
    assert len(lines) == len(list(published.iterdir())) - 1
    for line in lines:
        digest, name = line.split("  ")
        assert hashlib.sha256((published / name).read_bytes()).hexdigest() == digest


def test_the_bundle_is_what_its_own_tool_takes(published: Path, tmp_path: Path) -> None:
    (bundle,) = published.glob("*.mcpb")
    with zipfile.ZipFile(bundle) as opened:
        opened.extractall(tmp_path)
    told = subprocess.run(
        [*mcpb(), "validate", str(tmp_path / "manifest.json")], capture_output=True, text=True, timeout=60
    )
    assert told.returncode == 0, told.stdout + told.stderr
    assert (tmp_path / json.loads((tmp_path / "manifest.json").read_text())["server"]["entry_point"]).is_file()
    wrong = json.loads((tmp_path / "manifest.json").read_text()) | {"server": {"type": "uv"}}
    (tmp_path / "manifest.json").write_text(json.dumps(wrong))
    assert subprocess.run(
        [*mcpb(), "validate", str(tmp_path / "manifest.json")], capture_output=True, timeout=60
    ).returncode


def test_the_same_sources_make_the_same_archives(published: Path, tmp_path: Path) -> None:
    for name, files in [
        (f"scenewright-{PROJECT.version}.mcpb", bundle_files(PROJECT)),
        (f"scenewright_bridge-{shipped_version()}.zip", addon_files(PROJECT)),
    ]:
        write_zip(tmp_path / name, dict(reversed(files.items())))
        assert (tmp_path / name).read_bytes() == (published / name).read_bytes()


def test_the_addon_lies_below_addons_with_its_licence(published: Path) -> None:
    (archive,) = published.glob("scenewright_bridge-*.zip")
    names = zipfile.ZipFile(archive).namelist()
    assert {name.split("/")[:2] == ["addons", "scenewright_bridge"] for name in names} == {True}
    inside = {name.removeprefix("addons/scenewright_bridge/") for name in names}
    assert {"plugin.cfg", "plugin.gd", "LICENSE", "README.md", "icon.png"} <= inside


def test_the_entry_of_the_registry_keeps_its_limits() -> None:
    entry = server_entry(PROJECT)
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", entry["name"])
    assert len(entry["description"]) <= MOST_DESCRIPTION
    (package,) = entry["packages"]
    assert (entry["version"], package["version"], package["identifier"]) == (
        PROJECT.version,
        PROJECT.version,
        "scenewright",
    )
    assert f"mcp-name: {entry['name']}" in (ROOT / "README.md").read_text()


def test_the_image_is_made_of_what_a_release_makes() -> None:
    lines = (ROOT / "release/Dockerfile").read_text().splitlines()
    (copied,) = [line.split()[1] for line in lines if line.startswith("COPY")]
    assert f"!{copied}" in (ROOT / ".dockerignore").read_text().splitlines()
    (entry,) = [json.loads(line.removeprefix("ENTRYPOINT ")) for line in lines if line.startswith("ENTRYPOINT")]
    assert entry == ["scenewright", "serve", "--project", "/game"]


def test_the_list_for_models_names_files_that_are_there() -> None:
    named = re.findall(r"\]\(([^)]+)\)", (ROOT / "llms.txt").read_text())
    assert len(named) > 10
    assert [name for name in named if not (ROOT / name).is_file()] == []


@pytest.fixture(scope="module")
def installed(published: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with nothing but the wheel and what that depends on: this checkout is out of its reach."""
    return install_wheel(_wheel(published), tmp_path_factory.mktemp("installed") / "env") / "python"


def test_a_server_from_the_wheel_works_in_a_project_of_any_name(installed: Path, tmp_path: Path) -> None:
    game = tmp_path / "Spiel für zwei"
    game.mkdir()
    (game / "project.godot").write_text('config_version=5\n\n[application]\n\nconfig/name="Zwei"\n')
    environment = plain_environment(tmp_path)
    where = [str(installed), "-P", "-c", "import scenewright; print(scenewright.__file__)"]
    file = subprocess.run(
        where, cwd=game, env=environment, capture_output=True, text=True, check=True, timeout=60
    ).stdout
    assert file.startswith(str(installed.parent.parent))

    async def use() -> str:
        server = StdioServerParameters(
            command=str(installed), args=["-m", "scenewright", "serve", "--project", str(game)], env=environment
        )
        async with stdio_client(server) as streams, ClientSession(*streams) as session:
            await session.initialize()
            result = await session.call_tool("overview", {})
            assert not result.is_error
            return str(result.content)

    assert "Zwei" in asyncio.run(asyncio.wait_for(use(), 60))
