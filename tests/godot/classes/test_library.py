"""Where indexes are kept and when they are opened."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from scenewright.core.faults import TimedOut, Unsupported
from scenewright.godot.classes import library
from scenewright.godot.classes.engine import Described, version_of
from scenewright.godot.classes.records import ClassInfo

SMALL = Described("9.9.9", "9.9.9.test build/x", [ClassInfo(name="Base", description="A base.")])


def test_nothing_is_opened_before_it_is_needed() -> None:
    program = (
        "import sys, scenewright.godot.classes.library as library;"
        "print(library.shipped.cache_info().currsize, 'subprocess' in sys.modules, 'tree_sitter' in sys.modules);"
        "library.shipped(); print(library.shipped.cache_info().currsize)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0", "False", "False", "1"]


def test_the_shipped_index_is_opened_once() -> None:
    assert library.shipped() is library.shipped()
    assert library.shipped().version.startswith("4.")


def test_indexes_are_kept_in_the_users_cache_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert library.cache_folder() == tmp_path / "scenewright/classes"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert library.cache_folder() == tmp_path / ".cache/scenewright/classes"


def test_a_saved_index_is_found_again_by_its_build(tmp_path: Path) -> None:
    assert library.cached(SMALL.build, tmp_path) is None
    library.save(SMALL, tmp_path / "9.9.9.test_build_x.sqlite")
    found = library.cached(SMALL.build, tmp_path)
    assert found is not None
    assert found.class_names == ("Base",)
    found.close()


def test_an_index_that_cannot_be_kept_is_made_elsewhere(tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.touch()
    path = library._save_somewhere(SMALL, in_the_way / "folder")
    assert path.exists()
    assert tmp_path not in path.parents
    shutil.rmtree(path.parent)


def test_a_broken_file_in_the_cache_counts_as_none(tmp_path: Path) -> None:
    (tmp_path / "1.0.sqlite").write_bytes(b"broken" * 100)
    assert library.cached("1.0", tmp_path) is None


def test_a_failed_write_leaves_the_old_index(tmp_path: Path) -> None:
    path = tmp_path / "1.0.sqlite"
    library.save(SMALL, path)
    before = path.read_bytes()
    twice = [*SMALL.classes, ClassInfo(name=None)]  # type: ignore[arg-type]
    with pytest.raises(AttributeError):
        library.save(Described("1.0", "1.0", twice), path)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize(
    ("program", "fault"),
    [("#!/bin/sh\necho hello\n", Unsupported), ("#!/bin/sh\nsleep 60\n", TimedOut), ("no program", Unsupported)],
)
def test_what_is_no_engine_is_refused(tmp_path: Path, program: str, fault: type[Exception]) -> None:
    binary = tmp_path / "godot"
    binary.write_text(program)
    binary.chmod(0o755)
    with pytest.raises(fault):
        version_of(binary, timeout=0.5)


def test_a_binary_without_an_editor_is_refused_with_the_reason(tmp_path: Path) -> None:
    binary = tmp_path / "godot"
    binary.write_text("#!/bin/sh\necho 4.6.3.stable.test\n")
    binary.chmod(0o755)
    with pytest.raises(Unsupported) as refused:
        library.for_binary(binary, tmp_path / "cache")
    assert "editor binary" in (refused.value.hint or "")
    assert not (tmp_path / "cache").exists()
