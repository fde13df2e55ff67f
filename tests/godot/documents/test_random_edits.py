"""Random edits: files stay readable, and only the lines that an edit is about change."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.godot.documents.game import FILES, tree_of
from tests.godot.documents.random_edits import edited, start
from tests.godot.documents.strategies import values

from scenewright.godot.documents.document import Document
from scenewright.godot.documents.scene import Scene
from scenewright.godot.documents.variant import Variant

seeds = st.integers(0, 2**32)
names = st.sampled_from(["position", "made up", "z_index", "script", "metadata/é"])
newlines = st.sampled_from(["\n", "\r\n"])


@settings(max_examples=60, deadline=None)
@given(seeds)
def test_a_scene_stays_whole_whatever_is_done_to_it(seed: int) -> None:
    dice = Random(seed)
    which = start(dice)
    for _ in range(8):
        which = edited(which, dice)
        text = which.document.text
        again = Scene.parse(text, which.document.path)
        assert again.document.problems() == []
        assert again.document.text == text
        assert [node.path for node in again.nodes] == [node.path for node in which.nodes]
        assert len({node.path for node in which.nodes}) == len(which.nodes)
        assert tree_of(which).vanished == ()
        assert "\n\n\n" not in text
        assert text.endswith("\n")


@given(seeds, names, values, newlines, st.sampled_from(sorted(FILES)))
def test_only_the_lines_of_the_edited_property_change(
    seed: int, name: str, value: Variant, newline: str, file: str
) -> None:
    source = FILES[file].decode().replace("\n", newline)
    document = Document.parse(source, file)
    section = Random(seed).choice(document.sections or (document.preamble,))
    known = section.find(name)
    there = document.set_property(section, name, value)
    changed = (document.preamble, *document.sections)[section.index], (there.preamble, *there.sections)[section.index]
    before, after = (each.text for each in changed)
    if known is not None:
        assert after.startswith(before[: known.value_start])
        assert after.endswith(before[known.value_end :])
    else:
        found = changed[1].find(name)
        assert found is not None
        start, end = found.start, after.index("\n", found.value_end) + 1
        blank = len(after) - (end - start) - len(before)
        assert after[: start - blank] + after[end:] == before
    assert there.to_bytes() == Document.parse(there.to_bytes(), file).to_bytes()
    assert [each.text for each in there.sections if each.index != section.index] == [
        each.text for each in document.sections if each.index != section.index
    ]


@given(st.text('[]{}()="\\;,.\n\r\t aA0#&/-', max_size=80), st.sampled_from(["a.tscn", "a.cfg"]))
def test_any_text_is_kept_and_can_be_edited(text: str, file: str) -> None:
    document = Document.parse(text, file)
    assert document.to_bytes().decode() == text
    for problem in document.problems():
        assert 1 <= problem.line <= text.count("\n") + 1
    for section in (document.preamble, *document.sections):
        there = document.set_property(section, "new", 7)
        assert Document.parse(there.text, file).to_bytes() == there.to_bytes()


@given(st.binary(max_size=60))
def test_any_bytes_are_kept(data: bytes) -> None:
    assert Document.parse(data, "a.tscn").to_bytes() == data
    assert Document.parse(data, "a.cfg").to_bytes() == data
