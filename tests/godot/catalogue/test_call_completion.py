"""What a call is given that names no scene, with an editor that only counts how often it is asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import MakeCaller

from scenewright.core.faults import Denied
from scenewright.godot.editor.live import access

pytestmark = pytest.mark.anyio


class Editors:
    """An open editor, as far as a call asks whether there is one."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def is_open(self, project: Any) -> bool:
        return True


@pytest.fixture
def editors(project: Path, monkeypatch: pytest.MonkeyPatch) -> Editors:
    (project / "project.godot").write_text("config_version=5\n")
    (project / "level.tscn").write_text('[gd_scene format=3]\n\n[node name="Level" type="Node2D"]\n')
    editors = Editors()

    async def ask(call: Any, method: str, *rest: Any, **more: Any) -> dict[str, Any]:
        editors.asked.append(method)
        return {"current_scene": "res://level.tscn"}

    monkeypatch.setattr(access, "live_of", lambda _: editors)
    monkeypatch.setattr(access, "ask", ask)
    return editors


async def test_a_scene_that_is_not_named_is_the_one_in_front(make_caller: MakeCaller, editors: Editors) -> None:
    outcome = await make_caller().run("add_node", {"nodeType": "Node", "nodeName": "A"})
    assert editors.asked == ["scenewright.get_state"]
    assert outcome.call.arguments["scenePath"] == "res://level.tscn"
    assert "Used the edited scene, res://level.tscn." in outcome.call.warnings


async def test_nobody_is_asked_on_behalf_of_a_call_that_a_gate_refuses(
    make_caller: MakeCaller, editors: Editors
) -> None:
    outcome = await make_caller(read_only=True).run("add_node", {"nodeType": "Node", "nodeName": "A"})
    assert isinstance(outcome.fault, Denied)
    assert editors.asked == []


async def test_nobody_is_asked_on_behalf_of_a_call_that_the_policy_refuses(
    make_caller: MakeCaller, editors: Editors
) -> None:
    caller = make_caller(policy_rules="read-only")
    outcome = await caller.run("add_node", {"nodeType": "Node", "nodeName": "A"})
    assert isinstance(outcome.fault, Denied)
    assert editors.asked == []
