"""Scripts to start from, as resources; two of them are those that the macros build with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from scenewright.core.operations.resources_and_prompts import Content, Resource
from scenewright.core.runtime import Runtime

__all__ = ["RESOURCES"]

STARTS = Path(__file__).parent / "starts"
_MIME_TYPE = "text/x-gdscript"


def _template_file(name: str) -> Callable[[Runtime, Mapping[str, str]], Content]:
    def read(runtime: Runtime, values: Mapping[str, str]) -> Content:
        del runtime, values
        return Content((STARTS / name).read_text(encoding="utf-8"), _MIME_TYPE)

    return read


def _script(name: str) -> Callable[[Runtime, Mapping[str, str]], Content]:
    def read(runtime: Runtime, values: Mapping[str, str]) -> Content:
        del runtime, values
        from scenewright.godot.macros.model import script_text

        return Content(script_text(name), _MIME_TYPE)

    return read


RESOURCES = (
    Resource(
        uri="godot-template://character-controller",
        name="template-character-controller",
        title="Character Controller",
        mime_type=_MIME_TYPE,
        read=_script("player/PlayerController.gd"),
        description="A CharacterBody2D that runs and jumps.",
    ),
    Resource(
        uri="godot-template://state-machine",
        name="template-state-machine",
        title="State Machine",
        mime_type=_MIME_TYPE,
        read=_template_file("state_machine.gd"),
        description="A node whose children are the states, one of them active.",
    ),
    Resource(
        uri="godot-template://singleton-autoload",
        name="template-singleton-autoload",
        title="Autoload",
        mime_type=_MIME_TYPE,
        read=_script("save/SaveManager.gd"),
        description="An autoload script that keeps the game's data.",
    ),
)
