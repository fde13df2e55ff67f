"""The fixtures of the public MCP conformance suite, as a catalogue like any other."""

from __future__ import annotations

from tests.conformance import asking, contents, telling
from tests.conformance.prompts import PROMPTS
from tests.conformance.resources import RESOURCES

from scenewright.core.operations.registry import Catalogue

__all__ = ["CATALOGUE"]

CATALOGUE = Catalogue(
    operations=(*contents.OPERATIONS, *telling.OPERATIONS, *asking.OPERATIONS),
    resources=RESOURCES,
    prompts=PROMPTS,
)
