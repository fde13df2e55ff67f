"""The macros of godot-mcp-omni: scaffolds of game systems, each a plan of calls made from its parameters."""

from scenewright.godot.macros.catalogue import MACROS, find_macro
from scenewright.godot.macros.model import Call, Macro, Output, Scaffold

__all__ = ["MACROS", "Call", "Macro", "Output", "Scaffold", "find_macro"]
