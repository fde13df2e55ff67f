"""Seals the state that 2026-07-28 clients carry between the rounds of one request, with the SDK's own boundary.

The boundary needs `cryptography`, which takes longer to import than everything of ours; so it is made when the first
request asks something back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp_types.methods import INPUT_REQUIRED_METHODS, is_input_required

if TYPE_CHECKING:
    from mcp.server.request_state import RequestStateBoundary

__all__ = ["StateSeal"]


class StateSeal:
    """Middleware: unseals what comes back, seals what goes out."""

    def __init__(self, audience: str) -> None:
        self._audience = audience
        self._boundary: RequestStateBoundary | None = None

    async def __call__(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        if ctx.method not in INPUT_REQUIRED_METHODS:
            return await call_next(ctx)
        if (ctx.params or {}).get("requestState") is not None:
            return await self._sealed()(ctx, call_next)
        result = await call_next(ctx)
        if not is_input_required(result):
            return result

        async def answered(_: ServerRequestContext[Any, Any]) -> HandlerResult:
            return result

        return await self._sealed()(ctx, answered)

    def _sealed(self) -> RequestStateBoundary:
        if self._boundary is None:
            from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity

            self._boundary = RequestStateBoundary(RequestStateSecurity.ephemeral(), default_audience=self._audience)
        return self._boundary
