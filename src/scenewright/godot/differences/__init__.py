"""What two scenes mean differently, whatever their files look like."""

from scenewright.godot.differences.comparing import Difference, compare, pair_nodes
from scenewright.godot.differences.meaning import Meaning

__all__ = ["Difference", "Meaning", "compare", "pair_nodes"]
