"""What is wrong with a place file."""

from __future__ import annotations

from scenewright.core.faults import Invalid

__all__ = ["BrokenPlace"]


class BrokenPlace(Invalid):
    """The file is not what its name says, damaged, or beyond what we take on."""

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(
            message,
            path="input.placePath",
            rule="format",
            hint=hint or "Save the place again in Studio, or restore it from version control.",
        )
