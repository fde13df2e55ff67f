"""Seals what a 2026-07-28 client carries between the rounds of one request, by the SDK's own means.

Those load a library for encryption, which most sessions never need; so they are loaded with the first round.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp_types.methods import is_input_required

if TYPE_CHECKING:
    from mcp.server.request_state import RequestStateBoundary

__all__ = ["SealedStates"]


class SealedStates:
    """Middleware that seals states for an audience, and opens those that come back in time."""

    def __init__(self, audience: str, seconds: float) -> None:
        self._audience, self._seconds = audience, seconds

    async def __call__(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        if ctx.params is not None and ctx.params.get("requestState") is not None:
            return await self._boundary(ctx, call_next)
        result = await call_next(ctx)
        if not is_input_required(result):
            return result

        async def known(_: ServerRequestContext[Any, Any]) -> HandlerResult:
            return result

        return await self._boundary(ctx, known)

    @cached_property
    def _boundary(self) -> RequestStateBoundary:
        from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity

        return RequestStateBoundary(RequestStateSecurity.ephemeral(ttl=self._seconds), default_audience=self._audience)
