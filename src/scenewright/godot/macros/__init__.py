"""The macros of godot-mcp-omni: scaffolds of game systems, each a plan of calls made from its parameters."""

from scenewright.godot.macros.catalogue import MACROS, find_macro
from scenewright.godot.macros.model import Macro, MacroCall, Output, Scaffold

__all__ = ["MACROS", "Macro", "MacroCall", "Output", "Scaffold", "find_macro"]
