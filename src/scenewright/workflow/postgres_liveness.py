"""Who is alive among the servers of one PostgreSQL database.

Each holds an advisory lock for as long as its connection lives; PostgreSQL drops it when the process or its machine is
gone. A connection may also break under a living process, so nobody counts as dead before the lock has been free for a
while, and a process that cannot show its own lock begins no call until it has it again.
"""

from __future__ import annotations

import hashlib
import logging
import threading
import time
from contextlib import suppress

import psycopg

__all__ = ["AdvisoryLocks"]

logger = logging.getLogger(__name__)
BEAT_SECONDS = 1.0
SURE_SECONDS = 4.0  # how long the last sign of life is good for
GRACE_SECONDS = 8.0  # how long a lock must be free; longer than anyone trusts in an old sign


class AdvisoryLocks:
    """One advisory lock per living process."""

    def __init__(self, url: str, executor: str) -> None:
        self._url = url.replace("postgresql+psycopg://", "postgresql://", 1)
        self._key = _key(executor)
        self._connection: psycopg.Connection | None = None
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None
        self._seen = 0.0
        self._free_since: dict[str, float] = {}

    def enter(self) -> None:
        self._beat()
        self._thread = threading.Thread(target=self._serve, name="workflow-heartbeat", daemon=True)
        self._thread.start()

    def leave(self) -> None:
        self._stopped.set()
        if self._thread is not None:
            self._thread.join()
        with self._lock:
            self._drop()

    def is_sure(self) -> bool:
        return time.monotonic() - self._seen < SURE_SECONDS

    def is_dead(self, executor: str) -> bool:
        with self._lock:
            if self._connection is None or not self._is_free(self._connection, _key(executor)):
                self._free_since.pop(executor, None)
                return False
        since = self._free_since.setdefault(executor, time.monotonic())
        return time.monotonic() - since >= GRACE_SECONDS

    def _serve(self) -> None:
        while not self._stopped.wait(BEAT_SECONDS):
            try:
                self._beat()
            except psycopg.Error as error:
                logger.warning("workflows: the database is away: %s", error)
                with self._lock:
                    self._drop()

    def _beat(self) -> None:
        """Show that this process lives, over a new connection where the old one is gone."""
        began = time.monotonic()
        with self._lock:
            if self._connection is None:
                self._connection = psycopg.connect(
                    self._url,
                    autocommit=True,
                    connect_timeout=5,
                    keepalives=1,
                    keepalives_idle=2,
                    keepalives_interval=1,
                    keepalives_count=3,
                )
                # Whoever asks whether it is free has it for a moment.
                self._connection.execute("SELECT pg_advisory_lock(%s)", (self._key,))
            else:
                self._connection.execute("SELECT 1")
            self._seen = began

    def _is_free(self, connection: psycopg.Connection, key: int) -> bool:
        locked = connection.execute("SELECT pg_try_advisory_lock(%s)", (key,)).fetchone()
        if not locked or not locked[0]:
            return False
        connection.execute("SELECT pg_advisory_unlock(%s)", (key,))
        return True

    def _drop(self) -> None:
        if self._connection is not None:
            with suppress(psycopg.Error):
                self._connection.close()
            self._connection = None


def _key(executor: str) -> int:
    digest = hashlib.sha256(f"scenewright {executor}".encode()).digest()
    return int.from_bytes(digest[:8], "big", signed=True)
