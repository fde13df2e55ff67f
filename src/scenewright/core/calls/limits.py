"""What one call and one client may use: payload size, nesting, and calls per second."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

import msgspec

from scenewright.core.calls.rate_limit import RateLimit
from scenewright.core.faults import Invalid, RateLimited

__all__ = ["MAX_DEPTH", "TokenBuckets", "check_payload"]

MAX_DEPTH = 64
MAX_CLIENTS = 1024
_LONG_NUMBER = re.compile(rb"[0-9]{19}")


def check_payload(arguments: Mapping[str, Any], max_bytes: int) -> None:
    """Refuse what is too large, too deep, or not JSON that every reader takes (NaN, half a surrogate pair)."""
    try:
        encoded = msgspec.json.encode(arguments)
    except RecursionError:
        raise _too_deep() from None
    except (UnicodeEncodeError, TypeError):
        raise _not_json("text that is not valid Unicode") from None
    if len(encoded) > max_bytes:
        raise Invalid(
            f"The arguments are {len(encoded):,} bytes; at most {max_bytes:,} are accepted.",
            path="input",
            rule="maxPayloadBytes",
            hint="Send less in one call, or raise GOX_MCP_MAX_PAYLOAD_BYTES.",
        )
    # Only where the encoded form leaves room for it is the slow look needed.
    if b"null" in encoded or encoded.count(b"{") + encoded.count(b"[") > MAX_DEPTH or _LONG_NUMBER.search(encoded):
        _walk(arguments)


def _walk(root: Any) -> None:
    waiting: list[tuple[Any, int]] = [(root, 1)]
    while waiting:
        value, depth = waiting.pop()
        if depth > MAX_DEPTH:
            raise _too_deep()
        if isinstance(value, float) and not math.isfinite(value):
            raise _not_json("NaN or Infinity")
        if isinstance(value, int) and not -(2**63) <= value < 2**63:
            raise Invalid("The arguments hold a whole number of more than 64 bits.", path="input", rule="integer")
        children = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
        waiting.extend((child, depth + 1) for child in children)


def _too_deep() -> Invalid:
    return Invalid(f"The arguments are nested more than {MAX_DEPTH} levels deep.", path="input", rule="maxDepth")


def _not_json(what: str) -> Invalid:
    return Invalid(f"The arguments hold {what}, which JSON does not have.", path="input", rule="json")


@dataclass(slots=True)
class _Bucket:
    tokens: float
    at: float


@dataclass(slots=True)
class TokenBuckets:
    """One token bucket per client."""

    limit: RateLimit | None
    _buckets: dict[str, _Bucket] = field(default_factory=dict)

    def take(self, client: str, now: float | None = None) -> None:
        """Take a token, or raise RateLimited with the wait in milliseconds."""
        if self.limit is None:
            return
        now = monotonic() if now is None else now
        bucket = self._bucket(client, now)
        bucket.tokens = min(self.limit.burst, bucket.tokens + (now - bucket.at) * self.limit.per_second)
        bucket.at = now
        if bucket.tokens >= 1 - 1e-9:  # whoever waited as long as told must not fail for a rounding
            bucket.tokens = max(0.0, bucket.tokens - 1)
            return
        wait_ms = math.ceil((1 - bucket.tokens) / self.limit.per_second * 1000)
        raise RateLimited(
            f"Too many calls: wait {wait_ms} ms.",
            hint=f"Call again after {wait_ms} ms, or put several calls into one batch_operations.",
            details={"retryAfterMs": wait_ms, "burst": self.limit.burst, "perSecond": self.limit.per_second},
        )

    def _bucket(self, client: str, now: float) -> _Bucket:
        assert self.limit is not None
        bucket = self._buckets.get(client)
        if bucket is None:
            if len(self._buckets) >= MAX_CLIENTS:
                # The longest unseen client's bucket is full again by now, or soon.
                del self._buckets[min(self._buckets, key=lambda name: self._buckets[name].at)]
            bucket = self._buckets[client] = _Bucket(self.limit.burst, now)
        return bucket
