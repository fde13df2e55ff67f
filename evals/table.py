"""The Markdown table of docs/evals.md, from records."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path

from evals.record import Record

__all__ = ["of_records", "records_below"]

HEADINGS = ("task", "sentences", "calls", "failed", "bytes read", "bytes of listing")


def records_below(folders: Iterable[Path]) -> list[Record]:
    """Return all records in and below some folders, those of one label and model together."""
    found = [Record.read(file) for folder in folders for file in sorted(folder.rglob("record.json"))]
    return sorted(found, key=lambda record: (record.label, record.model, record.task, record.began))


def of_records(records: Sequence[Record]) -> str:
    """Return a table for each label and model, with a line for all its tasks."""
    tables = [_table(list(group)) for _, group in groupby(records, lambda record: (record.label, record.model))]
    return "\n\n".join(tables) if tables else "No records."


def _table(records: list[Record]) -> str:
    one = records[0]
    said = (one.label, one.model, one.began[:10], f"scenewright {one.version}")
    title = ", ".join(part for part in said if part)
    rows = [[_name(record), _held(record), *_numbers(record)] for record in records]
    return "\n".join(
        [f"### {title}", "", _row(HEADINGS), _row("---" for _ in HEADINGS), *map(_row, rows), _sum(records)]
    )


def _name(record: Record) -> str:
    return f"`{record.task}`"


def _held(record: Record) -> str:
    if record.solved is None:
        return "not checked"
    held = sum(said == "holds" for said in record.sentences.values())
    return f"{held} of {len(record.sentences)}"


def _numbers(record: Record) -> list[str]:
    return [str(record.calls), str(record.failed), f"{record.read_bytes:,}", f"{record.listing_bytes:,}"]


def _sum(records: list[Record]) -> str:
    solved = f"{sum(record.solved is True for record in records)} of {len(records)} solved"
    count = len(records)
    calls = sum(record.calls for record in records)
    failed = sum(record.failed for record in records)
    share = f"{failed} ({100 * failed / calls:.1f} %)" if calls else "0"
    read = sum(record.read_bytes for record in records)
    mean = f"{calls} ({calls / count:.1f} a task)"
    listing = max(record.listing_bytes for record in records)
    return _row(["**all**", solved, mean, share, f"{read:,} ({read // count:,} a task)", f"{listing:,} at most"])


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
