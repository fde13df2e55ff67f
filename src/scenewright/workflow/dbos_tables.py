"""What we ask of DBOS's tables in SQL: what it has no call for, or only one that costs a hundred times as much.

The tables are those that DBOS documents. Every function takes part in the caller's transaction or makes a short one.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy

__all__ = ["count_open", "execute", "put_back_runs"]

_OPEN = (
    "SELECT count(*) FROM (SELECT 1 FROM {}workflow_status WHERE name = :name"
    " AND status IN ('ENQUEUED', 'PENDING', 'DELAYED') LIMIT :most) AS open_runs"
)
# Of two processes that do this at once one finds nothing left. How often a run was begun stays on record, so that one
# which kills whoever carries it out is given up in the end.
_PUT_BACK = (
    "UPDATE {}workflow_status SET status = 'ENQUEUED', owner_xid = NULL, started_at_epoch_ms = NULL"
    " WHERE status = 'PENDING' AND executor_id = :executor AND application_version = :version"
    " AND queue_name IS NOT NULL"
)


def execute(connection: sqlalchemy.Connection, query: str, **values: Any) -> sqlalchemy.CursorResult[Any]:
    """Execute a query that has {} for the schema of DBOS's tables."""
    schema = "" if connection.dialect.name == "sqlite" else "dbos."
    return connection.execute(sqlalchemy.text(query.format(schema)), values)


def count_open(engine: sqlalchemy.Engine, name: str, most: int) -> int:
    """Return how many runs of a workflow are under way or waiting, up to a number."""
    with engine.connect() as connection:
        return int(execute(connection, _OPEN, name=name, most=most).scalar_one())


def put_back_runs(engine: sqlalchemy.Engine, executor: str, version: str) -> None:
    """Put the runs that a process was carrying out back into their queues."""
    with engine.begin() as connection:
        execute(connection, _PUT_BACK, executor=executor, version=version)
