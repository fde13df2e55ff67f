"""The dock: who is connected, what was done, with a way back, and what waits for the person."""

from __future__ import annotations

from collections.abc import Iterator
from time import time
from typing import Any

import pytest
from tests.godot.addon.dock import DOCK, press, shown
from tests.godot.addon.editor import Editor, wait_for
from tests.godot.addon.plain import PlainClient, Refused, plain_client

from scenewright.core.policy.pending_approvals import Approval, Approvals

pytestmark = [pytest.mark.godot, pytest.mark.xdist_group("godot-editor")]
SECONDS = 30
CALL = 'delete_file {"path": "saves/ümlaut.tres"}'
QUESTION = "Allow 'Delete File' (delete_file)?\n\n    in %s\n    " + CALL + "\n"
# The dock is about one project, and small: the rest of the question stands in it line by line.
SHOWN = "Allow 'Delete File' (delete_file)?\n" + CALL


def until_shown(editor: Editor, *texts: str) -> None:
    wait_for(lambda: all(text in shown(editor) for text in texts), SECONDS, f"the dock does not show {texts}")


def add_lamp(client: PlainClient, title: str = "Added Lamp") -> None:
    calls = [{"method": "add_node", "params": {"parent_path": ".", "type": "Node2D", "name": "Lamp"}}]
    client.call("scenewright.batch", calls=calls, name=title)


def nodes(client: PlainClient) -> str:
    return str(client.call("get_scene_tree"))


@pytest.fixture
def approvals(headless_editor: Editor) -> Iterator[Approvals]:
    """The questions of this user, with none of them left behind."""
    kept = Approvals()
    yield kept
    for question in kept.waiting():
        kept.answer(question.id, "approved")
        kept.take(question.digest)


def ask(approvals: Approvals, project: Any, digest: str) -> Approval:
    about = {
        "project": str(project),
        "tool": "delete_file",
        "text": QUESTION % project,
        "preview": {
            "tool": "project.file.delete",
            "arguments": {"path": "saves/ümlaut.tres", "times": 1, "share": 0.1},
        },
    }
    return approvals.file(digest, about)


def test_the_dock_shows_the_port_the_clients_and_what_was_refused(headless_editor: Editor, client: PlainClient) -> None:
    with pytest.raises(Refused):
        client.call("get_node_properties", node_path="Nobody")
    client.call("get_selected_nodes")
    until_shown(headless_editor, "get_node_properties was refused (-32000)", "look")
    assert f"Serving on 127.0.0.1:{headless_editor.facts['port']}" in shown(headless_editor)
    assert "plain 1.0.0" in shown(headless_editor)
    client.socket.close()
    until_shown(headless_editor, "No client is connected")


def test_a_client_that_waits_for_the_token_is_shown_as_such(headless_editor: Editor) -> None:
    with plain_client(headless_editor.url, ready=False):
        until_shown(headless_editor, "waiting for the token")


def test_the_person_reads_for_whom_a_server_calls(headless_editor: Editor) -> None:
    with headless_editor.client(on_behalf_of="claude-code 2.1"):
        until_shown(headless_editor, "claude-code 2.1")
        assert "plain 1.0.0" not in shown(headless_editor)  # that stands in the tooltip


def test_a_deed_is_told_in_plain_words_and_taken_back_by_its_button(
    headless_editor: Editor, client: PlainClient
) -> None:
    add_lamp(client)
    until_shown(headless_editor, "Added Lamp", "Undo")
    press(headless_editor, "Undo")
    assert "Lamp" not in nodes(client)
    until_shown(headless_editor, "You took back: Added Lamp")
    assert "Undo" not in shown(headless_editor).splitlines()


def test_only_what_is_on_top_can_be_taken_back(headless_editor: Editor, client: PlainClient) -> None:
    add_lamp(client, "Added the first lamp")
    headless_editor.act(
        "var root: Node = EditorInterface.get_edited_scene_root()\n"
        "var history: EditorUndoRedoManager = EditorInterface.get_editor_undo_redo()\n"
        'history.create_action("The person moved something", UndoRedo.MERGE_DISABLE, root)\n'
        'history.add_do_property(root, "editor_description", "moved")\n'
        'history.add_undo_property(root, "editor_description", "")\n'
        "history.commit_action()"
    )
    client.call("get_selected_nodes")
    until_shown(headless_editor, "Added the first lamp")
    wait_for(lambda: "Undo" not in shown(headless_editor).splitlines(), SECONDS, "the button is still there")
    assert "The person moved something" not in shown(headless_editor)


