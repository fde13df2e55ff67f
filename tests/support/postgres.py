"""A real PostgreSQL for the tests that need one: a server of its own on loopback, gone with the tests."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg
import pytest
from tests.e2e import tools

__all__ = ["postgres_server"]

START_SECONDS = 60
STOP_SECONDS = 30
SETTINGS = ("fsync=off", "max_connections=200", "listen_addresses=127.0.0.1")


@contextmanager
def postgres_server() -> Iterator[str]:
    """The URL of a new, empty database."""
    programs = tools.postgres()
    with tempfile.TemporaryDirectory(prefix="scenewright-pg-") as name:
        folder = Path(name)
        shutil.chown(folder, *_owner())
        lowly = _as_owner()
        subprocess.run(
            [*lowly, programs / "initdb", "-D", folder / "data", "-A", "trust", "-U", "postgres", "--no-sync"],
            check=True,
            stdout=subprocess.DEVNULL,
            timeout=START_SECONDS,
            cwd=folder,
        )
        port = _free_port()
        options = [part for setting in SETTINGS for part in ("-c", setting)]
        with open(folder / "log", "wb") as log:
            server = subprocess.Popen(
                [*lowly, programs / "postgres", "-D", folder / "data", "-p", str(port), "-k", folder, *options],
                stdout=log,
                stderr=log,
                cwd=folder,
            )
        url = f"postgresql://postgres@127.0.0.1:{port}/postgres"
        try:
            _wait_for(url, server, folder / "log")
            yield url
        finally:
            server.terminate()
            try:
                server.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


def _owner() -> tuple[str | int, str | int]:
    return ("postgres", "postgres") if os.geteuid() == 0 else (os.geteuid(), os.getegid())


def _as_owner() -> list[str]:
    """PostgreSQL refuses to run as root; and it must not outlive the tests, however they end."""
    if not shutil.which("setpriv"):
        if os.geteuid() == 0:
            pytest.skip("needs setpriv to leave root")
        return []
    command = ["setpriv", "--pdeathsig", "INT"]
    if os.geteuid() == 0:
        user = pwd.getpwnam("postgres")
        command += [f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]
    return command


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    import time

    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        assert server.poll() is None, log.read_text()
        with suppress(psycopg.OperationalError), psycopg.connect(url, connect_timeout=2):
            return
        time.sleep(0.05)  # there is nothing to wait on before it listens
    raise TimeoutError(log.read_text())
