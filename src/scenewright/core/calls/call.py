"""One call on its way through the pipeline: what was asked, by whom, and what the handler may use.

A handler sees a `Call` and its inputs, nothing else. It reads and stages files through `call.files`, reports through
`call.progress`, and never formats, checks a permission or writes to disk itself.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal, Protocol

from scenewright.core.calls.questions import Answer, Question, Unanswerable
from scenewright.core.faults import Fault, Invalid
from scenewright.core.writes.changeset import Changeset
from scenewright.core.writes.diff import diff_of_all

if TYPE_CHECKING:
    from scenewright.core.operations.declaration import Operation
    from scenewright.core.projects.live import Stage, Steps
    from scenewright.core.projects.state import ProjectState
    from scenewright.core.records.run_log import Run
    from scenewright.core.runtime import Runtime
    from scenewright.core.writes.diff import Diff
    from scenewright.core.writes.journal import Entry

__all__ = [
    "DRY_RUN",
    "Attachment",
    "Call",
    "Client",
    "Meta",
    "Outcome",
    "Request",
    "SilentClient",
    "Suspended",
    "as_bool",
]

DRY_RUN = "Dry run, nothing was written. A real run would say:"
UNCHANGED = "No file had to be changed for it."
Origin = Literal["mcp", "cli", "batch", "workflow"]
_VERDICTS = ("passed", "valid", "compiled")  # outputs by which an operation says what it thinks of what it saw
_WORDS = {"true": True, "1": True, "yes": True, "on": True, "false": False, "0": False, "no": False, "off": False}


class Client(Protocol):
    """The other end of the call: whoever can be told things and asked things."""

    @property
    def id(self) -> str: ...

    async def progress(self, done: float, total: float | None, message: str | None) -> None: ...

    async def log(self, level: str, message: str) -> None: ...

    async def approve(self, question: str) -> bool | None:
        """Return the person's answer, or None where there is none: this client cannot ask, or nobody answered."""

    def can_answer(self, question: Question) -> bool: ...

    async def ask(self, questions: Mapping[str, Question], *, proven: bool = False) -> Mapping[str, Answer]:
        """Return the answers to some questions, whose names are unique within the call.

        The time a person takes counts as the operation's. `proven` takes no answer that cannot be shown to belong to
        a question of ours, which is right where a yes has consequences.

        Raises:
            Unanswerable: this client cannot be asked one of them.
            Denied: it was asked and refused.
        """

    async def hang_up(self) -> None:
        """End the connection of a long call where the client can come back for its result, else do nothing."""


class Suspended(Exception):
    """The client must answer something first; it then makes the same call again, with the answer."""


class SilentClient:
    """A client that hears nothing and cannot be asked."""

    id = "local"

    async def progress(self, done: float, total: float | None, message: str | None) -> None:
        del done, total, message

    async def log(self, level: str, message: str) -> None:
        del level, message

    async def approve(self, question: str) -> bool | None:
        del question
        return None

    def can_answer(self, question: Question) -> bool:
        del question
        return False

    async def ask(self, questions: Mapping[str, Question], *, proven: bool = False) -> Mapping[str, Answer]:
        del proven
        raise Unanswerable(list(questions.values()))

    async def hang_up(self) -> None:
        return None


@dataclass(frozen=True, slots=True)
class Meta:
    """The request metadata of the Gox MCP contract."""

    actor: str | None = None
    correlation_id: str = ""
    dry_run: bool = False
    approved: bool = False  # says the caller; whether that counts is for the policy to say
    idempotency_key: str | None = None

    @classmethod
    def parse(cls, raw: Mapping[str, Any] | None) -> Meta:
        """Read `actor`, `correlationId`, `dryRun`, `approved` and `idempotencyKey`; other keys are not ours.

        Raises:
            Invalid: one of them is not what it must be.
        """
        raw = raw or {}
        return cls(
            actor=_text(raw, "actor"),
            correlation_id=_text(raw, "correlationId") or str(uuid.uuid4()),
            dry_run=as_bool(raw.get("dryRun"), path="_meta.dryRun"),
            approved=as_bool(raw.get("approved"), path="_meta.approved"),
            idempotency_key=_text(raw, "idempotencyKey") or None,
        )

    @classmethod
    def identified(cls, raw: Mapping[str, Any] | None) -> Meta:
        """Return only the correlation id, or a new one, so that even a call with bad metadata can be traced."""
        try:
            return cls.parse({"correlationId": (raw or {}).get("correlationId")})
        except Invalid:
            return cls.parse(None)


