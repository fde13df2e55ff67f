"""`run_tests`: all tests of a project, or some, whoever they are for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, Literal

import anyio
import anyio.from_thread
import anyio.to_thread

from scenewright.core.calls.call import Call
from scenewright.core.faults import NotFound, Unsupported
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about, to_wire
from scenewright.core.policy.execution import permit_execution
from scenewright.core.text.counts import count_noun
from scenewright.godot.engine.operations.runs import Said, folded, said_of
from scenewright.godot.project.openers import class_index, open_workspace
from scenewright.godot.testing.results import FAILED, PASSED, SKIPPED, CaseResult, TestRun

if TYPE_CHECKING:
    from scenewright.core.policy.execution import Permit
    from scenewright.godot.testing.discovery import Tests
    from scenewright.godot.testing.engine_runs import Start

__all__ = ["OPERATIONS"]

_MOST_RESULTS = 200
_MOST_ERRORS = 20
_TAIL = 20
_LONGEST = 600.0


class TestInputs(Inputs, frozen=True, kw_only=True):
    __test__ = False  # it is no test of pytest's

    path: Annotated[str, about("Script, scene, tape or folder of tests; all otherwise.", min_length=1)] | None = None
    name: Annotated[str, about("Only tests whose name contains this.", min_length=1, max_length=200)] | None = None
    timeout_seconds: Annotated[float, about("How long each framework may take.", gt=0, le=_LONGEST)] = 300.0
    junit: Annotated[bool, about("Return a report in the form of JUnit too.")] = False


class Tested(Record, frozen=True, kw_only=True):
    """What came of one test."""

    __test__ = False

    name: Annotated[str, about("The test.")]
    file: Annotated[str, about("Its script, scene or tape.")]
    status: Annotated[Literal["passed", "failed", "skipped"], about("What came of it.")]
    seconds: Annotated[float, about("How long it took.")]
    message: Annotated[str, about("Why it failed or was skipped.")] | None = None
    path: Annotated[str, about("Where it failed, where that is another file.")] | None = None
    line: Annotated[int, about("Line there.")] | None = None


class TestReport(Outputs, frozen=True, kw_only=True):
    __test__ = False

    passed: Annotated[bool, about("Whether all went well: no test failed, and each run came to its end.")]
    tests: Annotated[int, about("How many were run.")]
    failed: Annotated[int, about("How many failed.")]
    skipped: Annotated[int, about("How many were skipped.")]
    seconds: Annotated[float, about("How long the tests took.")]
    ran: Annotated[list[str], about("What ran them: frameworks with their version, scenes, tapes.")]
    results: Annotated[list[Tested], about("The tests, failed ones first.")]
    left_out: Annotated[int, about("How many more there are, all passed or skipped.")] | None = None
    problems: Annotated[list[str], about("Runs that did not come to their end.")] | None = None
    errors: Annotated[list[Said], about("Errors and warnings of frameworks' runs.")] | None = None
    output: Annotated[list[str], about("The end of what such a run printed.")] | None = None
    junit: Annotated[str, about("The report.")] | None = None


@operation(
    id="godot.tests.run",
    name="Run Tests",
    category="debug",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="run_tests",
    manager="godot_workspace_manager",
    timeout=2 * _LONGEST,
    transactional=False,
    executes="always",
    notes="Tests of GUT and GdUnit4 are run by their own command line. A scene test_….tscn or …_test.tscn has plain "
    "asserts: in each method test_… of its root, or in all it does until it quits. Tapes are played. user:// starts "
    "empty.",
    examples=(
        Example(
            "One script",
            {"path": "test/test_player.gd"},
            {
                "passed": False,
                "tests": 2,
                "failed": 1,
                "skipped": 0,
                "seconds": 0.05,
                "ran": ["GUT 9.4.0"],
                "results": [
                    {
                        "name": "test_jump",
                        "file": "res://test/test_player.gd",
                        "status": "failed",
                        "seconds": 0.03,
                        "message": "[0] expected to equal [1]:  jumps",
                        "line": 12,
                    },
                    {
                        "name": "test_walk",
                        "file": "res://test/test_player.gd",
                        "status": "passed",
                        "seconds": 0.02,
                    },
                ],
            },
        ),
    ),
)
async def run_tests(call: Call, inputs: TestInputs) -> TestReport:
    """Runs the project's own tests: GUT, GdUnit4, scenes of plain asserts, tapes."""
    from scenewright.godot.editor.live.access import warn_of_unsaved
    from scenewright.godot.engine.staged_copy import refuse_staged

    refuse_staged(call)
    await warn_of_unsaved(call)
    tests = await anyio.to_thread.run_sync(_find, call, inputs)
    permit = await permit_execution(call)
    runs: list[TestRun] = []
    if tests.scripts or tests.scenes:
        runs = await _run_in_engines(call, permit, inputs, tests)
    if tests.tapes:
        runs.append(await _play_tapes(call, tests.tapes))
    return _report(call, inputs, tests, runs)


OPERATIONS = (run_tests,)


def _find(call: Call, inputs: TestInputs) -> Tests:
    from scenewright.godot.testing.discovery import find_tests

    workspace = open_workspace(call)
    tests = find_tests(workspace, workspace.scripts(class_index(call)), inputs.path, inputs.name)
    if tests.homeless:
        missing = f"{', '.join(tests.homeless[:3])} extends a framework for tests that is not in addons/"
        if not tests:
            raise Unsupported(f"{missing}.", hint="Install GUT or GdUnit4 there, or write a scene of plain asserts.")
        call.warnings.append(f"{missing}, and was left out.")
    if not tests:
        where = f" at '{inputs.path}'" if inputs.path else ""
        named = f" whose name contains '{inputs.name}'" if inputs.name else ""
        raise NotFound(
            f"There are no tests{where}{named}.",
            hint="Tests are scripts for GUT or GdUnit4, scenes test_….tscn with methods test_…, and tapes.",
        )
    return tests


