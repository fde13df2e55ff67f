"""The secret of a project: a random token in a file that only its user can read."""

from __future__ import annotations

import secrets
from pathlib import Path

from scenewright.core.disk import stage
from scenewright.core.locks import locked

__all__ = ["project_token"]


def project_token(folder: Path) -> str:
    """The project's token, made on first use; the same for every process that asks at the same time."""
    path = folder / "token"
    if token := _read(path):
        return token
    with locked(folder / "token.lock"):
        token = _read(path) or secrets.token_urlsafe(32)
        temporary = folder / "token.tmp"
        stage(temporary, f"{token}\n".encode(), mode=0o600, like=path)
        temporary.replace(path)
    return token


def _read(path: Path) -> str | None:
    """The token, unless there is none or none that could be one."""
    try:
        if path.stat().st_mode & 0o077:
            path.chmod(0o600)
        return path.read_text(encoding="ascii").strip() or None
    except (FileNotFoundError, UnicodeDecodeError):
        return None
