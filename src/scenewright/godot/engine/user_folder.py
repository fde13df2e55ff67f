"""A folder in place of the person's own, for what an engine of ours keeps of settings and saved games."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["own_folders", "own_user_folder"]


@contextmanager
def own_user_folder() -> Iterator[dict[str, str]]:
    """What a process needs in its environment so that user:// is empty, and gone with it."""
    with tempfile.TemporaryDirectory(prefix="scenewright-user-", ignore_cleanup_errors=True) as folder:
        yield {**own_folders(Path(folder), "DATA"), "APPDATA": folder}


def own_folders(folder: Path, *kinds: str) -> dict[str, str]:
    """The folders of these kinds (CONFIG, DATA) within another; drivers keep their cache where it is."""
    return {f"XDG_{kind}_HOME": str(folder / kind.lower()) for kind in kinds}
