"""What the Unity tests share: a small project written by hand, copied so that a test may change it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

GAME = Path(__file__).parent / "fixtures" / "game"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of the small game, in place of the empty folder that other tests get."""
    return Path(shutil.copytree(GAME, tmp_path / "game"))
