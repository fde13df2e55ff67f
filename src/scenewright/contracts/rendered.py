"""A reply in the words of a contract, before any wire format."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import msgspec

from scenewright.contracts.echo import writes_what_was_sent
from scenewright.core.calls.call import Attachment, Outcome
from scenewright.core.writes.diff import Diff

__all__ = ["Rendered", "RpcError", "as_text", "encode_body", "entries_of", "replace_surrogates"]


@dataclass(frozen=True, slots=True)
class RpcError:
    """A reply that is an error of the protocol."""

    code: int
    message: str
    data: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """A reply: structured content with the same as text beside it, or a protocol error."""

    structured: dict[str, Any] | None = None
    text: str | None = None
    is_error: bool = False
    error: RpcError | None = None
    attachments: tuple[Attachment, ...] = ()
    meta: dict[str, Any] = field(default_factory=dict)

    @property
    def failed(self) -> bool:
        return self.is_error or self.error is not None


def entries_of(diff: Diff, outcome: Outcome, *, brief: bool) -> list[str]:
    """Return what is shown of a diff; a dry run is made to see all of it."""
    if not brief or outcome.call.dry_run:
        return diff.entries
    return diff.replaced if writes_what_was_sent(outcome.call) else diff.brief


def as_text(value: Any) -> str:
    """Return a value as compact JSON."""
    return msgspec.json.encode(value).decode()


def encode_body(body: Any) -> tuple[Any, str]:
    """Return the body and its text, with lone surrogates replaced: file names may hold them, no wire format can."""
    try:
        return body, as_text(body)
    except UnicodeEncodeError:
        body = replace_surrogates(body)
        return body, as_text(body)


def replace_surrogates(value: Any) -> Any:
    """Return a JSON value in which every text is valid Unicode."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {replace_surrogates(key): replace_surrogates(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [replace_surrogates(item) for item in value]
    return value
