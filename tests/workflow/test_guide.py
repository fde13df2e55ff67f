"""The guide tells the truth: its plan runs, and its table has every limit."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from tests.conftest import Caller
from tests.workflow.conftest import ask

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs/workflows.md").read_text()


async def test_the_plan_of_the_guide_does_what_it_says(caller: Caller, project: Path) -> None:
    (plan,) = re.findall(r"```yaml\n(.*?)```", GUIDE, re.DOTALL)
    ended = await ask(caller, "workflow.run", definition=yaml.safe_load(plan), waitMs=60_000)
    assert (ended["status"], ended.get("lastError")) == ("succeeded", None)
    assert ended["completedSteps"] == ended["totalSteps"] == 6
    assert {path.name for path in project.glob("*.gd")} == {"player.gd", "enemy.gd", "coin.gd"}
    assert "300" in (project / "player.gd").read_text()


def test_every_limit_is_in_the_guide() -> None:
    names = re.findall(r'whole\("([A-Z_]+)"', (ROOT / "src/scenewright/core/config.py").read_text())
    settings = [name for name in names if "_WORKFLOW_" in name]
    assert len(settings) == 12
    assert [name for name in settings if f"`{name}`" not in GUIDE] == []
