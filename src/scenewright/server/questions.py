"""Questions and answers as the MCP wire has them, the same in both eras: only the way they travel differs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

import mcp_types as types

from scenewright.core.calls.questions import Answer, Form, Question, Roots, Sample

__all__ = ["Reply", "answer_of", "is_declared", "reply_type", "request_of", "required_capabilities"]

Reply = types.ElicitResult | types.CreateMessageResult | types.CreateMessageResultWithTools | types.ListRootsResult


def request_of(question: Question) -> types.InputRequest:
    match question:
        case Form(message, schema):
            return types.ElicitRequest(params=types.ElicitRequestFormParams(message=message, requested_schema=schema))
        case Sample(prompt, max_tokens):
            user_message = types.SamplingMessage(role="user", content=types.TextContent(text=prompt))
            return types.CreateMessageRequest(
                params=types.CreateMessageRequestParams(messages=[user_message], max_tokens=max_tokens)
            )
        case Roots():
            return types.ListRootsRequest()
    assert_never(question)


def reply_type(question: Question) -> type[types.ElicitResult | types.CreateMessageResult | types.ListRootsResult]:
    match question:
        case Form():
            return types.ElicitResult
        case Sample():
            return types.CreateMessageResult
        case Roots():
            return types.ListRootsResult
    assert_never(question)


def answer_of(question: Question, reply: Reply) -> Answer | None:
    """Return the answer, unless the reply belongs to another kind of question."""
    match question, reply:
        case Form(), types.ElicitResult():
            return Answer(reply.action, reply.content or {})
        case Sample(), types.CreateMessageResult() | types.CreateMessageResultWithTools():
            return Answer("accept", {"text": _text(reply), "model": reply.model})
        case Roots(), types.ListRootsResult():
            return Answer("accept", {"roots": [str(root.uri) for root in reply.roots]})
    return None


def is_declared(question: Question, capabilities: types.ClientCapabilities | None) -> bool:
    """Return whether the client said that it can be asked this."""
    if capabilities is None:
        return False
    match question:
        case Form():
            # Without a mode it means forms, the only kind there was at first.
            modes = capabilities.elicitation
            return modes is not None and (modes.form is not None or modes.url is None)
        case Sample():
            return capabilities.sampling is not None
        case Roots():
            return capabilities.roots is not None
    assert_never(question)


def required_capabilities(questions: Iterable[Question]) -> types.ClientCapabilities:
    """Return what a client must declare to be asked these."""
    kinds = {type(question) for question in questions}
    form = types.ElicitationCapability(form=types.FormElicitationCapability())
    return types.ClientCapabilities(
        elicitation=form if Form in kinds else None,
        sampling=types.SamplingCapability() if Sample in kinds else None,
        roots=types.RootsCapability() if Roots in kinds else None,
    )


def _text(reply: types.CreateMessageResult | types.CreateMessageResultWithTools) -> str:
    blocks = reply.content if isinstance(reply.content, list) else [reply.content]
    return "".join(block.text for block in blocks if isinstance(block, types.TextContent))
