"""The platform's catalogue: what is always on offer."""

from __future__ import annotations

from scenewright.core.operations.registry import Catalogue
from scenewright.platform.operations import batch, files, history, replies, server, tool_discovery
from scenewright.platform.prompts import PROMPTS
from scenewright.platform.resources import RESOURCES

__all__ = ["CATALOGUE"]

CATALOGUE = Catalogue(
    operations=(
        *server.OPERATIONS,
        *tool_discovery.OPERATIONS,
        *replies.OPERATIONS,
        *files.OPERATIONS,
        *history.OPERATIONS,
        *batch.OPERATIONS,
    ),
    managers=(tool_discovery.MANAGER, files.MANAGER, history.MANAGER),
    resources=RESOURCES,
    prompts=PROMPTS,
)
