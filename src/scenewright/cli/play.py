"""`scenewright play`: playtests from tapes, for people and for CI."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final
from xml.etree import ElementTree

from scenewright.cli.options import add_project, config_of, tell_project
from scenewright.cli.output import clear_line, say, show_line
from scenewright.cli.terminal import TerminalClient

if TYPE_CHECKING:
    from scenewright.core.runtime import Runtime

__all__ = ["EXAMPLES", "add_arguments", "bar", "run"]

EXAMPLES = """\
examples:
  scenewright play tests/level_1.tape.json --project ~/games/maze
  scenewright play --all --junit playtests.xml
  scenewright play tests/level_1.tape.json --record-video level_1.avi

A tape is what play save_tape wrote. Each is played in a game of its own, without a window. A video (.avi,
without sound) needs a screen or Xvfb.
exit codes: 0 all went as on the tape, 1 one did not, 2 wrong usage
"""
_ENDING: Final = "*.tape.json"
_BAR: Final = 30


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", metavar="PATH", nargs="*", help="tape, from the project's root")
    parser.add_argument("--all", action="store_true", help="play all tapes of the project")
    parser.add_argument("--junit", metavar="FILE", type=Path, help="write a report that CI systems read")
    parser.add_argument("--record-video", metavar="FILE", type=Path, help="film it; several tapes are numbered")
    add_project(parser)


def run(options: argparse.Namespace) -> int:
    import anyio

    from scenewright.app import make_runtime
    from scenewright.server.logs import log_to_stderr

    config = config_of(options)
    log_to_stderr(config.log_level)
    runtime = make_runtime(config)
    try:
        tell_project(runtime)
        paths = [*options.paths, *(_all_tapes(runtime) if options.all else ())]
        if not paths:
            say("No tape to play: name one, or pass --all where there are some.")
            return 2
        film = options.record_video
        if film is not None and film.suffix != ".avi":
            say("A video ends in .avi.")
            return 2
        named = list(dict.fromkeys(paths))
        results = [anyio.run(_play, runtime, path, _film(film, at, len(named))) for at, path in enumerate(named)]
    finally:
        runtime.close()
    if options.junit is not None:
        _write_junit(options.junit, results)
    failed = sum(not result["passed"] for result in results)
    say(f"{len(results) - failed} of {len(results)} passed.")
    return 1 if failed else 0


def _all_tapes(runtime: Runtime) -> list[str]:
    root = runtime.project.root
    tapes = (path.relative_to(root) for path in root.rglob(_ENDING))
    return sorted(path.as_posix() for path in tapes if not any(part.startswith(".") for part in path.parts))


def _film(wanted: Path | None, at: int, count: int) -> Path | None:
    """Return where one of several tapes is filmed."""
    if wanted is None or count == 1:
        return wanted
    return wanted.with_stem(f"{wanted.stem}_{at + 1}")


async def _play(runtime: Runtime, path: str, film: Path | None) -> dict[str, Any]:
    """Play one tape, and say how it went."""
    from scenewright.core.calls.call import Request
    from scenewright.core.operations.model import to_wire
    from scenewright.godot.play.recording import Recording

    recording = runtime.services.get(Recording, Recording)
    recording.video = film.absolute() if film is not None else None
    if recording.video is not None:
        recording.video.parent.mkdir(parents=True, exist_ok=True)
    started = perf_counter()
    client = _BarClient(path)
    arguments = {"path": path, "picture": False}
    request = Request(tool="play_replay", arguments=arguments, client=client, origin="cli", approved=False)
    outcome = await runtime.run(request)
    client.clear()
    took = perf_counter() - started
    if outcome.fault is not None:
        result = {"passed": False, "message": outcome.fault.message}
    else:
        result = to_wire(outcome.call.output)
        if not result["passed"]:
            result["message"] = _difference(result["differs"])
    mark = "✓" if result["passed"] else "✗"
    frames = f", {result['frames']} frames" if "frames" in result else ""
    say(f"{mark} {path}{frames}, {took:.1f} s")
    if "message" in result:
        say(f"  {result['message']}")
    return {"path": path, "seconds": took, **result}


class _BarClient(TerminalClient):
    """Shows on a terminal how far a tape has got."""

    def __init__(self, path: str) -> None:
        super().__init__(quiet=False)
        self._path = path

    async def progress(self, done: float, total: float | None, message: str | None) -> None:
        if not self._quiet:
            show_line(f"{bar(done, total or 1)} {message or ''}, {self._path}")

    def clear(self) -> None:
        if not self._quiet:
            clear_line()


def bar(done: float, total: float) -> str:
    """Return how much is done, as a bar."""
    filled = round(_BAR * min(done / total, 1.0))
    return "█" * filled + "░" * (_BAR - filled)


def _difference(differs: dict[str, Any]) -> str:
    """Return where a replay differs, with both sides of what is not the same then."""
    recorded, expected = differs["digest"], differs.get("expectedDigest")
    if differs["what"] == "state" and expected is not None:
        first = f"frame {differs['frame']} is not as on the tape"
    else:
        first = f"frame {differs['frame']}: {differs['what']} is {differs['found']}, expected {differs['expected']}"
    lines = [first, f"after {json.dumps(differs['did'], ensure_ascii=False)}"]
    now, then = _told(recorded), _told(expected) if expected is not None else []
    lines += [f"- {line}" for line in then if line not in now]
    lines += [f"+ {line}" for line in now if line not in then] if then else now
    return "\n  ".join(lines)


def _told(digest: dict[str, Any]) -> list[str]:
    return [*digest["nodes"], *digest["texts"], *(f"{node}: {values}" for node, values in digest["state"].items())]


def _write_junit(place: Path, results: list[dict[str, Any]]) -> None:
    failures = str(sum(not result["passed"] for result in results))
    suite = ElementTree.Element("testsuite", name="scenewright play", tests=str(len(results)), failures=failures)
    for result in results:
        case = ElementTree.SubElement(suite, "testcase", name=result["path"], time=f"{result['seconds']:.3f}")
        if not result["passed"]:
            message = result["message"]
            ElementTree.SubElement(case, "failure", message=message.partition("\n")[0]).text = message
    place.parent.mkdir(parents=True, exist_ok=True)
    ElementTree.ElementTree(suite).write(place, encoding="utf-8", xml_declaration=True)
