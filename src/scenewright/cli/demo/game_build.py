"""The second part of the demo: a small platformer, built through the tools alone and checked by the real engine."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any

from scenewright.cli.demo.game import SCREENSHOT, chapters
from scenewright.cli.demo.playthrough import look_at_play, playthrough
from scenewright.cli.demo.terminal import half_blocks
from scenewright.cli.demo.transcript import Transcript, expect

__all__ = ["build"]

_MOST_COLUMNS = 120


async def build(show: Transcript, project: Path) -> None:
    """Make the game and show what it looks like."""
    calls = 0
    for chapter in (*chapters(), playthrough()):
        show.say(f"\n# {chapter.title}")
        for tool, arguments in chapter.calls:
            body = await show.call_briefly(tool, arguments)
            _look_at(arguments, body)
            if tool == "godot_play_manager":
                wrong = look_at_play(arguments["action"], body.get("result") or {})
                expect(wrong is None, str(wrong))
            calls += 1
    show.say(f"\n{calls} calls built, checked and played the game.")
    picture = (project / SCREENSHOT).read_bytes()
    if sys.stdout.isatty():
        columns = min(shutil.get_terminal_size().columns, _MOST_COLUMNS)
        show.say("\n".join(half_blocks(picture, columns)))
    show.say(f"Its screenshot has {len(picture):,} bytes; --keep DIR keeps it with the game.")


def _look_at(arguments: dict[str, Any], body: dict[str, Any]) -> None:
    """What a reply must say beyond that the call succeeded."""
    result = body.get("result") or {}
    if arguments.get("action") == "probe":
        failed = [check["expression"] for check in result.get("checks", []) if not check["holds"]]
        expect(result["passed"], f"these hold: {failed}, {result.get('errors', [])}")
    elif arguments.get("action") == "validate_project":
        expect(not result["issues"], f"the project is valid: {result['issues']}")
