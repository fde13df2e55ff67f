"""Real projects: every document means what PyYAML's C base loader says, every place is right to the byte."""

from __future__ import annotations

import os

import yaml
from tests.unity.corpus import PROJECTS, TEXTS, needs_corpus

from scenewright.unity.yaml.property_spans import locate
from scenewright.unity.yaml.source import UnityFile, read_meta

pytestmark = needs_corpus
LARGE = 200_000
STEP = int(os.environ.get("UNITY_DOCUMENTS_STEP") or 15)  # 1 looks at every document


def test_every_document_means_what_the_base_loader_says() -> None:
    compared = 0
    for path in TEXTS:
        for document in UnityFile(path.read_bytes(), path.name).documents:
            try:
                expected = yaml.load(document.text, Loader=yaml.CBaseLoader)
            except yaml.YAMLError:
                assert document.tree, path
                continue
            assert document.tree == expected, (path, document.file_id)
            compared += 1
    assert compared > 1000


def test_every_meta_file_does_too() -> None:
    for path in [path for project in PROJECTS for path in project.rglob("*.meta")]:
        data = path.read_bytes()
        assert read_meta(data) == yaml.load(data.decode(), Loader=yaml.CBaseLoader), path


def test_the_documents_of_a_file_are_all_of_it() -> None:
    for path in TEXTS:
        data = path.read_bytes()
        file = UnityFile(data, path.name)
        documents = [data[document.start : document.end] for document in file.documents]
        assert data[: file.documents[0].start] + b"".join(documents) == data, path


def test_every_property_is_found_where_it_stands() -> None:
    for path in TEXTS:
        data = path.read_bytes()
        for document in UnityFile(data, path.name).documents[::STEP]:
            if document.end - document.start > LARGE:
                continue
            for key, value in document.data.items():
                place = locate(document, [key])
                assert place is not None, (path, key)
                assert place.value == value, (path, key)
                assert document.body <= place.entry <= place.start <= place.end <= place.after <= document.end
