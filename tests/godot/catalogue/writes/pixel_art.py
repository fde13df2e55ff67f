"""Pictures and sheets of Aseprite files."""

from __future__ import annotations

from base64 import b64encode

from tests.godot.catalogue.writes.model import Case
from tests.godot.pixel_art.hero import hero

__all__ = ["CASES"]

_HERO = ("write_binary_file", {"path": "~/hero.aseprite", "base64": b64encode(hero()).decode()})
_FILE = {"inputPath": "~/hero.aseprite"}


CASES: dict[str, Case] = {
    "export_aseprite_frame": Case(
        (_HERO, ("export_aseprite_frame", {**_FILE, "outputPngPath": "~/a.png", "frame": 1})),
        {"image('~/a.png').get_size()": "(8, 4)", "image('~/a.png').get_pixel(1, 0).to_html()": "ff0000ff"},
    ),
    "aseprite_export_spritesheet": Case(
        (_HERO, ("aseprite_export_spritesheet", {**_FILE, "outputPngPath": "~/s.png", "outputJsonPath": "~/s.json"})),
        {
            "image('~/s.png').get_size()": "(32, 4)",
            "text('~/s.json').contains('hero 3.aseprite')": True,
        },
    ),
    "export_aseprite_tags": Case(
        (_HERO, ("export_aseprite_tags", {**_FILE, "outputFolder": "~"})),
        {"image('~/hero_walk_run.png').get_size()": "(24, 4)"},
    ),
}
