"""The platform's catalogue: what is always on offer."""

from __future__ import annotations

from scenewright.contracts.editormcp.definition import problems_in_catalogue
from scenewright.contracts.gox import codes as gox_codes
from scenewright.contracts.gox.resources import RESOURCES
from scenewright.contracts.omni import codes as omni_codes
from scenewright.core.operations.registry import Catalogue, RecordCodes
from scenewright.platform.operations import batch, files, history, replies, server, tool_discovery
from scenewright.platform.prompts import PROMPTS

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
    rules=(problems_in_catalogue,),
    record_codes=RecordCodes(audit=omni_codes.code_of, run_log=lambda fault: gox_codes.code_of(fault).name),
)
