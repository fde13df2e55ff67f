"""What we use of DBOS that is not public: in one module, by these names, and there in the version we have."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import dbos
import pytest
from dbos import _context, _serialization, _sys_db

import scenewright
from scenewright.workflow import dbos_internals
from scenewright.workflow.dbos_setup import JsonSerializer

# A new name needs a reason in the module's docstring: which promise the public way would cost.
PRIVATE_NAMES = {
    "dbos._context.snapshot_step_context",
    "dbos._serialization",
    "dbos._sys_db.OperationResultInternal",  # for the type checker only
    "._record_operation_result_txn",
    "._recover_pending_workflows",
    "._sys_db",
}
SIGNATURES: list[tuple[Callable[..., Any], list[str]]] = [
    (_context.snapshot_step_context, ["reserve_sleep_id"]),
    (
        _sys_db.SystemDatabase._record_operation_result_txn,
        ["self", "result", "completed_at_epoch_ms", "conn", "owner_xid"],
    ),
    (
        _sys_db.SystemDatabase.record_operation_result,
        ["self", "result", "completed_at_epoch_ms", "owner_xid"],
    ),
    (dbos.DBOS._recover_pending_workflows, ["executor_ids"]),
]
ROW = {
    "workflow_uuid",
    "function_id",
    "function_name",
    "output",
    "error",
    "serialization",
    "started_at_epoch_ms",
    "child_workflow_id",
}


def private_names(path: Path) -> Iterator[str]:
    """Every private module and name of DBOS that a file imports, and every private attribute of what holds one."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names if each.name.startswith("dbos._"))
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "dbos":
            names = [f"{node.module}.{each.name}" for each in node.names]
            yield from (name for name in names if "._" in name)
        elif isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.startswith("__"):
            holder = ast.unparse(node.value).split(".")[-1].strip("()")
            if "dbos" in holder.lower() or holder in ("_sys_db", "_instance", "instance"):
                yield f".{node.attr}"


def test_only_one_module_uses_what_is_private_and_nothing_but_this() -> None:
    root = Path(scenewright.__file__).parent
    used = {path: names for path in root.rglob("*.py") if (names := set(private_names(path)))}
    assert used == {Path(dbos_internals.__file__): PRIVATE_NAMES}


@pytest.mark.parametrize(("function", "parameters"), SIGNATURES)
def test_it_is_there_and_takes_what_it_is_given(function: Callable[..., Any], parameters: list[str]) -> None:
    assert list(inspect.signature(function).parameters) == parameters


def test_a_step_has_the_fields_that_are_read_and_written() -> None:
    assert set(_sys_db.OperationResultInternal.__annotations__) == ROW
    context = _context.DBOSContext()
    assert all(hasattr(context, name) for name in ("workflow_id", "function_id", "owner_xid"))
    assert isinstance(inspect.getattr_static(dbos.DBOS, "_sys_db"), property)


def test_what_claims_to_be_a_pickle_is_refused_wherever_dbos_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = JsonSerializer()
    monkeypatch.setattr(_serialization, "DBOSDefaultSerializer", _serialization.DBOSDefaultSerializer)
    dbos_internals.refuse_pickles(ours)
    for read in (
        _serialization.deserialize_value,
        _serialization.deserialize_args,
        _serialization.deserialize_exception,
    ):
        with pytest.raises(ValueError, match="not read"):
            read("gASVBQAAAAAAAABLAS4=", "py_pickle", ours)
    assert _serialization.serialize_exception(ValueError("no"), "py_pickle", ours) == (
        '{"$error":"ValueError: no"}',
        "py_pickle",
    )


def test_the_threads_that_take_runs_are_named_as_we_look_for_them() -> None:
    from dbos import _queue

    assert "queue-worker-" in inspect.getsource(_queue)
    assert "background_thread_stop_events" in inspect.getsource(dbos.DBOS.__init__)
