"""An issue of a project: what is wrong, where, and what would help."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

__all__ = ["Issue", "Severity", "in_order"]

Severity = Literal["error", "warning", "info"]
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
    """Return the issues, the worst first, then by file and line; each once."""
    return sorted(
        set(issues),
        key=lambda issue: (
            _RANK[issue.severity],
            issue.path,
            issue.line or 0,
            issue.code,
            issue.node or "",
            issue.message,
        ),
    )
