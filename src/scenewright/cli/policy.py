"""`scenewright policy`: which policy is in force, what it says of a call, and whether a pack is sound."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from scenewright.cli.call import add_call, arguments_for
from scenewright.cli.options import add_project, config_of
from scenewright.cli.output import say

__all__ = ["EXAMPLES", "add_arguments", "run"]

EXAMPLES = """\
examples:
  scenewright policy list                                          the ready packs, and which policy is in force
  scenewright policy use read-only                                 put a ready pack in force for this project
  scenewright policy use my-pack.json                              or one of your own; `use default` drops it again
  scenewright policy explain delete_file path=a.txt                which rule decides, and why
  scenewright policy explain write_file --actor ci --dry-run --json
  scenewright policy check my-pack.json                            is it sound? exit code 1 if not
  scenewright policy schema                                        the JSON Schema of a pack
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(what="list", json=False, project=None)
    kinds = parser.add_subparsers(dest="what", metavar="WHAT")
    listing = kinds.add_parser("list", help="the ready packs, and which policy is in force")
    show = kinds.add_parser("show", help="print a ready pack, or the policy in force")
    show.add_argument("name", metavar="NAME", nargs="?", help="a ready pack (default: the policy in force)")
    use = kinds.add_parser("use", help="put a pack in force for this project, for you")
    use.add_argument("pack", metavar="NAME|FILE", help="a ready pack, or a file; `default` drops the one in force")
    check = kinds.add_parser("check", help="check whether a pack is valid; exit code 1 if not")
    check.add_argument("file", metavar="FILE", type=Path)
    explain = kinds.add_parser("explain", help="which rule decides over a call, and why")
    add_call(explain)
    explain.add_argument("--actor", metavar="NAME", help="as if this actor called")
    explain.add_argument("--dry-run", action="store_true", help="as if it were a dry run")
    kinds.add_parser("schema", help="print the JSON Schema of a pack")
    for each in (listing, show, use, check, explain):
        add_project(each)
        each.add_argument("--json", action="store_true", help="print JSON")


def run(options: argparse.Namespace) -> int:
    kinds = {"list": _list, "show": _show, "use": _use, "check": _check, "explain": _explain, "schema": _schema}
    return kinds[options.what or "list"](options)


def _list(options: argparse.Namespace) -> int:
    from scenewright.cli.terminal import print_json
    from scenewright.core.policy.packs import shipped, shipped_names

    policy = _in_force(options)
    packs = [{"name": name, "description": shipped(name).pack.description} for name in shipped_names()]
    if options.json:
        limit = {"limitedBy": policy.limit.name, "limitProblem": policy.limit.broken} if policy.limit else {}
        print_json({"inForce": policy.name, "problem": policy.broken, **limit, "packs": packs})
        return 0
    for pack in packs:
        say(f"{pack['name']:<16} {pack['description']}")
    say(f"\nIn force: {_policy_label(policy)}")
    if policy.limit:
        say(f"Made stricter, never looser, by the project's own {_policy_label(policy.limit)}")
    return 0


def _policy_label(policy: Any) -> str:
    return f"{policy.name}" + (f", which cannot be used: {policy.broken}" if policy.broken else "")


def _use(options: argparse.Namespace) -> int:
    from scenewright.app import make_runtime
    from scenewright.core.config import ConfigError
    from scenewright.core.policy.packs import POLICY_FILE, PackError, parse_pack, source_of

    try:
        text = source_of(options.pack)
        parse_pack(text)
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{options.pack}: {getattr(error, 'strerror', None) or 'it is not UTF-8'}.") from None
    except PackError as error:
        raise ConfigError(f"{options.pack} cannot be used: {error}.") from None
    runtime = make_runtime(config_of(options))
    try:
        runtime.state.open_for_writing()
        place = runtime.state.folder / POLICY_FILE
        place.unlink(missing_ok=True)
        if options.pack != "default":
            place.write_text(text, encoding="utf-8")
        say(f"In force for {runtime.project.root}: {options.pack}")
    finally:
        runtime.close()
    return 0


