"""An issue of a project: what is wrong, where, and what would help."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal

import msgspec

__all__ = ["Issue", "Severity", "group_issues", "in_order", "is_in_addon"]

Severity = Literal["error", "warning", "info"]
ADDONS: Final = "res://addons/"
_MOST_PLACES = 50  # of one group; the rest is another, so that none is out of reach
_RANK = {"error": 0, "warning": 1, "info": 2}


class Issue(msgspec.Struct, frozen=True):
    severity: Severity
    code: str
    path: str
    message: str
    line: int | None = None
    node: str | None = None
    fix: str | None = None


def in_order(issues: Iterable[Issue]) -> list[Issue]:
    """Return the issues of the project, then those of addons; the worst first, then by file and line; each once."""
    return sorted(
        set(issues),
        key=lambda issue: (
            is_in_addon(issue),
            _RANK[issue.severity],
            issue.path,
            issue.line or 0,
            issue.code,
            issue.node or "",
            issue.message,
        ),
    )


def is_in_addon(issue: Issue) -> bool:
    return issue.path.startswith(ADDONS)


def group_issues(issues: Iterable[Issue]) -> list[list[Issue]]:
    """Put together those that say the same of several places, where the first of them stands."""
    groups: list[list[Issue]] = []
    latest: dict[tuple[object, ...], list[Issue]] = {}
    for issue in issues:
        kind = (is_in_addon(issue), issue.severity, issue.code, issue.message, issue.fix)
        group = latest.get(kind)
        if group is None or len(group) == _MOST_PLACES:
            group = latest[kind] = []
            groups.append(group)
        group.append(issue)
    return groups
