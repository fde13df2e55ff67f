"""Finding editors and choosing among them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from tests.bridge.wires import Harbour, editor, settled

from scenewright.bridge.discovery import find_editors
from scenewright.bridge.editors import Editors
from scenewright.bridge.link import Link
from scenewright.core.faults import Invalid, NotConnected, NotFound
from scenewright.core.projects.user_folder import user_folder

pytestmark = pytest.mark.anyio
GONE = 2**22 + 5  # above any process id


def tell(root: Path, pid: int, port: int) -> None:
    folder = user_folder() / "bridge"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{pid}.json").write_text(json.dumps({"project": str(root), "pid": pid, "port": port}))


def test_editors_that_run_are_found_and_those_that_died_are_not(tmp_path: Path) -> None:
    tell(tmp_path, os.getpid(), 6551)
    tell(tmp_path, GONE, 6550)
    assert [found.port for found in find_editors(tmp_path)] == [6551]


@pytest.mark.parametrize("content", ["", "{", "[]", '{"pid": 1}', '{"pid": "x", "port": 1}', '{"pid": 1, "port": 0}'])
def test_a_file_that_is_half_written_or_not_ours_is_no_editor(tmp_path: Path, content: str) -> None:
    tell(tmp_path, os.getpid(), 6551)
    (user_folder() / "bridge" / "7.json").write_text(content)
    assert len(find_editors(tmp_path)) == 1


def test_a_project_without_editors_has_none(tmp_path: Path) -> None:
    assert find_editors(tmp_path) == []


def hub(*ports: int) -> tuple[Editors, list[int]]:
    there = list(ports)

    def make(found: object, **options: object) -> Link:
        return Link(found, opener=Harbour(), **options)  # type: ignore[arg-type]

    return Editors(find=lambda root: [editor(root, port) for port in there], make_link=make), there


async def test_a_call_goes_to_the_only_editor(tmp_path: Path) -> None:
    editors, _ = hub(6550)
    assert editors.only(tmp_path).editor.port == 6550
    editors.close()


async def test_without_an_editor_the_refusal_says_how_to_get_one(tmp_path: Path) -> None:
    editors, _ = hub()
    with pytest.raises(NotConnected) as caught:
        editors.only(tmp_path)
    assert "godot_sync_addon" in (caught.value.hint or "")


async def test_between_two_editors_nothing_is_guessed(tmp_path: Path) -> None:
    editors, _ = hub(6550, 6551)
    with pytest.raises(Invalid) as caught:
        editors.only(tmp_path)
    assert "6550" in caught.value.message
    assert "6551" in caught.value.message
    assert "godot_connect" in (caught.value.hint or "")
    editors.close()


async def test_a_chosen_editor_gets_the_calls_until_it_is_gone(tmp_path: Path) -> None:
    editors, there = hub(6550, 6551)
    editors.choose(tmp_path, 6551)
    assert editors.only(tmp_path).editor.port == 6551
    there.remove(6551)
    assert editors.only(tmp_path).editor.port == 6550
    editors.close()


async def test_an_editor_that_is_not_there_cannot_be_chosen(tmp_path: Path) -> None:
    editors, _ = hub(6550)
    with pytest.raises(NotFound, match="7000"):
        editors.choose(tmp_path, 7000)
    editors.close()


async def test_the_editor_of_another_project_is_never_used(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    editors = Editors(find=lambda root: [editor(root)] if root == one else [], make_link=_quiet)
    editors.only(one)
    with pytest.raises(NotConnected):
        editors.only(other)
    editors.close()
    await settled()


def _quiet(found: object, **options: object) -> Link:
    return Link(found, opener=Harbour(), **options)  # type: ignore[arg-type]


async def test_an_editor_that_closes_loses_its_link(tmp_path: Path) -> None:
    editors, there = hub(6550)
    (link,) = editors.links(tmp_path)
    await settled()
    there.clear()
    assert editors.links(tmp_path) == []
    assert link.state == "idle"
