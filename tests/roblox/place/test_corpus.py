"""Real files of every kind, in XML and binary of the same content."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.roblox.place_comparison import differences

from scenewright.roblox.place.binary import writer as binary
from scenewright.roblox.place.binary.document import BinaryDocument
from scenewright.roblox.place.documents import read_tree, write_tree
from scenewright.roblox.place.xml import writer as xml
from scenewright.roblox.place.xml.document import XmlDocument
from scenewright.roblox.values import Value

ROOT = Path(os.environ.get("SCENEWRIGHT_CORPUS") or Path(__file__).parents[4] / "shared" / "corpus") / "roblox"
FILES = sorted(ROOT.rglob("*.rbx*")) if ROOT.is_dir() else []
XML = [path for path in FILES if path.suffix.endswith("x")]
BINARY = [path for path in FILES if not path.suffix.endswith("x")]
PAIRS = [
    (path, path.with_name(f"binary{path.suffix[:-1]}"))
    for path in XML
    if (path.parent / f"binary{path.suffix[:-1]}").exists()
]
# Saved at two moments: the part lay elsewhere, and the binary places hold services that the XML ones do not.
MOVED = {"default-inserted-part": ["CFrame"]}

pytestmark = pytest.mark.skipif(not FILES, reason="no corpus: set SCENEWRIGHT_CORPUS to a folder with roblox/ in it")


def label(path: Path) -> str:
    return f"{path.parent.name}-{path.name}"


@pytest.mark.parametrize("path", BINARY, ids=label)
def test_a_binary_file_that_is_not_changed_keeps_its_bytes(path: Path) -> None:
    content = path.read_bytes()
    written = binary.to_bytes(BinaryDocument.parse(content))
    assert written == content


@pytest.mark.parametrize("path", XML, ids=label)
def test_an_xml_file_that_is_not_changed_keeps_its_bytes(path: Path) -> None:
    content = path.read_bytes()
    assert xml.to_bytes(XmlDocument.parse(content)) == content


@pytest.mark.parametrize(("one", "other"), PAIRS, ids=[pair[0].parent.name for pair in PAIRS])
def test_xml_and_binary_of_the_same_content_give_equal_trees(one: Path, other: Path) -> None:
    left, right = read_tree(one.name, one.read_bytes()), read_tree(other.name, other.read_bytes())
    if one.suffix == ".rbxlx":
        kept = {child.class_name for child in left.root.children}
        for child in [child for child in right.root.children if child.class_name not in kept]:
            child.detach()
        order = {child.class_name: place for place, child in enumerate(left.root.children)}
        right.root.children.sort(key=lambda child: order[child.class_name])
    found = differences(left, right, tolerance=1e-5)
    found = [each for each in found if not any(f".{name}:" in each for name in MOVED.get(one.parent.name, []))]
    assert found == []


@pytest.mark.parametrize("suffix", [".rbxl", ".rbxlx", ".rbxm", ".rbxmx"])
@pytest.mark.parametrize("path", FILES, ids=label)
def test_what_is_written_reads_the_same(path: Path, suffix: str) -> None:
    if path.parent.name == "xml-unknown-type" and not suffix.endswith("x"):
        pytest.skip("the binary format has no place for a type that nobody knows")
    content = path.read_bytes()
    written = write_tree(f"other{suffix}", read_tree(path.name, content))
    # A binary file has the same properties for all instances of a class, so that some gain a default.
    assert differences(read_tree(path.name, content), read_tree(f"other{suffix}", written), defaults=True) == []


@pytest.mark.parametrize("path", [path for path in FILES if "places" in path.parts], ids=label)
def test_a_change_leaves_everything_else_as_it_was(path: Path) -> None:
    content = path.read_bytes()
    document = XmlDocument.parse(content) if path in XML else BinaryDocument.parse(content)
    part = next(each for each in document.tree.walk() if each.class_name == "Part")
    part.store("Transparency", Value("Float32", 0.5))
    written = xml.to_bytes(document) if isinstance(document, XmlDocument) else binary.to_bytes(document)
    found = differences(read_tree(path.name, content), read_tree(path.name, written))
    assert len(found) == 1
    assert "Transparency" in found[0]
    if path in XML:
        old, new = content.split(b"\n"), written.split(b"\n")
        assert [(a.strip(), b.strip()) for a, b in zip(old, new, strict=True) if a != b] == [
            (b'<float name="Transparency">0</float>', b'<float name="Transparency">0.5</float>')
        ]


@pytest.mark.skipif(not any("xml-unknown-type" in str(path) for path in FILES), reason="not in this corpus")
def test_an_unknown_type_in_xml_passes_through_untouched() -> None:
    path = next(path for path in XML if "xml-unknown-type" in str(path))
    document = XmlDocument.parse(path.read_bytes())
    value = next(iter(document.tree.walk()))
    before = value.stored("hello")
    assert before is not None
    assert before.kind == "Unknown"
    value.rename("Renamed")
    assert before.data in xml.to_bytes(document)
    assert before.data in write_tree("copy.rbxmx", document.tree)
