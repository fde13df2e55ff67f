"""Draws docs/demo.svg: an excerpt of the real output of `scenewright demo`, as a terminal shows it.

Needs a Godot on the PATH or in GODOT_PATH. What is left out is marked with an ellipsis; no line is changed but cut.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text

TARGET = Path(__file__).parent.parent / "docs" / "demo.svg"
WIDTH = 112
TOUR_BLOCKS = 3
TOUR_LINES = 9
LAST_CALLS = 4
_GAME = "# Which tools?"
_STYLES = {
    "> ": "bold",
    "# ": "dim italic",
    "  ✓": "green",
    "  ✗": "red",
    "  +": "green",
    "  -": "red",
    "  @": "cyan",
}


def main() -> int:
    output = subprocess.run(
        [sys.executable, "-m", "scenewright", "demo"], capture_output=True, text=True, check=True
    ).stdout
    with open("/dev/null", "w", encoding="utf-8") as nowhere:
        console = Console(record=True, width=WIDTH, file=nowhere)
        console.print(Text("$ scenewright demo", style="bold cyan"))
        for line in excerpt(output):
            style = next((style for mark, style in _STYLES.items() if line.startswith(mark)), "")
            console.print(Text(_cut(line), style=style))
        TARGET.write_text(_plain(console.export_svg(title="scenewright")), encoding="utf-8")
    return 0


def excerpt(output: str) -> Iterator[str]:
    """The beginning of the tour, and of each chapter of the game its title and its last call; the last has more."""
    blocks = [block.splitlines() for block in output.strip().split("\n\n")]
    game = next((at for at, block in enumerate(blocks) if block[0].startswith(_GAME)), None)
    if game is None:
        raise SystemExit("The demo built no game: put a Godot on the PATH or set GODOT_PATH.")
    for block in blocks[: min(TOUR_BLOCKS, game)]:
        yield from _beginning(block)
        yield ""
    yield from ("…", "")
    chapters = [block for block in blocks[game:] if block[0].startswith("# ")]
    for chapter in chapters:
        yield chapter[0]
        yield from _end(chapter[1:], LAST_CALLS if chapter is chapters[-1] else 1)
        yield ""
    rest = blocks[game + len(chapters) :]
    yield from (line for block in rest for line in block)


def _beginning(block: Sequence[str]) -> Iterator[str]:
    yield from block[:TOUR_LINES]
    if len(block) > TOUR_LINES:
        yield "  …"


def _end(lines: Sequence[str], calls: int) -> Iterator[str]:
    """The last calls of a chapter with their replies."""
    starts = [at for at, line in enumerate(lines) if line.startswith("> ")]
    if len(starts) > calls:
        yield "  …"
    yield from lines[starts[-calls:][0] :]


def _cut(line: str) -> str:
    return line if len(line) <= WIDTH else f"{line[: WIDTH - 1]}…"


def _plain(svg: str) -> str:
    """The picture with the reader's own fonts: nothing is loaded from elsewhere."""
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<!--.*?-->", "", svg, flags=re.DOTALL)
    svg = svg.replace("Fira Code, monospace", "Menlo, Consolas, 'DejaVu Sans Mono', monospace")
    return "\n".join(line.rstrip() for line in svg.splitlines() if line.strip()) + "\n"


if __name__ == "__main__":
    raise SystemExit(main())
