"""Finding operations by what people say."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from tests.core.samples import sample

from scenewright.app import catalogues
from scenewright.core.operations.registry import Catalogue, build_registry
from scenewright.core.operations.tool_index import ToolIndex
from scenewright.platform.catalogue import CATALOGUE


@pytest.fixture(scope="module")
def index() -> Iterator[ToolIndex]:
    index = ToolIndex(build_registry([CATALOGUE], verified=True))
    yield index
    index.close()


@pytest.mark.parametrize(
    ("query", "best"),
    [
        ("undo", {"history.undo", "history.undo_to"}),
        ("undo a change", {"history.undo"}),
        ("revert", {"history.undo", "history.undo_to"}),
        ("delete a file", {"project.file.delete"}),
        ("please remove the file", {"project.file.delete"}),
        ("how big is the project", {"project.workspace_stats"}),
        ("count files", {"project.workspace_stats"}),
        ("list tools", {"mcp.tools.list"}),
        ("find a tool", {"meta.tool.search"}),
        ("create a new file", {"project.file.write"}),
        ("replace text", {"project.file.edit"}),
        ("readFile", {"project.file.read"}),
        ("read_file", {"project.file.read"}),
        ("several calls at once", {"core.batch_operations"}),
        ("ping", {"core.ping"}),
        ("UNDO", {"history.undo", "history.undo_to"}),
        ("batch_oper", {"core.batch_operations"}),
    ],
)
def test_what_was_meant_comes_first(index: ToolIndex, query: str, best: set[str]) -> None:
    found, score = index.search(query)[0]
    assert found.id in best
    assert score == 1.0


def test_scores_fall_from_one(index: ToolIndex) -> None:
    scores = [score for _, score in index.search("undo a change to a file")]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] == 1.0
    assert all(0 <= score <= 1 for score in scores)


@pytest.mark.parametrize(
    "query", ["", "the a of", "!!!", "??*\"'()", "zzzzqqq", "удалить", "\0", "NEAR(a b)", "a" * 5000]
)
def test_what_says_nothing_finds_nothing(index: ToolIndex, query: str) -> None:
    assert index.search(query) == []


@pytest.mark.parametrize(
    "query", ['undo" OR "x', "undo AND NOT file", "undo*", "name:undo", "-undo", "undo'; DROP TABLE tool"]
)
def test_a_query_is_words_and_no_language(index: ToolIndex, query: str) -> None:
    assert "history.undo" in {operation.id for operation, _ in index.search(query)}


def test_parameters_and_aliases_are_searched_too() -> None:
    hidden = sample(aliases=("flibbertigibbet",))
    index = ToolIndex(build_registry([Catalogue(operations=(hidden,))]))
    assert index.search("flibbertigibbet") == [(hidden, 1.0)]
    index.close()


def test_many_may_search_at_once(index: ToolIndex) -> None:
    found: list[str] = []
    threads = [
        threading.Thread(target=lambda: found.extend(index.search("delete a file")[0][0].id for _ in range(20)))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert found == ["project.file.delete"] * 160


def test_a_closed_index_opens_again() -> None:
    index = ToolIndex(build_registry([CATALOGUE], verified=True))
    index.close()
    assert index.search("undo")
    index.close()
    assert index.search("undo")
    index.close()


def test_what_is_searched_of_parameters_is_what_their_schemas_say() -> None:
    operations = build_registry(catalogues(), verified=True).operations.values()
    assert len(operations) > 400
    for operation in operations:
        parts = operation.input_schema.get("properties", {})
        assert operation.parameter_texts == {name: part.get("description", "") for name, part in parts.items()}
