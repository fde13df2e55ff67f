"""The index file."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from scenewright.godot.classes.entries import MemberPlace
from scenewright.godot.classes.index import ClassIndex
from scenewright.godot.classes.records import ClassInfo, Constant, Enum, Method, Property, Signal
from scenewright.godot.classes.search import search
from scenewright.godot.classes.store import ClassStore, Outdated
from scenewright.godot.classes.writer import write

CLASSES = [
    ClassInfo(
        name="Base",
        instantiable=True,
        description="Where everything starts.",
        properties=(Property("Base", "speed", "float", "float", "1.0", setter="set_speed", getter="get_speed"),),
        methods=(
            Method("Base", "run_fast", description="Runs [b]quickly[/b]."),
            Method("Base", "set_speed", accessor_of="speed"),
        ),
        signals=(Signal("Base", "finished"),),
    ),
    ClassInfo(
        name="Derived",
        inherits="Base",
        defaults={"speed": "2.0"},
        enums=(Enum("Derived", "Mode", (Constant("Derived", "MODE_A", "0", enum="Mode"),)),),
    ),
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "small index.sqlite"
    write(path, CLASSES, version="1.2.3", build="1.2.3.test")
    return path


def test_what_is_written_is_read(file: Path) -> None:
    store = ClassStore(file)
    assert [store.class_info(row.id) for row in store.tree()] == CLASSES
    assert (store.version, store.build) == ("1.2.3", "1.2.3.test")
    store.close()


def test_the_same_classes_give_the_same_bytes(file: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.sqlite"
    write(again, CLASSES, version="1.2.3", build="1.2.3.test")
    assert again.read_bytes() == file.read_bytes()


def test_a_small_index_answers_like_a_large_one(file: Path) -> None:
    index = ClassIndex(file)
    assert index.property("Derived", "speed").default == "2.0"
    assert index.property("Base", "speed").default == "1.0"
    assert index.enum("Mode", within="Derived").numbers == {"MODE_A": 0}
    names = [index.names.name(_row(index, hit.place)) for hit in search(index, "quickly").best]
    assert names == ["run_fast"]
    assert [hit.place.kind for hit in search(index, "set_speed").best][:1] == [2]
    index.close()


def _row(index: ClassIndex, place: MemberPlace) -> int:
    return list(index.names.places).index(place.number)


def test_a_file_in_a_folder_that_cannot_be_written_is_read(file: Path) -> None:
    file.chmod(0o444)
    file.parent.chmod(0o555)
    try:
        index = ClassIndex(file)
        assert search(index, "starts").total == 1
        index.close()
        assert sorted(path.name for path in file.parent.iterdir()) == [file.name]
    finally:
        file.parent.chmod(0o755)


def test_another_version_of_the_format_is_refused(file: Path) -> None:
    database = sqlite3.connect(file)
    database.execute("PRAGMA user_version = 999")
    database.close()
    with pytest.raises(Outdated):
        ClassStore(file)


@pytest.mark.parametrize("content", [b"", b"not a database, only a text of some length" * 20])
def test_a_file_that_is_no_index_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "broken.sqlite"
    path.write_bytes(content)
    with pytest.raises((Outdated, sqlite3.DatabaseError)):
        ClassStore(path)


def test_threads_may_share_an_index(index: ClassIndex) -> None:
    def work(number: int) -> int:
        name = index.class_names[number * 7 % len(index.class_names)]
        return len(index.properties(name)) + search(index, name, limit=3).total

    alone = [work(number) for number in range(60)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(60))) == alone
