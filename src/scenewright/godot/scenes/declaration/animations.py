"""The animations of a declaration, each made where the player does not have it so already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scenewright.core.faults import naming
from scenewright.core.text.counts import count_noun
from scenewright.godot.animation.keyframe_animations import Builder
from scenewright.godot.animation.players import Player
from scenewright.godot.scenes.declaration.draft import DeclarationStep, SceneDraft
from scenewright.godot.scenes.scene_edit import SceneEdit

if TYPE_CHECKING:
    from scenewright.godot.scenes.declared_scene import DeclaredAnimation

__all__ = ["set_animations"]


def set_animations(draft: SceneDraft, path: str, animations: list[DeclaredAnimation]) -> None:
    """Make a player's animations of these names the declared ones; others stay, unless extra ones are removed."""
    edit = SceneEdit(draft.workspace, draft.index, draft.path, draft.scene)
    player = Player(edit, path, parameter="tree")
    for animation in sorted(animations, key=lambda animation: animation.name):  # as the engine's files have them
        with naming(f"animation '{animation.name}'"):
            _set_animation(draft, player, animation)
    if draft.remove_extra:
        for name in player.animations().keys() - {animation.name for animation in animations}:
            player.remove(name)
            draft.steps.append(DeclarationStep("remove", player.path, name))
    draft.scene = edit.scene
    draft.files += player.parts.changed_files()


def _set_animation(draft: SceneDraft, player: Player, animation: DeclaredAnimation) -> None:
    before = _texts(player)
    loop = animation.loop if isinstance(animation.loop, str) else "linear" if animation.loop else "none"
    values = {"length": animation.length, "loop": loop, "step": animation.step}
    made, _ = Builder(player).animation(animation.name, animation.tracks or [], values, overwrite=True, reset=False)
    if _texts(player) == before:
        return
    late = [track.path for track in made.tracks if track.keys and track.keys[-1].time > made.length + 1e-5]
    if late:
        draft.warnings.append(f"Keys after the end at {made.length:g} s do not play: {', '.join(late)}.")
    shown = f"{count_noun(len(made.tracks), 'track')}, {made.length:g} s"
    draft.steps.append(DeclarationStep("animation", player.path, animation.name, after=shown))


def _texts(player: Player) -> list[str]:
    return [player.edit.document.text, *(file.document.text for file in player.parts.changed_files())]
