"""What the project says of itself, read from `pyproject.toml` alone."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["ROOT", "ProjectFacts", "read_project"]

ROOT = Path(__file__).parent.parent


@dataclass(frozen=True, slots=True)
class ProjectFacts:
    """The name, version and addresses that every published form repeats."""

    name: str
    version: str
    description: str
    license: str
    keywords: list[str]
    requires_python: str
    urls: dict[str, str]

    @property
    def registry_name(self) -> str:
        """Return the name in the MCP registry: that of the repository, as its owner must prove it."""
        host, owner, repository = self.urls["Repository"].removeprefix("https://").split("/")
        return f"io.{host.removesuffix('.com')}.{owner}/{repository}"


def read_project() -> ProjectFacts:
    table: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return ProjectFacts(
        name=table["name"],
        version=table["version"],
        description=table["description"],
        license=table["license"],
        keywords=table["keywords"],
        requires_python=table["requires-python"],
        urls=table["urls"],
    )
