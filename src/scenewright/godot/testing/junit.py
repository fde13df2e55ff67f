"""Reports of tests in the form of JUnit: those that frameworks write are read, and ours are written.

A report comes from code of the project, and not each is well-formed: GUT puts messages in as they are, `<` and all. So
no XML parser reads it, and nothing in it can be expanded.
"""

from __future__ import annotations

import html
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final
from xml.etree import ElementTree

from scenewright.core.text.control_characters import escape_controls
from scenewright.godot.testing.results import FAILED, SKIPPED, CaseResult

__all__ = ["MOST_BYTES", "Case", "read_report", "write_report"]

MOST_BYTES: Final = 32 << 20
_PAIRS: Final = r'((?:[\w:.-]+="[^"]*"\s*)*)'
_CASE: Final = re.compile(rf"<testcase\s+{_PAIRS}(/?)>")
_SUITE: Final = re.compile(rf"<testsuite\s+{_PAIRS}/?>")
_PAIR: Final = re.compile(r'([\w:.-]+)="([^"]*)"')
_VERDICT: Final = re.compile(rf"<(failure|error|skipped)\b\s*{_PAIRS}(/?)>")
_CASE_END: Final = "</testcase>"


@dataclass(frozen=True, slots=True)
class Case:
    """A testcase of a report, as it stands there: attributes, those of its suite, and what it is said to have."""

    attributes: Mapping[str, str]
    suite: Mapping[str, str]
    verdicts: list[tuple[str, Mapping[str, str], str]] = field(default_factory=list)  # tag, attributes, text

    @property
    def seconds(self) -> float:
        try:
            seconds = float(self.attributes.get("time", "0").strip())
        except ValueError:
            return 0.0
        return seconds if math.isfinite(seconds) else 0.0


def read_report(text: str) -> Iterator[Case]:
    """Yield the testcases of a report."""
    suites = [(match.start(), _attributes(match[1])) for match in _SUITE.finditer(text)]
    at = 0
    while (match := _CASE.search(text, at)) is not None:
        suite: Mapping[str, str] = {}
        while suites and suites[0][0] < match.start():
            suite = suites[0][1]
            if len(suites) == 1 or suites[1][0] > match.start():
                break
            suites.pop(0)
        end = match.end() if match[2] else text.find(_CASE_END, match.end())
        end = len(text) if end < 0 else end
        yield Case(_attributes(match[1]), suite, list(_verdicts(text[match.end() : end])))
        at = end


def _verdicts(body: str) -> Iterator[tuple[str, Mapping[str, str], str]]:
    at = 0
    while (match := _VERDICT.search(body, at)) is not None:
        end = match.end() if match[3] else body.find(f"</{match[1]}>", match.end())
        end = len(body) if end < 0 else end
        yield match[1], _attributes(match[2]), _plain_text(body[match.end() : end])
        at = end


def _plain_text(text: str) -> str:
    stripped = text.strip()
    if stripped.startswith("<![CDATA[") and stripped.endswith("]]>"):
        return stripped.removeprefix("<![CDATA[").removesuffix("]]>").strip()
    return html.unescape(stripped)


def _attributes(pairs: str) -> Mapping[str, str]:
    return {name: html.unescape(value) for name, value in _PAIR.findall(pairs)}


def write_report(results: Sequence[CaseResult], *, problems: Sequence[str] = ()) -> str:
    """Return a report of results: a suite for each file, and one for what kept tests from being run."""
    root = ElementTree.Element("testsuites", {"name": "scenewright test", **_counts(results, len(problems))})
    by_file: dict[str, list[CaseResult]] = {}
    for each in results:
        by_file.setdefault(each.file, []).append(each)
    for file, cases in by_file.items():
        suite = ElementTree.SubElement(root, "testsuite", {"name": _fit(file), **_counts(cases, 0)})
        for case in cases:
            _add_case(suite, case)
    if problems:
        suite = ElementTree.SubElement(root, "testsuite", {"name": "run", **_counts((), len(problems))})
        for number, problem in enumerate(problems, 1):
            element = ElementTree.SubElement(suite, "testcase", name=f"run {number}", classname="run", time="0.000")
            ElementTree.SubElement(element, "error", message=_fit(problem.partition("\n")[0])).text = _fit(problem)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _counts(cases: Sequence[CaseResult], errors: int) -> dict[str, str]:
    return {
        "tests": str(len(cases) + errors),
        "failures": str(sum(case.status == FAILED for case in cases)),
        "errors": str(errors),
        "skipped": str(sum(case.status == SKIPPED for case in cases)),
        "time": f"{sum(case.seconds for case in cases):.3f}",
    }


def _add_case(suite: ElementTree.Element, case: CaseResult) -> None:
    element = ElementTree.SubElement(
        suite, "testcase", name=_fit(case.name), classname=_fit(case.file), time=f"{case.seconds:.3f}"
    )
    message = case.message or case.status
    place = f"{case.path}:{case.line}" if case.path and case.line else case.path or case.file
    if case.status == FAILED:
        failure = ElementTree.SubElement(element, "failure", message=_fit(message.partition("\n")[0]))
        failure.text = _fit(f"{message}\n{place}")
    elif case.status == SKIPPED:
        ElementTree.SubElement(element, "skipped", message=_fit(message))


def _fit(text: str) -> str:
    """The text without what XML cannot hold."""
    return "\n".join(escape_controls(line) for line in text.split("\n"))
