"""A server is killed around a change of a place; the next one knows what was done, and does nothing twice."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.roblox.places import MAKERS
from tests.roblox.studio.window import StudioWindow
from tests.workflow.server import Server, a_server

from scenewright.roblox.place.documents import read_tree
from scenewright.roblox.relay.settings import BridgeSettings

pytestmark = pytest.mark.xdist_group("roblox-crashes")
TOKEN = "a-token-that-only-tests-know"
COUNT = "local n = 0 for _, c in workspace:GetChildren() do if c.Name == 'Once' then n += 1 end end return n"


@dataclass
class Victim:
    """A server on a place, to be killed; and how often that place has what it makes."""

    server: Server
    project: Path
    settings: BridgeSettings | None
    window: StudioWindow | None

    def live(self, *steps: dict[str, Any], **job: Any) -> list[dict[str, Any]]:
        """One life: what it said until its end."""
        if self.settings is not None:
            address = f"{self.settings.host}:{self.settings.port}"
            job["environment"] = {
                "GOX_BRIDGE_ENABLED": "true",
                "GOX_BRIDGE_RELAY_ADDRESS": address,
                "GOX_BRIDGE_AUTH_TOKEN": TOKEN,
            }
        definitions = [{"id": "w", "onFailure": "rollback", "steps": list(steps)}] if steps else []
        self.server.start(self.project, definitions, **job)
        return self.server.until("ended")

    def made(self) -> int:
        if self.window is not None:
            return int(self.window.do(COUNT))
        if (self.project / "world").is_dir():
            return len(list((self.project / "world").glob("Once*")))
        (file,) = self.project.glob("game.rbxl*")
        workspace = next(each for each in read_tree(file.name, file.read_bytes()).root.children)
        return sum(child.name == "Once" for child in workspace.children)

    def restart_studio(self) -> None:
        assert self.window is not None
        assert self.settings is not None
        self.window.end()
        self.window = StudioWindow(self.settings, self.project.parent / "game.rbxl")


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    if not hasattr(os, "fork"):
        pytest.skip("needs fork and SIGKILL")
    with a_server() as server:
        yield server


@pytest.fixture(params=[*MAKERS, "studio"])
def victim(request: pytest.FixtureRequest, server: Server, project: Path) -> Iterator[Victim]:
    if request.param != "studio":
        MAKERS[request.param](project)
        yield Victim(server, project, None, None)
        return
    MAKERS["rbxl"](project.parent)
    (project / "default.project.json").write_text('{"name": "empty", "tree": {"$className": "DataModel"}}')
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        settings = BridgeSettings("127.0.0.1", probe.getsockname()[1], TOKEN)
    victim = Victim(server, project, settings, StudioWindow(settings, project.parent / "game.rbxl"))
    yield victim
    assert victim.window is not None
    victim.window.end()


def step(step_id: str, tool: str, /, **arguments: Any) -> dict[str, Any]:
    return {"id": step_id, "actionId": f"roblox.{tool}", "input": arguments}


ONCE = step("once", "instance_create", parentPath="Workspace", className="Folder", name="Once")
FAILS = step("fails", "instance_delete", instancePath="Workspace.Nowhere")


def test_a_change_that_was_made_before_the_kill_is_known_and_not_repeated(victim: Victim) -> None:
    assert victim.live(ONCE, dies_at="after")[-1] == {"ended": -9}
    assert victim.made() == 1
    heard = victim.live()
    (over,) = [each for each in heard if "over" in each]
    assert over["status"] == "succeeded", over
    assert victim.made() == 1


def test_a_change_that_was_made_before_the_kill_is_taken_back_with_its_run(victim: Victim) -> None:
    assert victim.live(ONCE, FAILS, dies_at="after")[-1] == {"ended": -9}
    (over,) = [each for each in victim.live() if "over" in each]
    assert over["status"] == "failed"
    assert over["rollback"] == {"undone": ["once"], "standing": []}
    assert victim.made() == 0


def test_a_change_that_was_not_made_before_the_kill_is_not_made_twice(victim: Victim) -> None:
    assert victim.live(ONCE, dies_at="before")[-1] == {"ended": -9}
    assert victim.made() == 0
    (over,) = [each for each in victim.live() if "over" in each]
    if victim.window is None:
        assert (over["status"], victim.made()) == ("succeeded", 1)  # the files say that nothing was done
    else:
        assert (over["status"], victim.made()) == ("interrupted", 0)
        assert "cannot be told" in over["error"]["message"]


@pytest.mark.parametrize("victim", ["studio"], indirect=True)
def test_studio_that_was_opened_anew_knows_nothing_and_the_change_is_not_repeated(victim: Victim) -> None:
    assert victim.live(ONCE, dies_at="after")[-1] == {"ended": -9}
    victim.restart_studio()
    (over,) = [each for each in victim.live() if "over" in each]
    assert over["status"] == "interrupted"
    assert victim.made() == 0
