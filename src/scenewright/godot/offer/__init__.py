"""What a Godot project offers beside operations: resources, prompts, and word of what changed."""

from scenewright.godot.offer import debug, editor, project, templates
from scenewright.godot.offer.prompts import PROMPTS
from scenewright.godot.offer.watching import watch

__all__ = ["BACKGROUND", "PROMPTS", "RESOURCES"]

RESOURCES = (*project.RESOURCES, *debug.RESOURCES, *templates.RESOURCES, *editor.RESOURCES)
BACKGROUND = (watch,)
