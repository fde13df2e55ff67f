"""DBOS Transact, as we use it: the only module that knows how it is set up. Imported when the first run needs it.

A process has one DBOS. Its workflows and bookkeeping run on its own thread and event loop, never on the server's:
DBOS replaces the default executor of the loop that it is called on.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Coroutine
from typing import Any

import msgspec
import sqlalchemy
from dbos import DBOS, DBOSClient, DBOSConfig, Serializer, error
from sqlalchemy import event

from scenewright.core.config import WorkflowLimits
from scenewright.workflow import dbos_tables, step_records
from scenewright.workflow.pickle_refusal import refuse_pickles
from scenewright.workflow.run_storage import WAITING, RunStorage
from scenewright.workflow.step_batches import Batches

__all__ = [
    "DBOS",
    "RECORD_VERSION",
    "JsonSerializer",
    "batches",
    "count_open",
    "database",
    "put_back_runs",
    "read_steps",
    "schedule",
    "scheduled_as",
    "shut_down",
    "sqlite_engine",
    "start_up",
]

APPLICATION = "scenewright"
# The order and names of what a run records. A new number for a new order; runs of another one are left alone.
RECORD_VERSION = "2"
MAX_RECOVERIES = 100
NOTICE_SECONDS = 0.5  # how often a SQLite file is looked at for answers that a run waits for
POLL_SECONDS = 0.1  # how often a process looks for runs that wait
RARE_POLL_SECONDS = 0.5  # for those that go through an editor or waited for a person, which are never fast
# More than these only wait for each other, and SQLite makes writers of one process wait longest.
THREADS = 8
SQLITE_POOL, SERVER_POOL = 1, 10
SQLITE_BATCHES, SERVER_BATCHES = 1, 4
STOP_SECONDS = 10.0
_engine: sqlalchemy.Engine | None = None
_instance: DBOS | None = None
_timer: Any = None
_batches: Batches | None = None

Carry = Callable[..., Coroutine[Any, Any, Any]]


class JsonSerializer(Serializer):
    """What is stored is JSON. The default is pickle, which runs whatever a file from elsewhere tells it to."""

    def serialize(self, data: Any) -> str:
        if isinstance(data, BaseException):
            data = {"$error": f"{type(data).__name__}: {data}"}
        return msgspec.json.encode(data).decode()

    def deserialize(self, serialized_data: str) -> Any:
        data = msgspec.json.decode(serialized_data)
        return RuntimeError(data["$error"]) if isinstance(data, dict) and "$error" in data else data

    def name(self) -> str:
        return "scenewright_json"


def start_up(storage: RunStorage, limits: WorkflowLimits, carry: Carry, fire: Carry) -> None:
    """Start DBOS over a storage's database; `carry` carries out a run, `fire` starts a scheduled one.

    Blocks for as long as that takes, and must not be called on an event loop.
    """
    url = storage.url or _sqlite_url(storage)
    limited = {storage.queue: limits.max_concurrent_runs, storage.editor_queue: limits.runs_per_editor}
    queues = {queue: limited.get(queue) for queue in storage.queues}
    logging.getLogger("dbos").handlers = [logging.NullHandler()]
    logging.getLogger("dbos").propagate = True
    config: DBOSConfig = {
        "name": APPLICATION,
        "system_database_url": url,
        "application_version": RECORD_VERSION,
        "executor_id": storage.executor,
        "serializer": JsonSerializer(),
        "log_level": "ERROR",
        "max_executor_threads": THREADS,
        "notification_listener_polling_interval_sec": NOTICE_SECONDS,
        "scheduler_polling_interval_sec": 5.0,
    }
    global _engine, _instance
    _engine = sqlite_engine(url) if url.startswith("sqlite") else _server_engine(url)
    refuse_pickles(_engine, JsonSerializer().name())
    config["system_database_engine"] = _engine
    _make_queues(url, _engine, queues)
    step_records.make_table(_engine)
    _instance = DBOS(config=config)

    @DBOS.workflow(name=storage.workflow, max_recovery_attempts=MAX_RECOVERIES)
    async def carried(plan: dict[str, Any]) -> Any:
        return await carry(plan)

    @DBOS.workflow(name=storage.timer)
    async def fired(at: str, context: Any) -> Any:
        return await fire(at, context)

    global _timer, _batches
    _timer = fired
    _batches = Batches(_engine, storage.executor, SQLITE_BATCHES if url.startswith("sqlite") else SERVER_BATCHES)
    DBOS.listen_queues(list(queues))
    DBOS.launch()


def schedule(storage: RunStorage, name: str, cron: str, timezone: str | None, context: Any) -> None:
    """Make a schedule, or give one of this name other times or another plan.

    Raises:
        ValueError: the times or the time zone cannot be understood.
    """
    try:
        DBOS.apply_schedules(
            [
                {
                    "schedule_name": scheduled_as(storage, name),
                    "workflow_fn": _timer,
                    "schedule": cron,
                    "context": context,
                    "cron_timezone": timezone,
                    "queue_name": storage.queue,
                }
            ]
        )
    except error.DBOSException as refusal:
        raise ValueError(str(refusal)) from refusal


def scheduled_as(storage: RunStorage, name: str) -> str:
    """Return a schedule's name among those of all projects."""
    return f"{storage.workflow}: {name}"


