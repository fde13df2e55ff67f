"""What setting up a client changes in its file: worked out first, shown as a diff, then written and read back."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scenewright.core.writes.disk import mode_of, read_if_there, stage
from scenewright.setup.clients import Client
from scenewright.setup.entries import SHAPES, Launch
from scenewright.setup.json_text import TextProblem, member, parse_json, remove_member, set_member
from scenewright.setup.toml_text import parse_toml, remove_table, set_table

__all__ = [
    "ENTRY",
    "FileChange",
    "diff_lines",
    "entry_in",
    "entry_text",
    "known_entry",
    "plan_change",
    "without_entry",
    "write_change",
]

ENTRY = "scenewright"
_OF_OTHER_TRANSPORTS = ("url", "httpUrl", "serverUrl", "headers", "type", "cmd", "command", "args")


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file before and after; None before where there was none."""

    file: Path
    before: bytes | None
    after: bytes

    @property
    def is_none(self) -> bool:
        return self.before == self.after


def plan_change(client: Client, file: Path, launch: Launch) -> FileChange:
    """Return the file with our entry; what else is in the file, and in an entry that is there, stays.

    Raises:
        TextProblem: the file cannot be read or changed safely.
    """
    before = read_if_there(file)
    text = _decoded(before)
    known = entry_in(client, text)
    kept = {key: value for key, value in known.items() if key not in _OF_OTHER_TRANSPORTS} if known else {}
    entry = kept | SHAPES[client.shape](launch)
    path = _path(client, text)
    after = set_table(text, path, entry) if client.format == "toml" else set_member(text, path, entry)
    if known == entry and before is not None:
        return FileChange(file, before, before)
    _refuse_read_only(file)
    return FileChange(file, before, after.encode())


def known_entry(client: Client, file: Path, project: Path | None) -> Mapping[str, Any] | None:
    """Return our entry of a client, also where the client keeps it by project.

    Raises:
        TextProblem: the file cannot be read.
    """
    text = _decoded(read_if_there(file))
    if not client.program:
        return entry_in(client, text)
    settings = parse_json(text)
    places = [("projects", str(project), *client.keys, ENTRY), (*client.keys, ENTRY)]
    entries = (member(settings, place) for place in places)
    return next((entry for entry in entries if isinstance(entry, dict)), None)


def entry_in(client: Client, text: str) -> Mapping[str, Any] | None:
    """Return our entry of a client's file.

    Raises:
        TextProblem: the file cannot be read.
    """
    entry = member(_parsed(client, text), _path(client, text))
    return entry if isinstance(entry, dict) else None


def without_entry(client: Client, content: bytes, before: bytes | None) -> bytes:
    """Return a file without our entry, and without the object around it where we brought it.

    An entry that was there before us is put back instead.

    Raises:
        TextProblem: the file cannot be read or changed safely.
    """
    text = _decoded(content)
    if entry_in(client, text) is None:
        return content
    path = _path(client, text)
    own = entry_in(client, _decoded(before))
    if client.format == "toml":
        return (remove_table(text, path) if own is None else set_table(text, path, dict(own))).encode()
    if own is not None:
        return set_member(text, path, dict(own)).encode()
    text = remove_member(text, path)
    brought = before is None or member(_parsed(client, _decoded(before)), client.keys) is None
    if brought and member(parse_json(text), client.keys) == {}:
        text = remove_member(text, client.keys)
    return text.encode()


def write_change(change: FileChange) -> None:
    """Write the file beside its place and put it there, with its permissions, and read it back.

    Raises:
        TextProblem: it has changed since it was looked at, or is not what was written.
        OSError: it cannot be written.
    """
    place = Path(os.path.realpath(change.file))  # a link stays one
    _refuse_read_only(place)
    if read_if_there(place) != change.before:
        raise TextProblem("it was changed in the meantime; nothing was written")
    temporary = place.with_name(f"{place.name}.scenewright-tmp")
    stage(temporary, change.after, mode=mode_of(place) or 0o600, like=place)
    temporary.replace(place)
    if read_if_there(place) != change.after:
        raise TextProblem("it does not hold what was written")


def _refuse_read_only(file: Path) -> None:
    mode = mode_of(file)
    if mode is not None and not mode & 0o200:  # another program, or its owner, wants it to stay as it is
        raise TextProblem("it is read-only")


def _path(client: Client, text: str) -> tuple[str, ...]:
    if client.name == "opencode" and isinstance(member(_parsed(client, text), ("mcp", "servers")), dict):
        return "mcp", "servers", ENTRY  # the form since version 2
    return *client.keys, ENTRY


def _parsed(client: Client, text: str) -> dict[str, Any]:
    return parse_toml(text) if client.format == "toml" else parse_json(text)


def _decoded(content: bytes | None) -> str:
    try:
        return (content or b"").decode("utf-8")
    except UnicodeDecodeError:
        raise TextProblem("it is not UTF-8") from None


def entry_text(client: Client, launch: Launch) -> str:
    """Return our entry as a client's file would hold it, for a person to paste."""
    entry = SHAPES[client.shape](launch)
    if client.format == "toml":
        return set_table("", (*client.keys, ENTRY), entry)
    nested: dict[str, Any] = {ENTRY: entry}
    for key in reversed(client.keys):
        nested = {key: nested}
    if client.format == "yaml":
        import yaml

        return str(yaml.safe_dump(nested, sort_keys=False, allow_unicode=True))
    return json.dumps(nested, indent=2, ensure_ascii=False)


def diff_lines(change: FileChange) -> list[str]:
    """Return what changes, as a diff without its head."""
    from scenewright.core.writes.changeset import Change
    from scenewright.core.writes.diff import diff_of

    diff = diff_of([Change(change.file.name, change.before, change.after)])
    return [line for entry in (diff.entries if diff else ()) for line in entry.split("\n")]
