"""The platform's catalogue: what is always on offer."""

from __future__ import annotations

from scenewright.contracts.editormcp.definition import problems_in_catalogue
from scenewright.contracts.gox import codes as gox_codes
from scenewright.contracts.gox.resources import RESOURCES
from scenewright.contracts.omni import codes as omni_codes
from scenewright.core.operations.registry import Catalogue, RecordCodes
from scenewright.platform.operations import (
    batch,
    files,
    history,
    overview,
    pixel_art,
    pixel_colors,
    pixel_sheets,
    replies,
    server,
    tool_discovery,
)
from scenewright.platform.pixel_files import MANAGER as PIXEL_MANAGER
from scenewright.platform.prompts import PROMPTS

__all__ = ["CATALOGUE"]

CATALOGUE = Catalogue(
    operations=(
        *overview.OPERATIONS,
        *server.OPERATIONS,
        *tool_discovery.OPERATIONS,
        *replies.OPERATIONS,
        *files.OPERATIONS,
        *history.OPERATIONS,
        *batch.OPERATIONS,
        *pixel_art.OPERATIONS,
        *pixel_colors.OPERATIONS,
        *pixel_sheets.OPERATIONS,
    ),
    managers=(tool_discovery.MANAGER, files.MANAGER, history.MANAGER, PIXEL_MANAGER),
    resources=RESOURCES,
    prompts=PROMPTS,
    rules=(problems_in_catalogue,),
    record_codes=RecordCodes(audit=omni_codes.code_of, run_log=lambda fault: gox_codes.code_of(fault).name),
)
