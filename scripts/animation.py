"""Draws docs/demo.webp: what was asked for, the chapters of the demo as they are done, and the game as it was played.

Everything in it is of one real run: `scenewright demo` builds and plays a game, whose tape is played again and filmed.
Needs a Godot on the PATH or in GODOT_PATH, a screen or Xvfb, and the font DejaVu Sans.
"""

from __future__ import annotations

import io
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

TARGET = Path(__file__).parent.parent / "docs" / "demo.webp"
TAPE = "tests/all_coins.tape.json"
ASKED = "Make a small platformer: a hero who runs and jumps, coins to collect, a counter."
SIZE = (640, 400)
FRAME_MS = 50
EVERY = 3  # frames of the game to one of the picture, at 60 a second
MOST_BYTES = 1_000_000
BACK, TEXT, FAINT, GREEN, BUBBLE = "#1e2234", "#e8eaf2", "#8a93b4", "#82e096", "#34406b"
_JPEG = re.compile(rb"\xff\xd8\xff.*?\xff\xd9(?=\x00|00dc|idx1)", re.DOTALL)


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        game, film = Path(folder) / "game", Path(folder) / "film.avi"
        told = _scenewright("demo", "--keep", str(game))
        _scenewright("play", TAPE, "--project", str(game), "--record-video", str(film))
        pictures = [*_building(_chapters(told)), *_playing(film)]
    frames, times = [picture for picture, _ in pictures], [time for _, time in pictures]
    frames[0].save(
        TARGET,
        save_all=True,
        append_images=frames[1:],
        duration=times,
        loop=0,
        quality=60,
        method=6,
        minimize_size=True,
    )
    size = TARGET.stat().st_size
    print(f"{len(frames)} frames, {size:,} bytes")
    return 0 if size <= MOST_BYTES else 1


def _scenewright(*arguments: str) -> str:
    return subprocess.run(
        [sys.executable, "-m", "scenewright", *arguments], capture_output=True, text=True, check=True
    ).stdout


def _chapters(told: str) -> list[tuple[str, int]]:
    """Return the titles of the game's chapters, each with how many calls it took."""
    game = told[told.index("# Which tools?") :]
    blocks = re.split(r"^# ", game, flags=re.MULTILINE)[1:]
    return [(block.splitlines()[0].rstrip(), len(re.findall(r"^> ", block, re.MULTILINE))) for block in blocks]


def _building(chapters: list[tuple[str, int]]) -> Iterator[tuple[Image.Image, int]]:
    for length in range(0, len(ASKED) + 1, 4):
        yield _page(ASKED[:length], []), FRAME_MS
    yield _page(ASKED, []), 600
    for done in range(1, len(chapters) + 1):
        yield _page(ASKED, chapters[:done]), 500
    yield _page(ASKED, chapters), 1200


def _page(asked: str, chapters: list[tuple[str, int]]) -> Image.Image:
    picture = Image.new("RGB", SIZE, BACK)
    draw = ImageDraw.Draw(picture)
    large, small = _font(17), _font(14)
    draw.rounded_rectangle((60, 18, 620, 78), 12, fill=BUBBLE)
    for row, line in enumerate(_wrapped(asked, 62)):
        draw.text((76, 28 + 22 * row), line, font=large, fill=TEXT)
    top = 96
    step = min(30, (SIZE[1] - top - 10) // max(1, len(chapters)))
    for row, (title, calls) in enumerate(chapters):
        draw.text((24, top + step * row), "✓", font=small, fill=GREEN)
        draw.text((46, top + step * row), title, font=small, fill=TEXT)
        counted = f"{calls} call{'s' if calls != 1 else ''}"
        draw.text((616 - draw.textlength(counted, font=small), top + step * row), counted, font=small, fill=FAINT)
    return picture


def _wrapped(text: str, width: int) -> list[str]:
    lines = [""]
    for word in text.split(" "):
        if len(lines[-1]) + len(word) > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def _playing(film: Path) -> Iterator[tuple[Image.Image, int]]:
    """Yield frames of a film, as large as they go on the page."""
    shown = [Image.open(io.BytesIO(jpeg)) for jpeg in _JPEG.findall(film.read_bytes())][EVERY::EVERY]
    if not shown:
        raise SystemExit("The film has no frames.")
    for number, frame in enumerate(shown, 1):
        page = Image.new("RGB", SIZE, BACK)
        scale = min(SIZE[0] / frame.width, SIZE[1] / frame.height)
        drawn = frame.convert("RGB").resize(
            (round(frame.width * scale), round(frame.height * scale)), Image.Resampling.BOX
        )
        page.paste(drawn, ((SIZE[0] - drawn.width) // 2, (SIZE[1] - drawn.height) // 2))
        yield page, FRAME_MS if number < len(shown) else 2000


def _font(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype("DejaVuSans.ttf", size)


if __name__ == "__main__":
    raise SystemExit(main())
