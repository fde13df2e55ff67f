"""The player of generated worlds: a small hero of parts, with idle and walk."""

from __future__ import annotations

from scenewright.pixel.colors import read_color
from scenewright.pixel.drawing import drawn, read_palette, shaded
from scenewright.pixel.poses import Pose, add_poses
from scenewright.pixel.sprite import Sprite, Tag
from scenewright.pixel.sprite_edits import SpriteEdit

__all__ = ["draw_hero"]

_PALETTE = {
    "h": "#6b3e26",
    "s": "#f2c79b",
    "e": "#222034",
    "t": "#3f7fbf",
    "b": "#7a4b2a",
    "p": "#34355c",
    "o": "#4a2f23",
    "g": "#e8c14d",
}
_HEAD = ["..hh", "hhhh", "hhhh", "hhss", "hses", "ssss", ".sss"]
_BODY = ["ttt", "ttt", "ttt", "bbg"]
_ARM = ["tt", "tt", "ss"]
_LEG = ["ppp", "pp.", "oo."]


def draw_hero() -> Sprite:
    """Return the hero, 16 x 16, as pixel_draw and pixel_pose would make it."""
    palette = read_palette(_PALETTE, "palette")
    edit = SpriteEdit.begin((16, 16))
    for name, rows, at in (
        ("LeftLeg", _LEG, (5, 12)),
        ("RightLeg", [row[::-1] for row in _LEG], (8, 12)),
        ("LeftArm", _ARM, (3, 8)),
        ("RightArm", _ARM, (11, 8)),
    ):
        edit.draw(edit.layer(name, make=True), 0, drawn(rows, palette, name), at)
    body = shaded(drawn(_BODY, palette, "Body", "x"), "top_left")
    edit.draw(edit.layer("Body", make=True), 0, body, (5, 8))
    edit.draw(edit.layer("Head", make=True), 0, drawn(_HEAD, palette, "Head", "x"), (4, 1))
    breath = dict.fromkeys(("Head", "LeftArm", "RightArm"), (0, 1))
    add_poses(edit, Tag("idle", 0, 0), 0, [Pose(), Pose(moves=breath)], 400)
    add_poses(edit, Tag("walk", 0, 0), 0, [_step("Left", "Right"), Pose(), _step("Right", "Left"), Pose()], 120)
    edit.outline(read_color("#222034", "outline"))
    edit.colors()
    return edit.sprite


def _step(lifted: str, other: str) -> Pose:
    up, down = (0, -1), (0, 1)
    return Pose(moves={f"{lifted}Leg": up, f"{lifted}Arm": down, f"{other}Arm": up, "Head": up, "Body": up})
