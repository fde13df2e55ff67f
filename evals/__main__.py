"""`python -m evals`: prepares a trial, checks it, and tables the records; evals/README.md says how."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from evals import proxy, server_process, table, trial
from evals.checks import check_task
from evals.record import Record
from evals.task import Task, all_tasks, find_task

ALL = "all"


def main() -> int:
    options = _parser().parse_args()
    return int(options.run(options) or 0)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m evals", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    listing = commands.add_parser("list", help="name the tasks")
    listing.set_defaults(run=_list)

    prepare = commands.add_parser("prepare", help="make a task's project, start the server, print what the agent gets")
    prepare.add_argument("task", help="a task, or all: each in a folder below")
    prepare.add_argument("folder", type=Path)
    prepare.add_argument("--program", default=None, help="the scenewright to measure; default: this checkout's")
    prepare.add_argument("--label", default="", help="what is measured, such as before or after")
    prepare.add_argument("--model", default="", help="which model does the task")
    prepare.add_argument("--over", choices=("shell", "mcp"), default="shell", help="how the agent reaches the server")
    prepare.set_defaults(run=_prepare)

    running = commands.add_parser("run", help="prepare a task, have a command do it, check it: a whole trial")
    running.add_argument("task")
    running.add_argument("folder", type=Path)
    running.add_argument(
        "--agent", required=True, help="a command of a shell; it starts in the trial's folder and reads the task"
    )
    running.add_argument("--program", default=None, help="the scenewright to measure; default: this checkout's")
    running.add_argument("--label", default="", help="what is measured, such as before or after")
    running.add_argument("--model", default="", help="which model does the task")
    running.set_defaults(run=_run)

    checking = commands.add_parser("check", help="end a trial: stop its server, run the check, complete the record")
    checking.add_argument("task")
    checking.add_argument("folder", type=Path)
    checking.set_defaults(run=_check)

    tables = commands.add_parser("table", help="print the records below some folders as a Markdown table")
    tables.add_argument("folders", nargs="+", type=Path)
    tables.set_defaults(run=lambda options: print(table.of_records(table.records_below(options.folders))))

    serving = commands.add_parser("serve", help="a prepared trial's server over MCP on stdio, counted")
    serving.add_argument("folder", type=Path)
    serving.set_defaults(run=lambda options: proxy.run(trial.record_of(options.folder)))

    stop = commands.add_parser("stop", help="stop the server of a trial that is given up")
    stop.add_argument("folder", type=Path)
    stop.set_defaults(run=lambda options: server_process.stop(trial.record_of(options.folder)))

    own = commands.add_parser("_server")  # what `prepare` starts
    own.add_argument("folder", type=Path)
    own.set_defaults(run=lambda options: server_process.run(trial.record_of(options.folder)))
    return parser


def _list(_options: argparse.Namespace) -> None:
    for task in all_tasks():
        print(f"{task.name:24} {task.engine:7} {task.title}")


def _prepare(options: argparse.Namespace) -> None:
    for task, folder in _tasks(options):
        record = Record.new(folder, task=task.name, label=options.label, model=options.model)
        trial.prepare(task, record, program=options.program, over=options.over)
        text = trial.brief(task, record, over=options.over)
        (folder / "task.txt").write_text(text, encoding="utf-8")
        print(f"{folder / 'task.txt'}" if options.task == ALL else text)


def _run(options: argparse.Namespace) -> int:
    """Have an agent do the tasks, one after the other, each told the text that `prepare` prints."""
    options.over, outcomes = "shell", []
    for task, folder in _tasks(options):
        _prepare(argparse.Namespace(**{**vars(options), "task": task.name, "folder": folder}))
        with (folder / "task.txt").open(encoding="utf-8") as text:
            subprocess.run(options.agent, shell=True, cwd=folder, stdin=text, check=False)
        outcomes.append(_check(argparse.Namespace(task=task.name, folder=folder)))
    return max(outcomes)


def _tasks(options: argparse.Namespace) -> list[tuple[Task, Path]]:
    """The task that is named, or with `all` each in a folder of its own."""
    if options.task == ALL:
        return [(task, options.folder / task.name) for task in all_tasks()]
    return [(find_task(options.task), options.folder)]


def _check(options: argparse.Namespace) -> int:
    return max(_check_one(task, folder) for task, folder in _tasks(options))


def _check_one(task: Task, folder: Path) -> int:
    server_process.stop(trial.record_of(folder))
    record = trial.record_of(folder)  # as the server left it
    verdicts = check_task(task, trial.project_of(record))
    record.close(verdicts)
    for verdict in verdicts:
        print(verdict.line())
    held = sum(verdict.holds for verdict in verdicts)
    print(f"{task.name}: {held} of {len(verdicts)} sentences hold. {record.summary()}")
    return 0 if held == len(verdicts) else 1


if __name__ == "__main__":
    sys.exit(main())
