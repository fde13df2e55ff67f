"""Draws docs/demo.svg: the real output of `scenewright demo`, as a terminal shows it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

TARGET = Path(__file__).parent.parent / "docs" / "demo.svg"
_STYLES = {
    "> ": "bold",
    "# ": "dim italic",
    "  ✓": "green",
    "  ✗": "red",
    "  +": "green",
    "  -": "red",
    "  @": "cyan",
}
WIDTH = 112


def main() -> int:
    output = subprocess.run(
        [sys.executable, "-m", "scenewright", "demo"], capture_output=True, text=True, check=True
    ).stdout
    with open("/dev/null", "w", encoding="utf-8") as nowhere:
        console = Console(record=True, width=WIDTH, file=nowhere)
        console.print(Text("$ scenewright demo", style="bold cyan"))
        for line in output.splitlines():
            style = next((style for mark, style in _STYLES.items() if line.startswith(mark)), "")
            console.print(Text(line, style=style))
        TARGET.write_text(_plain(console.export_svg(title="scenewright")), encoding="utf-8")
    return 0


def _plain(svg: str) -> str:
    """The picture with the reader's own fonts: nothing is loaded from elsewhere."""
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<!--.*?-->", "", svg, flags=re.DOTALL)
    svg = svg.replace("Fira Code, monospace", "Menlo, Consolas, 'DejaVu Sans Mono', monospace")
    return "\n".join(line.rstrip() for line in svg.splitlines() if line.strip()) + "\n"


if __name__ == "__main__":
    raise SystemExit(main())
