"""Opening answers are kept for the conditions that they were given under, and believed only if ours and whole."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from scenewright import __version__
from scenewright.app import ENGINES as OFFERED
from scenewright.core.config import Config
from scenewright.server.start import conditions, kept_answers
from scenewright.server.start.conditions import ENGINES, Conditions, current_conditions
from scenewright.server.start.kept_answers import are_fresh, keep_answers

CONDITIONS = Conditions("ab" * 32)
ANSWERS = {"2025-11-25": {"initialize": '{"a":"é"}', "ping": "{}"}, "2026-07-28": {"tools/list": "{}"}}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SCENEWRIGHT_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def kept_file(home: Path) -> Path:
    (file,) = (home / "start").glob("*.json")
    return file


def test_answers_are_read_as_they_were_written() -> None:
    assert kept_answers.kept_answers(CONDITIONS) is None
    keep_answers(CONDITIONS, ANSWERS)
    assert kept_answers.kept_answers(CONDITIONS) == ANSWERS
    assert kept_answers.kept_answers(Conditions("cd" * 32)) is None
    assert are_fresh(CONDITIONS)
    assert not are_fresh(Conditions("cd" * 32))


def test_answers_are_old_after_a_day(home: Path) -> None:
    keep_answers(CONDITIONS, ANSWERS)
    os.utime(kept_file(home), (0, 0))
    assert not are_fresh(CONDITIONS)
    assert kept_answers.kept_answers(CONDITIONS) == ANSWERS


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other permissions")
def test_answers_are_for_nobody_else(home: Path) -> None:
    keep_answers(CONDITIONS, ANSWERS)
    assert kept_file(home).stat().st_mode & 0o777 == 0o600
    assert kept_file(home).parent.stat().st_mode & 0o777 == 0o700
    kept_file(home).chmod(0o644)
    assert kept_answers.kept_answers(CONDITIONS) is None


def _change_a_letter(file: Path) -> None:
    file.write_bytes(file.read_bytes().replace(b"initialize", b"initialise"))


def _cut_short(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-5])


def _lead_elsewhere(file: Path) -> None:
    file.rename(file.with_name("other"))
    file.symlink_to(file.with_name("other"))


def _lead_folder_elsewhere(file: Path) -> None:
    file.parent.rename(file.parent.with_name("other"))
    file.parent.symlink_to(file.parent.with_name("other"))


def _make_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def _make_pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


def _hold_something_else(file: Path) -> None:
    body = json.dumps([1]).encode()
    file.write_bytes(kept_answers._seal(body) + b"\n" + body)


SPOILING = (
    _change_a_letter,
    _cut_short,
    _lead_elsewhere,
    _lead_folder_elsewhere,
    _make_folder,
    _make_pipe,
    _hold_something_else,
)


@pytest.mark.skipif(sys.platform == "win32", reason="making links and pipes takes rights there")
@pytest.mark.parametrize("spoil", SPOILING)
def test_a_file_that_is_not_as_we_wrote_it_is_not_believed(home: Path, spoil: Callable[[Path], None]) -> None:
    keep_answers(CONDITIONS, ANSWERS)
    spoil(kept_file(home))
    assert kept_answers.kept_answers(CONDITIONS) is None


def test_answers_for_other_conditions_under_this_name_are_not_believed(home: Path) -> None:
    keep_answers(CONDITIONS, ANSWERS)
    other = Conditions(CONDITIONS.digest[:32] + "00" * 16)
    assert kept_answers.kept_answers(other) is None


def about(root: str, **added: str) -> dict[str, dict[str, str]]:
    told = json.dumps({"instructions": f"Project: {root} (godot)."}, ensure_ascii=False)
    return {"2025-11-25": {"initialize": told, "tools/list": "{}", **added}}


@pytest.mark.parametrize("new", ["/games/b", '/games/"ü"', "/"])
def test_a_new_project_borrows_what_was_said_of_another_like_it(new: str) -> None:
    one, other = Conditions("1" * 64, "k" * 64, "/games/a"), Conditions("2" * 64, "k" * 64, new)
    keep_answers(one, about("/games/a"))
    assert kept_answers.kept_answers(other) == about(new)
    assert not are_fresh(other)
    assert kept_answers.kept_answers(other._replace(kin="k" * 63 + "o")) is None
    assert kept_answers.kept_answers(other._replace(kin="")) is None
    keep_answers(other, about("/own"))
    assert kept_answers.kept_answers(other) == about("/own")


def test_answers_that_tell_the_place_in_other_words_are_not_borrowed() -> None:
    keep_answers(Conditions("1" * 64, "k" * 64, "/games/a"), about("/games/a", ping='{"in":"/games/a"}'))
    assert kept_answers.kept_answers(Conditions("2" * 64, "k" * 64, "/games/b")) is None


def test_few_files_are_kept(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_answers, "MOST_FILES", 3)
    for number in range(5):
        keep_answers(Conditions(f"{number:032}" * 2), ANSWERS)
        os.utime(home / "start" / f"{number:032}.json", (number, number))
    keep_answers(Conditions("f" * 64), ANSWERS)
    assert len(list((home / "start").iterdir())) == 3
    assert kept_answers.kept_answers(Conditions("f" * 64)) == ANSWERS


def test_the_engines_known_at_first_are_those_on_offer() -> None:
    assert ENGINES == OFFERED


def test_conditions_change_with_settings_project_and_engines(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    seen = [current_conditions(Config(waits_for_project=True))]
    seen.append(current_conditions(Config(waits_for_project=True, read_only=True)))
    seen.append(current_conditions(Config(waits_for_project=True, project=project)))
    (project / "project.godot").touch()
    seen.append(current_conditions(Config(waits_for_project=True)))
    (project / "default.project.json").touch()
    seen.append(current_conditions(Config(waits_for_project=True)))
    assert len(set(seen)) == len(seen)
    assert current_conditions(Config(waits_for_project=True)) == seen[-1]


def test_projects_that_differ_in_their_place_only_are_kin(tmp_path: Path) -> None:
    one, two, three = (tmp_path / name for name in ("one", "two", "three"))
    for folder in (one, two, three):
        folder.mkdir()
        (folder / "project.godot").touch()
    (three / "default.project.json").touch()
    first, second, other, strict, both = (
        current_conditions(config)
        for config in (
            Config(project=one),
            Config(project=two),
            Config(project=three),
            Config(project=two, read_only=True),
            Config(project=one, further_projects=(two,)),
        )
    )
    assert first.kin == second.kin != ""
    assert first.digest != second.digest
    assert (first.root, second.root) == (str(one.resolve()), str(two.resolve()))
    assert len({first.kin, other.kin, strict.kin}) == 3
    assert both.kin == ""


def test_conditions_change_with_our_own_code(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "scenewright"
    (package / "inner").mkdir(parents=True)
    for file in (package / "__init__.py", package / "inner" / "module.py"):
        file.write_text("")
    monkeypatch.setattr("scenewright.__file__", str(package / "__init__.py"))
    before = list(conditions._code())
    assert list(conditions._code()) == before
    (package / "inner" / "module.py").write_text("changed")
    assert list(conditions._code()) != before


def test_conditions_of_an_installed_package_go_by_what_the_installer_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "scenewright"
    package.mkdir()
    record = tmp_path / f"scenewright-{__version__}.dist-info" / "RECORD"
    record.parent.mkdir()
    record.write_text("scenewright/__init__.py,,\n")
    monkeypatch.setattr("scenewright.__file__", str(package / "__init__.py"))
    before = list(conditions._code())
    record.write_text("scenewright/__init__.py,sha256=a,1\n")
    assert list(conditions._code()) != before
    assert len(before) == 2


def test_conditions_change_with_the_libraries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place, _, names = conditions._libraries()
    assert str(place).endswith("__init__.py")
    assert any(name.startswith("mcp-") for name in names)  # type: ignore[attr-defined]
    assert any(name.startswith("pydantic_core-") for name in names)  # type: ignore[attr-defined]
