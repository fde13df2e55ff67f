"""How many calls one client may make, as a setting says it; `limits` counts them."""

from __future__ import annotations

import math
from dataclasses import dataclass

__all__ = ["RateLimit"]

SLOWEST = 0.001  # calls per second


@dataclass(frozen=True, slots=True)
class RateLimit:
    """A burst, and how fast it fills up again."""

    burst: int = 100
    per_second: float = 10.0

    @classmethod
    def parse(cls, text: str) -> RateLimit | None:
        """`BURST/PER_SECOND`, or `off`.

        Raises:
            ValueError: the text is neither.
        """
        if text.strip().lower() == "off":
            return None
        burst, _, rate = text.partition("/")
        limit = cls(int(burst), float(rate))
        if limit.burst < 1 or not SLOWEST <= limit.per_second < math.inf:
            raise ValueError("burst and rate must be positive")
        return limit
