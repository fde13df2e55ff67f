"""Roblox's files: places and models of both formats, Rojo projects, what the plugin sends."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from itertools import zip_longest
from pathlib import Path

from tests.fuzz.target import Target, texts
from tests.roblox.places import game_tree

from scenewright.core.faults import Fault
from scenewright.core.projects.project import Project
from scenewright.core.writes.changeset import Changeset
from scenewright.roblox.place.binary import writer as binary
from scenewright.roblox.place.documents import open_place, write_tree
from scenewright.roblox.place.rojo.jsontext import rewritten
from scenewright.roblox.place.rojo.modules import json_without_comments, localization, module_source
from scenewright.roblox.place.rojo.project import RojoPlace
from scenewright.roblox.relay.messages import Joiner, MalformedMessage, Reply, fault_of, pieces
from scenewright.roblox.tree import Instance
from scenewright.roblox.wire import to_wire

_ROJO = {
    "default.project.json": (
        '// one\n{"name": "Game", "tree": {"$className": "DataModel", "ReplicatedStorage": {"$path": '
        '"src"}, "Workspace": {"$properties": {"Gravity": 10.5}, "Part": {"$className": "Part", '
        '"$properties": {"Color": [1, 0, 0]}, "$attributes": {"a": {"Float32": 1}}}}}, '
        '"globIgnorePaths": ["**/*.spec.luau"], "syncRules": [{"pattern": "*.x", "use": "text"}]}'
    ),
    "src/init.meta.json": '{"properties": {"Archivable": false}, "id": "a"}',
    "src/Main.server.luau": "print(1)",
    "src/Data.json": '{"a": [1, {"b": null}]}',
    "src/Table.toml": "a = 1\n[b]\nc = [1, 2]",
    "src/Plain.yaml": "a: [1, 2]\nb: &x {c: 010}\nd: *x\n",
    "src/Words.csv": 'Key,Source,de\n"a",b,"c ""d"""\n',
    "src/House.model.json": (
        '{"ClassName": "Model", "Children": [{"Name": "A", "ClassName": "Part", "Properties": {"Size": [1, 2, 3]}}]}'
    ),
    "src/Roof.rbxmx": '<roblox version="4"><Item class="Folder" referent="A"><Properties/></Item></roblox>',
}
_MARK = b"\n=====\n"
_REPLY = {
    "requestId": "r1",
    "correlationId": "c1",
    "success": False,
    "timestamp": "2026-01-01T00:00:00Z",
    "error": {"code": "E", "message": "m", "details": {"a": 1}},
}


def _place(path: str) -> Callable[[bytes], None]:
    """Each value is read, and can be said to a client; what was only read comes back byte for byte.

    A binary file may hold chunks in an order that no one writes them in, and more behind its end: such a one is put in
    order once.
    """

    def run(data: bytes) -> None:
        place = open_place(path, data)
        _ask(place.tree.root)
        content = place.content()
        assert content == (data if path.endswith("x") else open_place(path, content).content())

    return run


def _ask(root: Instance) -> None:
    waiting, seen = [root], 0
    while waiting and seen < 200:
        instance, seen = waiting.pop(), seen + 1
        with suppress(Fault):
            for name in instance.stored_names()[:40]:
                with suppress(Fault):
                    value = instance.stored(name)
                    _ = to_wire(value) if value is not None else None
        waiting += instance.children


def _binary_seeds(path: str) -> Callable[[], tuple[bytes, ...]]:
    def seeds() -> tuple[bytes, ...]:
        return (binary.write(game_tree(), compression="none"), write_tree(path, game_tree()))

    return seeds


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="fuzz-rojo-")


