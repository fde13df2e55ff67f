"""The conformance profile's catalogue."""

from __future__ import annotations

from scenewright.conformance import asking, contents, telling
from scenewright.conformance.prompts import PROMPTS
from scenewright.conformance.resources import RESOURCES
from scenewright.core.operations.registry import Catalogue

__all__ = ["CATALOGUE"]

CATALOGUE = Catalogue(
    operations=(*contents.OPERATIONS, *telling.OPERATIONS, *asking.OPERATIONS),
    resources=RESOURCES,
    prompts=PROMPTS,
)
