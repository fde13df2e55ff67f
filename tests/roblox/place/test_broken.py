"""Damaged, truncated and hostile files: a clear refusal, never a crash, and never much memory."""

from __future__ import annotations

import struct
import tracemalloc
from contextlib import suppress
from typing import Any

import lz4.block
import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.roblox.samples import sample_tree

from scenewright.core.faults import Fault
from scenewright.roblox.place.binary.chunks import END, MAGIC, pack
from scenewright.roblox.place.documents import open_place, write_tree
from scenewright.roblox.place.errors import BrokenPlace

FILES = {suffix: write_tree(f"a{suffix}", sample_tree()) for suffix in (".rbxm", ".rbxmx")}
HEADER = MAGIC + struct.pack("<HiiQ", 0, 1, 1, 0)
PLENTY = 64 << 20
fuzzed = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


def read_all(suffix: str, content: bytes) -> None:
    """Reads a file and every value in it; whatever is wrong must be told as a fault, and nothing else passes here."""
    with suppress(Fault):
        document = open_place(f"a{suffix}", content)
        for instance in document.tree.walk():
            for name in instance.stored_names():
                with suppress(Fault):
                    instance.stored(name)


@pytest.mark.parametrize("suffix", FILES)
def test_a_truncated_file_is_refused_wherever_it_ends(suffix: str) -> None:
    content = FILES[suffix]
    end = content.rstrip().rfind(b"</roblox>") if suffix.endswith("x") else len(content) - 9
    for length in range(0, end, max(1, end // 300)):
        with pytest.raises(BrokenPlace):
            open_place(f"a{suffix}", content[:length])


@pytest.mark.parametrize("suffix", FILES)
@fuzzed
@given(data=st.data())
def test_flipped_bytes_never_crash(suffix: str, data: Any) -> None:
    content = bytearray(FILES[suffix])
    for _ in range(data.draw(st.integers(1, 8))):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place] = data.draw(st.integers(0, 255))
    read_all(suffix, bytes(content))


@fuzzed
@given(name=st.sampled_from([b"SSTR", b"INST", b"PROP", b"PRNT", b"META", b"????"]), body=st.binary(max_size=200))
def test_chunks_of_anything_never_crash(name: bytes, body: bytes) -> None:
    inst = struct.pack("<II", 0, 4) + b"Part" + b"\0" + struct.pack("<I", 1) + bytes(4)
    parents = struct.pack("<BI", 0, 1) + bytes(4) + b"\0\0\0\x01"
    chunks = [pack(b"INST", inst, "none"), pack(name, body, "none"), pack(b"PRNT", parents, "none")]
    read_all(".rbxm", HEADER + b"".join(chunks) + pack(b"END", END, "none"))


@fuzzed
@given(number=st.integers(0, 40), body=st.binary(max_size=120))
def test_columns_of_anything_never_crash(number: int, body: bytes) -> None:
    inst = struct.pack("<II", 0, 4) + b"Part" + b"\0" + struct.pack("<I", 1) + bytes(4)
    prop = struct.pack("<II", 0, 4) + b"Prop" + bytes((number,)) + body
    parents = struct.pack("<BI", 0, 1) + bytes(4) + b"\0\0\0\x01"
    chunks = [pack(b"INST", inst, "none"), pack(b"PROP", prop, "lz4"), pack(b"PRNT", parents, "none")]
    read_all(".rbxm", HEADER + b"".join(chunks) + pack(b"END", END, "none"))


def chunk(name: bytes, body: bytes, size: int) -> bytes:
    return struct.pack("<4sIII", name, len(body), size, 0) + body


BOMBS = {
    "lz4 that says four gigabytes": chunk(b"PROP", lz4.block.compress(bytes(1 << 16), store_size=False), 0xFFFFFFFF),
    "zstd that is two gigabytes": chunk(b"PROP", zstandard.ZstdCompressor().compress(bytes(64 << 20)), 2 << 30),
    "zstd whose frame says more than the chunk": chunk(
        b"PROP", zstandard.ZstdCompressor().compress(bytes(64 << 20)), 1000
    ),
    "many chunks that together are too much": b"".join(
        chunk(b"PROP", zstandard.ZstdCompressor().compress(bytes(48 << 20)), 48 << 20) for _ in range(40)
    ),
    "a plain chunk that says more than there is": struct.pack("<4sIII", b"PROP", 0, 0x7FFFFFFF, 0),
    "lz4 that is nonsense": chunk(b"PROP", b"\xff" * 50, 200),
    "lz4 that unpacks to less": chunk(b"PROP", lz4.block.compress(b"abc" * 100, store_size=False), 400),
}


@pytest.mark.parametrize("bomb", BOMBS.values(), ids=BOMBS)
def test_a_bomb_is_refused_in_little_memory(bomb: bytes) -> None:
    content = HEADER + bomb + pack(b"END", END, "none")
    tracemalloc.start()
    try:
        with pytest.raises(BrokenPlace):
            open_place("bomb.rbxm", content)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 6 * PLENTY


def _counting(count: int) -> bytes:
    inst = struct.pack("<II", 0, 4) + b"Part" + b"\0" + struct.pack("<I", count) + bytes(16)
    return HEADER + pack(b"INST", inst, "none") + pack(b"END", END, "none")


LIES = {
    "a class of four billion instances": _counting(0xFFFFFFFF),
    "no parents": HEADER + pack(b"END", END, "none"),
    "two instances of one number": HEADER
    + pack(b"INST", struct.pack("<II", 0, 4) + b"Part" + b"\0" + struct.pack("<I", 2) + bytes(8), "none")
    + pack(b"END", END, "none"),
    "a circle": HEADER
    + pack(b"INST", struct.pack("<II", 0, 4) + b"Part" + b"\0" + struct.pack("<I", 1) + bytes(4), "none")
    + pack(b"PRNT", struct.pack("<BI", 0, 1) + bytes(8), "none")
    + pack(b"END", END, "none"),
    "another version": MAGIC + struct.pack("<HiiQ", 9, 0, 0, 0) + pack(b"END", END, "none"),
    "not a place": b"PK\x03\x04 a zip file, perhaps",
    "nothing": b"",
}


@pytest.mark.parametrize("content", LIES.values(), ids=LIES)
def test_a_binary_file_that_lies_is_refused(content: bytes) -> None:
    with pytest.raises(BrokenPlace) as caught:
        open_place("a.rbxl", content)
    assert caught.value.hint


ITEM = b'<Item class="Part" referent="A">'
XML_LIES = {
    "entities that blow up": b'<!DOCTYPE r [<!ENTITY a "aaaa">]><roblox version="4"></roblox>',
    "entities inside": b'<roblox version="4"><!DOCTYPE r [<!ENTITY a "b">]></roblox>',
    "an item that is not closed": b'<roblox version="4">%s<Properties></Properties></roblox>' % ITEM,
    "a closing tag too many": b'<roblox version="4"></Item></roblox>',
    "an item without a class": b'<roblox version="4"><Item referent="A"></Item></roblox>',
    "two items of one referent": b'<roblox version="4">%s</roblox>' % (2 * (ITEM + b"</Item>")),
    "properties that do not end": b'<roblox version="4">%s<Properties><string name="Name">x' % ITEM,
    "CDATA that does not end": b'<roblox version="4">%s<Properties><![CDATA[</Properties></Item></roblox>' % ITEM,
    "another version": b'<roblox version="5"></roblox>',
    "a web page": b"<html></html>",
    "very deep": b'<roblox version="4">' + b'<Item class="Folder">' * 100_000,
}


@pytest.mark.parametrize("content", XML_LIES.values(), ids=XML_LIES)
def test_an_xml_file_that_lies_is_refused(content: bytes) -> None:
    with pytest.raises(BrokenPlace):
        open_place("a.rbxlx", content)


def test_a_refusal_names_line_and_column() -> None:
    with pytest.raises(BrokenPlace, match=r"Line 2, column 3: "):
        open_place("a.rbxlx", b'<roblox version="4">\n\t\t</Item></roblox>')


def test_a_value_that_is_not_what_its_tag_says_is_told_when_it_is_read() -> None:
    text = b'<roblox version="4">%s<Properties><int name="X">six</int></Properties></Item></roblox>' % ITEM
    (part,) = open_place("a.rbxmx", text).tree.walk()
    with pytest.raises(BrokenPlace, match="'X' of a Part"):
        part.stored("X")
