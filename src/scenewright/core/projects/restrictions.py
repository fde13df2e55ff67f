"""What a project's own `scenewright.toml` forbids: whoever wrote it, it can only take away."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from scenewright.core.config import Config
from scenewright.core.operations.tiers import Tier
from scenewright.core.settings import FILE, SettingsError, read_settings

__all__ = ["Restrictions"]

logger = logging.getLogger(__name__)
_FLAGS: dict[str, bool] = {"read_only": True, "allow_run": False, "allow_dangerous": False, "allow_external": False}


@dataclass(frozen=True, slots=True)
class _Read:
    changed: tuple[int, int] | None
    flags: dict[str, bool]
    tier: Tier | None
    refused: str = ""


class Restrictions:
    """Reads the file again whenever it has changed."""

    def __init__(self, root: Path) -> None:
        self._place = root / FILE
        self._read = _Read(None, {}, None)

    @property
    def refused(self) -> str:
        """What the file asks for and does not get, in words; empty where it is all right."""
        self._refresh()
        return self._read.refused

    def applied_to(self, config: Config) -> Config:
        """Return the server's settings with what the project forbids."""
        self._refresh()
        if not self._read.flags and self._read.tier is None:
            return config
        tier = self._read.tier
        lower = tier if tier is not None and config.tier.includes(tier) else config.tier
        flags: dict[str, Any] = dict(self._read.flags)
        flags["runs_nothing"] = config.runs_nothing or "allow_run" in flags
        return replace(config, tier=lower, **flags)

    def _refresh(self) -> None:
        changed = _stamp(self._place)
        if changed == self._read.changed:
            return
        self._read = _restrictions_in(self._place, changed) if changed is not None else _Read(None, {}, None)
        if self._read.refused:
            logger.warning("%s: %s", self._place, self._read.refused)


def _stamp(place: Path) -> tuple[int, int] | None:
    try:
        status = place.lstat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


def _restrictions_in(place: Path, changed: tuple[int, int] | None) -> _Read:
    try:
        written = read_settings(place)
    except SettingsError as error:
        # Whoever wrote it meant to forbid something, and nobody knows what.
        return _Read(changed, dict(_FLAGS), None, f"{error} Until it can be read, nothing may be written or run.")
    flags = {key: kept for key, kept in _FLAGS.items() if written.get(key) is kept}
    tier = _tier(written.get("tier"))
    ignored = sorted(written.keys() - flags.keys() - ({"tier"} if tier is not None else set()))
    said = f"{FILE} of a project may only restrict; ignored: {', '.join(ignored)[:200]}." if ignored else ""
    return _Read(changed, flags, tier, said)


def _tier(value: Any) -> Tier | None:
    try:
        return Tier(value)
    except ValueError:
        return None