def _rojo(data: bytes) -> None:
    """The input is all files of a project, one after the other; read and stored, none of them changes."""
    root = Path(_folder().name)
    for name, text in zip_longest(_ROJO, data.split(_MARK)[: len(_ROJO)], fillvalue=b""):
        (root / str(name)).parent.mkdir(exist_ok=True)
        (root / str(name)).write_bytes(text)
    changes = Changeset(Project(root))
    place = RojoPlace(changes, "default.project.json")
    _ask(place.tree.root)
    place.save(changes)
    assert changes.changes() == []


def _module(data: bytes) -> None:
    """The first line is the name of a file that becomes a module or a table."""
    name, _, content = data.partition(b"\n")
    text = content.decode("utf-8", "replace")
    if name.endswith(b".csv"):
        localization(text, "a.csv")
    else:
        ending = name.rpartition(b".")[2].decode("utf-8", "replace")
        module_source(text, f"a.{ending if ending in ('json', 'toml', 'yaml', 'yml') else 'json'}")


def _json_text(data: bytes) -> None:
    """What is not changed keeps its text; what is, reads as the new value."""
    text = data.decode("utf-8", "replace")
    value = json_without_comments(text, "a.json")
    assert rewritten(text, value) == text
    if isinstance(value, dict):
        other = {**value, "scenewright": [1, {"a": None}]}
        assert json_without_comments(rewritten(text, other), "a.json") == other


def _reply(data: bytes) -> None:
    reply = Reply.parse(data)
    _ = reply.output
    if reply.error is not None:
        fault_of(reply.error)


def _pieces(data: bytes) -> None:
    """Each line is a message of the socket."""
    joiner = Joiner(10_000)
    for line in data.decode("utf-8", "replace").splitlines():
        with suppress(MalformedMessage):
            joiner.feed(line)


_CHUNKS = (b"INST", b"PROP", b"PRNT", b"SSTR", b"META", b"SIGN", b"END\0", b"\x28\xb5\x2f\xfd")
_ELEMENTS = (
    b'<Item class="Part" referent="',
    b"<Properties>",
    b"<![CDATA[",
    b"]]>",
    b"&#0;",
    b"&#x110000;",
    b"<string name=",
    b"</Item>",
    b"<SharedStrings>",
    b"<!-- ",
    b"<token name=",
    b"<BinaryString name=",
)
_MODULES = ("a.json", "a.yaml", "a.toml", "a.csv")

TARGETS = (
    Target("roblox.rbxl", _place("a.rbxl"), _binary_seeds("a.rbxl"), files=(".rbxl",), words=_CHUNKS),
    Target("roblox.rbxm", _place("a.rbxm"), _binary_seeds("a.rbxm"), files=(".rbxm",), words=_CHUNKS),
    Target(
        "roblox.rbxlx",
        _place("a.rbxlx"),
        lambda: (write_tree("a.rbxlx", game_tree()),),
        files=(".rbxlx",),
        words=_ELEMENTS,
    ),
    Target(
        "roblox.rbxmx",
        _place("a.rbxmx"),
        lambda: (write_tree("a.rbxmx", game_tree()),),
        files=(".rbxmx",),
        words=_ELEMENTS,
    ),
    Target(
        "roblox.rojo",
        _rojo,
        lambda: (_MARK.join(text.encode() for text in _ROJO.values()),),
        words=(b'"$path": ', b'"$className": ', b'"..', _MARK),
    ),
    Target(
        "roblox.module",
        _module,
        texts(
            *(
                f"{name}\n{_ROJO[file]}"
                for name, file in zip(
                    _MODULES, ("src/Data.json", "src/Plain.yaml", "src/Table.toml", "src/Words.csv"), strict=True
                )
            )
        ),
    ),
    Target("roblox.json_text", _json_text, texts(_ROJO["default.project.json"]), words=(b"//", b"/*", b"*/", b",")),
    Target("roblox.reply", _reply, texts(json.dumps(_REPLY)), refuses=(Fault, MalformedMessage)),
    Target("roblox.pieces", _pieces, lambda: ("\n".join(pieces("abc" * 300, size=100)).encode(),)),
)