@pytest.mark.parametrize(("button", "verdict"), [("Approve", "approved"), ("Reject", "rejected")])
def test_what_waits_is_shown_whole_and_answered(
    headless_editor: Editor, approvals: Approvals, button: str, verdict: str
) -> None:
    question = ask(approvals, headless_editor.project, f"d1{button.encode().hex()}")
    until_shown(headless_editor, "1 call waits for you", SHOWN, "Approve", "Reject")
    press(headless_editor, button)
    answered = approvals.find(question.id)
    assert answered.verdict == verdict
    assert answered.preview == question.preview  # numbers too are what they were
    # A yes holds for an hour, a no for a day.
    assert 0 < answered.expires_at - time() <= (3600 if verdict == "approved" else 86_400)
    wait_for(lambda: "waits for you" not in shown(headless_editor), SECONDS, "the question is still there")


def test_what_waits_in_another_project_is_not_shown(headless_editor: Editor, approvals: Approvals) -> None:
    ask(approvals, headless_editor.project.parent / "other", "d2aa")
    ask(approvals, headless_editor.project, "d2bb")
    until_shown(headless_editor, "1 call waits for you")


def test_a_question_that_changed_since_it_was_shown_is_not_answered(
    headless_editor: Editor, approvals: Approvals
) -> None:
    question = ask(approvals, headless_editor.project, "d3aa")
    until_shown(headless_editor, "1 call waits for you")
    place = next(path for path in (approvals._folder).glob("*.json") if path.stem == question.id)
    changed = place.read_text().replace("delete_file", "delete_everything")
    headless_editor.act(
        f'var file: FileAccess = FileAccess.open("{place}", FileAccess.WRITE)\n'
        f"var _s: bool = file.store_string({changed!r})\nfile.close()\n"
        f'for button: BaseButton in {DOCK}.find_children("*", "BaseButton", true, false):\n'
        '\tif str(button.get("text")) == "Approve":\n\t\tbutton.pressed.emit()\n\t\tbreak'
    )
    assert approvals.find(question.id).verdict is None


def test_an_addon_that_does_not_fit_the_server_is_told_with_the_fix(headless_editor: Editor) -> None:
    with headless_editor.client(addon_version="9.9.9"):
        until_shown(headless_editor, "The server brings version 9.9.9 of this addon", "godot_sync_addon")
    with headless_editor.client(addon_version=headless_editor.facts["plugin_version"]):
        wait_for(lambda: "9.9.9" not in shown(headless_editor), SECONDS, "the dock still says so")


def test_the_line_that_sets_up_a_client_names_this_project(headless_editor: Editor) -> None:
    menu = f'{DOCK}.find_children("*", "MenuButton", true, false)[0]'
    line = headless_editor.ask(f'{menu}.call("line_for", "cursor")')
    assert line == f"scenewright init '{headless_editor.project}' --client cursor"
    headless_editor.act(f"var menu: MenuButton = {menu}\nmenu.get_popup().index_pressed.emit(0)")
    until_shown(headless_editor, "Copied for Claude Code")


def test_the_dock_stays_small_however_much_it_shows(
    headless_editor: Editor, client: PlainClient, approvals: Approvals
) -> None:
    for number in range(15):
        client.call("scenewright.rename_node", node_path="Player", name=f"P{number}" + "x" * 80)
        client.call("scenewright.rename_node", node_path=f"P{number}" + "x" * 80, name="Player")
    ask(approvals, headless_editor.project, "d4aa")
    until_shown(headless_editor, "1 call waits for you", "rename_node: Player")
    told = headless_editor.ask(f'str({DOCK}.call("get_combined_minimum_size"))')
    width, height = (float(number) for number in told.strip("()").split(","))
    assert 0 < width <= 300
    assert 0 < height <= 300
