"""Which programs other than itself Godot starts to build a preset: signing tools, Gradle, Xcode."""

from __future__ import annotations

from scenewright.godot.export.presets import Preset

__all__ = ["other_programs"]


def other_programs(preset: Preset) -> str | None:
    """Return the programs that an export with this preset starts beside Godot, in words, or None."""
    options = preset.options
    if preset.platform == "Android":
        return "Java and the tools of the Android SDK"
    if preset.platform in ("iOS", "visionOS") and options.get("application/export_project_only") is not True:
        return "Xcode"
    if preset.platform == "Windows Desktop" and options.get("codesign/enable") is True:
        return "a signing tool"
    if preset.platform == "macOS" and any(_is_by_program(options.get(name)) for name in _SIGNING):
        return "signing tools"
    return None


_SIGNING = ("codesign/codesign", "notarization/notarization")
_BUILT_IN = 1  # Godot's own, ad hoc


def _is_by_program(choice: object) -> bool:
    return isinstance(choice, int) and choice > _BUILT_IN
