"""The calls: the newest of the audit log in a window that follows it, older ones by the page."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, Literal

from scenewright.core.records.audit import AuditLog
from scenewright.dashboard.deeds import CALLER
from scenewright.dashboard.markup import Markup, join, tag
from scenewright.dashboard.parts import Links, disclosure, empty
from scenewright.dashboard.words import clip, duration, moment, size

__all__ = ["SHOWN", "CallWindow", "Calls", "Shown"]

Shown = Literal["all", "changes", "failed"]
SHOWN: Final[tuple[Shown, ...]] = ("all", "changes", "failed")
WINDOW = 80
_LOOK_BACK = 20_000  # records, for those that are rarely there
_SUBJECTS = ("scenePath", "path", "scriptPath", "resourcePath", "assetPath", "filePath")
_ORIGINS = {"cli": "shell", "batch": "in a batch", "workflow": "in a workflow", "mcp": "MCP client"}


@dataclass(frozen=True, slots=True)
class CallRow:
    """What the list shows of a record; the rest is read again when somebody unfolds it."""

    number: int
    at: str
    tool: str
    summary: str
    subject: str
    by: str
    ok: bool
    dry_run: bool
    entry: int | None
    milliseconds: int
    answered: int | None
    by_this_page: bool

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> CallRow:
        action = f" {record['action']}" if record.get("action") else ""
        entry, answered = record.get("entry"), record.get("bytes")
        return cls(
            number=record["n"],
            at=str(record.get("ts", "")),
            tool=clip(f"{record.get('tool')}{action}", 80),
            summary=(summary := clip(str(record.get("summary", "")), 300)),
            subject=_subject(record, summary),
            by=clip(_caller(record), 80),
            ok=bool(record.get("ok")),
            dry_run=bool(record.get("dryRun")),
            entry=entry if isinstance(entry, int) else None,
            milliseconds=int(record.get("durationMs") or 0),
            answered=answered if isinstance(answered, int) else None,
            by_this_page=_is_by_this_page(record),
        )

    def belongs_to(self, shown: Shown) -> bool:
        if self.by_this_page and self.dry_run:
            return False  # made to show a diff beside what waits: no deed of an agent's, and nothing was done
        return shown == "all" or (self.entry is not None if shown == "changes" else not self.ok)


def _subject(record: Mapping[str, Any], summary: str) -> str:
    """Return the file that a call was about, where its summary does not say so."""
    args = record.get("args")
    given: Any = args.get("params", args) if isinstance(args, Mapping) else None
    paths = (given.get(name) for name in _SUBJECTS) if isinstance(given, Mapping) else ()
    path = next((each for each in paths if isinstance(each, str) and each), "")
    return "" if path.rpartition("/")[2] in summary else clip(path.removeprefix("res://"), 80)


def _is_by_this_page(record: Mapping[str, Any]) -> bool:
    return record.get("client") == CALLER and record.get("origin") == "cli"


def _caller(record: Mapping[str, Any]) -> str:
    if _is_by_this_page(record):
        return "you, on this page"
    origin = _ORIGINS.get(str(record.get("origin")), str(record.get("origin")))
    client = record.get("client")
    if client is None:
        return origin
    return str(client) if record.get("origin") == "mcp" else f"{client}, {origin}"


class Calls:
    """The audit log, read as others write it; holds a window of rows for each way to look at it."""

    def __init__(self, log: AuditLog, links: Links) -> None:
        self._log = log
        self._links = links
        self._read: tuple[int, int] | None = None
        self._last = 0
        self._windows: dict[Shown, deque[CallRow]] = {shown: deque(maxlen=WINDOW) for shown in SHOWN}

    def refresh(self) -> int:
        """Read what is new; return the number of the last call."""
        now = self._log.fingerprint()
        if now == self._read:
            return self._last
        fresh = []
        for record in islice(self._log.newest_first(), _LOOK_BACK):
            if record["n"] <= self._last:
                break
            fresh.append(CallRow.of(record))
            if all(sum(row.belongs_to(shown) for row in fresh) >= WINDOW for shown in SHOWN):
                break
        for row in reversed(fresh):
            for shown, window in self._windows.items():
                if row.belongs_to(shown):
                    window.appendleft(row)
        self._last = fresh[0].number if fresh else self._last
        self._read = now
        return self._last

    def newest(self, shown: Shown) -> list[CallRow]:
        return list(self._windows[shown])

    def before(self, number: int, shown: Shown) -> list[CallRow]:
        """Return a page of calls that came before one, newest first."""
        older = (CallRow.of(each) for each in self._log.newest_first() if each["n"] < number)
        return list(islice((row for row in older if row.belongs_to(shown)), WINDOW))

    def find(self, number: int) -> Mapping[str, Any] | None:
        for record in self._log.newest_first():
            if record["n"] <= number:
                return record if record["n"] == number else None
        return None

    def rows(self, calls: list[CallRow], shown: Shown) -> Markup:
        """Return the list, with the way to older calls where the page is full."""
        if not calls:
            return empty("No calls yet. They appear here as the agent makes them.")
        rows = tag("ol", *(self._row(call) for call in calls), class_="rows calls", data_rows=True)
        if len(calls) < WINDOW:
            return rows
        older = f"{self._links.to('calls')}?show={shown}&before={calls[-1].number}"
        return join(rows, tag("p", tag("a", "Older calls", href=older), class_="more"))

    def _row(self, call: CallRow) -> Markup:
        mark = tag("span", "✓" if call.ok else "✗", class_="mark", aria_hidden="true")
        said = tag("span", "" if call.ok else "Failed: ", class_="unseen")
        facts = [call.tool, call.by, duration(call.milliseconds)]
        facts += [size(call.answered)] if call.answered is not None else []
        facts += ["dry run"] if call.dry_run else []
        where = tag("bdi", call.subject, class_="where") if call.subject else None
        what = tag("span", said, tag("bdi", call.summary), where, class_="what")
        head = join(mark, what, moment(call.at), tag("span", *_dotted(facts), class_="facts"))
        more = self._links.to("calls", call.number)
        kind = "ok" if call.ok else "failed"
        changed = " changed" if call.entry is not None else ""
        return tag(
            "li",
            disclosure(head, more, "What was sent"),
            id=f"call-{call.number}",
            class_=f"{kind}{changed}",
            data_v="1",
        )

    def detail(self, number: int) -> Markup:
        """Return all that is on record of a call."""
        record = self.find(number)
        if record is None:
            return empty("This call is no longer on record.")
        names = (
            "tool",
            "operation",
            "action",
            "actor",
            "client",
            "origin",
            "correlationId",
            "entry",
            "error",
            "details",
        )
        facts = [(name, record[name]) for name in names if record.get(name) is not None]
        rows = (join(tag("dt", name), tag("dd", _shown(value))) for name, value in facts)
        sent = json.dumps(record.get("args"), indent=2, ensure_ascii=False)
        return join(tag("dl", *rows), tag("pre", clip(sent, 20_000), tabindex="0", aria_label="Arguments"))


def _dotted(facts: list[str]) -> Iterator[Markup]:
    for fact in facts:
        yield tag("bdi", fact)


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else clip(json.dumps(value, ensure_ascii=False), 4000)


class CallWindow:
    """The newest calls as a part of the page."""

    def __init__(self, calls: Calls, shown: Shown) -> None:
        self._calls = calls
        self._shown = shown

    @property
    def name(self) -> str:
        return "calls" if self._shown == "all" else f"calls-{self._shown}"

    def stamp(self) -> Hashable:
        return self._calls.refresh()

    def render(self) -> Markup:
        return self._calls.rows(self._calls.newest(self._shown), self._shown)
