"""Secrets in files: random, made on first use, for their user's eyes only."""

from __future__ import annotations

import hmac
import os
import secrets
import stat
import sys
from pathlib import Path

from scenewright.core.faults import Denied
from scenewright.core.writes.disk import BINARY, is_own, stage
from scenewright.core.writes.locks import locked

__all__ = ["MAX_NONCE", "proof_of", "read_or_make_token"]

MAX_BYTES = 4096
MAX_NONCE = 128


def read_or_make_token(path: Path) -> str:
    """Return the token in a file, made on first use; the same for every process that asks at the same time.

    Raises:
        Denied: what is there is a link, or another user's.
        OSError: it cannot be read or made.
    """
    if token := _read_token(path):
        return token
    with locked(path.with_name(f"{path.name}.lock")):
        token = _read_token(path) or secrets.token_urlsafe(32)
        temporary = path.with_name(f"{path.name}.tmp")
        stage(temporary, f"{token}\n".encode(), mode=0o600, like=path)
        temporary.replace(path)
    return token


def proof_of(token: str, purpose: str, port: int, nonce: str) -> str:
    """Return what shows that who listens at a port knows the token, without telling it.

    The port is part of it, so that no other program can pass an answer on as its own.
    """
    return hmac.digest(token.encode(), f"{purpose}\n{port}\n{nonce}".encode(), "sha256").hex()


def _read_token(path: Path) -> str | None:
    """Return the token, unless there is none or none that could be one."""
    if path.is_symlink():
        raise _not_ours(path)
    try:
        descriptor = os.open(path, os.O_RDONLY | BINARY | getattr(os, "O_NONBLOCK", 0))
    except FileNotFoundError:
        return None
    with open(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or not is_own(status):
            raise _not_ours(path)
        if sys.platform != "win32" and status.st_mode & 0o077:
            os.fchmod(descriptor, 0o600)
        try:
            return file.read(MAX_BYTES).decode("ascii").strip() or None
        except UnicodeDecodeError:
            return None


def _not_ours(path: Path) -> Denied:
    return Denied(
        f"{path} is a link or belongs to another user, so it is not used.",
        hint="Delete it; a new one is made when it is needed.",
    )
