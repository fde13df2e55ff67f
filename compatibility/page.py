"""docs/compatibility.md, out of the rows."""

from __future__ import annotations

from compatibility.rows import PROJECT, Row

__all__ = ["write_page"]

_PAGE = PROJECT / "docs" / "compatibility.md"
_HEAD = """# Compatibility

Written by `make compatibility` out of real runs; do not edit. Each row says what was seen, and on which day.
"""
_GROUPS = {
    "clients": (
        "Clients",
        "Each starts the server over stdio, lists tools, calls `core_ping`, writes a file, reads it and takes it back;"
        " the inspector lists and pings only.",
    ),
    "revisions": ("Revisions of MCP", "Each on the bare wire, against a server of its own."),
    "pythons": ("Python", "Tests that touch every dependency, which the row names."),
    "dependencies": (
        "Dependencies",
        "The same tests with the lowest versions that are allowed, and the highest there are.",
    ),
    "godots": ("Godot", "On files, every Godot 4 from 4.3 on; what is newer than the tested one is untried."),
}
_MARKS = {"works": "works", "fails": "**fails**", "not had": "could not be tried"}
_NEVER = """## What could not be had

- **A Godot newer than 4.6.3**: Debian's newest (sid) has 4.6.3. None was found in experimental, nor among the two dozen
  likely names that were tried on PyPI and npm. `GODOT_PATH=… make compatibility` tries yours.
- **Windows and macOS**: see the README.
"""


def write_page(rows: list[Row]) -> None:
    parts = [_HEAD]
    for group, (title, about) in _GROUPS.items():
        lines = [
            f"| {row.name} | {_MARKS[row.verdict]} | {row.detail} | {row.day} |" for row in rows if row.group == group
        ]
        table = ["| | | | seen |", "|---|---|---|---|", *lines] if lines else ["Not tried yet."]
        parts.append("\n".join([f"## {title}", "", about, "", *table, ""]))
    _PAGE.write_text("\n".join([*parts, _NEVER]))
