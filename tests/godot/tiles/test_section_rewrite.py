from __future__ import annotations

import pytest

from scenewright.godot.documents.document import Document
from scenewright.godot.tiles.section_rewrite import rewritten
from scenewright.godot.tiles.tileset_edit import atlas_rank

TEXT = """[gd_resource type="TileSet" format=3]

[sub_resource type="TileSetAtlasSource" id="a"]
texture = ExtResource("1")
; a remark
1:0/0 = 0
1:0/0/terrain_set = 0
1:0/0/custom_data_0 = {
"a": 1
}
0:0/0 = 0

[resource]
sources/0 = SubResource("a")
"""


def changed(text: str, changes: dict[str, int | None]) -> str:
    document = Document.parse(text, "a.tres")
    section = document.find("sub_resource", id="a")
    assert section is not None
    return rewritten(document, section, changes, atlas_rank(section.values())).text


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_new_property_stands_where_the_engine_writes_it_and_the_rest_stays(newline: str) -> None:
    text = TEXT.replace("\n", newline)
    done = changed(text, {"1:0/0/terrain": 3, "1:0/size_in_atlas": 7, "2:0/0": 0, "0:0/0/z_index": 1, "margins": 2})
    wanted = (
        text.replace('ExtResource("1")' + newline, 'ExtResource("1")' + newline + "margins = 2" + newline)
        .replace("; a remark" + newline, "; a remark" + newline)
        .replace("terrain_set = 0" + newline, "terrain_set = 0" + newline + "1:0/0/terrain = 3" + newline)
        .replace("0:0/0 = 0" + newline, newline.join(["0:0/0 = 0", "0:0/0/z_index = 1", "2:0/0 = 0", ""]), 1)
    )
    lines = done.split(newline)
    assert lines.index("1:0/size_in_atlas = 7") < lines.index("1:0/0 = 0")
    assert [line for line in lines if "size_in_atlas" not in line] == wanted.split(newline)


def test_values_are_replaced_and_removed_in_place() -> None:
    done = changed(TEXT, {"1:0/0/custom_data_0": None, "1:0/0/terrain_set": 4, "9:9/0": None})
    assert done == TEXT.replace('1:0/0/custom_data_0 = {\n"a": 1\n}\n', "").replace(
        "terrain_set = 0", "terrain_set = 4"
    )


def test_nothing_to_change_changes_nothing() -> None:
    assert changed(TEXT, {}) == TEXT
