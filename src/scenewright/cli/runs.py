"""Workflow runs on a terminal: a bar while one goes on, its end, lists and logs."""

from __future__ import annotations

import json
import sys
from types import TracebackType
from typing import Any

from scenewright.cli.output import say

__all__ = ["Progress", "show"]

_MARKS = {
    "succeeded": "[bold green]✓[/]",
    "failed": "[bold red]✗[/]",
    "canceled": "[yellow]■[/]",
    "interrupted": "[bold red]?[/]",
    "running": "[cyan]…[/]",
    "skipped": "[dim]-[/]",
    "undone": "[yellow]↶[/]",
    "standing": "[bold red]![/]",
}


class Progress:
    """A bar on a terminal; elsewhere only what a run waits for, since somebody must do something about it."""

    def __init__(self, *, quiet: bool) -> None:
        self._bar: Any = None
        self._task: Any = None
        self._quiet = quiet or not sys.stderr.isatty()
        self._waiting: str | None = None

    def __enter__(self) -> Progress:
        if not self._quiet:
            from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
            from rich.progress import Progress as Bar

            columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
            self._bar = Bar(*columns, console=_console(stderr=True), transient=True)
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        del kind, error, trace
        if self._bar is not None:
            self._bar.stop()

    def show(self, run: dict[str, Any]) -> None:
        if self._bar is None:
            self._tell_waiting(run)
            return
        what = f"waits for approval of {run['waitingFor']}" if run.get("waitingFor") else run["workflowId"]
        if self._task is None:
            self._task = self._bar.add_task(_escape(what), total=run["totalSteps"])
        self._bar.update(self._task, completed=run["completedSteps"], description=_escape(what))

    def _tell_waiting(self, run: dict[str, Any]) -> None:
        waiting = run.get("waitingFor")
        if waiting and waiting != self._waiting:
            asked = json.dumps({"runId": run["runId"]})
            say(
                f"{run['runId']} waits for approval of step '{waiting}'. Approve it with"
                f" `scenewright call workflow.approve '{asked}' --yes`, or start the plan with --yes.",
                to=sys.stderr,
            )
        self._waiting = waiting

    def conclude(self, run: dict[str, Any]) -> None:
        """Show a person how a run ended."""
        console = _console(stderr=False)
        for step in run.get("steps") or []:
            console.print(
                f"{_MARKS.get(step['status'], ' ')} {_escape(step['id'])} [dim]{_escape(step['actionId'])}[/]"
            )
        _print_run(console, run)
        for entry in (run.get("diff") or {}).get("entries", []):
            console.print(_escape(entry), highlight=False)


def show(what: str, body: dict[str, Any]) -> None:
    """Show a person the answer to a question about runs."""
    console = _console(stderr=False)
    if what == "list":
        for run in body["runs"]:
            _print_run(console, run)
        if "nextCursor" in body:
            console.print(f"[dim]more: --cursor {body['nextCursor']}[/]")
    elif what == "logs":
        for line in body["logs"]:
            where = f" {_escape(line['stepId'])}:" if "stepId" in line else ""
            console.print(f"[dim]{line['timestamp']}[/] {line['level']:5}{where} {_escape(line['message'])}")
    else:
        _print_run(console, body)


def _print_run(console: Any, run: dict[str, Any]) -> None:
    done = f"{run['completedSteps']}/{run['totalSteps']} steps"
    console.print(f"{_MARKS[run['status']]} {run['runId']} {_escape(run['workflowId'])} {run['status']}, {done}")
    if error := run.get("lastError"):
        where = f"{error['stepId']}: " if "stepId" in error else ""
        console.print(f"  [red]{_escape(where + error['message'])}[/]")
        if "hint" in error:
            console.print(f"  [dim]{_escape(error['hint'])}[/]")
    if back := run.get("rollback"):
        console.print(f"  taken back: {_escape(', '.join(back['undone'])) or 'nothing'}")
        if back["standing"]:
            console.print(f"  [red]could not be taken back: {_escape(', '.join(back['standing']))}[/]")


def _console(*, stderr: bool) -> Any:
    from rich.console import Console

    return Console(stderr=stderr, soft_wrap=True, highlight=False)


def _escape(text: str) -> str:
    from rich.markup import escape

    return escape(text)
