"""The platform's catalogue: what is always on offer."""

from __future__ import annotations

from scenewright.core.operations.registry import Catalogue
from scenewright.platform.operations import batch, discovery, files, history, replies, server
from scenewright.platform.prompts import PROMPTS
from scenewright.platform.resources import RESOURCES

__all__ = ["CATALOGUE"]

CATALOGUE = Catalogue(
    operations=(
        *server.OPERATIONS,
        *discovery.OPERATIONS,
        *replies.OPERATIONS,
        *files.OPERATIONS,
        *history.OPERATIONS,
        *batch.OPERATIONS,
    ),
    managers=(discovery.MANAGER, files.MANAGER, history.MANAGER),
    resources=RESOURCES,
    prompts=PROMPTS,
)
