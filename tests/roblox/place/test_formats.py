"""Every kind of value in every format, and rbx-dom as a second reader and writer."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import pytest
from tests.roblox import oracle
from tests.roblox.place_comparison import differences
from tests.roblox.samples import FORMATS, SAMPLES, sample_tree

from scenewright.core.faults import Unsupported
from scenewright.roblox.place.binary import arrays, writer
from scenewright.roblox.place.binary.chunks import END, MAGIC, pack
from scenewright.roblox.place.binary.columns import TYPES
from scenewright.roblox.place.binary.document import MAX_DEPTH, BinaryDocument
from scenewright.roblox.place.documents import open_place, read_tree, write_tree
from scenewright.roblox.tree import Instance, InstanceTree
from scenewright.roblox.values import Value, same

EXTRA = {".rbxm": ("lz4", "zstd", "none")}


def test_there_is_a_sample_of_every_kind_that_binary_files_know() -> None:
    kinds = {sample.value.kind for sample in SAMPLES} | {"Ref"}
    text = {"ProtectedString", "ContentId", "Tags", "Attributes"}
    assert {each.kind for each in TYPES} - {"Bytecode"} <= kinds | text


@pytest.mark.parametrize("suffix", FORMATS)
def test_every_kind_of_value_comes_back_as_it_was(suffix: str) -> None:
    written = write_tree(f"place{suffix}", sample_tree())
    assert differences(sample_tree(), read_tree(f"place{suffix}", written), defaults=True) == []


@pytest.mark.parametrize("compression", ["lz4", "zstd", "none"])
def test_every_compression_can_be_written_and_read(compression: Any) -> None:
    written = writer.write(sample_tree(), compression=compression)
    document = BinaryDocument.parse(written)
    assert document.compression == compression
    assert differences(sample_tree(), document.tree, defaults=True) == []


def _unknown_type() -> bytes:
    """A binary file with two folders, whose property X has a type that nobody knows."""
    inst = struct.pack("<II", 0, 6) + b"Folder" + b"\0" + struct.pack("<I", 2) + arrays.pack_refs([0, 1])
    names = struct.pack("<II", 0, 4) + b"Name" + b"\x01" + struct.pack("<I", 1) + b"A" + struct.pack("<I", 1) + b"B"
    strange = struct.pack("<II", 0, 1) + b"X" + b"\x7fwhatever this may be"
    parents = struct.pack("<BI", 0, 2) + arrays.pack_refs([0, 1]) + arrays.pack_refs([-1, -1])
    chunks = [
        (b"INST", inst),
        (b"NEWS", b"a chunk that nobody knows"),
        (b"PROP", names),
        (b"PROP", strange),
        (b"PRNT", parents),
    ]
    body = b"".join(pack(name, data, "lz4") for name, data in chunks)
    return MAGIC + struct.pack("<HiiQ", 0, 1, 2, 0) + body + pack(b"END", END, "none")


def test_unknown_types_and_chunks_of_a_binary_file_pass_through_untouched() -> None:
    content = _unknown_type()
    document = BinaryDocument.parse(content)
    first = document.tree.root.children[0]
    assert first.stored("X") == Value("Unknown", b"whatever this may be")
    first.rename("Other")
    written = writer.to_bytes(document)
    for raw in [chunk.raw for chunk in document.chunks if chunk.name == b"NEWS" or b"whatever" in chunk.data]:
        assert raw in written
    assert [each.name for each in BinaryDocument.parse(written).tree.walk()] == ["Other", "B"]


def test_a_class_with_an_unknown_type_neither_gains_nor_loses_instances() -> None:
    for change in (lambda tree: Instance("Folder", "C").attach(tree.root), lambda tree: tree.root.children[0].detach()):
        document = BinaryDocument.parse(_unknown_type())
        change(document.tree)
        with pytest.raises(Unsupported, match=r"'Folder\.X' has a type \(0x7f\)"):
            writer.to_bytes(document)


@pytest.mark.parametrize("suffix", FORMATS)
@pytest.mark.parametrize("already", [True, False])
def test_a_new_shared_string_joins_those_of_the_file(suffix: str, already: bool) -> None:
    tree = InstanceTree()
    script, one, two = Instance("ModuleScript", "M"), Instance("PartOperation", "A"), Instance("PartOperation", "B")
    for instance in (script, one, two):
        instance.attach(tree.root)
    script.store("Source", Value("ProtectedString", b"-- </SharedStrings> </Item> </roblox>"))
    if already:
        one.store("ChildData2", Value("SharedString", b"old"))
    document = open_place(f"a{suffix}", write_tree(f"a{suffix}", tree))
    document.tree.root.children[2].store("ChildData2", Value("SharedString", b"new" * 50))
    files = _Written()
    document.save(files)  # type: ignore[arg-type]  # it only writes
    again = read_tree(f"a{suffix}", files.content)
    assert again.root.children[2].stored("ChildData2") == Value("SharedString", b"new" * 50)
    assert again.root.children[0].stored("Source") == script.stored("Source")
    if already:
        assert again.root.children[1].stored("ChildData2") == Value("SharedString", b"old")


@pytest.mark.parametrize("suffix", FORMATS)
def test_a_deep_tree_can_be_changed_at_its_end(suffix: str) -> None:
    tree = InstanceTree()
    current = tree.root
    for number in range(MAX_DEPTH):
        below = Instance("Folder", str(number))
        below.attach(current)
        current = below
    document = open_place(f"deep{suffix}", write_tree(f"deep{suffix}", tree))
    last = list(document.tree.walk())[-1]
    last.rename("the end")
    files = _Written()
    document.save(files)  # type: ignore[arg-type]  # it only writes
    assert list(read_tree(f"deep{suffix}", files.content).walk())[-1].name == "the end"


class _Written:
    content = b""

    def write(self, path: str, content: bytes) -> None:
        self.content = content


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """What rbx-dom reads in the files that we write."""
    folder = tmp_path_factory.mktemp("written")
    files = [folder / f"place{suffix}" for suffix in FORMATS] + [folder / "zstd.rbxm", folder / "none.rbxm"]
    for file in files[:4]:
        file.write_bytes(write_tree(file.name, sample_tree()))
    files[4].write_bytes(writer.write(sample_tree(), compression="zstd"))
    files[5].write_bytes(writer.write(sample_tree(), compression="none"))
    return {file.name: tree for file, tree in zip(files, oracle.read(files), strict=True)}


@pytest.mark.node
@pytest.mark.parametrize("name", ["place.rbxl", "place.rbxlx", "place.rbxm", "place.rbxmx", "zstd.rbxm", "none.rbxm"])
def test_another_reader_agrees_value_by_value(seen: dict[str, dict[str, Any]], name: str) -> None:
    tree = seen[name]
    assert "error" not in tree, tree
    by_name = {child["name"]: child for child in tree["children"]}
    for number, sample in enumerate(SAMPLES):
        child = by_name[f"{number} {sample.stored}"]
        said = child["properties"][sample.canonical]
        assert child["class"] == sample.class_name
        assert _agree(said, sample.said, sample.value.data), f"{sample}: {said}"
    assert by_name["one"]["properties"]["Value"] == {"Ref": "DataModel/other"}
    assert by_name["other"]["properties"]["Value"] == {"Ref": "DataModel/one"}
    assert by_name["none"]["properties"]["Value"] == {"Ref": None}


def _agree(said: Any, expected: Any, data: Any) -> bool:
    """Exactly, but for what only says bytes: those are compared in base64, and numbers as numbers."""
    ((kind, value),) = said.items()
    if kind in ("BinaryString", "SharedString") and list(expected.values()) == [None]:
        import base64

        return list(expected) == [kind] and base64.b64decode(value) == data
    return same(_tuples(said), _tuples(expected), tolerance=1e-7)


def _tuples(value: Any) -> Any:
    if isinstance(value, dict):
        return tuple((key, _tuples(item)) for key, item in sorted(value.items()))
    return tuple(_tuples(item) for item in value) if isinstance(value, list) else value


@pytest.mark.node
def test_we_read_what_another_writer_wrote(tmp_path: Path) -> None:
    children = [
        {"className": sample.class_name, "name": str(number), "properties": {sample.canonical: sample.said}}
        for number, sample in enumerate(SAMPLES)
        if list(sample.said.values()) != [None] and sample.canonical not in ("UniqueId", "Attributes")
    ]
    oracle.write({"className": "DataModel", "children": children}, tmp_path)
    for name in ("lz4.rbxm", "zstd.rbxm", "none.rbxm", "xml.rbxmx"):
        tree = read_tree(name, (tmp_path / name).read_bytes())
        found = {each.name: each for each in tree.walk()}
        for child in children:
            sample = SAMPLES[int(str(child["name"]))]
            value = found[str(child["name"])].stored(sample.stored)
            assert value is not None, (name, sample)
            assert same(value.data, sample.value.data, tolerance=1e-7), (name, sample, value)
