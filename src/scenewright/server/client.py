"""The MCP client at the other end of a request, in both eras of the protocol.

Up to 2025-11-25 a server may ask the client something while it handles a request. From 2026-07-28 on it answers
`input_required` instead, and the client makes the same request again with the answers in it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from scenewright.core.calls.questions import Answer, Form, Question, Unanswerable
from scenewright.core.faults import Denied
from scenewright.server.client_log import LogLevels
from scenewright.server.questions import answer_of, is_declared, reply_type, request_of
from scenewright.server.rounds import Rounds

__all__ = ["McpClient", "is_modern"]

MOST_NAME = 80
_APPROVAL: dict[str, Any] = {
    "type": "object",
    "properties": {"approve": {"type": "boolean", "title": "Allow", "description": "Whether this may be done."}},
    "required": ["approve"],
}


def is_modern(ctx: ServerRequestContext[Any, Any]) -> bool:
    return ctx.protocol_version in MODERN_PROTOCOL_VERSIONS


class McpClient:
    """What a handler and the pipeline may tell and ask."""

    def __init__(
        self, ctx: ServerRequestContext[Any, Any], params: types.InputResponseRequestParams, levels: LogLevels
    ) -> None:
        self.ctx = ctx
        self._levels = levels
        self._rounds = Rounds(params) if is_modern(ctx) else None

    @property
    def id(self) -> str:
        """Who is calling, for the rate limit: the HTTP session, or else the client's own name."""
        headers = getattr(self.ctx.request, "headers", None)
        if headers is not None and (session := headers.get("mcp-session-id")):
            return str(session)
        known = self.ctx.session.client_params
        return known.client_info.name if known else "anonymous"

    @property
    def name(self) -> str | None:
        """What the client calls itself, with its version."""
        known = self.ctx.session.client_params
        if known is None:
            return None
        return f"{known.client_info.name} {known.client_info.version}".strip()[:MOST_NAME]

    async def progress(self, done: float, total: float | None, message: str | None) -> None:
        await self.ctx.session.report_progress(done, total, message)

    async def log(self, level: str, message: str) -> None:
        await self._levels.send(self.ctx, level, message)

    async def hang_up(self) -> None:
        if self.ctx.close_sse_stream is not None:
            await self.ctx.close_sse_stream()

    async def approve(self, question: str) -> bool | None:
        form = Form(question, _APPROVAL)
        if not self.can_answer(form):
            return None
        # Named for what is asked: the parts of a batch ask one after the other, and a yes is for one of them only.
        name = f"approval-{hashlib.sha256(question.encode()).hexdigest()[:12]}"
        try:
            answer = (await self.ask({name: form}, proven=True))[name]
        except Denied:
            return None  # what came back is no answer
        # Some hosts answer whatever they cannot show with cancel: nobody was asked, and nobody said no.
        return None if answer.action == "cancel" else answer.action == "accept" and bool(answer.content["approve"])

    def can_answer(self, question: Question) -> bool:
        session = self.ctx.session
        reachable = self._rounds is not None or session.can_send_request
        return reachable and is_declared(question, session.client_capabilities)

    async def ask(self, questions: Mapping[str, Question], *, proven: bool = False) -> Mapping[str, Answer]:
        beyond = [question for question in questions.values() if not self.can_answer(question)]
        if beyond:
            raise Unanswerable(beyond)
        if self._rounds is not None:
            return self._rounds.answers(questions, proven=proven)
        return {name: await self._send(question) for name, question in questions.items()}

    async def _send(self, question: Question) -> Answer:
        try:
            reply = await self.ctx.session.send_request(
                request_of(question),
                reply_type(question),
                metadata=ServerMessageMetadata(related_request_id=self.ctx.request_id),
            )
        except MCPError as error:
            raise Denied(f"The client did not answer: {error.message}") from None
        except ValidationError:
            raise Denied("The client's answer does not follow the protocol.") from None
        answer = answer_of(question, reply)
        if answer is None or not answer.fits(question):
            raise Denied("The client's answer does not fit the form.", hint="Fill in the form as it asks.")
        return answer
