"""Random edits, carried out on an XML and a binary place side by side: both stay the same place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.roblox.place_comparison import differences
from tests.roblox.places import game_tree

from scenewright.core.faults import Fault
from scenewright.roblox.backend import Create, Delete, Duplicate, Edit, Move, SetAttribute, SetProperty, SetTags, Target
from scenewright.roblox.place.documents import PlaceDocument, open_place, write_tree
from scenewright.roblox.place.editor import Editor

SUFFIXES = (".rbxlx", ".rbxl")
NAMES = st.sampled_from(["A", "B", "a.b", "<&>", "ü", "Part"])
WHO = st.integers(0, 30)
EDITS = st.one_of(
    st.tuples(st.just("create"), WHO, st.sampled_from(["Folder", "Part", "Model"]), NAMES),
    st.tuples(st.just("refer"), WHO, WHO, NAMES),
    st.tuples(st.just("delete"), WHO),
    st.tuples(st.just("move"), WHO, WHO),
    st.tuples(st.just("copy"), WHO, NAMES),
    st.tuples(st.just("name"), WHO, NAMES),
    st.tuples(st.just("locked"), WHO, st.booleans()),
    st.tuples(st.just("attribute"), WHO, st.integers(0, 9)),
    st.tuples(st.just("tags"), WHO, st.lists(NAMES, unique=True, max_size=3)),
)


class Files:
    """Takes what a document writes."""

    content = b""

    def write(self, path: str, content: bytes) -> None:
        self.content = content


def target(document: PlaceDocument, number: int) -> Target:
    found = list(document.tree.walk())
    return Target(id=document.identify(found[number % len(found)]))


def edit_for(document: PlaceDocument, drawn: tuple[Any, ...]) -> Edit:
    what, who, *rest = drawn
    it = target(document, who)
    if what == "create":
        return Create(it, rest[0], rest[1], properties={"Transparency": 0.5} if rest[0] == "Part" else {})
    if what == "refer":
        other = {"_type": "Ref", "instanceId": target(document, rest[0]).id}
        return Create(it, "ObjectValue", rest[1], properties={"Value": other})
    made: dict[str, Callable[[], Edit]] = {
        "delete": lambda: Delete(it),
        "move": lambda: Move(it, target(document, rest[0])),
        "copy": lambda: Duplicate(it, name=rest[0]),
        "name": lambda: SetProperty(it, "Name", rest[0]),
        "locked": lambda: SetProperty(it, "Archivable", rest[0]),
        "attribute": lambda: SetAttribute(it, "Level", rest[0] or None),
        "tags": lambda: SetTags(it, tuple(rest[0])),
    }
    return made[what]()


def changed(suffix: str, content: bytes, drawn: tuple[Any, ...]) -> bytes | None:
    """The file after an edit; None where it was refused."""
    document = open_place(f"game{suffix}", content)
    files = Files()
    try:
        Editor(document).carry_out(edit_for(document, drawn))
        document.save(files)  # type: ignore[arg-type]  # it only writes
    except Fault:
        return None
    return files.content


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(edits=st.lists(EDITS, min_size=1, max_size=8))
def test_both_formats_hold_the_same_place_after_every_edit(edits: list[tuple[Any, ...]]) -> None:
    contents = {suffix: write_tree(f"game{suffix}", game_tree()) for suffix in SUFFIXES}
    for drawn in edits:
        after = {suffix: changed(suffix, content, drawn) for suffix, content in contents.items()}
        assert (after[".rbxl"] is None) == (after[".rbxlx"] is None), drawn
        contents = {suffix: after[suffix] or content for suffix, content in contents.items()}
        one, other = (open_place(f"game{suffix}", contents[suffix]).tree for suffix in SUFFIXES)
        # A binary file has a column for all instances of a class, so that some gain a default there.
        assert differences(one, other, defaults=True) == [], drawn
