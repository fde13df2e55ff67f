"""Engine runs that do one thing and end: import, export, conversion. Their progress is told, and a cancel ends them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Timer
from typing import TYPE_CHECKING

import anyio
import anyio.from_thread
import anyio.to_thread

from scenewright.core.faults import Invalid, TimedOut
from scenewright.core.policy.execution import permit_execution
from scenewright.godot.engine.binary import find_binary
from scenewright.godot.engine.complaints import Complaint, read_complaints
from scenewright.godot.engine.process import EngineProcess, lines_of
from scenewright.godot.engine.staged_copy import refuse_staged
from scenewright.godot.engine.user_folder import EngineFolders

if TYPE_CHECKING:
    from scenewright.core.calls.call import Call
    from scenewright.core.policy.execution import Permit

__all__ = ["Done", "Progress", "check_argument", "run_engine", "run_to_end"]

_STEP = re.compile(r"^\[\s*(\d+)%\s*\]\s*(.*?)(?:\s*\|\s*(.*))?$")
_OLDER_STEP = re.compile(
    r"^\t?([a-z]\w*): (?:begin: (?P<what>.*) steps: (?P<steps>\d+)|step (?P<step>\d+): (?P<at>.*)|end)$"
)
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_KEPT_LINES = 50_000


@dataclass(frozen=True, slots=True)
class Done:
    """How a run ended, and what it said."""

    exit_code: int
    lines: list[str]

    @property
    def complaints(self) -> list[Complaint]:
        return read_complaints(self.lines)

    @property
    def errors(self) -> list[Complaint]:
        return [complaint for complaint in self.complaints if complaint.severity == "error"]


class Progress:
    """What an engine says of its own progress, in the words of its version."""

    def __init__(self) -> None:
        self._steps: dict[str, int] = {}

    def read(self, line: str) -> tuple[int, str] | None:
        """Return the percentage and what is being done, or None if the line says something else."""
        if match := _STEP.match(line):
            return int(match[1]), (match[3] or match[2]).strip()
        if match := _OLDER_STEP.match(line):
            task = match[1]
            if match["steps"]:
                self._steps[task] = int(match["steps"])
                return 0, match["what"]
            if match["step"]:
                return min(int(match["step"]) * 100 // max(self._steps.get(task, 100), 1), 100), match["at"].strip()
            return 100, task.replace("_", " ")
        return None


def check_argument(value: str, parameter: str) -> None:
    """Refuse a name that the engine would read as an option, or as another project, where it stands for itself.

    Raises:
        Invalid: it would.
    """
    if value.startswith(("-", "+")) or value.endswith("project.godot"):
        raise Invalid(
            f"'{parameter}' is '{value[:100]}', which Godot would take for something else on its command line.",
            path=f"input.{parameter}",
            rule="pattern",
            hint="Give it another name first, such as one of letters.",
        )


async def run_engine(
    call: Call,
    arguments: Sequence[str],
    *,
    project: Path | None = None,
    timeout: float = 300.0,
    env: Mapping[str, str] | None = None,
) -> Done:
    """Start the engine on a project, by default the call's, and wait for its end.

    Raises:
        Denied: code of this project may not be run.
        Unsupported: there is no Godot to be had.
        TimedOut: it did not end in time and was ended.
    """
    refuse_staged(call)
    permit = await permit_execution(call)
    held: list[EngineProcess] = []

    given_up = Event()

    def tell(percent: int, message: str) -> None:
        if given_up.is_set():
            return  # nobody waits for it, and maybe no loop is there to tell it
        anyio.from_thread.run(call.progress, percent, 100, message)

    def work() -> Done:
        command = ["--path", str(project or call.state.project.root), *arguments]
        return run_to_end(permit, command, holding=held.append, on_step=tell, timeout=timeout, env=env)

    try:
        return await anyio.to_thread.run_sync(work, abandon_on_cancel=True)
    except anyio.get_cancelled_exc_class():
        given_up.set()
        for process in held:
            process.kill()
        raise


def run_to_end(
    permit: Permit,
    command: Sequence[str],
    *,
    holding: Callable[[EngineProcess], None],
    on_step: Callable[[int, str], None] = lambda _percent, _message: None,
    timeout: float = 300.0,
    env: Mapping[str, str] | None = None,
) -> Done:
    """Run the engine, in this thread, and wait for its end; `holding` gets what can be ended from elsewhere.

    Raises:
        TimedOut: it did not end in time and was ended.
    """
    folders = EngineFolders.fresh()
    folders.lend_editor_settings()
    process = EngineProcess(permit, [str(find_binary().path), *command], environment=env, folders=folders)
    holding(process)
    done = _follow_process(process, on_step, timeout)
    return Done(done.exit_code, [folders.as_theirs(line) for line in done.lines])


def _follow_process(process: EngineProcess, tell: Callable[[int, str], None], timeout: float) -> Done:
    late: list[bool] = []

    def give_up() -> None:
        late.append(True)
        process.kill()

    timer = Timer(timeout, give_up)
    timer.start()
    lines: list[str] = []
    progress = Progress()
    try:
        assert process.stdout is not None
        with process.stdout as stream:
            for raw in lines_of(stream):
                line = _COLOURS.sub("", raw)
                if step := progress.read(line):
                    tell(*step)
                elif len(lines) < _KEPT_LINES:
                    lines.append(line)
        process.wait()
    finally:
        timer.cancel()
        if process.poll() is None:
            process.kill()
            process.wait()
    if late:
        raise TimedOut(f"Godot did not finish within {timeout:g} s and was ended.", hint="Try again.")
    return Done(process.returncode, lines)
