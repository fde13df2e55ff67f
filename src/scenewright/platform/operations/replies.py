"""Reading on where a reply was cut."""

from __future__ import annotations

from typing import Annotated

from scenewright.core.calls.call import Call
from scenewright.core.calls.reply_cache import Leftovers
from scenewright.core.faults import NotFound
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.core.operations.paging import Page
from scenewright.core.text.counts import count_noun

__all__ = ["OPERATIONS"]


class ReplyQuery(Inputs, frozen=True, kw_only=True):
    number: Annotated[int, about("Number of the reply, from its warning.", ge=1)]
    offset: Annotated[int, about("First character to return.", ge=0)] = 0
    max_chars: Annotated[int, about("Most characters to return.", ge=1, le=20_000)] = 12_000


class ReplyPart(Outputs, frozen=True, kw_only=True):
    text: Annotated[str, about("A part of the result's JSON.")]
    total_chars: Annotated[int, about("Length of all of it.")]
    truncated: Annotated[bool, about("Whether there is more; continue at nextOffset.")] = False
    next_offset: Annotated[int, about("Where the rest starts.")] | None = None


@operation(
    id="meta.reply.read",
    category="mcp.platform",
    safety=Safety.READ_ONLY,
    pure=True,
    tool="read_reply",
    manager="meta_tool_manager",
    action="reply",
    notes="The last long replies are kept in memory until the server ends.",
    examples=(
        Example(
            "The start of a long one",
            {"number": 1, "maxChars": 12},
            {"text": '{"nodes":[{"', "totalChars": 282000, "truncated": True, "nextOffset": 12},
        ),
    ),
)
def read_reply(call: Call, inputs: ReplyQuery) -> ReplyPart:
    """Reads a result that was too long for its reply, a part at a time."""
    text = call.runtime.services.get(Leftovers, Leftovers).find(inputs.number)
    if text is None:
        raise NotFound(
            f"No reply is kept under {inputs.number}.",
            hint="Make the call again; the warning of a reply that is cut has its number.",
        )
    page = Page.cut(text, inputs.offset, inputs.max_chars)
    call.summary = f"Reply {inputs.number}: {count_noun(len(text), 'character')}."
    return ReplyPart(text=page.items, total_chars=len(text), truncated=page.has_more, next_offset=page.next_offset)


OPERATIONS = (read_reply,)
