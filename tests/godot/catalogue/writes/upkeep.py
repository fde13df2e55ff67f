"""Export presets, and what keeps a project in order."""

from __future__ import annotations

from tests.godot.catalogue.writes.model import Case

__all__ = ["CASES"]

CASES: dict[str, Case] = {
    "add_export_preset": Case(
        (
            (
                "add_export_preset",
                {
                    "platform": "web",
                    "preset": "~ site",
                    "exportPath": "~/site/index.html",
                    "options": {"html/canvas_resize_policy": "Project"},
                    "properties": {"exclude_filter": "*.md"},
                },
            ),
        ),
        {
            "preset('~ site', 'platform')": '"Web"',
            "preset('~ site', 'export_path')": '"~/site/index.html"',
            "preset('~ site', 'html/canvas_resize_policy')": "1",
            "preset('~ site', 'exclude_filter')": '"*.md"',
            "preset('~ site', 'html/export_icon')": "true",
        },
    ),
    "edit_export_preset": Case(
        (
            ("add_export_preset", {"platform": "macOS", "preset": "~ old"}),
            (
                "edit_export_preset",
                {
                    "preset": "~ old",
                    "newName": "~ new",
                    "exportPath": "~/game.zip",
                    "runnable": False,
                    "options": {"application/bundle_identifier": "org.example.game"},
                    "properties": {"dedicated_server": True},
                },
            ),
        ),
        {
            "preset('~ new', 'export_path')": '"~/game.zip"',
            "preset('~ new', 'runnable')": "false",
            "preset('~ new', 'application/bundle_identifier')": '"org.example.game"',
            "preset('~ new', 'dedicated_server')": "true",
            "preset('~ old', 'name')": "null",
        },
    ),
}
