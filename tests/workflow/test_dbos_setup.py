"""How DBOS is used: through what it makes public, and without ever unpickling anything."""

from __future__ import annotations

import ast
import base64
import inspect
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy
from dbos import DBOSClient
from tests.support.postgres import postgres_server

import scenewright
from scenewright.workflow.dbos_setup import JsonSerializer, sqlite_engine
from scenewright.workflow.pickle_refusal import refuse_pickles

HOLDERS = ("dbos", "DBOS", "_dbos", "client")


def private_names(path: Path) -> Iterator[str]:
    """Every private module and name of DBOS that a file imports, and every private attribute of what holds one."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names if each.name.startswith("dbos._"))
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "dbos":
            names = [f"{node.module}.{each.name}" for each in node.names]
            yield from (name for name in names if "._" in name)
        elif isinstance(node, ast.Attribute) and node.attr.startswith("_") and _holder(node) in HOLDERS:
            yield f".{node.attr}"


def _holder(node: ast.Attribute) -> str:
    return ast.unparse(node.value).split(".")[-1].removesuffix("()")


def test_nothing_private_of_dbos_is_used() -> None:
    root = Path(scenewright.__file__).parent
    assert {path.name: names for path in root.rglob("*.py") if (names := set(private_names(path)))} == {}


def test_what_is_private_would_be_found(tmp_path: Path) -> None:
    code = tmp_path / "code.py"
    code.write_text("import dbos._core\nfrom dbos._context import x\nfrom dbos import _queue\nDBOS._sys_db\n")
    assert set(private_names(code)) == {"dbos._core", "dbos._context.x", "dbos._queue", "._sys_db"}


def test_the_threads_that_take_runs_are_named_as_they_are_looked_for() -> None:
    from dbos import DBOS

    assert "background_thread_stop_events" in inspect.getsource(DBOS.__init__)
    names = [path for path in Path(inspect.getfile(DBOS)).parent.glob("*.py") if "queue-worker-" in path.read_text()]
    assert names


class Trap:
    """Makes a file where it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return (Path.touch, (self.path,))


@pytest.fixture(params=["SQLite", "PostgreSQL"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "SQLite":
        yield f"sqlite:///{tmp_path / 'runs.sqlite'}"
    else:
        with postgres_server() as address:
            yield address.replace("postgresql://", "postgresql+psycopg://", 1)


@pytest.mark.parametrize("guarded", [True, False])
def test_what_claims_to_be_a_pickle_is_not_unpickled(url: str, guarded: bool, tmp_path: Path) -> None:
    from dbos import DBOS

    DBOS.migrate(url)
    engine = sqlite_engine(url) if url.startswith("sqlite") else sqlalchemy.create_engine(url)
    if guarded:
        refuse_pickles(engine, JsonSerializer().name())
    sprung = tmp_path / "sprung"
    client = DBOSClient(system_database_url=url, system_database_engine=engine, serializer=JsonSerializer(), lazy=True)
    try:
        client.enqueue({"workflow_name": "w", "queue_name": "q", "workflow_id": "one"}, 1)
        trap = base64.b64encode(pickle.dumps(Trap(sprung))).decode()
        schema = "" if url.startswith("sqlite") else "dbos."
        with engine.begin() as connection:
            connection.execute(sqlalchemy.text(f"UPDATE {schema}workflow_status SET serialization = 'py_pickle'"))
            connection.execute(sqlalchemy.text(f"UPDATE {schema}workflow_input SET inputs = :trap"), {"trap": trap})
        read = client.list_workflows(workflow_ids=["one"], load_input=True)
        assert read[0].workflow_id == "one"
        assert sprung.exists() is not guarded
    finally:
        client.destroy()
        engine.dispose()
