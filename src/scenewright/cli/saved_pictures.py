"""Pictures that calls from the shell got: kept as files for the person to open, the oldest removed."""

from __future__ import annotations

import tempfile
from datetime import datetime
from pathlib import Path

from scenewright.core.projects.user_folder import user_folder
from scenewright.core.writes.disk import make_private_folder

__all__ = ["save_picture"]

MOST_KEPT = 100
_ENDINGS = {"image/png": ".png", "image/jpeg": ".jpg", "image/webp": ".webp"}


def save_picture(data: bytes, mime_type: str) -> Path:
    """Keep a picture in the user's own folder, and return its file."""
    folder = user_folder() / "pictures"
    folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    make_private_folder(folder)
    start, ending = f"{datetime.now():%Y-%m-%d-%H%M%S}-", _ENDINGS.get(mime_type, ".bin")
    with tempfile.NamedTemporaryFile("wb", dir=folder, prefix=start, suffix=ending, delete=False) as file:
        file.write(data)
    for old in sorted(folder.iterdir(), key=lambda path: path.name)[:-MOST_KEPT]:
        old.unlink(missing_ok=True)
    return Path(file.name)
