"""Looks for inputs that break a reader or a line: `make fuzz`, or

    python -m tests.fuzz.search --seconds 60 godot.scene roblox      (targets, or whole subjects; all by default)

Each target runs in a process of its own, with limits on memory and on the time of an input, guided by coverage where
`atheris` is installed (Linux, Python 3.11 to 3.13) and by Hypothesis elsewhere. What was found lies in `build/fuzz` and
is said at the end; one that is mended goes to `tests/fuzz/finds/TARGET`, where `test_finds.py` replays it for good.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tests.fuzz.target import Target
from tests.fuzz.targets import SUBJECTS, find_target, targets_of

__all__ = ["Run", "current_input"]

STUCK_SECONDS = 60.0  # without a word or a further input
_LOOK_SECONDS = 0.5
_LEAD = 16
RESULTS = Path("build/fuzz")


def current_input(folder: Path) -> tuple[int, bytes]:
    """How many inputs a child has tried, and the one that it tried last."""
    content = (folder / "current").read_bytes()
    size = int.from_bytes(content[8:_LEAD], "little")
    return int.from_bytes(content[:8], "little"), content[_LEAD : _LEAD + size]


class Run:
    """One child: what it says, and what it died of."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.folder = folder
        self.said = folder / "stderr"
        with self.said.open("wb") as said:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.fuzz.child", *arguments],
                stdout=subprocess.PIPE,
                stderr=said,
                env=os.environ | {"SCENEWRIGHT_HOME": str(folder / "home"), "GODOT_PATH": ""},
                start_new_session=True,
            )
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        threading.Thread(target=self._pump, daemon=True).start()
        self.died: str | None = None

    def messages(self) -> Iterator[dict[str, Any]]:
        """What the child tells until it ends; one that does not get on is ended."""
        tried, since = -1, time.monotonic()
        while True:
            try:
                line = self._lines.get(timeout=_LOOK_SECONDS)
            except queue.Empty:
                count = current_input(self.folder)[0] if (self.folder / "current").exists() else 0
                if count != tried:
                    tried, since = count, time.monotonic()
                if time.monotonic() - since > STUCK_SECONDS:
                    self._end(signal.SIGABRT)
                continue
            if line is None:
                break
            since = time.monotonic()
            yield json.loads(line)
        code = self._process.wait()
        self._end(signal.SIGKILL)  # servers that it had started
        if code:
            self.died = f"it ended with {signal.Signals(-code).name if code < 0 else code}"

    def _end(self, how: signal.Signals) -> None:
        try:
            os.killpg(self._process.pid, how)
        except ProcessLookupError:
            return

    def _pump(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as said:
            for line in said:
                if line.startswith(b"{"):
                    self._lines.put(line)
        self._lines.put(None)


def search(target: Target, seconds: float, seed: int, *, by_chance: bool) -> tuple[int, list[dict[str, str]]]:
    """Return how many inputs were tried, and the finds; after one that ends the process another goes on."""
    tried, finds, end = 0, list[dict[str, str]](), time.monotonic() + seconds
    while (left := end - time.monotonic()) > min(2, seconds / 2):
        with tempfile.TemporaryDirectory(prefix="fuzz-", ignore_cleanup_errors=True) as name:
            folder = Path(name)
            engine = ["hypothesis"] if by_chance else []
            run = Run(folder, "search", target.name, str(left), str(seed + len(finds)), name, *engine)
            for message in run.messages():
                tried += message.get("tried", 0)
                if "kind" in message and message["kind"] not in {find["kind"] for find in finds}:
                    finds.append(message)
                    keep(target, (folder / "finds" / target.name / message["label"]).read_bytes())
            if run.died is not None:
                count, data = current_input(folder)
                tried += count
                said = run.said.read_text("utf-8", "replace")[-3000:]
                finds.append({"target": target.name, "kind": run.died, "label": keep(target, data), "said": said})
    return tried, finds


def keep(target: Target, data: bytes) -> str:
    name = hashlib.blake2b(data, digest_size=6).hexdigest()
    folder = RESULTS / target.name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data)
    return name


def chosen(names: list[str]) -> Iterator[Target]:
    for name in names or SUBJECTS:
        if name in SUBJECTS:
            yield from targets_of(name)
        else:
            yield find_target(name)


def main() -> int:
    parser = argparse.ArgumentParser(prog="make fuzz", description="Look for inputs that break a reader or a line.")
    parser.add_argument("targets", nargs="*", help="targets or subjects; default: all")
    parser.add_argument("--seconds", type=float, default=60, help="for each target; default: 60")
    parser.add_argument("--seed", type=int, default=int(time.time()) % 100_000, help="default: another each time")
    parser.add_argument("--hypothesis", action="store_true", help="without coverage, also where atheris is installed")
    given = parser.parse_args()
    by_chance = given.hypothesis or find_spec("atheris") is None
    print(f"{'Hypothesis' if by_chance else 'atheris'}, {given.seconds:g} s for each target, seed {given.seed}")
    count = 0
    for target in chosen(given.targets):
        tried, finds = search(target, given.seconds, given.seed, by_chance=by_chance)
        print(f"{target.name:24} {tried:8,} inputs  {len(finds)} finds", flush=True)
        for find in finds:
            print(f"\n--- {find['kind']}: {RESULTS / target.name / find['label']}\n{find['said']}", flush=True)
        count += len(finds)
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
