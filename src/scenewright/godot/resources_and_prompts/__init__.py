"""What a Godot project offers beside operations: resources, prompts, and word of what changed."""

from scenewright.godot.resources_and_prompts import debug, editor, project, templates
from scenewright.godot.resources_and_prompts.change_watch import watch
from scenewright.godot.resources_and_prompts.prompts import PROMPTS

__all__ = ["BACKGROUND", "PROMPTS", "RESOURCES"]

RESOURCES = (*project.RESOURCES, *debug.RESOURCES, *templates.RESOURCES, *editor.RESOURCES)
BACKGROUND = (watch,)
