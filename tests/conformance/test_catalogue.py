"""The fixtures keep the same rules as every other operation."""

from __future__ import annotations

import pytest
from tests.conformance.catalogue import CATALOGUE

from scenewright.app import catalogues
from scenewright.contracts.editormcp.definition import problems_in_catalogue
from scenewright.core.operations.registry import RegistryError, build_registry

# The suite prescribes a schema that shows more than hosts take.
PRESCRIBED = ["- conformance.json_schema_2020_12_tool: input schema: 'allOf' at the root is refused by hosts"]


def test_the_fixtures_are_a_valid_part_of_the_registry() -> None:
    usual = build_registry(catalogues())
    profile = build_registry([*catalogues(), CATALOGUE], verified=True)
    added = profile.operations.keys() - usual.operations.keys()
    assert added
    assert {profile.operations[name].category for name in added} == {"core.conformance"}


def test_the_fixtures_keep_every_rule_but_where_the_suite_says_otherwise() -> None:
    with pytest.raises(RegistryError) as refused:
        build_registry([*catalogues(), CATALOGUE])
    assert str(refused.value).splitlines()[1:] == PRESCRIBED


def test_every_definition_of_a_fixture_passes() -> None:
    assert list(problems_in_catalogue(CATALOGUE.operations)) == []


def test_the_usual_profile_offers_no_fixture() -> None:
    registry = build_registry(catalogues())
    assert not [name for name in registry.operations if name.startswith("conformance.")]
    assert not [prompt for prompt in registry.prompts if prompt.startswith("test_")]
    assert not [resource for resource in registry.resources if resource.uri.startswith("test:")]
