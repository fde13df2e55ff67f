"""Frames are put together as Aseprite does: by blend mode, opacity, group, order and palette."""

from __future__ import annotations

import random

import pytest
from PIL import Image
from tests.pixel.sprites import RED, cel, plain

from scenewright.core.faults import Invalid
from scenewright.pixel.blend_functions import BY_CHANNEL, BY_COLOR
from scenewright.pixel.blending import blend
from scenewright.pixel.rendering import Renderer
from scenewright.pixel.sprite import BLEND_MODES, ColorMode, Layer, LayerKind

BLUE = (0, 0, 255, 255)
Color = tuple[int, ...]


def _times(one: int, other: int) -> int:
    product = one * other + 0x80
    return ((product >> 8) + product) >> 8


def _over(backdrop: Color, source: Color, opacity: int) -> Color:
    """One pixel in the normal mode, as the program's source has it."""
    if backdrop[3] == 0:
        return (*source[:3], _times(source[3], opacity))
    if source[3] == 0:
        return backdrop
    covering = _times(source[3], opacity)
    alpha = covering + backdrop[3] - _times(backdrop[3], covering)
    return (*(b + int((s - b) * covering / alpha) for b, s in zip(backdrop[:3], source[:3], strict=True)), alpha)


def _blended(backdrop: Color, source: Color, mode: str, opacity: int) -> Color:
    """One pixel in any mode."""
    normal = _over(backdrop, source, opacity)
    if mode == "normal" or backdrop[3] == 0:
        return normal
    if mode in BY_COLOR:
        mixed = BY_COLOR[mode](backdrop[:3], source[:3])
    else:
        mixed = [BY_CHANNEL[mode](b, s) for b, s in zip(backdrop[:3], source[:3], strict=True)]
    other = _over(backdrop, (*mixed, source[3]), opacity)
    both = _times(backdrop[3], _times(source[3], opacity))
    channels = []
    for n, o in zip(normal[:3], other[:3], strict=True):
        half = n + _times(o - n, backdrop[3])
        channels.append(half + _times(o - half, both))
    return (*channels, normal[3])


def _noise(seed: int) -> list[Color]:
    chance = random.Random(seed)
    alphas = [0, 255, 255, 1, 128]
    return [
        (*(chance.randrange(256) for _ in range(3)), chance.choice([*alphas, chance.randrange(256)]))
        for _ in range(600)
    ]


def _image(colors: list[Color]) -> Image.Image:
    return Image.frombytes("RGBA", (len(colors), 1), bytes(value for color in colors for value in color))


@pytest.mark.parametrize("opacity", [255, 100])
@pytest.mark.parametrize("mode", BLEND_MODES)
def test_whole_pictures_are_blended_as_pixels_one_by_one(mode: str, opacity: int) -> None:
    backdrop, source = _noise(1), _noise(2)
    canvas = _image(backdrop)
    blend(canvas, _image(source), (0, 0), mode, opacity)
    expected = [_blended(b, s, mode, opacity) for b, s in zip(backdrop, source, strict=True)]
    assert canvas.tobytes() == _image(expected).tobytes()


def test_a_cel_that_reaches_beyond_the_canvas_is_cut_off() -> None:
    sprite = plain()
    sprite.cels[0][0] = cel(RED, x=-1, y=3, size=(3, 5))
    drawn = Renderer(sprite).frame(0)
    assert [(x, y) for y in range(4) for x in range(4) if drawn.getpixel((x, y)) == RED] == [(0, 3), (1, 3)]


def test_hidden_and_reference_layers_are_left_out_unless_named() -> None:
    sprite = plain(layers=("A", "B"))
    sprite.layers[0].visible = False
    sprite.cels[0] = {0: cel(RED), 1: cel(BLUE, x=1)}
    assert Renderer(sprite).frame(0).getpixel((0, 0)) == (0, 0, 0, 0)
    assert Renderer(sprite, [0]).frame(0).getpixel((0, 0)) == RED
    sprite.layers[1].reference = True
    assert Renderer(sprite).frame(0).getbbox() is None


def test_a_layer_in_a_hidden_group_is_hidden() -> None:
    sprite = plain()
    sprite.layers = [Layer("Group", LayerKind.GROUP, visible=False), Layer("Arm", level=1, parent=0)]
    sprite.cels[0] = {1: cel(RED)}
    assert Renderer(sprite).frame(0).getbbox() is None
    assert sprite.path(1) == "Group/Arm"


@pytest.mark.parametrize(("groups_blend", "alpha"), [(False, 255), (True, 128)])
def test_a_group_counts_where_the_file_says_so(groups_blend: bool, alpha: int) -> None:
    sprite = plain()
    sprite.groups_blend = groups_blend
    sprite.layers = [Layer("Group", LayerKind.GROUP, opacity=128), Layer("Arm", level=1, parent=0)]
    sprite.cels[0] = {1: cel(RED)}
    assert Renderer(sprite).frame(0).getpixel((0, 0)) == (255, 0, 0, alpha)


def test_a_cel_can_lie_above_higher_layers() -> None:
    sprite = plain(layers=("A", "B"))
    sprite.cels[0] = {0: cel(RED), 1: cel(BLUE)}
    assert Renderer(sprite).frame(0).getpixel((0, 0)) == BLUE
    sprite.cels[0][0] = cel(RED, z_index=1)
    assert Renderer(sprite).frame(0).getpixel((0, 0)) == RED


def test_opacities_of_cel_and_layer_are_multiplied() -> None:
    sprite = plain()
    sprite.layers[0].opacity = 128
    sprite.cels[0][0] = cel(RED, opacity=128)
    assert Renderer(sprite).frame(0).getpixel((0, 0)) == (255, 0, 0, 64)


def test_an_indexed_frame_has_the_colours_of_its_own_palette() -> None:
    sprite = plain(frames=2)
    sprite.mode = ColorMode.INDEXED
    sprite.palettes = {0: [(0, 0, 0, 255), RED], 1: [(0, 0, 0, 255), BLUE]}
    shown = cel((1,))
    sprite.cels = [{0: shown}, {0: shown}]
    renderer = Renderer(sprite)
    assert [renderer.frame(at).getpixel((0, 0)) for at in (0, 1)] == [RED, BLUE]
    sprite.cels[0][0] = cel((0,))
    assert Renderer(sprite).frame(0).getpixel((0, 0)) == (0, 0, 0, 0)
    sprite.layers[0].background = True
    assert Renderer(sprite).frame(0).getpixel((0, 0)) == (0, 0, 0, 255)


def test_grey_has_no_hue_to_take_over() -> None:
    sprite = plain(layers=("A", "B"))
    sprite.mode = ColorMode.GRAYSCALE
    sprite.layers[1].blend = "hsl_hue"
    sprite.cels[0] = {0: cel((10, 255)), 1: cel((200, 255))}
    assert Renderer(sprite).frame(0).getpixel((0, 0)) == (200, 200, 200, 255)


def test_a_sprite_with_too_many_pixels_is_refused_before_it_is_drawn() -> None:
    with pytest.raises(Invalid, match="65535 x 65535 pixels, too many"):
        Renderer(plain(size=(65535, 65535))).frame(0)
