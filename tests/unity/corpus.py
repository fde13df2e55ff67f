"""Real projects to test against: SCENEWRIGHT_CORPUS, or `../shared/corpus` beside the checkout."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from scenewright.unity.yaml.source import kind_of

__all__ = ["PROJECTS", "TEXTS", "needs_corpus"]

ROOT = Path(os.environ.get("SCENEWRIGHT_CORPUS") or Path(__file__).parents[3] / "shared" / "corpus") / "unity"
PROJECTS = sorted(path.parents[1] for path in ROOT.glob("*/ProjectSettings/ProjectVersion.txt"))


def _is_text(path: Path) -> bool:
    with path.open("rb") as file:
        return kind_of(file.read(64)) == "text"


TEXTS = [path for project in PROJECTS for path in sorted(project.rglob("*")) if path.is_file() and _is_text(path)]
needs_corpus = pytest.mark.skipif(
    not PROJECTS, reason="no corpus: set SCENEWRIGHT_CORPUS to a folder of Unity projects"
)
