"""Leaves only the cases of a table that call an operation, so that its parameters are tried in little time.

A module of tests may have a table `CASES`, by name, each with `calls`, that one shared fixture carries out as a whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from types import ModuleType
from typing import Any

import pytest

from scenewright.app import catalogues
from scenewright.core.operations.declaration import Manager
from scenewright.core.operations.registry import Registry, build_registry


@contextmanager
def cases_with(operation: str, module: ModuleType, tests: Sequence[pytest.Item]) -> Iterator[Sequence[pytest.Item]]:
    """The tests of the cases that are left; all tests where there is no such table."""
    table = getattr(module, "CASES", None)
    whole = dict(table) if isinstance(table, dict) else {}
    kept = {name: case for name, case in whole.items() if operation in _called(case)}
    about_them = [item for item in tests if kept.keys() & _names(item)]
    if table is None or not about_them:
        yield tests
        return
    _fill(table, kept)
    try:
        yield about_them
    finally:
        _fill(table, whole)


def _fill(table: dict[Any, Any], content: dict[Any, Any]) -> None:
    table.clear()
    table.update(content)


def _names(item: pytest.Item) -> set[str]:
    given = getattr(item, "callspec", None)
    return {value for value in given.params.values() if isinstance(value, str)} if given else set()


def _called(case: Any) -> set[str]:
    return {_operation(tool, arguments.get("action")) for tool, arguments in getattr(case, "calls", ())}


def _operation(tool: str, action: Any) -> str:
    found = _registry().find(tool)
    meant = _registry().action(tool, action) if isinstance(found, Manager) else found
    return meant.id if meant else ""


@cache
def _registry() -> Registry:
    return build_registry(catalogues(), verified=True)
