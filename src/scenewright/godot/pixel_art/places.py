"""Names that what is generated and what looks at it agree on."""

from __future__ import annotations

__all__ = ["PLACED", "PLAYER_SPEED"]

PLACED = "pixel_object_"  # begins the group of what was placed; its id follows
PLAYER_SPEED = 80  # pixels a second
