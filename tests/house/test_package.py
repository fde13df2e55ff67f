"""What holds for the package as a whole."""

from __future__ import annotations

import importlib
import pkgutil
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import scenewright
from scenewright.app import ENGINES, catalogues
from scenewright.core.operations.registry import build_registry
from scenewright.core.projects.project import Project

ROOT = Path(__file__).parents[2]
MODULES = sorted(
    info.name
    for info in pkgutil.walk_packages(scenewright.__path__, "scenewright.")
    if not info.name.endswith("__main__")
)
IMPORT = re.compile(r"^[ \t]*from (scenewright[\w.]*) import (\([^)]*\)|.+)", re.MULTILINE)


def test_the_version_is_said_the_same_everywhere() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert declared == scenewright.__version__


def test_the_shipped_catalogues_keep_every_rule() -> None:
    build_registry(catalogues())


@pytest.mark.parametrize("name", MODULES)
def test_a_module_exports_what_it_says_and_says_what_it_is(name: str) -> None:
    module = importlib.import_module(name)
    assert module.__doc__
    for exported in getattr(module, "__all__", ()):
        assert hasattr(module, exported), f"{name} has no {exported}"


@pytest.mark.parametrize("name", MODULES)
def test_a_public_name_that_others_import_is_exported(name: str) -> None:
    module = importlib.import_module(name)
    assert module.__file__
    for source, names in IMPORT.findall(Path(module.__file__).read_text(encoding="utf-8")):
        exported = getattr(importlib.import_module(source), "__all__", None)
        for imported in re.findall(r"(\w+)(?: as \w+)?", re.sub(r"#.*", "", names)):
            is_module = f"{source}.{imported}" in MODULES
            assert exported is None or is_module or imported in exported, f"{name}: {source}.{imported}"


@pytest.mark.parametrize(
    ("file", "engine"),
    [
        ("project.godot", "godot"),
        ("place.rbxlx", "roblox"),
        ("default.project.json", "roblox"),
        ("ProjectSettings/ProjectVersion.txt", "unity"),
    ],
)
def test_an_engine_is_known_by_its_files(project: Path, file: str, engine: str) -> None:
    assert Project.at(project).engines(ENGINES) == []
    (project / file).parent.mkdir(exist_ok=True)
    (project / file).touch()
    assert [found.name for found in Project.at(project).engines(ENGINES)] == [engine]


def test_listing_tools_does_not_load_what_only_a_server_needs() -> None:
    heavy = {"mcp", "mcp_types", "pydantic", "uvicorn", "starlette", "jsonschema_rs", "rich"}
    program = "import sys, scenewright.cli.call, scenewright.app; scenewright.app.catalogues(); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert heavy.isdisjoint(loaded.split())


def test_the_settings_page_lists_every_setting_there_is() -> None:
    source = (ROOT / "src/scenewright/core/config.py").read_text()
    page = (ROOT / "docs/settings.md").read_text()
    names = set(re.findall(r'reader\.\w+\("([A-Z_]+)"', source))
    assert len(names) > 8
    # Two names share a row; the older name of the log level is an alias.
    missing = {name for name in names if name not in page} - {"GODOT_MCP_AUDIT_BACKUPS", "GOX_LOG_LEVEL"}
    assert missing == set()
