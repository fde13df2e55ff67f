"""What two scenes mean differently, whatever their files look like."""

from scenewright.godot.scenes.comparison.differences import Difference, compare, pair_nodes
from scenewright.godot.scenes.comparison.meaning import Meaning

__all__ = ["Difference", "Meaning", "compare", "pair_nodes"]
