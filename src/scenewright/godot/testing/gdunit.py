"""GdUnit4 (4.x to 6.x) by its command line, its report and what it prints."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Final

from scenewright.godot.testing.discovery import GDUNIT
from scenewright.godot.testing.junit import Case, read_report
from scenewright.godot.testing.results import FAILED, PASSED, SKIPPED, CaseResult

__all__ = ["REPORT", "arguments_of", "results_of", "test_begun"]

REPORT: Final = "results.xml"
_FOLDER: Final = "user://scenewright_reports"  # it takes a path of the system for one of the project
_BEGUN: Final = re.compile(r"^\s*\S+ > ([\w:\- ]+?)\s+STARTED\b")
_PLACE: Final = re.compile(r"^[A-Z]+: (res://.*?):(-?\d+)$")


def arguments_of(scripts: Mapping[str, Sequence[str]], name: str | None) -> list[str]:
    """Return the command line for some scripts; by a name all others are ignored, as it can add whole scripts only."""
    arguments = ["-s", f"res://{GDUNIT.tool}"]
    for path in scripts:
        arguments += ["-a", path]
    for path, cases in scripts.items():
        for case in cases:
            if name is not None and name not in case:
                arguments += ["-i", f"{PurePosixPath(path).stem}:{case}"]
    return [*arguments, "-c", "--ignoreHeadlessMode", "-rd", _FOLDER, "-rc", "1"]


def test_begun(line: str) -> str | None:
    """Return the test that a printed line begins."""
    match = _BEGUN.match(line)
    return match[1] if match is not None else None


test_begun.__test__ = False  # type: ignore[attr-defined]  # it is no test of pytest's


def results_of(report: str, scripts: Sequence[str]) -> Iterator[CaseResult]:
    """Yield what a report says of each test; its suites have a name and a folder, by which the script is found."""
    for case in read_report(report):
        yield _result(case, scripts)


def _result(case: Case, scripts: Sequence[str]) -> CaseResult:
    file = _script_of(case, scripts)
    told = [each for each in case.verdicts if each[0] in ("failure", "error")]
    name = case.attributes.get("name", "")
    if not told:
        reason = next((text for tag, _, text in case.verdicts if tag == "skipped"), None)
        skipped = any(tag == "skipped" for tag, _, _ in case.verdicts)
        return CaseResult(file, name, SKIPPED if skipped else PASSED, case.seconds, reason or None)
    place = _PLACE.match(told[0][1].get("message", ""))
    line = int(place[2]) if place is not None else 0
    message = "\n".join(text for _, _, text in told if text) or told[0][1].get("message")
    path = place[1] if place is not None else file
    return CaseResult(file, name, FAILED, case.seconds, message, path, line if line > 0 else None)


def _script_of(case: Case, scripts: Sequence[str]) -> str:
    suite = case.attributes.get("classname", "") or case.suite.get("name", "")
    folder = case.suite.get("package", "").removeprefix("res://").strip("/")
    named = [path for path in scripts if PurePosixPath(path).stem == suite]
    near = [path for path in named if str(PurePosixPath(path.removeprefix("res://")).parent) in (folder, folder or ".")]
    if near or named:
        return (near or named)[0]
    return f"res://{folder}/{suite}.gd" if folder else f"res://{suite}.gd"
