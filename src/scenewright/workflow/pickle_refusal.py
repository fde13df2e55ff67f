"""DBOS unpickles whatever a row of its database claims to be a pickle, and a pickle can run any code. We write none, so
connections hand out every such claim as one to be JSON: what is not JSON is then refused by our serializer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import sqlalchemy
from sqlalchemy import event

__all__ = ["refuse_pickles"]

CLAIM = "py_pickle"


def refuse_pickles(engine: sqlalchemy.Engine, instead: str) -> None:
    """Make every connection of an engine read the claim to be a pickle as the name of another serializer."""

    def without_claim(values: Sequence[Any]) -> tuple[Any, ...]:
        row = tuple(values)
        return tuple(instead if value == CLAIM else value for value in row) if CLAIM in row else row

    def sqlite_row(_cursor: Any, values: tuple[Any, ...]) -> tuple[Any, ...]:
        return without_claim(values)

    def postgres_rows(_cursor: Any) -> Callable[[Sequence[Any]], tuple[Any, ...]]:
        return without_claim

    rows = sqlite_row if engine.dialect.name == "sqlite" else postgres_rows

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: Any) -> None:
        connection.row_factory = rows