async def _run_in_engines(call: Call, permit: Permit, inputs: TestInputs, tests: Tests) -> list[TestRun]:
    held: list[Any] = []

    def work() -> list[TestRun]:
        from scenewright.godot.engine.requests import pool_with_imports
        from scenewright.godot.testing.engine_runs import Start

        with pool_with_imports(call, permit, held.append) as pool:
            pool.refresh()
            start = Start(permit, pool.binary, pool.project, held.append, inputs.timeout_seconds)
            return [*_run_frameworks(call, start, inputs, tests), *_run_scenes(call, start, inputs, tests, pool.uids())]

    try:
        return await anyio.to_thread.run_sync(work, abandon_on_cancel=True)
    except anyio.get_cancelled_exc_class():
        for each in held:
            each.kill()
        raise


def _run_frameworks(call: Call, start: Start, inputs: TestInputs, tests: Tests) -> list[TestRun]:
    from scenewright.godot.testing import gut
    from scenewright.godot.testing.framework_tests import run_framework

    runs: list[TestRun] = []
    for kind, scripts in tests.scripts.items():
        config = gut.read_config(_text(call, gut.CONFIG)) if kind == "GUT" and call.files.exists(gut.CONFIG) else None
        chosen = {} if inputs.path is None and config is not None and gut.has_own_selection(config) else scripts
        known = [case for cases in scripts.values() for case in cases if inputs.name is None or inputs.name in case]
        runs.append(run_framework(start, kind, chosen, inputs.name, config, _teller(call, kind, len(known))))
    return runs


def _run_scenes(call: Call, start: Start, inputs: TestInputs, tests: Tests, uids: dict[str, str]) -> list[TestRun]:
    from scenewright.godot.testing.scene_tests import SceneEngine, run_scenes

    if not tests.scenes:
        return []
    engine = SceneEngine(start, uids)
    try:
        follow = _teller(call, "scenes", None)
        return [TestRun("scenes", results=list(run_scenes(start, engine, tests.scenes, inputs.name, follow)))]
    finally:
        engine.close()


def _teller(call: Call, kind: str, total: int | None) -> Callable[[str], None]:
    """Tell of each test that begins, as progress of the call."""
    done = 0

    def tell(test: str) -> None:
        nonlocal done
        anyio.from_thread.run(call.progress, done, max(total, done) if total else None, f"{kind}: {test}")
        done += 1

    return tell


async def _play_tapes(call: Call, tapes: list[str]) -> TestRun:
    from time import perf_counter

    run = TestRun("tapes")
    for tape in tapes:
        began = perf_counter()
        outcome = await call.invoke("play_replay", {"path": tape, "projectPath": str(call.state.project.root)})
        took = perf_counter() - began
        if outcome.fault is not None:
            run.results.append(CaseResult(tape, _tape_name(tape), FAILED, took, outcome.fault.message))
            continue
        replayed = to_wire(outcome.call.output)
        status, message = (PASSED, None) if replayed["passed"] else (FAILED, outcome.call.summary)
        run.results.append(CaseResult(tape, _tape_name(tape), status, took, message))
    return run


def _tape_name(tape: str) -> str:
    return tape.rpartition("/")[2].removesuffix(".tape.json")


def _report(call: Call, inputs: TestInputs, tests: Tests, runs: list[TestRun]) -> TestReport:
    from scenewright.godot.testing.junit import write_report

    results = [result for run in runs for result in run.results]
    problems = [*(run.problem for run in runs if run.problem), *_silent_scripts(runs)]
    failed = sum(each.status == FAILED for each in results)
    if not results and not problems:
        raise NotFound(f"No test's name contains '{inputs.name}'.", hint="Leave name out to see what tests there are.")
    ordered = sorted(results, key=lambda each: (FAILED, SKIPPED, PASSED).index(each.status))
    errors = folded([said_of(complaint) for run in runs for complaint in run.complaints])
    passed = not failed and not problems
    call.summary = f"{len(results) - failed} of {count_noun(len(results), 'test')} went well." + (
        f" {' '.join(problems)}" if problems else ""
    )
    return TestReport(
        passed=passed,
        tests=len(results),
        failed=failed,
        skipped=sum(each.status == SKIPPED for each in results),
        seconds=round(sum(each.seconds for each in results), 3),
        ran=[f"{run.kind} {tests.versions.get(run.kind, '')}".strip() for run in runs],
        results=[_row(each) for each in ordered[:_MOST_RESULTS]],
        left_out=len(ordered) - _MOST_RESULTS if len(ordered) > _MOST_RESULTS else None,
        problems=problems or None,
        errors=errors[:_MOST_ERRORS] or None,
        output=[line for run in runs if run.problem for line in run.output][-_TAIL:] or None,
        junit=write_report(results, problems=problems) if inputs.junit else None,
    )


def _silent_scripts(runs: list[TestRun]) -> list[str]:
    """Scripts with tests of which none was run: they do not compile, or their framework left them out."""
    heard = {result.file for run in runs for result in run.results}
    files = [file for run in runs if run.problem is None for file in run.asked if file not in heard]
    return [f"No test of {', '.join(files[:5])} was run; errors may say why."] if files else []


def _row(result: CaseResult) -> Tested:
    return Tested(
        name=result.name,
        file=result.file,
        status=result.status,  # type: ignore[arg-type]
        seconds=round(result.seconds, 3),
        message=result.message,
        path=result.path if result.path != result.file else None,
        line=result.line,
    )


def _text(call: Call, place: str) -> str:
    return call.files.read(place).decode("utf-8", "replace")
