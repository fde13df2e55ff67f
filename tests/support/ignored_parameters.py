"""Does a test notice when a parameter is ignored?

`pytest -n0 -p tests.support.ignored_parameters tests/godot/scenes` carries each test out, and then again for each
parameter its calls gave: left out where it may be, else with another value, in every call of that operation. If the
test still passes, it does not look at that parameter. Calls in fixtures that tests share are tried with all tests of
their module. What no test noticed is listed at the end; `--ignoring-log` keeps the findings, so that areas can be gone
through one by one, and `python -m tests.support.given_parameters LOG` sets them beside everything that operations
declare.
"""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Iterator, Sequence
from enum import Enum
from pathlib import Path
from typing import Any

import msgspec
import pytest
from _pytest.runner import runtestprotocol
from tests.support.fewer_cases import cases_with
from tests.support.given_parameters import Parameter, below

from scenewright.core import runtime
from scenewright.core.calls import pipeline
from scenewright.core.calls.call import Call

_PATIENCE = 5  # times as long as untouched, and some seconds more


class Findings:
    """Which parameters a test noticed, and which it did not."""

    def __init__(self, log: Path | None) -> None:
        self.noticed: dict[Parameter, str] = {}
        self._unnoticed: dict[Parameter, list[str]] = {}
        self._log = log
        for line in log.read_text(encoding="utf-8").splitlines() if log is not None and log.exists() else ():
            operation, path, test, failure = json.loads(line)
            self._take((operation, path), test, failure)

    def note(self, parameter: Parameter, test: str, failure: str | None) -> None:
        """Keeps how a test failed without the parameter, if it did."""
        self._take(parameter, test, failure)
        if self._log is not None:
            with self._log.open("a", encoding="utf-8") as file:
                file.write(json.dumps([*parameter, test, failure]) + "\n")

    def lines(self) -> list[str]:
        left = sorted(self._unnoticed.keys() - self.noticed.keys())
        told = [f"{operation} {path}: {', '.join(self._unnoticed[operation, path][:3])}" for operation, path in left]
        return [*told, f"{len(self.noticed)} noticed, {len(left)} not"]

    def _take(self, parameter: Parameter, test: str, failure: str | None) -> None:
        if failure is not None:
            self.noticed.setdefault(parameter, test)
        else:
            self._unnoticed.setdefault(parameter, []).append(test)


class Anew(Enum):
    """What tests share that is made again before they are carried out once more."""

    NOTHING = "nothing"
    MODULE = "module"
    EVERYTHING = "everything"


