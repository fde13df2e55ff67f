"""Themes: what each role of the land is called and which colours it has."""

from __future__ import annotations

import msgspec

from scenewright.core.faults import NotFound, did_you_mean
from scenewright.pixel.colors import read_color
from scenewright.pixel.sprite import Color
from scenewright.pixel.worlds.specs import ROLES, Role

__all__ = ["THEMES", "Look", "Theme", "find_theme", "role_of_terrain"]


class Look(msgspec.Struct, frozen=True):
    """A role's name and its colours: the ground, its specks light and dark, its edge, and how it is strewn."""

    name: str
    base: Color
    light: Color
    dark: Color
    edge: Color
    pattern: str = "specks"


class Theme(msgspec.Struct, frozen=True):
    name: str
    looks: dict[Role, Look]


def _look(text: str) -> Look:
    name, base, light, dark, edge, pattern = text.split()
    colors = [read_color(color, "theme") for color in (base, light, dark, edge)]
    return Look(name, colors[0], colors[1], colors[2], colors[3], pattern)


def _theme(name: str, *looks: str) -> Theme:
    return Theme(name, dict(zip(ROLES, map(_look, looks), strict=True)))


THEMES = {
    theme.name: theme
    for theme in (
        _theme(
            "grassland",
            "Water #3f7fc4 #5c9ad6 #356cae #2f5f9b waves",
            "Sand #e6cf8f #f0dda6 #d3b874 #c2a566 specks",
            "Grass #6fb04a #82c25a #5d9a3e #4b8433 tufts",
            "Forest #4a8a3c #5a9c48 #3d7632 #336629 tufts",
            "Rock #8d8a86 #a5a29d #75726e #57544f cracks",
            "Path #b98f5c #c9a270 #a67d4d #8f6a40 specks",
        ),
        _theme(
            "autumn",
            "Water #3c7298 #5488ae #326284 #2b5674 waves",
            "Sand #d8c08a #e6d09c #c3a973 #ad9460 specks",
            "Grass #b99a3e #cbae50 #a38532 #8a6f29 tufts",
            "Forest #b5652f #c9783c #9a5226 #82431f tufts",
            "Rock #857c74 #9c938a #6d655e #524b45 cracks",
            "Path #94704a #a6825a #805f3d #6b4f33 specks",
        ),
        _theme(
            "desert",
            "Water #3a9bb5 #57b3ca #3186a0 #2a748b waves",
            "Shore #c9b274 #d8c488 #b59d60 #a08a52 specks",
            "Sand #e8c878 #f3d88e #d6b464 #bf9c50 waves",
            "Scrub #a9a24e #bab45e #928b40 #7b7535 tufts",
            "Rock #b9794c #cb8d60 #a0653c #824f2e cracks",
            "Path #d3a76a #e0b87e #bd9257 #a47c47 specks",
        ),
        _theme(
            "snow",
            "Ice #8fc3e0 #acd7ee #7ab0cf #6a9fbe waves",
            "Gravel #a7abb3 #bbbfc6 #9296a0 #7d818b specks",
            "Snow #eef3f8 #ffffff #d9e3ec #b9c8d6 specks",
            "Frost #c2d8dc #d4e6e8 #abc4c9 #90acb3 tufts",
            "Rock #77808c #8e97a3 #636b76 #4a515b cracks",
            "Path #b7a48c #c7b69f #a3917a #8c7b66 specks",
        ),
        _theme(
            "swamp",
            "Mire #4d6b52 #5d7c61 #415c46 #374f3c waves",
            "Mud #7a6a48 #8a7a56 #69593c #584a31 specks",
            "Moss #66803c #769048 #566d32 #475b29 tufts",
            "Thicket #45612f #54713a #395226 #2e431e tufts",
            "Rock #6f716a #868880 #5c5e57 #454741 cracks",
            "Path #8e7a55 #9e8a64 #7b6948 #68583b specks",
        ),
        _theme(
            "volcano",
            "Lava #e2561f #f58a2c #c2401a #9a2f16 waves",
            "Ash #6a6462 #7c7573 #585351 #474341 specks",
            "Basalt #4c484c #5c585d #3e3a3e #302d31 cracks",
            "Cinder #5e4740 #715750 #4d3933 #3d2c27 specks",
            "Rock #35323a #47434d #29262d #1c1a20 cracks",
            "Path #857568 #978679 #726358 #5f5249 specks",
        ),
        _theme(
            "cave",
            "Abyss #1f1d2b #2a2838 #191724 #12101c waves",
            "Rubble #5a5560 #6b6672 #4a4550 #3b3741 specks",
            "Floor #6e6775 #7f7886 #5e5765 #4d4754 cracks",
            "Fungus #4f6b66 #5f7d77 #415a55 #344a46 tufts",
            "Rock #45404c #565060 #38333e #29252e cracks",
            "Path #877a70 #988b80 #74685f #61564e specks",
        ),
    )
}


def find_theme(name: str) -> Theme:
    """Return a theme by its name.

    Raises:
        NotFound: there is none.
    """
    theme = THEMES.get(name.lower())
    if theme is None:
        known = ", ".join(THEMES)
        raise NotFound(f"There is no theme '{name}'.", hint=did_you_mean(name, list(THEMES)) or f"There are: {known}.")
    return theme


def role_of_terrain(name: str) -> int | None:
    """Return the role that has this name, or is called so in any theme."""
    wanted = name.lower()
    for number, role in enumerate(ROLES):
        if wanted == role or any(theme.looks[role].name.lower() == wanted for theme in THEMES.values()):
            return number
    return None
