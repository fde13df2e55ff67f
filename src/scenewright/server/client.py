"""The MCP client at the other end of a request, in both eras of the protocol.

Up to 2025-11-25 a server may ask the client something while it handles a request. From 2026-07-28 on it answers
`input_required` instead, and the client makes the same request again with the answers in it.
"""

from __future__ import annotations

from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from scenewright.core.call import Suspended
from scenewright.server.levels import LogLevels

__all__ = ["InputNeeded", "McpClient", "is_modern"]

APPROVAL = "approval"
_FORM: dict[str, Any] = {
    "type": "object",
    "properties": {"approve": {"type": "boolean", "title": "Allow", "description": "Whether this may be done."}},
    "required": ["approve"],
}


class InputNeeded(Suspended):
    """Carries the interim result of a 2026-07-28 request."""

    def __init__(self, result: types.InputRequiredResult) -> None:
        super().__init__("the client must answer first")
        self.result = result


def is_modern(ctx: ServerRequestContext[Any, Any]) -> bool:
    return ctx.protocol_version in MODERN_PROTOCOL_VERSIONS


class McpClient:
    """What a handler and the pipeline may tell and ask."""

    def __init__(
        self, ctx: ServerRequestContext[Any, Any], params: types.InputResponseRequestParams, levels: LogLevels
    ) -> None:
        self.ctx = ctx
        self.params = params
        self._levels = levels

    @property
    def id(self) -> str:
        """Who is calling, for the rate limit: the HTTP session, or else the client's own name."""
        headers = getattr(self.ctx.request, "headers", None)
        if headers is not None and (session := headers.get("mcp-session-id")):
            return str(session)
        known = self.ctx.session.client_params
        return known.client_info.name if known else "anonymous"

    async def progress(self, done: float, total: float | None, message: str | None) -> None:
        await self.ctx.session.report_progress(done, total, message)

    async def log(self, level: str, message: str) -> None:
        await self._levels.send(self.ctx, level, message)

    async def approve(self, question: str) -> bool | None:
        capabilities = self.ctx.session.client_capabilities
        if capabilities is None or capabilities.elicitation is None:
            return None
        if is_modern(self.ctx):
            return self._answered(question)
        if not self.ctx.session.can_send_request:
            return None
        answer = await self.ctx.session.elicit_form(question, _FORM, related_request_id=self.ctx.request_id)
        return _is_yes(answer)

    def _answered(self, question: str) -> bool:
        """The answer that came with this request; the state beside it is sealed, so the question was ours."""
        answers = self.params.input_responses or {}
        if self.params.request_state == APPROVAL and APPROVAL in answers:
            return _is_yes(answers[APPROVAL])
        form = types.ElicitRequestFormParams(message=question, requested_schema=_FORM)
        raise InputNeeded(
            types.InputRequiredResult(
                input_requests={APPROVAL: types.ElicitRequest(params=form)}, request_state=APPROVAL
            )
        )


def _is_yes(answer: Any) -> bool:
    if not isinstance(answer, types.ElicitResult) or answer.action != "accept":
        return False
    return bool((answer.content or {}).get("approve"))
