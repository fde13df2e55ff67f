"""What happens to a call that no rule of a policy pack is about."""

from __future__ import annotations

from typing import Literal

__all__ = ["Mode"]

Mode = Literal["allow-all", "deny-by-default"]
