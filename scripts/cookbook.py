"""Carries out the calls of the cookbook's recipes on fresh projects, and writes their replies and pictures.

A recipe is a page of docs/cookbook. Its blocks marked `transcript` are calls, each `> tool` with its arguments as YAML,
and replies, of which an author may leave lines out with `…`. A reply that is not what comes of the call is written
anew; the last picture of a reply becomes the page's own. A test carries the calls out as well, and writes nothing.

    python scripts/cookbook.py [RECIPE ...]

The guide to play is such a page as well, on the game of the demo. Needs a Godot on the PATH or in GODOT_PATH, and a
screen or Xvfb.
"""

from __future__ import annotations

import io
import json
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import yaml
from PIL import Image

from scenewright.app import make_runtime
from scenewright.cli.demo.game import Call, chapters
from scenewright.cli.outline import outline
from scenewright.contracts import Rendered, render
from scenewright.core.calls.call import Attachment, Request
from scenewright.core.config import Config
from scenewright.core.text.control_characters import visible_values

__all__ = ["Reply", "Step", "carry_out", "guides", "recipes", "steps_of"]

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
DEMO = "demo"
MORE = "…"  # any number of lines where it stands alone, else any text
MOST_LINES = 12  # of a reply that is written for the first time
WIDEST, MOST_BYTES = 640, 60_000
_NEW_EACH_TIME = re.compile(r"\s*(?:uid|guid|fileId|instanceId|revision|hash): ")
_START = re.compile(r"<!-- start: (\S+) -->")


@dataclass(frozen=True)
class Step:
    """A call of a recipe, and the reply that its page shows, with the page's lines that this takes."""

    place: str
    tool: str
    arguments: dict[str, Any]
    shown: tuple[str, ...]
    lines: slice

    def is_answered_by(self, reply: Sequence[str]) -> bool:
        def pattern(line: str) -> str:
            return r"(?:.*\n)*?" if line == MORE else ".*".join(map(re.escape, line.split(MORE))) + "\n"

        return re.fullmatch("".join(map(pattern, self.shown)), "".join(f"{line}\n" for line in reply)) is not None


@dataclass(frozen=True)
class Reply:
    """What came of a call: lines for a reader, and its last picture."""

    lines: list[str]
    picture: bytes | None


def main(names: Sequence[str]) -> int:
    for page in (*recipes(), *guides()):
        if not names or page.stem in names:
            print(page.stem, flush=True)
            _write(page, carry_out(page))
    return 0


def recipes() -> list[Path]:
    return sorted((DOCS / "cookbook").glob("*.md"))


def guides() -> list[Path]:
    """Return the other pages with such calls; their pictures are their own."""
    return [DOCS / "play.md"]


def carry_out(page: Path) -> list[Reply]:
    """Return the replies to the calls of a recipe, carried out on a fresh project."""
    start = _START.search(page.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder) / "game"
        before = _make_project(project, start[1] if start else "")
        calls = [(step.tool, step.arguments) for step in steps_of(page)]
        return anyio.run(_call_all, project, [*before, *calls])[len(before) :]


async def _call_all(project: Path, calls: Sequence[Call]) -> list[Reply]:
    runtime = make_runtime(Config(project=project, rate_limit=None))
    try:
        requests = [Request(tool=tool, arguments=arguments, approved=True) for tool, arguments in calls]
        return [_reply(render(await runtime.run(request), brief=True)) for request in requests]
    finally:
        runtime.close()


def _make_project(folder: Path, start: str) -> list[Call]:
    """Make the project that a page begins with, an empty one of Godot or a folder of the checkout.

    The calls that are returned belong to it as well: those that build the game of the demo, where a page begins there.
    """
    if start not in ("", DEMO):
        shutil.copytree(ROOT / start, folder)
        return []
    folder.mkdir()
    (folder / "project.godot").write_text('config_version=5\n\n[application]\n\nconfig/name="Game"\n')
    building = [*chapters()][:-1]  # what the last one checks is the demo's own matter
    return [call for chapter in building for call in chapter.calls] if start == DEMO else []


def steps_of(page: Path) -> Iterator[Step]:
    """Yield the calls of a page in their order."""
    lines = page.read_text(encoding="utf-8").splitlines()
    inside = False
    for number, line in enumerate(lines):
        if line.startswith("```"):
            inside = line == "```transcript"
        elif inside and line.startswith("> "):
            yield _step(page, lines, number)


def _step(page: Path, lines: Sequence[str], start: int) -> Step:
    def ends(at: int, *marks: str) -> int:
        return next(number for number in range(at, len(lines)) if lines[number].startswith(("> ", "```", *marks)))

    answer = ends(start + 1, "✓", "✗")
    end = ends(answer)
    tool, _, first = lines[start].removeprefix("> ").partition(" ")
    arguments = yaml.safe_load("\n".join([first, *lines[start + 1 : answer]])) or {}
    shown = [line.rstrip() for line in lines[answer:end]]
    while shown and not shown[-1]:
        shown.pop()
    return Step(f"{page.name}:{start + 1}", tool, arguments, tuple(shown), slice(answer, end))


def _reply(rendered: Rendered) -> Reply:
    pictures = [each for each in rendered.attachments if each.kind == "image" and isinstance(each.data, bytes)]
    lines = [line.rstrip() for line in _lines(rendered)]
    return Reply(lines, _bytes_of(pictures[-1]) if pictures else None)


def _bytes_of(picture: Attachment) -> bytes:
    assert isinstance(picture.data, bytes)
    return picture.data


def _lines(rendered: Rendered) -> Iterator[str]:
    body = rendered.structured or {}
    if rendered.failed:
        error = (body or json.loads(rendered.text or "{}"))["error"]
        yield f"✗ {error['message']}"
        yield from (f"  {error[key]}" for key in ("suggestedFix",) if key in error)
    else:
        yield f"✓ {body.get('summary', '')}".rstrip()
        yield from outline(visible_values(body.get("result", body.get("output", {}))))
    yield from (f"! {warning}" for warning in body.get("warnings", []))


def _write(page: Path, replies: Sequence[Reply]) -> None:
    lines = page.read_text(encoding="utf-8").splitlines()
    for step, reply in reversed(list(zip(steps_of(page), replies, strict=True))):
        if not step.shown or not step.is_answered_by(reply.lines):
            print(f"  {step.place} {step.tool}: {reply.lines[0]}")
            tail = [] if lines[step.lines.stop].startswith("```") else [""]
            lines[step.lines] = [*_first_shown(reply.lines), *tail]
    page.write_text("\n".join(lines) + "\n", encoding="utf-8")
    pictures = [reply.picture for reply in replies if reply.picture]
    if pictures and page in recipes():
        _save(pictures[-1], page.with_suffix(".webp"))


def _first_shown(reply: Sequence[str]) -> Iterator[str]:
    """Yield what a page shows of a reply before an author has cut it: its beginning, without what each run has anew."""
    shown = [MORE if _NEW_EACH_TIME.match(line) else line for line in reply[:MOST_LINES]]
    shown += [MORE] if len(reply) > MOST_LINES else []
    yield from (line for line, before in zip(shown, [None, *shown], strict=False) if line != MORE or before != MORE)


def _save(picture: bytes, target: Path) -> None:
    """Write a picture as small as a page needs it."""
    with Image.open(io.BytesIO(picture)) as opened:
        whole = opened.convert("RGB")
    whole.thumbnail((WIDEST, WIDEST))
    whole.save(target, quality=80, method=6)
    if target.stat().st_size > MOST_BYTES:
        raise SystemExit(f"{target} has more than {MOST_BYTES:,} bytes.")


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
