"""`scenewright init`: puts scenewright into the clients of a person, and the addon into their project."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scenewright.cli.output import say

if TYPE_CHECKING:
    from scenewright.core.runtime import Runtime
    from scenewright.setup.clients import Client, Machine
    from scenewright.setup.records import Records
    from scenewright.setup.steps import Plan

__all__ = ["EXAMPLES", "add_arguments", "run"]

EXAMPLES = """\
examples:
  scenewright init                              the project here, and the clients that are installed; asks first
  scenewright init ~/games/maze --client cursor --client codex
  scenewright init --all --yes                  without asking
  scenewright init --dry-run                    show every change as a diff, and make none
  scenewright uninstall                         take all of it back
"""
DONE, PROBLEMS = 0, 1
_SKILL_HOSTS = {"claude-code": "claude", "codex": "codex"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from scenewright.setup.clients import CLIENTS

    names = ", ".join(client.name for client in CLIENTS)
    parser.add_argument("folder", metavar="DIR", nargs="?", type=Path, help="the project (default: found from here)")
    parser.add_argument("--client", metavar="NAME", action="append", help=f"set up this one; repeatable. {names}")
    parser.add_argument("--all", action="store_true", help="set up every client that is installed")
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parser.add_argument("--dry-run", action="store_true", help="show what would be done, as diffs")
    parser.add_argument("--no-skill", action="store_true", help="leave out what tells the client's agent how to work")
    parser.add_argument("--no-addon", action="store_true", help="leave the editor's addon out")


def run(options: argparse.Namespace) -> int:
    from scenewright.app import make_runtime
    from scenewright.setup.clients import Machine
    from scenewright.setup.records import open_records
    from scenewright.setup.steps import plan_for

    runtime = make_runtime(_config(options))
    try:
        project = _project(runtime)
        say(f"Project: {project} ({', '.join(engine.name for engine in runtime.engines)})")
        if "godot" in {engine.name for engine in runtime.engines}:
            say(_engine_told())
        chosen = [plan_for(client, Machine(), project) for client in _chosen(options, Machine())]
        plans = [plan for plan in chosen if not plan.problem]
        _show_entries(chosen, project)
        if options.dry_run:
            for plan in plans:
                _show(plan)
            if not options.no_addon:
                _install_addon(runtime, None)
            return DONE
        with open_records() as records:
            done = [_carry_out(plan, project, records) for plan in plans]
            if not options.no_skill:
                _write_skills(plans, records)
            if not options.no_addon:
                done.append(_install_addon(runtime, records))
        left_out = any(plan.problem for plan in chosen if plan.client.sure)
        return _finish(plans, done=all(done) and not left_out)
    finally:
        runtime.close()


def _engine_told() -> str:
    from scenewright.core.faults import Fault
    from scenewright.godot.engine.binary import find_binary

    try:
        binary = find_binary()
    except Fault as missing:
        return f"Engine:  none. {missing.hint} Files can be edited without it; nothing is compiled, run or pictured."
    return f"Engine:  Godot {binary.build}, {binary.path}"


def _config(options: argparse.Namespace) -> Any:
    from scenewright.app import ENGINES
    from scenewright.core.config import Config
    from scenewright.core.projects.discovery import find_projects_below

    folder = options.folder.expanduser().resolve() if options.folder else None
    if folder is not None and not any(engine.rooted_in(folder) for engine in ENGINES):
        below = find_projects_below(folder, ENGINES) if folder.is_dir() else []
        folder = below[0] if len(below) == 1 else folder
    return Config.from_environment(project=folder)


def _project(runtime: Runtime) -> Path:
    from scenewright.core.config import ConfigError

    if runtime.discovery.choices:
        named = "\n  ".join(map(str, runtime.discovery.choices))
        raise ConfigError(f"Several projects lie here. Name one, as scenewright init DIR:\n  {named}")
    if not runtime.has_project or not runtime.engines:
        raise ConfigError("There is no Godot, Roblox or Unity project here. Name its folder: scenewright init DIR")
    return runtime.project.root


def _chosen(options: argparse.Namespace, machine: Machine) -> list[Client]:
    from scenewright.core.config import ConfigError
    from scenewright.core.faults import did_you_mean
    from scenewright.setup.clients import CLIENTS, client_named

    names = options.client or []
    for name in names:
        if client_named(name) is None:
            known = [client.name for client in CLIENTS]
            raise ConfigError(f"There is no client '{name}'. {did_you_mean(name, known) or ', '.join(known)}")
    if names:
        return [client for client in CLIENTS if client.name in names]
    installed = [client for client in CLIENTS if client.file(machine) is not None]
    if options.all or options.yes or options.dry_run:
        return installed
    if not sys.stdin.isatty():
        raise ConfigError("Nobody can be asked here. Pass --client NAME, --all or --dry-run.")
    return [client for client in installed if _asks(f"Set up {client.title}?")]


def _asks(question: str) -> bool:
    say(f"{question} [Y/n] ", to=sys.stderr, end="")
    return sys.stdin.readline().strip().lower() in ("", "y", "yes")


def _show_entries(chosen: list[Plan], project: Path) -> None:
    """Show the entry of each client that is not written to, and what most take where there is none at all."""
    from scenewright.setup.changes import entry_text
    from scenewright.setup.clients import CLIENTS, Machine
    from scenewright.setup.entries import launch_of

    for plan in chosen:
        if plan.problem:
            say(f"! {plan.client.title}: {plan.problem}. Its entry would be:")
            say(entry_text(plan.client, plan.launch))
    if not chosen and not any(client.file(Machine()) for client in CLIENTS):
        most = next(client for client in CLIENTS if client.shape == "plain")
        say("scenewright knows no client that is here. Most take this entry; --client NAME shows the form of another:")
        say(entry_text(most, launch_of([project])))


def _show(plan: Plan) -> None:
    if plan.is_done:
        say(f"= {plan.client.title}: {plan.file} has the entry.")
    elif plan.change is not None:
        from scenewright.setup.changes import diff_lines

        say(f"~ {plan.client.title}: {plan.file}")
        say("\n".join(diff_lines(plan.change)))
    else:
        say(f"~ {plan.client.title}: would run: {' '.join(plan.command)}")


def _carry_out(plan: Plan, project: Path, records: Records) -> bool:
    from scenewright.setup.changes import entry_text
    from scenewright.setup.json_text import TextProblem
    from scenewright.setup.steps import carry_out

    try:
        carry_out(plan, project, records)
    except (TextProblem, OSError) as problem:
        say(f"✗ {plan.client.title}: {problem}. Its entry would be:", to=sys.stderr)
        say(entry_text(plan.client, plan.launch), to=sys.stderr)
        return False
    say(f"✓ {plan.client.title}: " + (f"{plan.file} has the entry." if plan.is_done else f"wrote {plan.file}"))
    return True


def _write_skills(plans: list[Plan], records: Records) -> None:
    """Tell the agents of clients that take a skill how to work; a client's folder is not made for it."""
    from scenewright.server.skill import skill_file, skill_text
    from scenewright.setup.steps import add_file

    for plan in plans:
        host = _SKILL_HOSTS.get(plan.client.name)
        file = Path.home() / skill_file(host) if host else None
        if file is None or not (Path.home() / file.relative_to(Path.home()).parts[0]).is_dir():
            continue
        try:
            if add_file(file, skill_text().encode(), records):
                say(f"✓ {plan.client.title}: wrote the skill {file}")
        except OSError as problem:
            say(f"! {plan.client.title}: the skill was not written: {problem.strerror}")


