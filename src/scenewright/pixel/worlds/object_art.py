"""Pictures of what stands in a world, drawn from rows of characters: trees, rocks, chests, flowers and more."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from scenewright.core.faults import NotFound, did_you_mean
from scenewright.pixel.colors import read_color
from scenewright.pixel.drawing import drawn, outlined, read_palette

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["KINDS", "Kind", "draw_object", "find_kind", "kind_named"]

_PALETTE = {
    "G": "#3f7d34",
    "g": "#56994a",
    "l": "#7cbb5c",
    "d": "#2c5c2a",
    "t": "#7a5230",
    "T": "#5a3a22",
    "s": "#9a9691",
    "S": "#77736e",
    "w": "#c9c6c0",
    "y": "#f0c94e",
    "Y": "#c99a2e",
    "r": "#d95763",
    "R": "#a83a44",
    "b": "#4f7fd1",
    "B": "#2f559e",
    "p": "#b98ae0",
    "P": "#7d55b3",
    "o": "#e08a3c",
    "n": "#efe3c4",
    "k": "#3a2a20",
}


class Kind(msgspec.Struct, frozen=True):
    """A thing: its rows, whether one bumps into it, how many there are where nobody says, and where it stands."""

    rows: tuple[str, ...]
    solid: bool
    density: float
    on: tuple[str, ...] = ("ground",)
    mirror: str | None = None
    words: tuple[str, ...] = ()
    far: int = 1


def _rows(text: str) -> tuple[str, ...]:
    return tuple(text.split())


KINDS = {
    "tree": Kind(
        _rows(
            "....ggl ..gglll .ggglll ggGggll gGGgggl gGGGggg dGGGGgg dGGGGGg .dGGGGG .ddGGGG ..dddGG ....ddT ......T"
            " ......t ......t .....Tt"
        ),
        True,
        0.12,
        ("ground", "growth"),
        "x",
        ("trees", "oak", "oaks"),
    ),
    "pine": Kind(
        _rows(
            ".......d ......dg .....dgg ....dggl ...dGggg ....dGgg ...dGggl ..dGgggl .dGGgggg ...dGGgg ..dGGggg"
            " .dGGgggl dGGGgggg ......Tt ......Tt ......Tt"
        ),
        True,
        0.12,
        ("ground", "growth"),
        "x_center",
        ("pines", "fir", "firs", "spruce"),
    ),
    "bush": Kind(
        _rows("....... ..ggl.. .gggll. gGggrgl dGGgggg dGrGGgg .dGGGGg ..ddddd"),
        False,
        0.05,
        ("ground", "growth"),
        None,
        ("bushes", "shrub", "shrubs"),
    ),
    "rock": Kind(
        _rows("...www... ..wwsss.. .wsssssS. wsssssSSS ssssSSSSS sSSSSSSSS .SSSSSSS."),
        True,
        0.03,
        ("ground", "shore"),
        None,
        ("rocks", "boulder", "boulders", "stone", "stones"),
    ),
    "chest": Kind(
        _rows("..tttttt .ttttttt Ttttttty TTTTTTyy yyyyyyyY Tttttttk TttttttY TTTTTTTT"),
        True,
        0.0,
        ("ground", "shore"),
        "x_center",
        ("chests", "treasure", "treasures"),
        4,
    ),
    "flower": Kind(
        _rows("..r.... .ryr.p. ..r.pyp ..g..p. .gg..g. ..g.gg."),
        False,
        0.04,
        ("ground",),
        None,
        ("flowers",),
    ),
    "mushroom": Kind(
        _rows("..rrr.. .rnrrr. rrrrrnr RRRRRRR ..nnn.. ..nnn.."),
        False,
        0.03,
        ("growth", "ground"),
        None,
        ("mushrooms", "toadstool", "toadstools"),
    ),
    "sign": Kind(
        _rows(".tttttttt. tnnnnnnnnt tkkknkkknt tnnnnnnnnt .tttttttt. ....TT.... ....TT.... ....TT...."),
        True,
        0.0,
        ("ground", "path"),
        None,
        ("signs", "signpost", "signposts"),
        4,
    ),
    "barrel": Kind(
        _rows("..tttttt. .TttttttT SSSSSSSSS Tttttttkt TttttttTt SSSSSSSSS TttttttTt .TtttttT. ..TTTTT.."),
        True,
        0.0,
        ("ground", "shore"),
        None,
        ("barrels", "crate", "crates"),
        3,
    ),
    "crystal": Kind(
        _rows("...pp.... ..ppp.... ..pppP.p. .pppPP.pP .pppPPppP pppPPPppP pppPPPpPP .ppPPPPP."),
        True,
        0.0,
        ("rock", "ground"),
        None,
        ("crystals", "gem", "gems"),
        3,
    ),
    "coin": Kind(_rows(".yyy. yynYy ynyYY yyyYY .YYY."), False, 0.0, ("ground", "path"), None, ("coins",), 2),
    "cactus": Kind(
        _rows(
            "....gg.... ....gl.... g...gl..g. gg..gl.gg. Gg..gl.gl. GGgggllgl. .GGGgl.... ...Ggl.... ...Ggl...."
            " ...Ggl...."
        ),
        True,
        0.06,
        ("ground",),
        None,
        ("cacti", "cactuses"),
    ),
    "stump": Kind(
        _rows("..nnnnn.. .nntttnn. .tnnnnnt. .TtttttT. .TtTttTT. TTtTtTTTT"),
        True,
        0.02,
        ("ground", "growth"),
        None,
        ("stumps", "log", "logs"),
    ),
    "house": Kind(
        _rows(
            "...............r ..............rr ............rrrr ..........rrrrrr ........rrrrrrrr ......rrrrrrrrrr "
            "....rrrrrrrrrrrr ..RRRRRRRRRRRRRR ..nnnnnnnnnnnnnn ..nnnnnnnnnnnnnn ..nnnbbbnnnnTTTT ..nnnbBbnnnTtttt "
            "..nnnbbbnnnTtttt ..nnnnnnnnnTttty ..nnnnnnnnnTtttt ..SSSSSSSSSTtttt"
        ),
        True,
        0.0,
        ("ground",),
        "x",
        ("houses", "hut", "huts", "cottage", "cottages", "cabin"),
        6,
    ),
    "torch": Kind(
        _rows("..o.. .oyo. .oyo. .oyo. ..t.. ..t.. ..t.. ..T.."), False, 0.0, ("ground", "path"), None, ("torches",), 3
    ),
}


def kind_named(word: str) -> str | None:
    """Return the kind that a word means, singular or plural."""
    wanted = word.lower()
    return next((name for name, kind in KINDS.items() if wanted == name or wanted in kind.words), None)


def find_kind(word: str) -> Kind:
    """Return a kind by a word for it.

    Raises:
        NotFound: nothing of that kind can be drawn.
    """
    name = kind_named(word)
    if name is None:
        raise NotFound(
            f"Nothing of the kind '{word}' can be drawn here.",
            hint=did_you_mean(word, list(KINDS))
            or f"There are: {', '.join(KINDS)}. Others: draw a sprite with pixel_draw and give asepritePath.",
        )
    return KINDS[name]


def draw_object(word: str, size: tuple[int, int] | None = None) -> Image:
    """Return the picture of a thing with an outline, enlarged by whole pixels as far as it fits a size.

    Raises:
        NotFound: nothing of that kind can be drawn.
    """
    from PIL import Image
    from PIL.Image import Resampling

    kind = find_kind(word)
    mirror = kind.mirror if kind.mirror in ("x", "x_center") else None
    figure = drawn(kind.rows, read_palette(_PALETTE, "palette"), "rows", mirror)  # type: ignore[arg-type]
    canvas = Image.new("RGBA", (figure.width + 2, figure.height + 2))
    canvas.paste(figure, (1, 1))
    canvas.alpha_composite(outlined(canvas, read_color("#2a1f2e", "outline")))
    box = canvas.getbbox()
    picture = canvas.crop(box) if box is not None else canvas
    if size is None:
        return picture
    scale = max(min(size[0] // picture.width, size[1] // picture.height), 1)
    enlarged = picture.resize((picture.width * scale, picture.height * scale), Resampling.NEAREST)
    whole = Image.new("RGBA", (max(size[0], enlarged.width), max(size[1], enlarged.height)))
    whole.paste(enlarged, ((whole.width - enlarged.width) // 2, whole.height - enlarged.height))
    return whole
