"""What `make bench` keeps: each part's last figures in results.json, and RESULTS.md for people, which is made of it."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any, Self

import psutil

from bench.figures import Figure, plain
from bench.yardstick import yardstick

__all__ = ["Record", "commit", "machine", "read_records", "results_page", "worse", "write_records"]

FOLDER = Path(__file__).parent
WORSE = 1.1
HEAD = """# Results of `make bench`

Written by `make bench`, from results.json; each part says when and on which commit it was last run, and of which
machine. Goals are in brackets. Times are wall time where nothing else is said; a machine that others use makes them
uneven, so what must hold is a ratio to something known in the same run, or processor time, wherever it can be: there
is no counter of instructions on the machine below. When two runs are compared, times are first divided by the
yardstick, a fixed piece of work timed beside each part.
"""


@dataclass(frozen=True, slots=True)
class Record:
    """One part's last run."""

    part: str
    date: str
    commit: str
    machine: str
    yardstick_ms: float
    figures: list[Figure] = field(default_factory=list)
    unmeasured: str = ""

    @classmethod
    def begin(cls, part: str) -> Self:
        date = datetime.now(UTC).date().isoformat()
        return cls(part, date, commit(), machine(), round(yardstick(), 2))

    @classmethod
    def from_json(cls, part: str, stored: dict[str, Any]) -> Self:
        figures = [Figure.from_json(figure) for figure in stored["figures"]]
        return cls(part=part, **{**stored, "figures": figures})

    def to_json(self) -> dict[str, Any]:
        kept = {name: getattr(self, name) for name in ("date", "commit", "machine", "yardstick_ms", "unmeasured")}
        return {**kept, "figures": [figure.to_json() for figure in self.figures]}


def machine() -> str:
    """Cores, memory and system, and nothing that names the machine."""
    memory = psutil.virtual_memory().total / 2**30
    system = platform.freedesktop_os_release()["PRETTY_NAME"] if platform.system() == "Linux" else platform.system()
    return f"{os.cpu_count()} cores, {memory:.0f} GiB, {system}, Python {platform.python_version()}"


def read_records() -> dict[str, Record]:
    place = FOLDER / "results.json"
    stored = json.loads(place.read_text(encoding="utf-8")) if place.exists() else {}
    return {part: Record.from_json(part, kept) for part, kept in stored.items()}


def write_records(records: dict[str, Record]) -> None:
    stored = {part: record.to_json() for part, record in records.items()}
    text = json.dumps(stored, indent=1, ensure_ascii=False) + "\n"
    (FOLDER / "results.json").write_text(text, encoding="utf-8")
    (FOLDER / "RESULTS.md").write_text(results_page(records), encoding="utf-8")


def results_page(records: dict[str, Record]) -> str:
    """Return RESULTS.md."""
    return "\n".join([HEAD, *map(_table, records.values())])


def worse(before: Record, now: Record) -> Iterator[str]:
    """Each figure that got more than a tenth worse, with the machine's own speed taken out of times and rates."""
    earlier = {figure.name: figure for figure in before.figures}
    slower = now.yardstick_ms / before.yardstick_ms
    for figure in now.figures:
        old = earlier.get(figure.name)
        if old is None or old.unit != figure.unit or not old.value or not figure.value:
            continue
        growth = old.value / figure.value if figure.more_is_better else figure.value / old.value
        if figure.depends_on_machine:
            growth /= slower
        if growth > WORSE:
            what = f"{now.part}: {figure.name}: {plain(old.value)} → {plain(figure.value)} {figure.unit}"
            clock = f", {figure.clock} time" if figure.depends_on_machine else ""
            yield f"{what}, {growth - 1:.0%} worse{clock}"


def _table(record: Record) -> str:
    about = (import_module(f"bench.{record.part}").__doc__ or "").partition("\n")[0]
    when = f"{record.date}, commit {record.commit}; {record.machine}; yardstick {record.yardstick_ms:.2f} ms"
    rows = [f"## {record.part}\n", f"{about}\n", f"{when}\n"]
    if record.unmeasured:
        rows.append(f"Not measured: {record.unmeasured}\n")
    if record.figures:
        rows += ["| | | goal | |", "|---|---|---|---|", *map(_row, record.figures), ""]
    return "\n".join(rows)


def _row(figure: Figure) -> str:
    missed = "" if figure.holds else " **missed**"
    return f"| {figure.name} | {plain(figure.value)} {figure.unit} | {figure.goal}{missed} | {figure.remark} |"


def commit() -> str:
    """The commit that is measured, and whether anything but the results differs from it."""
    short = _git("rev-parse", "--short=9", "HEAD")
    changed = _git("status", "--porcelain", "--untracked-files=no", "--", "src", "bench/*.py")
    return f"{short} with changes" if changed else short or "unknown"


def _git(*words: str) -> str:
    done = subprocess.run(["git", *words], cwd=FOLDER.parent, capture_output=True, text=True, check=False)
    return done.stdout.strip()
