"""What a text that does not occur was probably meant to be."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import Caller
from tests.core.samples import fault_of

from scenewright.core.text.near_misses import near_miss

TEXT = "# Notes\n\nfunc move(delta: float) -> void:\n\tspeed  = 200\n\tpass\n"


@pytest.mark.parametrize(
    ("find", "said"),
    [
        ("Nodes", "Line 1 says '# Notes'."),
        ("notes", "Line 1 says '# Notes'."),
        ("func move(dleta: float)", "Line 3 says 'func move(delta: float) -> void:'."),
        ("(detla:", "Line 3 says 'func move(delta: float) -> void:'."),
        ("-> vodi:", "Line 3 says 'func move(delta: float) -> void:'."),
        ('"Notess"', "Line 1 says '# Notes'."),
        ("speed = 200", "Line 4 says 'speed  = 200', with other spaces or tabs."),
        ("    pass", "Line 5 says 'pass', with other spaces or tabs."),
        ("func move(delta: float) -> void:\n\tspeed = 300", "Line 4 says 'speed  = 200'."),
        (
            "func move(delta: float) -> void:\n\tpass",
            "Line 3 says 'func move(delta: float) -> void:', with other lines",
        ),
        ("zzz qqq xxx", None),
        ("", None),
    ],
)
def test_the_line_that_comes_closest_is_shown(find: str, said: str | None) -> None:
    shown = near_miss(find, TEXT)
    assert shown == said if said is None else (shown or "").startswith(said)


@given(st.text(max_size=40), st.text(max_size=200))
def test_any_text_gets_an_answer(find: str, text: str) -> None:
    assert near_miss(find, text) is None or "Line " in str(near_miss(find, text))


@pytest.mark.anyio
@pytest.mark.parametrize("tool", ["edit_file", "edit_script"])
async def test_an_edit_that_finds_nothing_shows_what_is_there(tool: str, caller: Caller) -> None:
    (caller.runtime.project.root / "a.gd").write_text("extends Timer\n\n# Notes\n")
    where = {"edit_file": "path", "edit_script": "scriptPath"}[tool]
    fault = fault_of(await caller.run(tool, {where: "a.gd", "find": "Nodes", "replace": "Ideas"}))
    assert fault.hint == "Line 3 says '# Notes'."


@pytest.mark.anyio
async def test_lines_are_found_in_a_file_with_windows_line_ends_and_keep_them(caller: Caller) -> None:
    file = caller.runtime.project.root / "a.txt"
    file.write_bytes(b"one\r\ntwo\r\nthree\r\n")
    await caller.result("edit_file", path="a.txt", find="one\ntwo\n", replace="1\n2\n")
    assert file.read_bytes() == b"1\r\n2\r\nthree\r\n"
    file.write_bytes(b"one\r\ntwo\nthree\r\n")
    assert not (await caller.run("edit_file", {"path": "a.txt", "find": "one\ntwo\n", "replace": "1"})).ok
