"""The tiers of what is on offer; settings know them without loading what declares an operation."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Tier"]


class Tier(StrEnum):
    """The tiers of EditorMCP's Tool Definition Schema, lowest first."""

    CORE = "core"
    TIER1 = "tier1"
    TIER2 = "tier2"
    TIER3 = "tier3"
    TIER4 = "tier4"

    def includes(self, other: Tier) -> bool:
        tiers = list(Tier)
        return tiers.index(other) <= tiers.index(self)
