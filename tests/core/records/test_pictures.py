"""The last few pictures that calls have made, kept for the person who watches."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import pytest
from tests.conftest import MakeCaller

from scenewright.core.calls.call import Attachment, Call
from scenewright.core.operations.declaration import Operation, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.core.records.pictures import MOST, MOST_BYTES, KeptPictures

PIXEL = b"\x89PNG pixel"


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCENEWRIGHT_HOME", str(tmp_path / "mine"))


class Drawn(Outputs, frozen=True, kw_only=True):
    done: Annotated[bool, about("Whether it was drawn.")]


def drawing(kind: str) -> Operation:
    @operation(id="core.draw", name="Draw", category="core", safety=Safety.READ_ONLY, needs_project=True)
    def draw(call: Call, inputs: Inputs) -> Drawn:
        """Draws."""
        call.attach(Attachment("image", PIXEL, kind))
        call.summary = "Pictured level.tscn, password=hunter22secret"
        return Drawn(done=True)

    return draw


@pytest.mark.anyio
async def test_a_picture_that_a_call_makes_is_kept_without_secrets(make_caller: MakeCaller, project: Path) -> None:
    (project / "project.godot").write_text("config_version=5\n")
    assert (await make_caller(drawing("image/png")).run("core.draw")).ok
    kept = KeptPictures(project)
    ((name, record),) = kept.newest()
    assert kept.find(name) == (PIXEL, "image/png")
    assert record["summary"].startswith("Pictured level.tscn")
    assert "hunter22" not in record["summary"]
    assert all(place.stat().st_mode & 0o077 == 0 for place in kept.folder.iterdir())


@pytest.mark.anyio
async def test_what_a_browser_would_not_only_show_is_not_kept(make_caller: MakeCaller, project: Path) -> None:
    (project / "project.godot").write_text("config_version=5\n")
    assert (await make_caller(drawing("image/svg+xml")).run("core.draw")).ok
    assert KeptPictures(project).newest() == []


def test_only_a_few_are_kept_and_none_that_is_large(project: Path) -> None:
    kept = KeptPictures(project)
    kept.keep([(b"x" * (MOST_BYTES + 1), "image/png")], {})
    assert kept.newest() == []
    for number in range(3 * MOST):
        kept.keep([(bytes([number]), "image/png")], {"summary": str(number)})
    assert [record["summary"] for _, record in kept.newest()] == [str(3 * MOST - 1 - each) for each in range(MOST)]
    assert len(list(kept.folder.iterdir())) == 2 * MOST
    for name in ("../secret", "nothing", ""):
        assert kept.find(name) is None
