"""A yes is good once: the state that a client carried through a finished 2026-07-28 call cannot be used again."""

from __future__ import annotations

import hashlib
from time import monotonic
from typing import Any

import mcp_types as types
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types.methods import is_input_required

__all__ = ["SpentStates"]


class SpentStates:
    """Middleware around the one that unseals: remembers the sealed states of finished calls until they expire."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._spent: dict[bytes, float] = {}

    async def __call__(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        state = (ctx.params or {}).get("requestState")
        if ctx.method != "tools/call" or not isinstance(state, str):
            return await call_next(ctx)
        digest = hashlib.sha256(state.encode("utf-8", "surrogatepass")).digest()
        self._spend(digest)
        try:
            result = await call_next(ctx)
        except MCPError:
            del self._spent[digest]  # refused, so nothing was done with it
            raise
        if is_input_required(result):
            del self._spent[digest]
        return result

    def _spend(self, digest: bytes) -> None:
        now = monotonic()
        self._spent = {known: at for known, at in self._spent.items() if now - at < self._seconds}
        if digest in self._spent:
            # In the words of the SDK, which refuses every other state that is not good.
            reason = {"reason": "invalid_request_state"}
            raise MCPError(types.INVALID_PARAMS, "Invalid or expired requestState", reason)
        self._spent[digest] = now
