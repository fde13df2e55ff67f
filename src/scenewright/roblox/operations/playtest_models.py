"""What the tools about playtests take and return."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.roblox.openers import StudioName

__all__ = ["InputStep", "Peer", "PlayerName", "PlaytestEnd", "PlaytestTold", "StudioInputs"]

Peer = Literal["edit", "server", "client"]
PlayerName = Annotated[str, about("Which player, where there are several.", min_length=1, max_length=100)]


class StudioInputs(Inputs, frozen=True, kw_only=True):
    studio: StudioName | None = None


class PlaytestEnd(Outputs, frozen=True, kw_only=True):
    """How the last playtest ended, where it did."""

    ended: Annotated[bool, about("Whether it has ended.")] = False
    value: Annotated[Any, about("What StudioTestService:EndTest was given, in the test.")] = None
    error: Annotated[str, about("Why Studio says that it failed.")] | None = None
    seconds: Annotated[float, about("How long it ran.")] | None = None


class PlaytestTold(Outputs, frozen=True, kw_only=True):
    """What was asked of a running playtest, and may have ended it."""

    playtest: Annotated[PlaytestEnd, about("How the playtest ended, where this ended it.")] | None = None


class InputStep(Inputs, frozen=True, kw_only=True):
    """One thing a player does: a key, a text, the mouse, or waiting."""

    key: Annotated[str, about("Item of Enum.KeyCode, as W or Space.", min_length=1, max_length=40)] | None = None
    text: Annotated[str, about("Text to type.", min_length=1, max_length=1000)] | None = None
    position: (
        Annotated[list[float], about("Where the mouse goes, in the view's pixels.", min_length=2, max_length=2)] | None
    ) = None
    element: (
        Annotated[str, about("Or to the middle of a path below PlayerGui, as Hud.Play.", min_length=1, max_length=500)]
        | None
    ) = None
    button: Annotated[Literal["left", "right", "middle"], about("Mouse button.")] = "left"
    action: Annotated[
        Literal["press", "down", "up", "move"], about("press is down and up; move only moves the mouse.")
    ] = "press"
    seconds: Annotated[float, about("How long it is held, or what to wait.", ge=0, le=20)] | None = None