def _show(options: argparse.Namespace) -> int:
    from scenewright.core.config import ConfigError
    from scenewright.core.faults import did_you_mean
    from scenewright.core.policy.packs import shipped_names, source_of

    name = options.name or _in_force(options).name
    if options.name and name not in shipped_names():
        hint = did_you_mean(name, list(shipped_names())) or f"There are {', '.join(shipped_names())}."
        raise ConfigError(f"There is no ready pack '{name}'. {hint}")
    try:
        say(source_of(name), end="")
    except OSError as error:
        raise ConfigError(f"{name}: {error.strerror}.") from None
    return 0


def _check(options: argparse.Namespace) -> int:
    from scenewright.cli.terminal import print_json
    from scenewright.core.config import ConfigError
    from scenewright.core.policy.explanation import advice
    from scenewright.core.policy.packs import PackError, parse_pack

    problems: list[dict[str, str]] = []
    notes: list[str] = []
    try:
        notes = list(advice(parse_pack(options.file.read_text(encoding="utf-8")), _names()))
    except PackError as error:
        problems = error.problems
    except OSError as error:
        raise ConfigError(f"{options.file}: {error.strerror}.") from None
    except UnicodeDecodeError:
        problems = [{"field": "", "message": "it is not UTF-8"}]
    if options.json:
        print_json({"file": str(options.file), "sound": not problems, "problems": problems, "notes": notes})
    else:
        say(f"{options.file}: {'cannot be used' if problems else 'sound'}")
        for line in [*(problem["message"] for problem in problems), *notes]:
            say(f"  {line}")
    return 1 if problems else 0


def _explain(options: argparse.Namespace) -> int:
    import anyio

    from scenewright.app import make_runtime
    from scenewright.cli.terminal import print_json
    from scenewright.core.calls.call import Request
    from scenewright.core.operations.model import to_wire
    from scenewright.core.policy.explanation import explain

    meta = {"actor": options.actor, "dryRun": options.dry_run}
    runtime = make_runtime(config_of(options))
    try:
        arguments = arguments_for(options, runtime.registry)
        request = Request(tool=options.tool, arguments=arguments, meta=meta, origin="cli")
        explanation = anyio.run(explain, runtime, request)
    finally:
        runtime.close()
    if options.json:
        print_json(to_wire(explanation))
    else:
        _print_explanation(explanation)
    return 0


def _print_explanation(explanation: Any) -> None:
    verdicts = {"allow": "allowed", "approve": "allowed once a person approves", "deny": "denied"}
    if explanation.gate:
        say(f"{explanation.tool}: denied before any policy. {explanation.gate}")
    say(f"{explanation.tool}: {verdicts[explanation.decision]}, because {explanation.reason}.")
    by = f"rule '{explanation.rule}'" if explanation.rule else f"no rule, so its mode {explanation.mode}"
    say(f"  decided by {by} of {explanation.policy}")
    who = f"actor {explanation.actor}" if explanation.actor else "no actor"
    run = ", dry run" if explanation.dry_run else ""
    say(f"  as: {explanation.operation}, side effects {' and '.join(explanation.side_effects)}, {who}{run}")
    for rule in explanation.considered:
        mark = "→" if rule.matches else " "
        say(f"  {mark} {rule.priority:>5}  {rule.rule} ({rule.effect}): {rule.because}")
    if explanation.runs_others:
        say("  Each call that it makes is decided on its own.")


def _schema(options: argparse.Namespace) -> int:
    import json

    from scenewright.core.policy.packs import pack_schema

    del options
    say(json.dumps(pack_schema(), indent=2))
    return 0


def _in_force(options: argparse.Namespace) -> Any:
    from scenewright.app import make_runtime

    runtime = make_runtime(config_of(options))
    try:
        return runtime.state.policy.current()
    finally:
        runtime.close()


def _names() -> frozenset[str]:
    from scenewright.app import catalogues

    operations = [op for part in catalogues() for op in part.operations]
    return frozenset(name for op in operations for name in (op.id, op.flat_name, *op.aliases))
