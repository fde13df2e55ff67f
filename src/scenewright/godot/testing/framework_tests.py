"""Tests of a framework, run by its own command line in an engine of ours."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from scenewright.godot.testing import gdunit, gut
from scenewright.godot.testing.discovery import GUT
from scenewright.godot.testing.engine_runs import EngineRun, Start, run_engine
from scenewright.godot.testing.results import FAILED, CaseResult, TestRun

__all__ = ["run_framework"]

_TAIL: Final = 30
_ENDINGS: Final = {
    "GUT": {0: None, 1: None},
    "GdUnit4": {0: None, 100: None, 101: None},  # 101: passed, with nodes left over
}
Scripts = Mapping[str, Sequence[str]]  # tests by file
Follow = Callable[[str], None]


def run_framework(
    start: Start, kind: str, scripts: Scripts, name: str | None, config: Mapping[str, Any] | None, follow: Follow
) -> TestRun:
    """Run the scripts of a framework; `config` is GUT's own where it chooses the scripts by itself."""
    own = config is not None and gut.has_own_selection(config) and not scripts
    if kind == GUT.name:
        arguments = gut.arguments_of([] if own else list(scripts), name, config)
    else:
        arguments = gdunit.arguments_of(scripts, name)
    begun: list[str] = []

    def listen(line: str) -> None:
        test = (gut if kind == GUT.name else gdunit).test_begun(line)
        if test is not None:
            begun.append(test)
            follow(test)

    report = gut.REPORT if kind == GUT.name else gdunit.REPORT
    engine = run_engine(start, arguments, report=report, follow=listen)
    run = TestRun(kind, asked=list(scripts), complaints=engine.complaints, output=engine.lines[-_TAIL:])
    run.results = list(_results(kind, engine, scripts, name))
    run.problem = _problem(kind, engine, start, run.results, begun)
    return run


def _results(kind: str, engine: EngineRun, scripts: Scripts, name: str | None) -> Iterator[CaseResult]:
    if engine.report is None:
        return
    results = gut.results_of(engine.report) if kind == GUT.name else gdunit.results_of(engine.report, list(scripts))
    for result in results:
        if name is None or name in result.name:
            yield result


def _problem(
    kind: str, engine: EngineRun, start: Start, results: Sequence[CaseResult], begun: Sequence[str]
) -> str | None:
    """Why the run as a whole failed, where the tests do not say it."""
    last = f" The test that had begun last is {begun[-1]}." if begun else ""
    if engine.exit_code is None:
        return f"{kind} did not end within {start.seconds:g} s and was ended.{last}"
    if engine.report is None:
        return f"{kind} ended with {engine.exit_code} and wrote no report.{last}"
    known = engine.exit_code in _ENDINGS[kind]
    if not known or (engine.exit_code not in (0, 101) and not any(each.status == FAILED for each in results)):
        return f"{kind} ended with {engine.exit_code}, though no test failed.{last}"
    return None
