"""What the project says in two places, and where the two do not agree."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from release.project import ROOT, ProjectFacts
from scenewright import __version__
from scenewright.godot.editor.addon_files import shipped_version

__all__ = ["disagreements", "ready_to_publish"]

LOCK = "requirements.lock"


def disagreements(project: ProjectFacts) -> Iterator[str]:
    """Yield a sentence for each thing that is to be put right before a release."""
    if __version__ != project.version:
        yield f"src/scenewright/__init__.py says {__version__}, pyproject.toml {project.version}."
    yield from _addon()
    yield from _lock()
    readme = _text("README.md")
    if f"mcp-name: {project.registry_name}" not in readme:
        yield f"README.md lacks 'mcp-name: {project.registry_name}', by which the MCP registry knows its owner."
    changelog = _text("CHANGELOG.md")
    if f"## {project.version}" not in changelog and "## Unreleased" not in changelog:
        yield f"CHANGELOG.md has no part '## {project.version}'."


def ready_to_publish(project: ProjectFacts) -> Iterator[str]:
    """Yield what may be so while the project is worked on, and not when it is published."""
    if f"## {project.version}" not in _text("CHANGELOG.md"):
        yield f"CHANGELOG.md: rename '## Unreleased' to '## {project.version} - DATE'."


def _addon() -> Iterator[str]:
    text = _text("src/scenewright/godot/editor/addon/scenewright_bridge/version.gd")
    match = re.search(r'const PLUGIN: String = "([^"]+)"', text)
    if match is None or match[1] != shipped_version():
        said = match[1] if match else "nothing"
        yield f"The addon's plugin.cfg says {shipped_version()}, its version.gd {said}."


def _lock() -> Iterator[str]:
    """Yield the requirements of the developers' environment that the lock file has not, or has outside their range."""
    table = tomllib.loads(_text("pyproject.toml"))["project"]
    locked = dict(re.findall(r"^([\w.-]+)==([^\s;]+)", _text(LOCK), re.MULTILINE))
    for line in [*table["dependencies"], *table["optional-dependencies"]["dev"]]:
        requirement = Requirement(line)
        version = locked.get(canonicalize_name(requirement.name))
        if version is None or version not in requirement.specifier:
            yield f"{LOCK} has {version or 'nothing'} for '{line}': run `make lock`."


def _text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")