def shut_down() -> None:
    """Stop DBOS. Runs that are under way are left as they are, for whoever comes next."""
    global _engine, _instance, _batches
    if _batches is not None:
        _batches.stop()
        _batches = None
    if _instance is not None:
        _stop_taking_runs(_instance)
        _instance = None
    DBOS.destroy(destroy_registry=True)
    if _engine is not None:
        _engine.dispose()
        _engine = None


def _stop_taking_runs(dbos: DBOS) -> None:
    """End the threads that look for runs, or wait so long for them.

    DBOS ends its event loop before them, and one could still take a run that nobody then begins.
    """
    for stop in dbos.background_thread_stop_events:
        stop.set()
    until = time.monotonic() + STOP_SECONDS
    while (workers := _queue_workers()) and (left := until - time.monotonic()) > 0:
        for worker in workers:
            if worker.is_alive():
                worker.join(left)
            else:  # about to start, and cannot be waited for yet
                time.sleep(0.001)


def _queue_workers() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name.startswith("queue-worker-")]


def batches() -> Batches:
    """Do what need not be a transaction of its own."""
    assert _batches is not None
    return _batches


def database() -> sqlalchemy.Engine:
    """Return where the runs are kept."""
    assert _engine is not None
    return _engine


def count_open(storage: RunStorage, most: int) -> int:
    """Return how many runs are under way or waiting, up to a number. A hundredth of what DBOS's own listing takes."""
    return dbos_tables.count_open(database(), storage.workflow, most)


def put_back_runs(executor: str) -> None:
    """Put the runs of a process that is dead back into their queues."""
    dbos_tables.put_back_runs(database(), executor, RECORD_VERSION)


def read_steps(run_id: str) -> list[Any]:
    """Return the records of a run's steps, in the order in which they began."""
    return step_records.read_steps(database(), run_id)


def _make_queues(url: str, engine: sqlalchemy.Engine, queues: dict[str, int | None]) -> None:
    """Make the queues before DBOS starts: it looks for new ones only once a second."""
    client = DBOSClient(
        system_database_url=url,
        system_database_engine=engine,
        application_name=APPLICATION,
        lazy=True,
        serializer=JsonSerializer(),
    )
    try:
        try:
            _register(client, queues)
        except sqlalchemy.exc.DBAPIError:  # there is no table yet
            DBOS.migrate(url)
            _register(client, queues)
    finally:
        client.destroy()


def _register(client: DBOSClient, queues: dict[str, int | None]) -> None:
    for queue, limit in queues.items():
        pause = RARE_POLL_SECONDS if queue.endswith(("-editor", WAITING)) else POLL_SECONDS
        client.register_queue(queue, global_concurrency=limit, polling_interval_sec=pause)


def sqlite_engine(url: str) -> sqlalchemy.Engine:
    """Return a pool of connections to a file that several processes write to."""
    engine = sqlalchemy.create_engine(url, pool_size=SQLITE_POOL, max_overflow=0, pool_timeout=60)

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: Any) -> None:
        # Writers line up from the start of a transaction; in the middle SQLite could only refuse one of them.
        connection.isolation_level = "IMMEDIATE"
        connection.execute("PRAGMA busy_timeout = 30000")
        connection.execute("PRAGMA journal_mode = WAL")
        # A power cut may cost the last records, never their order. That a write is not repeated is for the journal.
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA foreign_keys = ON")

    return engine


def _server_engine(url: str) -> sqlalchemy.Engine:
    address = sqlalchemy.make_url(url).set(drivername="postgresql+psycopg")
    return sqlalchemy.create_engine(address, pool_size=SERVER_POOL, max_overflow=0, pool_timeout=60, pool_pre_ping=True)


def _sqlite_url(storage: RunStorage) -> str:
    return sqlalchemy.URL.create("sqlite", database=str(storage.file)).render_as_string()
