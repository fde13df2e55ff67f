"""Where opening answers are kept between two starts: one small file for each set of conditions, in the user's folder.

A file is believed only if it is a regular one of this user's, nobody else can read or write it, it is whole, and it was
written for exactly these conditions. A project that is new borrows the answers of another under the same conditions,
with its own place in them; the server then looks at them as it does where there are none.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from scenewright.core.projects.user_folder import user_folder
from scenewright.core.writes.disk import BINARY, is_own
from scenewright.server.start.conditions import Conditions
from scenewright.server.start.lane import Answers

__all__ = ["are_fresh", "keep_answers", "kept_answers"]

FOLDER = "start"
MOST_BYTES = 4 << 20
MOST_FILES = 24
FRESH_SECONDS = 86_400.0
_KIN = 16  # letters of a digest in a file's name


def kept_answers(conditions: Conditions) -> Answers | None:
    """Return what is kept for some conditions or can be borrowed, or None."""
    place = _place(conditions)
    kept = _read_file(place)
    if kept is not None:
        return kept[1] if kept[0] == conditions else None
    if not conditions.kin:
        return None
    for other in _newest_first(place.parent.glob(f"{conditions.kin[:_KIN]}-*.json"))[:1]:
        kept = _read_file(other)
        if kept is not None and kept[0].kin == conditions.kin:
            return _moved(kept[1], kept[0].root, conditions.root)
    return None


def _read_file(place: Path) -> tuple[Conditions, Answers] | None:
    try:
        if not stat.S_ISDIR(place.parent.lstat().st_mode):
            return None
        descriptor = os.open(place, os.O_RDONLY | BINARY | getattr(os, "O_NONBLOCK", 0))
        with open(descriptor, "rb") as file:
            if not _is_private(os.fstat(descriptor)) or place.is_symlink():
                return None
            content = file.read(MOST_BYTES)
    except OSError:
        return None
    seal, _, body = content.partition(b"\n")
    if seal != _seal(body):
        return None
    try:
        return _read(json.loads(body))
    except (ValueError, LookupError, TypeError, AttributeError):
        return None


def _moved(answers: Answers, root: str, new: str) -> Answers | None:
    """Return the answers about a project that lies elsewhere; None where its place is told in other words."""
    before, after = (json.dumps(f"Project: {place} (", ensure_ascii=False)[1:-1] for place in (root, new))
    bare = json.dumps(root, ensure_ascii=False)[1:-1]
    moved: dict[str, dict[str, str]] = {}
    for version, each in answers.items():
        if any(text.count(bare) != text.count(before) for text in each.values()):
            return None
        moved[version] = {name: text.replace(before, after) for name, text in each.items()}
    return moved


def are_fresh(conditions: Conditions) -> bool:
    """Return whether what is kept was written within a day; older answers are looked at again."""
    try:
        return abs(time.time() - _place(conditions).lstat().st_mtime) < FRESH_SECONDS
    except OSError:
        return False


def keep_answers(conditions: Conditions, answers: Answers) -> None:
    """Keep answers for the next start under these conditions.

    Raises:
        OSError: the user's folder cannot be written.
    """
    from scenewright.core.writes.disk import make_private_folder, replace_file, stage

    place = _place(conditions)
    place.parent.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    make_private_folder(place.parent)
    texts = list(dict.fromkeys(text for methods in answers.values() for text in methods.values()))
    number = {text: index for index, text in enumerate(texts)}
    numbered = {version: {name: number[text] for name, text in each.items()} for version, each in answers.items()}
    body = json.dumps({"conditions": conditions, "answers": numbered, "texts": texts}, ensure_ascii=False).encode()
    temporary = place.with_name(f"{place.name}.{os.getpid()}.tmp")
    try:
        stage(temporary, _seal(body) + b"\n" + body, mode=0o600, like=place)
        replace_file(temporary, place)
    finally:
        temporary.unlink(missing_ok=True)
    _drop_oldest(place.parent)


def _place(conditions: Conditions) -> Path:
    kin = f"{conditions.kin[:_KIN]}-" if conditions.kin else ""
    return user_folder() / FOLDER / f"{kin}{conditions.digest[:32]}.json"


def _is_private(status: os.stat_result) -> bool:
    shared = sys.platform != "win32" and bool(status.st_mode & 0o077)
    return stat.S_ISREG(status.st_mode) and is_own(status) and not shared and status.st_size < MOST_BYTES


def _seal(body: bytes) -> bytes:
    return hashlib.sha256(body).hexdigest().encode()


def _read(kept: Any) -> tuple[Conditions, Answers] | None:
    texts = kept["texts"]
    if not all(isinstance(text, str) for text in (*texts, *kept["conditions"])):
        return None
    answers = {version: {name: texts[at] for name, at in each.items()} for version, each in kept["answers"].items()}
    return Conditions(*kept["conditions"]), answers


def _drop_oldest(folder: Path) -> None:
    with suppress(OSError):
        for file in _newest_first(folder.glob("*.json"))[MOST_FILES:]:
            file.unlink(missing_ok=True)


def _newest_first(files: Iterable[Path]) -> list[Path]:
    with suppress(OSError):
        return sorted(files, key=lambda file: file.lstat().st_mtime, reverse=True)
    return []