def _install_addon(runtime: Runtime, records: Records | None) -> bool:
    """Put the addon into a Godot project, where history can take it back; without records, only say what that does.

    Return whether all went well.
    """
    import anyio

    from scenewright.core.calls.call import Request
    from scenewright.setup.records import Addon

    if "godot" not in {engine.name for engine in runtime.engines}:
        return True
    arguments = {"dryRun": True} if records is None else {}
    request = Request(tool="godot_sync_addon", arguments=arguments, origin="cli", approved=True)
    outcome = anyio.run(runtime.run, request)
    say(f"{'✗' if not outcome.ok else '~' if records is None else '✓'} Godot addon: {outcome.summary}")
    if records is not None and outcome.call.entry is not None:
        records.addons.append(Addon(str(runtime.project.root), outcome.call.entry.id))
    return outcome.ok


def _finish(plans: list[Plan], *, done: bool) -> int:
    """Start the server as the clients will, and say what to do next."""
    from scenewright.setup.trial import TrialFailed, try_server

    if not plans:
        return PROBLEMS
    try:
        trial = try_server(plans[0].launch)
    except TrialFailed as failed:
        say(f"✗ {failed}", to=sys.stderr)
        return PROBLEMS
    say(f"✓ The server starts and answers: {trial.tools} tools, {trial.seconds:.1f} s.")
    say("")
    say("Next:")
    for number, step in enumerate(_next_steps(plans), 1):
        say(f"  {number}. {step}")
    return DONE if done else PROBLEMS


def _next_steps(plans: list[Plan]) -> list[str]:
    from scenewright.setup.entries import spoken_command

    program = spoken_command()
    by_step: dict[str, list[str]] = {}
    for plan in plans:
        by_step.setdefault(plan.client.next_step, []).append(plan.client.title)
    steps = [step.format(_listed(titles)) for step, titles in by_step.items()]
    return [
        " ".join(steps),
        'Ask it: "Look at my project with scenewright, and tell me what it is."',
        f"Something is wrong? {program} doctor. All of it back: {program} uninstall.",
    ]


def _listed(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
