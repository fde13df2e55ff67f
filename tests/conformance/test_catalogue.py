"""The fixtures keep the same rules as every other operation."""

from __future__ import annotations

from scenewright.app import catalogues
from scenewright.core.operations.registry import build_registry


def test_the_fixtures_are_a_valid_part_of_the_registry() -> None:
    usual = build_registry(catalogues())
    profile = build_registry(catalogues("conformance"))
    added = profile.operations.keys() - usual.operations.keys()
    assert added
    assert {profile.operations[name].category for name in added} == {"conformance"}


def test_the_usual_profile_offers_no_fixture() -> None:
    registry = build_registry(catalogues())
    assert not [name for name in registry.operations if name.startswith("conformance.")]
    assert not [prompt for prompt in registry.prompts if prompt.startswith("test_")]
    assert not [resource for resource in registry.resources if resource.uri.startswith("test:")]
