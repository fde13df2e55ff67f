"""Scenes that test themselves with plain asserts: the methods `test_…` of their root, or the scene as a whole.

A method is called in a new instance of its scene, and fails where a script does: a failed `assert` is such a failure. A
scene without such methods is run by itself until it quits, or for a minute of its own time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePosixPath
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from scenewright.core.faults import NotConnected, TimedOut
from scenewright.core.text.counts import count_noun
from scenewright.godot.testing.engine_runs import Start, run_engine
from scenewright.godot.testing.results import FAILED, PASSED, CaseResult, first_error

if TYPE_CHECKING:
    from scenewright.godot.engine.complaints import Complaint
    from scenewright.godot.engine.worker import Reply, Worker

__all__ = ["SceneEngine", "run_scenes"]

FRAMES: Final = 3600
_FPS: Final = 60
_SECONDS: Final = 60.0  # of ours, for one test
Follow = Callable[[str], None]


class SceneEngine:
    """The engine that calls methods of scenes, in lock step; another one comes after a test that ended it."""

    def __init__(self, start: Start, uids: dict[str, str]) -> None:
        self._start = start
        self._uids = uids
        self._worker: Worker | None = None
        self.is_new = True  # no test has run in it yet

    def ask(self, method: str, params: dict[str, Any]) -> Reply:
        """Return the engine's reply.

        Raises:
            TimedOut: it hung, and was ended.
            NotConnected: it ended by itself.
        """
        if self._worker is None or not self._worker.alive:
            self._worker = self._new_worker()
            self.is_new = True
        if method == "run":
            self.is_new = False
        return self._worker.ask(f"testing.{method}", params, timeout=min(_SECONDS, self._start.seconds))

    def close(self) -> None:
        if self._worker is not None:
            self._worker.kill()

    def _new_worker(self) -> Worker:
        from scenewright.godot.engine.worker import LOCK_STEP, Worker

        start = self._start
        arguments = ("--headless", "--audio-driver", "Dummy", "--fixed-fps", str(_FPS))
        worker = Worker(start.permit, start.binary, start.project, arguments=arguments, environment=LOCK_STEP)
        start.holding(worker)
        worker.ask("engine.learn_uids", {"uids": self._uids}, timeout=30.0)
        return worker


def run_scenes(
    start: Start, engine: SceneEngine, scenes: Sequence[str], name: str | None, follow: Follow
) -> Iterator[CaseResult]:
    """Run the tests of scenes whose names contain a text, and yield each as it ends."""
    for scene in scenes:
        try:
            answer = engine.ask("names", {"scene": scene})
        except (TimedOut, NotConnected) as problem:
            yield CaseResult(scene, _name_of(scene), FAILED, message=problem.message)
            continue
        if not answer.value["loads"]:
            yield _failed(scene, _name_of(scene), 0.0, answer.complaints, "It does not load.")
            continue
        if not answer.value["tests"] and (name is None or name in _name_of(scene)):
            follow(scene)
            yield _run_whole(start, scene)
        for test in answer.value["tests"]:
            if name is None or name in test:
                follow(f"{scene} {test}")
                yield _run_method(engine, scene, test)


def _run_method(engine: SceneEngine, scene: str, test: str) -> CaseResult:
    began = perf_counter()
    try:
        reply = _ask_to_run(engine, {"scene": scene, "test": test, "frames": FRAMES})
    except TimedOut:
        return CaseResult(scene, test, FAILED, perf_counter() - began, "It hung: no frame came to its end.")
    except NotConnected:
        return CaseResult(scene, test, FAILED, perf_counter() - began, "It ended the engine: it quit, or crashed.")
    took = perf_counter() - began
    if first_error(reply.complaints) is not None:
        return _failed(scene, test, took, reply.complaints, "A script failed.")
    if not reply.value["ended"]:
        waited = f"It still waited for something after {count_noun(FRAMES, 'frame')}."
        return CaseResult(scene, test, FAILED, took, waited)
    return CaseResult(scene, test, PASSED, took)


def _ask_to_run(engine: SceneEngine, params: dict[str, Any]) -> Reply:
    """Run a test; once more in a new engine where the one before it had asked its own to quit."""
    was_new = engine.is_new
    try:
        return engine.ask("run", params)
    except NotConnected:
        if was_new:
            raise
        return engine.ask("run", params)


def _run_whole(start: Start, scene: str) -> CaseResult:
    arguments = ["--fixed-fps", str(_FPS), "--quit-after", str(FRAMES)]
    run = run_engine(start, arguments, scene=scene)
    name = _name_of(scene)
    if first_error(run.complaints) is not None:
        return _failed(scene, name, run.seconds, run.complaints, "A script failed.")
    if run.exit_code is None:
        return CaseResult(scene, name, FAILED, run.seconds, f"It did not end within {start.seconds:g} s.")
    if run.exit_code != 0:
        return CaseResult(scene, name, FAILED, run.seconds, f"It ended with {run.exit_code}.")
    return CaseResult(scene, name, PASSED, run.seconds)


def _failed(scene: str, name: str, took: float, complaints: list[Complaint], otherwise: str) -> CaseResult:
    error = first_error(complaints)
    if error is None:
        return CaseResult(scene, name, FAILED, took, otherwise)
    return CaseResult(scene, name, FAILED, took, error.message, error.path, error.line)


def _name_of(scene: str) -> str:
    return PurePosixPath(scene).stem
