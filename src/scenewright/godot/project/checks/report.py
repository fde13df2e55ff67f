"""A doctor's report: issues by category, and the page that shows them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from scenewright.core.text.counts import count_noun
from scenewright.godot.project.checks.environment import Check
from scenewright.godot.project.checks.issues import Severity

__all__ = ["CATEGORIES", "Finding", "category_of", "page"]

CATEGORIES = ("environment", "scripts", "scenes", "assets", "uid", "export")
_TITLES = {"uid": "UIDs"}
_MARKS = {"error": "✗", "warning": "!", "info": "·"}


class Finding(msgspec.Struct, frozen=True):
    """Something that is wrong, and what would help."""

    category: str
    severity: Severity
    code: str
    message: str
    path: str | None = None
    line: int | None = None
    fix: str | None = None


def category_of(code: str, path: str) -> str:
    """Return the category of an issue, by its code and file."""
    if "uid" in code:
        return "uid"
    if path.endswith((".gd", ".cs")):
        return "scripts"
    if path.endswith((".tscn", ".scn")):
        return "scenes"
    return "assets"


def page(name: str, checks: Sequence[Check], findings: Iterable[Finding], left_out: dict[str, int]) -> str:
    """Return the report as Markdown."""
    reported = list(findings)
    counts = ", ".join(
        count_noun(sum(finding.severity == kind for finding in reported), kind) for kind in ("error", "warning")
    )
    lines = [f"# Doctor report: {name}", "", f"{counts}.", "", "## Checks", ""]
    lines += [
        f"- {'✓' if check.ok else '✗'} **{check.name}**: {check.message}{_format_fix(check.fix)}" for check in checks
    ]
    for category in CATEGORIES:
        own = [finding for finding in reported if finding.category == category]
        if own:
            lines += ["", f"## {_TITLES.get(category, category.capitalize())}", "", *map(_format_finding, own)]
            if left_out.get(category):
                lines.append(f"- … and {left_out[category]} more")
    return "\n".join(lines) + "\n"


def _format_finding(finding: Finding) -> str:
    place = f" `{finding.path}{f':{finding.line}' if finding.line else ''}`" if finding.path else ""
    message = " ".join(finding.message.split())
    return f"- {_MARKS[finding.severity]}{place} {message}{_format_fix(finding.fix)}"


def _format_fix(fix: str | None) -> str:
    return f" *{fix}*" if fix else ""
