"""Does a test notice when a parameter is ignored?

`pytest -n0 -p tests.ignoring tests/godot/operations` carries each test out, and then again for each parameter its calls
gave: left out where it may be, else with another value, in every call of that operation. If the test still passes, it
does not look at that parameter. Calls in fixtures that tests share are tried with all tests of their module. What no
test noticed is listed at the end; `--ignoring-log` keeps the findings, so that areas can be gone through one by one.
"""

from __future__ import annotations

import json
import re
import signal
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
import pytest
from _pytest.runner import runtestprotocol

from scenewright.core import pipeline, runtime
from scenewright.core.call import Call

Parameter: TypeAlias = tuple[str, str]  # an operation's id, and the path of a field in its inputs: "tracks[].path"

_PATIENCE = 5  # times as long as untouched, and some seconds more


class Findings:
    """Which parameters a test noticed, and which it did not."""

    def __init__(self, log: Path | None) -> None:
        self.noticed: dict[Parameter, str] = {}
        self._unnoticed: dict[Parameter, list[str]] = {}
        self._log = log
        for line in log.read_text(encoding="utf-8").splitlines() if log is not None and log.exists() else ():
            operation, path, test, noticed = json.loads(line)
            self._take((operation, path), test, noticed=noticed)

    def note(self, parameter: Parameter, test: str, *, noticed: bool) -> None:
        self._take(parameter, test, noticed=noticed)
        if self._log is not None:
            with self._log.open("a", encoding="utf-8") as file:
                file.write(json.dumps([*parameter, test, noticed]) + "\n")

    def lines(self) -> list[str]:
        left = sorted(self._unnoticed.keys() - self.noticed.keys())
        told = [f"{operation} {path}: {', '.join(self._unnoticed[operation, path][:3])}" for operation, path in left]
        return [*told, f"{len(self.noticed)} noticed, {len(left)} not"]

    def _take(self, parameter: Parameter, test: str, *, noticed: bool) -> None:
        if noticed:
            self.noticed.setdefault(parameter, test)
        else:
            self._unnoticed.setdefault(parameter, []).append(test)


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
        if _all_pass([item], log=True):
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

    def _leave_module(self) -> None:
        self._try_all(self._shared, self._module, 60)
        self._shared.clear()
        self._module.clear()

    def _try_all(self, given: set[Parameter], tests: Sequence[pytest.Item], seconds: float) -> None:
        candidates = sorted(given - self.findings.noticed.keys())
        if not candidates or not tests:
            return
        told = tests[0].nodeid if len(tests) == 1 else _module(tests[0]).nodeid
        anew = len(tests) > 1
        if self._fails(None, tests, seconds, anew=anew):
            anew = True  # some leave traces in what they share
            if self._fails(None, tests, seconds + 30, anew=True):
                self._unfit.append(told)
                return
        for parameter in candidates:
            noticed = self._fails(parameter, tests, seconds + 30 * anew, anew=anew)
            self.findings.note(parameter, told, noticed=noticed)

    def _fails(self, ignored: Parameter | None, tests: Sequence[pytest.Item], seconds: float, *, anew: bool) -> bool:
        """Carries tests out once more, on request with new fixtures of their module."""
        if anew:
            tests[0].session._setupstate.teardown_exact(_module(tests[0]).parent)  # type: ignore[arg-type]
        self._ignored = ignored
        signal.signal(signal.SIGALRM, _give_up)
        signal.setitimer(signal.ITIMER_REAL, 10 + _PATIENCE * seconds)
        try:
            return not _all_pass(tests)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            self._ignored = None


def _all_pass(tests: Sequence[pytest.Item], *, log: bool = False) -> bool:
    """Stops at the first that does not. What tests share is kept: after each comes one of the same parent."""
    for item in tests:
        if not log:
            item._initrequest()  # type: ignore[attr-defined]  # what a second run of a test takes
        reports = runtestprotocol(item, log=log, nextitem=item.parent)  # type: ignore[arg-type]
        if not all(report.passed for report in reports):
            return False
    return True


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
            deeper = f"{path}[]." if isinstance(value, list | tuple) else f"{path}."
            yield from _given(value, re.sub(r"(\w+\[\]\.)\1", r"\1", deeper))  # children of children are children


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