class Ignoring:
    """Takes parameters away from calls, one at a time, and keeps who noticed."""

    def __init__(self, log: Path | None) -> None:
        self.findings = Findings(log)
        self._ignored: Parameter | None = None
        self._own: set[Parameter] = set()  # given by the test itself
        self._shared: set[Parameter] = set()  # given by fixtures that the tests of a module share
        self._module: list[pytest.Item] = []
        self._sharing = 0
        self._unfit: list[str] = []

    async def validate(self, call: Call) -> None:
        await pipeline.validate(call)
        for path, holder, field in _given(call.inputs, ""):
            parameter = (call.operation.id, path)
            (self._shared if self._sharing else self._own).add(parameter)
            if parameter == self._ignored:
                msgspec.structs.force_setattr(holder, field.name, _instead(holder, field))

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Iterator[None]:
        shared = fixturedef.scope != "function"
        self._sharing += shared
        try:
            return (yield)
        finally:
            self._sharing -= shared

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool:
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        self._own.clear()
        started = time.monotonic()
        if self._passes(item):
            self._module.append(item)
            self._try_all(self._own, [item], time.monotonic() - started)
        if nextitem is None or _module(nextitem) is not _module(item):
            self._leave_module()
        item.session._setupstate.teardown_exact(nextitem)
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        return True

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        terminalreporter.section("parameters that may be ignored")
        for line in [*(f"cannot be run twice: {test}" for test in self._unfit), *self.findings.lines()]:
            terminalreporter.line(line)

    def _passes(self, item: pytest.Item) -> bool:
        """Carries a test out as it is, a second time where others may have left traces in what they share."""
        reports = runtestprotocol(item, log=False, nextitem=item.parent)  # type: ignore[arg-type]
        if not all(report.passed for report in reports) and self.findings.noticed:
            item.session._setupstate.teardown_exact(None)
            item._initrequest()  # type: ignore[attr-defined]
            reports = runtestprotocol(item, log=False, nextitem=item.parent)  # type: ignore[arg-type]
        for report in reports:
            item.ihook.pytest_runtest_logreport(report=report)
        return all(report.passed for report in reports)

    def _leave_module(self) -> None:
        self._try_all(self._shared, self._module, 60)
        self._shared.clear()
        self._module.clear()

    def _try_all(self, given: set[Parameter], tests: Sequence[pytest.Item], seconds: float) -> None:
        candidates = sorted(given - self.findings.noticed.keys())
        if not candidates or not tests:
            return
        told = tests[0].nodeid if len(tests) == 1 else _module(tests[0]).nodeid
        # Some leave traces in what they share.
        fits = (anew for anew in list(Anew)[len(tests) > 1 :] if self._failure(None, tests, seconds, anew) is None)
        anew = next(fits, None)
        if anew is None:
            self._unfit.append(told)
            return
        for parameter in candidates:
            with cases_with(parameter[0], _module(tests[0]).obj, tests) as some:
                self.findings.note(parameter, told, self._failure(parameter, some, seconds, anew))

    def _failure(
        self, ignored: Parameter | None, tests: Sequence[pytest.Item], seconds: float, anew: Anew
    ) -> str | None:
        """Carries tests out once more, with new fixtures as far as is asked for."""
        if anew is not Anew.NOTHING:
            kept = _module(tests[0]).parent if anew is Anew.MODULE else None
            tests[0].session._setupstate.teardown_exact(kept)  # type: ignore[arg-type]
            seconds += 30
        self._ignored = ignored
        signal.signal(signal.SIGALRM, _give_up)
        signal.setitimer(signal.ITIMER_REAL, 10 + _PATIENCE * seconds)
        try:
            return _failure_of(tests)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            self._ignored = None


def _failure_of(tests: Sequence[pytest.Item]) -> str | None:
    """What the first says that does not pass. What tests share is kept: after each comes one of the same parent."""
    for item in tests:
        item._initrequest()  # type: ignore[attr-defined]  # what a second run of a test takes
        reports = runtestprotocol(item, log=False, nextitem=item.parent)  # type: ignore[arg-type]
        for report in reports:
            if not report.passed:
                return _said_by(report)
    return None


def _said_by(report: pytest.TestReport) -> str:
    crash = getattr(report.longrepr, "reprcrash", None)
    return str(crash or report.longrepr)[-300:] or report.outcome


def _module(item: pytest.Item) -> pytest.Module:
    found = item.getparent(pytest.Module)
    assert found is not None
    return found


def _given(inputs: Any, prefix: str) -> Iterator[tuple[str, msgspec.Struct, msgspec.structs.FieldInfo]]:
    """The fields that say something else than their default, those of inner records too."""
    if isinstance(inputs, list | tuple):
        for item in inputs:
            yield from _given(item, prefix)
    if not isinstance(inputs, msgspec.Struct):
        return
    for field in msgspec.structs.fields(inputs):
        value = getattr(inputs, field.name)
        if field.required or value != _default(field):
            path = f"{prefix}{field.encode_name}"
            yield path, inputs, field
            yield from _given(value, below(path, several=isinstance(value, list | tuple)))


def _default(field: msgspec.structs.FieldInfo) -> Any:
    return field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()


def _instead(holder: msgspec.Struct, field: msgspec.structs.FieldInfo) -> Any:
    return _another(getattr(holder, field.name)) if field.required else _default(field)


def _another(value: Any) -> Any:
    match value:
        case bool():
            return not value
        case str():
            return f"{value}_2"
        case int() | float():
            return value + 1
    return type(value)() if isinstance(value, list | tuple | dict) else None


def _give_up(*_: object) -> None:
    raise TimeoutError("without the parameter the test does not end")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--ignoring-log", type=Path, help="a file that keeps what was noticed and what was not")


def pytest_configure(config: pytest.Config) -> None:
    ignoring = Ignoring(config.getoption("--ignoring-log"))
    steps = (ignoring.validate if step is pipeline.validate else step for step in pipeline.STEPS)
    setattr(runtime, "STEPS", tuple(steps))  # noqa: B010  # which is not for others to change
    config.pluginmanager.register(ignoring, "ignoring")
