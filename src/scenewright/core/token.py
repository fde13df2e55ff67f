"""The secret of a project: a random token in a file that only its user can read."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

__all__ = ["project_token"]


def project_token(folder: Path) -> str:
    """The project's token, made on first use."""
    path = folder / "token"
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        if token := path.read_text(encoding="ascii").strip():
            return token
        descriptor = os.open(path, os.O_WRONLY | os.O_TRUNC)
    token = secrets.token_urlsafe(32)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(token + "\n")
    return token
