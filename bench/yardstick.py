"""How fast this machine is just now: a fixed piece of work, so that times of two days can be compared."""

from __future__ import annotations

import json
import time

__all__ = ["yardstick"]

ROUNDS = 7


def yardstick() -> float:
    """Return the processor milliseconds of the fastest round of something that resembles what we do."""
    return min(_round() for _ in range(ROUNDS)) * 1000


def _round() -> float:
    began = time.process_time()
    rows = [{"name": f"Node{at}", "position": [at, at / 4], "tags": {"a": at % 7}} for at in range(4000)]
    text = json.dumps(rows)
    names = sorted(row["name"][::-1] for row in json.loads(text))
    assert len({name.partition("e")[0] for name in names}) > 1
    return time.process_time() - began
