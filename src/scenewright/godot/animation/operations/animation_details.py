"""Looking into AnimationPlayers: which animations there are, and one of them as keyframe tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from scenewright.core.calls.call import Call
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about
from scenewright.core.operations.paging import NextOffset, Page
from scenewright.core.text.counts import count_noun
from scenewright.godot.animation.operations.animations import MANAGER, AnimationName, PlayerPath, file_of
from scenewright.godot.project.openers import ScenePath, open_edit

if TYPE_CHECKING:
    from scenewright.godot.animation.animations import Animation
    from scenewright.godot.animation.players import Player

__all__ = ["OPERATIONS"]


class PlayerInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    player_path: PlayerPath


class AnimationRow(Record, frozen=True, kw_only=True):
    name: Annotated[str, about("Name it is played by.")]
    length: Annotated[float, about("Seconds.")]
    loop: Annotated[str, about("none, linear or pingpong.")] = "none"
    tracks: Annotated[int, about("Number of tracks.")]
    keys: Annotated[int, about("Number of keys.")]
    file: Annotated[str, about("File it is saved in, if not this scene.")] | None = None


class AnimationList(Outputs, frozen=True, kw_only=True):
    animations: Annotated[list[AnimationRow], about("Animations, sorted by name.")]
    libraries: Annotated[list[str], about("Libraries; the default one has an empty name.")]
    autoplay: Annotated[str, about("Animation that plays at the start.")] | None = None
    root_node: Annotated[str, about("Node that track paths start from; absent if outside the scene.")] | None = None


@operation(
    id="godot.animation.list",
    category="animation",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="list_animations",
    manager="godot_inspector_manager",
    action="animation.list",
    examples=(
        Example(
            "A hero's",
            {"scenePath": "hero.tscn", "playerPath": "AnimationPlayer"},
            {
                "animations": [{"name": "walk", "length": 0.8, "loop": "linear", "tracks": 2, "keys": 8}],
                "libraries": [""],
                "rootNode": ".",
            },
        ),
    ),
)
def list_animations(call: Call, inputs: PlayerInputs) -> AnimationList:
    """Lists the animations of an AnimationPlayer with length, loop and number of tracks and keys."""
    from scenewright.godot.animation.players import Player

    player = Player(open_edit(call, inputs.scene_path), inputs.player_path, parameter="playerPath")
    animations = player.animations()
    call.warnings += [f"{name or 'The default library'}: {why}" for name, why in player.sealed.items()]
    call.summary = f"{count_noun(len(animations), 'animation')}."
    return AnimationList(
        animations=[_animation_row(player, animation) for animation in animations.values()],
        libraries=sorted(player.libraries()),
        autoplay=player.autoplay,
        root_node=player.root if player.has_root else None,
    )


class ReadAnimation(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    player_node_path: PlayerPath
    animation_name: AnimationName
    limit: Annotated[int, about("Keys per page.", ge=1, le=5000)] = 500
    offset: Annotated[int, about("Keys to skip, from nextOffset.", ge=0)] = 0


class AnimationRead(Outputs, frozen=True, kw_only=True):
    animation_name: Annotated[str, about("Name it is played by.")]
    length: Annotated[float, about("Seconds.")]
    loop: Annotated[str, about("none, linear or pingpong.")] = "none"
    step: Annotated[float, about("Snap interval of the editor in seconds.")]
    tracks: Annotated[list[dict[str, Any]], about("Keyframe tables, as add_animation takes them.")]
    total: Annotated[int, about("Keys in all.")]
    next_offset: NextOffset = None
    file: Annotated[str, about("File it is saved in, if not this scene.")] | None = None


@operation(
    id="godot.animation.get",
    category="animation",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="get_animation",
    manager=MANAGER,
    action="get",
    notes="A track whose node is gone has its path in 'missing'.",
    examples=(
        Example(
            "Read one",
            {"scenePath": "coin.tscn", "playerNodePath": "AnimationPlayer", "animationName": "bob"},
            {
                "animationName": "bob",
                "length": 1.0,
                "loop": "linear",
                "step": 0.033333335,
                "total": 2,
                "tracks": [
                    {
                        "index": 0,
                        "type": "value",
                        "nodePath": "Sprite",
                        "property": "position",
                        "update": "continuous",
                        "keys": [[0.0, "Vector2(0, 0)", -2.0], [0.5, "Vector2(0, -8)"]],
                    }
                ],
            },
        ),
    ),
)
def get_animation(call: Call, inputs: ReadAnimation) -> AnimationRead:
    """Returns an animation as keyframe tables, in the form add_animation accepts."""
    from scenewright.godot.animation.players import Player

    player = Player(open_edit(call, inputs.scene_path), inputs.player_node_path)
    animation = player.find(inputs.animation_name)
    step = animation.part.value("step")
    tables, total = _page_of_tables(player, animation, inputs)
    keys = Page.cut(range(total), inputs.offset, inputs.limit)
    call.summary = f"'{animation.name}': {count_noun(len(animation.tracks), 'track')}, {count_noun(total, 'key')}."
    return AnimationRead(
        animation_name=animation.name,
        length=animation.length,
        loop=animation.loop,
        step=float(step) if isinstance(step, int | float) else 0.033333335,
        tracks=tables,
        total=total,
        next_offset=keys.next_offset,
        file=file_of(player, animation),
    )


OPERATIONS = (list_animations, get_animation)


def _animation_row(player: Player, animation: Animation) -> AnimationRow:
    tracks = animation.tracks
    return AnimationRow(
        name=animation.name,
        length=animation.length,
        loop=animation.loop,
        tracks=len(tracks),
        keys=sum(len(track.keys) for track in tracks),
        file=file_of(player, animation),
    )


def _page_of_tables(player: Player, animation: Animation, page: ReadAnimation) -> tuple[list[dict[str, Any]], int]:
    """The tracks with the keys of a page, and how many keys there are."""
    from scenewright.godot.animation.keyframe_animations import key_row, track_row
    from scenewright.godot.animation.targets import Targets

    targets, document = Targets(player), animation.part.holder.document
    rows, seen, end = [], 0, page.offset + page.limit
    for at, track in enumerate(animation.tracks):
        keys = track.keys[max(page.offset - seen, 0) : max(end - seen, 0)]
        if keys or (not track.keys and page.offset <= seen <= end):
            rows.append(track_row(at, track, targets, [key_row(track, key, document) for key in keys]))
        seen += len(track.keys)
    return rows, seen
