"""The ten macros, in the order in which a game usually wants them."""

from __future__ import annotations

from collections.abc import Mapping

from scenewright.core.faults import NotFound, did_you_mean
from scenewright.godot.macros.actors import ACTORS
from scenewright.godot.macros.model import Macro
from scenewright.godot.macros.systems import SYSTEMS

__all__ = ["MACROS", "find_macro"]

_ORDER = (
    "input_system",
    "character_controller_2d",
    "camera_2d",
    "animation_pipeline",
    "combat_hitbox",
    "enemy_ai_fsm",
    "level_pipeline",
    "ui_system",
    "save_load",
    "audio_system",
)
_BY_ID = {macro.id: macro for macro in (*ACTORS, *SYSTEMS)}
MACROS: Mapping[str, Macro] = {key: _BY_ID[key] for key in (f"{name}_scaffold" for name in _ORDER)}


def find_macro(name: str) -> Macro:
    """Return a macro by its id, with or without the ending `_scaffold`.

    Raises:
        NotFound: there is none.
    """
    macro = MACROS.get(name) or MACROS.get(f"{name}_scaffold")
    if macro is None:
        hint = did_you_mean(name[:100], list(MACROS)) or f"There are {', '.join(MACROS)}."
        raise NotFound(f"There is no macro '{name[:100]}'.", hint=hint)
    return macro
