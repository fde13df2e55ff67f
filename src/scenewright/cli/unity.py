"""`scenewright unity`: the open editor, and a recording of what it answers."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from scenewright.cli.options import add_project, config_of
from scenewright.cli.output import say

__all__ = ["EXAMPLES", "add_arguments", "run"]

EXAMPLES = """\
examples:
  scenewright unity editor                  whether the editor of this project can be reached
  scenewright unity record --out unity.json what it answers, to be sent to those who develop scenewright
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parts = parser.add_subparsers(dest="part", required=True, metavar="PART")
    editor = parts.add_parser("editor", help="tell whether the editor of this project can be reached")
    recording = parts.add_parser("record", help="write the editor's list of commands and its answers to thirty calls")
    recording.add_argument("--out", metavar="FILE", type=Path, required=True, help="where to write it")
    for part in (editor, recording):
        add_project(part)


def run(options: argparse.Namespace) -> int:
    from scenewright.app import make_runtime

    runtime = make_runtime(config_of(options))
    root, engines = runtime.project.root, [engine.name for engine in runtime.engines]
    runtime.close()
    if "unity" not in engines:
        from scenewright.core.config import ConfigError

        raise ConfigError("This is no Unity project. Choose one with --project.")
    return _record(root, options.out) if options.part == "record" else _show(root)


def _show(root: Path) -> int:
    import anyio

    from scenewright.core.faults import NotConnected
    from scenewright.unity.live.pipeline import Pipeline

    pipeline = Pipeline(root, patience=0.0)
    try:
        status = anyio.run(pipeline.status)
    except NotConnected as fault:
        say(f"{fault.message} {fault.hint or ''}".strip())
        return 1
    say(f"Unity {status.get('unityVersion')} answers: {status.get('status')}, {status.get('playMode')}.")
    return 0


def _record(root: Path, out: Path) -> int:
    import anyio

    from scenewright.unity.live.pipeline import Pipeline
    from scenewright.unity.live.recording import record

    recording = anyio.run(record, Pipeline(root, patience=0.0))
    out.write_text(json.dumps(recording, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    commands, calls = recording["commands"].get("commands", ()), recording["calls"]
    say(f"Wrote {out}: {len(commands)} commands, {len(calls)} calls. None of them changed anything.")
    say("Tokens and folders were left out, names in your project were not: look through it before you pass it on.")
    return 0
