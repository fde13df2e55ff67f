"""Draws each Mermaid drawing of the documents as docs/drawings/HASH.svg, which the site shows in its place.

GitHub draws them itself; the site loads nothing from outside. A drawing is named after its source, so that a build
knows which is missing. Needs Chromium, and the npm package mermaid in a folder that is named:

    npm install --prefix DIR mermaid && python scripts/drawings.py DIR
"""

from __future__ import annotations

import hashlib
import html
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

__all__ = ["DRAWINGS", "FENCE", "name_of", "sources"]

ROOT = Path(__file__).parent.parent
DRAWINGS = ROOT / "docs" / "drawings"
FENCE = re.compile(r"^```mermaid\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_SETTINGS = (
    '{startOnLoad: false, theme: "neutral", htmlLabels: false, flowchart: {htmlLabels: false},'
    ' fontFamily: "system-ui, sans-serif"}'
)
_PAGE = """<!doctype html><meta charset="utf-8"><body><script>{library}</script><script type="module">
mermaid.initialize({settings});
const {{svg}} = await mermaid.render("drawing", {source});
document.body.innerHTML = svg;
document.body.dataset.done = "";
</script></body>"""


def main(folder: str) -> int:
    library = (Path(folder) / "node_modules" / "mermaid" / "dist" / "mermaid.min.js").read_text(encoding="utf-8")
    wanted = dict(sources())
    for name in {file.name for file in DRAWINGS.glob("*.svg")} - set(wanted):
        (DRAWINGS / name).unlink()
    DRAWINGS.mkdir(exist_ok=True)
    for name, source in wanted.items():
        (DRAWINGS / name).write_text(_drawn(library, source), encoding="utf-8")
        print(name, source.splitlines()[0])
    return 0


def sources() -> Iterator[tuple[str, str]]:
    """Yield the drawings of all documents, each with the name of its file."""
    for page in sorted((*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"))):
        for source in FENCE.findall(page.read_text(encoding="utf-8")):
            yield name_of(source), source


def name_of(source: str) -> str:
    return f"{hashlib.sha256(source.encode()).hexdigest()[:12]}.svg"


def _drawn(library: str, source: str) -> str:
    chromium = next((found for name in ("chromium", "google-chrome") if (found := shutil.which(name))), None)
    if chromium is None:
        raise SystemExit("There is no Chromium.")
    literal = "`" + re.sub(r"([`\\$])", r"\\\1", source) + "`"
    text = _PAGE.format(library=library.replace("</script", "<\\/script"), settings=_SETTINGS, source=literal)
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        page.write_text(text, encoding="utf-8")
        options = ("--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=10000", "--dump-dom")
        command = [chromium, *options, f"--user-data-dir={folder}/profile", page.as_uri()]
        shown = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout
    match = re.search(r'<body data-done="">(<svg.*?</svg>)</body>', shown, re.DOTALL)
    if match is None:
        raise SystemExit(f"Not drawn: {html.escape(source[:200])}")
    return _as_file(match[1])


def _as_file(svg: str) -> str:
    """Return a drawing that stands alone, on paper of its own, so that it can be read on a dark page as well."""
    svg = svg.replace("<br>", "<br/>")
    box = re.search(r'viewBox="(\S+) (\S+) (\S+) (\S+)"', svg)
    assert box is not None
    x, y, width, height = map(float, box.groups())
    svg = re.sub(r'width="100%"', f'width="{width:.0f}" height="{height:.0f}"', svg, count=1)
    paper = f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="8" fill="#fff"/>'
    at = svg.index(">") + 1
    return f"{svg[:at]}{paper}{svg[at:]}\n"


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:2]))
