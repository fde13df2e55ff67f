"""GUT (bitwes/Gut, 9 and later) by its command line, its report and what it prints."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from scenewright.godot.testing.discovery import GUT
from scenewright.godot.testing.junit import Case, read_report
from scenewright.godot.testing.results import FAILED, PASSED, SKIPPED, CaseResult

__all__ = ["CONFIG", "REPORT", "arguments_of", "has_own_selection", "read_config", "results_of", "test_begun"]

CONFIG: Final = ".gutconfig.json"
REPORT: Final = "scenewright_gut.xml"
_KEPT: Final = ("pre_run_script", "post_run_script", "double_strategy")  # of a configuration that is not used
_BEGUN: Final = re.compile(r"^\s*\* (test\w*)")
_LINE: Final = re.compile(r"^\s*at line (-?\d+)\s*$", re.MULTILINE)
_STATUS: Final = {"pass": PASSED, "fail": FAILED, "pending": SKIPPED, "skipped": SKIPPED, "no asserts": SKIPPED}
_NOT_RUN: Final = "not run"  # by its name left out


def read_config(text: str) -> Mapping[str, Any]:
    """Return a .gutconfig.json; one that cannot be read is none, as GUT itself will say."""
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def has_own_selection(config: Mapping[str, Any]) -> bool:
    """Return whether a configuration says which tests there are."""
    return bool(config.get("dirs") or config.get("tests"))


def arguments_of(scripts: Sequence[str], name: str | None, config: Mapping[str, Any] | None) -> list[str]:
    """Return the command line for some scripts; for those of the project's own configuration where there are none.

    Without scripts the configuration counts whole. With them only its hooks do: it would add its folders to them.
    """
    arguments = [
        "-s",
        f"res://{GUT.tool}",
        "-gexit",
        "-gdisable_colors",
        "-glog=1",
        f"-gjunit_xml_file=user://{REPORT}",
    ]
    if scripts:
        arguments += ["-gconfig=", f"-gtest={','.join(scripts)}"]
        kept = {key: str(config[key]) for key in _KEPT if config and config.get(key)}
        arguments += [f"-g{key}={value}" for key, value in kept.items()]
    if name is not None:
        arguments.append(f"-gunit_test_name={name}")
    return arguments


def test_begun(line: str) -> str | None:
    """Return the test that a printed line begins."""
    match = _BEGUN.match(line)
    return match[1] if match is not None else None


test_begun.__test__ = False  # type: ignore[attr-defined]  # it is no test of pytest's


def results_of(report: str) -> Iterator[CaseResult]:
    """Yield what a report says of each test."""
    for case in read_report(report):
        if case.attributes.get("status") != _NOT_RUN:
            yield _result(case)


def _result(case: Case) -> CaseResult:
    file, _, inner = _file_of(case.attributes.get("classname", "")).partition(".gd.")
    path = f"{file}.gd" if inner else file
    name = case.attributes.get("name", "")
    status = _STATUS.get(case.attributes.get("status", ""), FAILED if case.verdicts else PASSED)
    text = case.verdicts[0][2] if case.verdicts else None
    if text is None and case.attributes.get("status") == "no asserts":
        text = "It asserted nothing."
    line = _LINE.search(text) if text else None
    message = _LINE.sub("", text).strip() if text else None
    return CaseResult(
        file=path,
        name=f"{inner}.{name}" if inner else name,
        status=status,
        seconds=case.seconds,
        message=message or None,
        path=path if status == FAILED else None,
        line=int(line[1]) if line is not None and status == FAILED and int(line[1]) > 0 else None,
    )


def _file_of(classname: str) -> str:
    """Older versions write the path whole, newer without `res://`."""
    return classname if classname.startswith("res://") else f"res://{classname}"
