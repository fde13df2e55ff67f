"""A case for every Godot operation that writes: calls, and what the real engine must then say.

Each case has a folder of its own, `~` in its texts, so that one start of the engine can look at all of them.
"""

from tests.godot.catalogue.writes import animation, builder, everyday, interface, pixel_art, tiles, upkeep, world
from tests.godot.catalogue.writes.model import FILES, Case

__all__ = ["CASES", "FILES", "Case"]

AREAS = (everyday, animation, builder, interface, pixel_art, tiles, upkeep, world)
CASES: dict[str, Case] = {name: case for area in AREAS for name, case in area.CASES.items()}
