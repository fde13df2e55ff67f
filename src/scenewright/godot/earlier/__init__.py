"""Seed 000's own words: actions that have their place elsewhere, and arguments that mean several of ours at once.

Plain other names of a parameter stand with their operation (`also`). Calls may use all of them; nothing lists them.
"""

from __future__ import annotations

from scenewright.godot.earlier.names import ACTION_ALIASES

__all__ = ["ACTION_ALIASES"]