def _text(raw: Mapping[str, Any], key: str) -> str | None:
    value = raw.get(key)
    if value is None or (isinstance(value, str) and len(value) <= 200 and _is_unicode(value)):
        return value
    raise Invalid(f"'{key}' must be a string of at most 200 characters.", path=f"_meta.{key}", rule="type")


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def as_bool(value: Any, *, path: str) -> bool:
    """Return a bool, a bool-like string, or nothing (false)."""
    if value is None or isinstance(value, bool):
        return bool(value)
    if isinstance(value, str) and (word := _WORDS.get(value.strip().lower())) is not None:
        return word
    raise Invalid(
        f"'{path}' must be true or false.", path=path, rule="type", hint="Send true, false, 'true' or 'false'."
    )


@dataclass(frozen=True, slots=True)
class Attachment:
    """Content that belongs beside the data, such as a picture; of a link, `data` is the title."""

    kind: Literal["text", "image", "audio", "resource", "resource_link"]
    data: bytes | str
    mime_type: str = "text/plain"
    uri: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What a caller asked for, before anything was looked at."""

    tool: str
    arguments: Mapping[str, Any]
    meta: Mapping[str, Any] | None = None
    client: Client = field(default_factory=SilentClient)
    origin: Origin = "mcp"
    parent: Call | None = None
    timeout: float | None = None  # seconds for the handler, instead of its own limit
    key: str | None = None  # a call that writes under a key is carried out once, however often it is made
    approved: bool = False  # by a person, as far as this process knows; what a caller says of itself is in `meta`
    resumes: str | None = None  # the workflow run that the one started by this call takes up again
    caller: str | None = None  # the program that calls, as it names itself


@dataclass(slots=True, kw_only=True)
class Call:
    """The state of one call; each pipeline step fills in its part."""

    request: Request
    runtime: Runtime
    state: ProjectState
    meta: Meta = field(default_factory=lambda: Meta.parse(None))
    tool: str = ""
    action: str | None = None
    operation: Operation = None  # type: ignore[assignment]  # set by the first step, before anyone reads it
    arguments: dict[str, Any] = field(default_factory=dict)
    claims: dict[str, Any] = field(default_factory=dict)  # what its caller says of the editor and the engine
    inputs: Any = None
    project_path: str | None = None  # as the caller, or the call this one is a part of, named it
    changes: Changeset | None = None
    shares_changes: bool = False  # staged into a larger commit, which is not this call's to make
    follows_up: bool = False  # done and written; what is asked for now only looks at it
    announced: bool = False  # the journal was told that it is about to be made
    only_plans: bool = False  # it was asked for what it would change, and not to change it
    lasting: bool = False  # it changes, or would, what can neither be staged nor taken back through history
    recalled: bool = False  # made before under the same key: its output was kept, and nothing is done again
    run: Run | None = None
    warnings: list[str] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    summary: str | None = None
    title: str | None = None  # what histories call it, where the summary is about the call and not about the change
    output: Any = None
    answered_bytes: int | None = None  # of what it returned, pictures and the like included
    entry: Entry | None = None
    stage: Stage | None = None  # the editor that has the project open
    takes_back: list[Steps] = field(default_factory=list)  # edits that an editor's own undo takes back, in this order
    undoes: tuple[int, ...] = ()  # the history entries that this call takes back
    written: list[int] = field(default_factory=list)  # the history entries that its parts have made
    started: float = field(default_factory=perf_counter)
    _diff: Diff | None = None

    @property
    def diff(self) -> Diff | None:
        """What this call changed or, in a dry run, would change."""
        if self._diff is None and self.changes is not None and not self.shares_changes:
            self._diff = diff_of_all(self.changes, self.state.generated)
        return self._diff

    def explain(self, diff: Diff) -> None:
        """Say what changes in the operation's own words: bytes may tell a reader nothing, or no file may change."""
        self._diff = diff

    @property
    def deed(self) -> str:
        """What the call changed, in a line for the project's history and the editor's."""
        return self.title or self.summary or self.operation.name

    @property
    def name(self) -> str:
        """What was called, in the caller's own words."""
        return f"{self.tool} {self.action}" if self.action else self.operation.flat_name

    @property
    def key(self) -> str | None:
        """What a call that writes is carried out once under: a workflow's, or one that the client made up for it."""
        given = self.meta.idempotency_key
        if self.request.key is not None or given is None:
            return self.request.key
        same = json.dumps([self.operation.id, given, self.request.arguments], sort_keys=True, default=str)
        return f"client/{hashlib.sha256(same.encode('utf-8', 'replace')).hexdigest()[:40]}"

    @property
    def client(self) -> Client:
        return self.request.client

    @property
    def dry_run(self) -> bool:
        return self.meta.dry_run

    @property
    def files(self) -> Changeset:
        """The project's files as this call sees them: its own staged changes over the disk."""
        if self.changes is None:
            self.changes = Changeset(self.state.project)
        return self.changes

    def forget_work(self) -> None:
        """Let go of what the handler has read, staged and said, of which nothing was done."""
        self.take_doubts()
        self.changes, self.stage, self._diff = None, None, None
        self.output, self.summary = None, None
        self.attachments.clear()

    def take_doubts(self) -> None:
        """Take over what the editors have to be warned of, each only once."""
        stages = (self.stage, self.changes.stage if self.changes is not None else None)
        doubts = [doubt for stage in stages if stage is not None for doubt in stage.doubts]
        self.warnings[:] = dict.fromkeys([*self.warnings, *doubts])

    async def progress(self, done: float, total: float | None = None, message: str | None = None) -> None:
        await self.client.progress(done, total, message)

    def attach(self, attachment: Attachment) -> None:
        self.attachments.append(attachment)

    async def invoke(
        self,
        tool: str,
        arguments: Mapping[str, Any],
        *,
        share_changes: bool = False,
        client: Client | None = None,
        approved: bool = False,
        resumes: str | None = None,
    ) -> Outcome:
        """Run another operation as part of this call, through the whole pipeline.

        With `share_changes` it sees what this call has staged, and what it stages becomes this call's if it succeeds.
        That is always so in a dry run, and where this call is itself part of a larger commit.
        `approved` says that a person has approved exactly this. `resumes` names the workflow run that the one it starts
        takes up again.
        """
        request = Request(
            tool=tool,
            arguments=arguments,
            meta={"actor": self.meta.actor, "correlationId": self.meta.correlation_id}
            | {"dryRun": self.meta.dry_run, "approved": self.meta.approved},
            client=client or self.client,
            origin="batch",
            parent=self,
            approved=approved,
            resumes=resumes,
            caller=self.request.caller,
        )
        shared = share_changes or self.shares_changes or self.dry_run
        return await self.runtime.run(request, changes=self.files.fork() if shared else None)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a call ended: with data, or with a fault."""

    call: Call
    fault: Fault | None
    duration_ms: int

    @property
    def ok(self) -> bool:
        return self.fault is None

    @property
    def diff(self) -> Diff | None:
        """What was written, or in a dry run would be; a call that failed wrote nothing."""
        return self.call.diff if self.ok else None

    @property
    def passed(self) -> bool:
        """Whether it worked and, if it was to look for what is wrong, found nothing: no check failed, all is valid."""
        return self.ok and all(getattr(self.call.output, name, None) is not False for name in _VERDICTS)

    @property
    def summary(self) -> str:
        """One line for a person."""
        if self.fault is not None:
            return self.fault.message
        text = self.call.summary or f"{self.call.operation.name}: done."
        # Handlers speak of what they staged as done; of a dry run that would be untrue.
        only_shown = self.call.dry_run and self.call.operation.writes
        text = f"{text} {UNCHANGED}" if self._changed_nothing else text
        return f"{DRY_RUN} {text}" if only_shown else text

    @property
    def _changed_nothing(self) -> bool:
        """Whether a call that is there to change files found them as it would have made them."""
        call, operation = self.call, self.call.operation
        is_write = operation.writes and operation.transactional and not operation.runs_others and not call.recalled
        if not is_write or call.only_plans or call.lasting or call.written or call.changes is None:
            return False
        return not (call.changes.changes() or call.changes.drafts)
