"""What happens to every call, in this order, whoever makes it: an MCP client, the shell, a batch, a workflow.

Each step is one small function over the call. A step that refuses raises a Fault; nothing after it runs.
"""

from __future__ import annotations

import inspect
import logging
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from random import random

import anyio
import anyio.to_thread
import msgspec

from scenewright.core.calls.arguments import (
    chosen_action,
    merge_params,
    read_controls,
    take_dry_run,
    take_project_path,
    take_timeout,
)
from scenewright.core.calls.call import Call, Meta
from scenewright.core.calls.effects import announce, is_unknown, no_part_of_a_batch, withdraw
from scenewright.core.calls.handlers import run_handler
from scenewright.core.calls.limits import check_payload
from scenewright.core.calls.repair import repair
from scenewright.core.calls.sent_texts import SentTexts
from scenewright.core.calls.validation import check
from scenewright.core.faults import Fault, Internal, Interrupted, Invalid, Outdated, Unsupported
from scenewright.core.operations.declaration import Manager
from scenewright.core.operations.model import as_tried, to_wire
from scenewright.core.operations.registry import Words
from scenewright.core.policy.approval import matter_of, require_person
from scenewright.core.policy.confirmation import confirm_sensitive_changes
from scenewright.core.policy.execution import permit_execution
from scenewright.core.policy.gates import decide, pass_gates_of, refusal
from scenewright.core.projects.live import Stage
from scenewright.core.projects.project import missing_project
from scenewright.core.writes.commits import author_of, commit
from scenewright.core.writes.drafts import recall_from_editors
from scenewright.core.writes.journal import Deed
from scenewright.core.writes.turns import in_turn

__all__ = ["STEPS", "execute", "read_metadata", "resolve"]

FOLLOW_UP_SECONDS = 20
PATIENCE_SECONDS = 10.0  # to edit what others edit at the same time, elsewhere
PAUSE_SECONDS = 0.1  # at most, between two attempts
logger = logging.getLogger(__name__)


async def resolve(call: Call) -> None:
    """Find the operation behind the name, and for a manager behind its action."""
    registry = call.runtime.registry
    call.tool = call.request.tool
    target = registry.find(call.tool)
    call.arguments = dict(call.request.arguments)
    if isinstance(target, Manager):
        call.action, target = chosen_action(registry, target.name, call.arguments)
    call.operation = target


async def read_metadata(call: Call) -> None:
    """After the operation is known, whose contract decides how bad metadata is answered."""
    call.meta = Meta.parse(call.request.meta)


async def guard_payload(call: Call) -> None:
    check_payload(call.request.arguments, call.runtime.config.max_payload_bytes)


async def limit_rate(call: Call) -> None:
    """Take a token of the client's bucket; the parts of a batch or a workflow are covered by its own."""
    if call.request.parent is None and call.request.origin != "workflow":
        call.runtime.buckets.take(call.client.id)


async def translate(call: Call) -> None:
    """Have contracts put their own words into ours; which operation is meant may follow from the arguments."""
    if call.action is not None:
        merge_params(call)
    words = Words(call.tool, call.action, call.operation, call.arguments, call.runtime.registry)
    for translation in words.registry.translations:
        translation(words)
    call.operation, call.arguments, call.claims = words.operation, words.arguments, words.claims
    call.warnings += words.notes


async def find_project(call: Call) -> None:
    """Take the arguments that every tool understands out of the rest: the project, the dry run, a manager's time."""
    take_dry_run(call)
    take_timeout(call)
    parent = call.request.parent
    call.project_path = take_project_path(call) or (parent.project_path if parent else None)
    begins = call.operation.begins_project
    lacks_project = call.project_path is None and call.operation.needs_project and not call.runtime.has_project
    if lacks_project or call.runtime.discovery.problems:
        call.runtime.look_again()
    if call.project_path is None and call.operation.needs_project and not (begins and call.runtime.discovery.folder):
        _require_project(call)
    find_state = call.runtime.state_to_begin if begins else call.runtime.state_for
    call.state = find_state(call.project_path)
    call.warnings += call.runtime.discovery.problems
    call.warnings += call.state.tell_once()
    if call.shares_changes and call.files.project != call.state.project:
        raise Invalid(
            "All parts of an all-or-nothing batch, or of a dry run, must be about the same project.",
            path="input.projectPath",
            rule="const",
        )


async def complete(call: Call) -> None:
    """Have the engine add what its open editor knows; nobody is asked on behalf of a call that the gates refuse."""
    registry = call.runtime.registry
    own = registry.engine_of[call.operation.id]
    for add_what_is_known in registry.completions_of([own] if own else call.state.engines):
        await add_what_is_known(call)


async def validate(call: Call) -> None:
    """Mend, check and convert the arguments."""
    operation = call.operation
    schema = operation.input_schema
    call.arguments, notes = repair(call.arguments, schema, operation.other_names)
    by_contract = {f"Read '{theirs}' as '{ours}'." for ours, theirs in operation.contract_words.items()}
    notes = [note for note in notes if note not in by_contract]
    if notes:
        call.warnings += notes
        # What was text until now may be as deep as it likes.
        check_payload(call.arguments, call.runtime.config.max_payload_bytes)
    check(schema, call.arguments, signature=operation.expected_call(call.action))
    if isinstance(operation.inputs, dict):
        call.inputs = call.arguments
        return
    try:
        call.inputs = msgspec.convert(call.arguments, operation.inputs)
    except msgspec.ValidationError as error:
        expected = f"Expected: {operation.expected_call(call.action)}."
        raise Invalid(str(error), path="input", rule="type", hint=expected) from None
    if operation.is_about_runs:
        read_controls(call)


async def gate(call: Call) -> None:
    pass_gates_of(call, call.operation)


async def approve(call: Call) -> None:
    """Ask the policy, and a person where the policy wants one."""
    decision = decide(call.operation, call, call.arguments)
    if not decision.allowed:
        raise refusal(call.name, decision)
    if decision.needs_approval:
        await require_person(call, matter_of(call, decision))


async def permit(call: Call) -> None:
    """Make sure that the project's code may be run, where the operation always does that."""
    if call.operation.executes == "always":
        await permit_execution(call)


async def dry_run(call: Call) -> None:
    """Make sure that the call can be shown where it is only to be shown, and staged where it is part of a commit."""
    operation = call.operation
    if call.dry_run and operation.writes and not operation.supports_dry_run:
        raise Unsupported(f"'{call.name}' cannot show what it would do.", hint="Leave dryRun out.")
    if call.shares_changes and not call.dry_run and not operation.can_be_part:
        raise no_part_of_a_batch(call.name)


async def replay_if_done(call: Call) -> None:
    """Take the output of the same call from where it was kept, be it by a process that then died."""
    if not _is_kept(call):
        return
    deed = await anyio.to_thread.run_sync(call.state.journal.recall, call.key or "")
    if deed is None and call.state.kept:
        return
    if deed is None or not deed.done:
        deed = await _recall_from_editors(call) or deed
    if deed is None:
        return
    if not deed.done:
        if call.operation.idempotent:
            return
        raise Interrupted(
            f"'{call.name}' was begun by a process that died, and it is unknown how far it got.",
            hint="Look at what it should have changed, then go on by hand or with a new run.",
        )
    call.recalled, call.output = True, deed.output
    call.written += [deed.entry] if deed.entry is not None else []
    call.summary = "Was done before; nothing was repeated."


async def _recall_from_editors(call: Call) -> Deed | None:
    """Ask the editors for what the journal was not told any more, and make up for that."""
    if (known := await recall_from_editors(call)) is None:
        return None
    keepsake, steps = known
    deed = Deed(keepsake.key, keepsake.output)
    if call.state.kept:
        author = replace(author_of(call, steps), deed=deed)
        entry = await in_turn(call.state.folder, partial(call.state.journal.commit, [], author))
        deed = replace(deed, entry=entry.id)
    return deed


async def attach_editor(call: Call) -> None:
    """Look whether an editor has the project open; what it has open, the call then sees as the editor does."""
    operation, runtime = call.operation, call.runtime
    if operation.requires_bridge and call.shares_changes and (staged := len(call.files.changes())):
        changes = f"{staged} changes of this batch are" if staged > 1 else "1 change of this batch is"
        call.warnings.append(f"This is what the editor has now; {changes} staged, and not in it.")
    if not operation.needs_project or operation.requires_bridge:
        return
    own = runtime.registry.engine_of[operation.id]
    writes = operation.writes or call.shares_changes  # what is read for a larger commit may be written there
    for engine in [own] if own else call.state.engines:
        live = runtime.live(engine.name)
        if live is None:
            continue
        call.stage, warning = live.stage(call.state.project, writes=writes, plain=own is None)
        call.warnings += [warning] if warning and own else []
        if call.stage is not None:
            break
    # A handler on the event loop cannot wait for an editor's file; it is told of what it missed when it is done.
    if (own or not writes) and call.stage and not inspect.iscoroutinefunction(operation.handler):
        call.files.stage = call.files.stage or call.stage


async def execute(call: Call) -> None:
    """Run the handler, with a time limit; a handler that is given up can no longer change anything."""
    if call.recalled:
        return
    if _is_announced(call):
        # What changes more than files leaves no trace in the journal by itself.
        call.state.open_for_writing()
        await announce(call)
    try:
        await _handle(call)
    except Fault as fault:
        if call.lasting and call.announced and is_unknown(fault):
            raise Interrupted(fault.message, hint=fault.hint, details=fault.details) from fault
        await withdraw(call, fault)
        raise


async def _handle(call: Call) -> None:
    limit = call.request.timeout or call.operation.timeout or call.runtime.config.action_timeout
    call.output = await run_handler(call, limit)
    call.output = as_tried(call.output) if call.dry_run else call.output
    if inspect.iscoroutinefunction(call.operation.handler):
        await _warn_of_unread_text(call)
    if call.changes is not None and call.operation.writes:
        for accompany in call.runtime.registry.accompaniments_of(call.state.engines):
            await anyio.to_thread.run_sync(accompany, call)


async def _warn_of_unread_text(call: Call) -> None:
    """Say so where a handler on the event loop took a file from the disk that an editor has open with other text."""
    stage, files = call.stage, call.changes
    if stage is None or files is None or files.stage is not None or not (seen := files.read_versions()):
        return
    try:
        missed = await anyio.to_thread.run_sync(_unread_texts, stage, seen)
    except Fault as fault:
        call.warnings.append(f"Files were read from the disk, and the editor did not say what it has: {fault.message}")
        return
    missed = [path for path in missed if not any(path in warning for warning in call.warnings)]
    if missed:
        are = "are" if len(missed) > 1 else "is"
        call.warnings.append(f"{', '.join(missed)} {are} open with unsaved text; this is about the disk.")


def _unread_texts(stage: Stage, seen: Mapping[str, bytes | None]) -> list[str]:
    """Return the files among these that an editor holds with unsaved text other than what was read."""
    opened = ((path, stage.find(path)) for path in seen)
    return [path for path, file in opened if file is not None and file.unsaved and file.content != seen[path]]


async def check_encodable(call: Call) -> None:
    """Make sure that there is something to say before anything is committed that the reply would then hide."""
    try:
        encoded = len(msgspec.json.encode(call.output))
    except UnicodeEncodeError:
        return  # a name on disk that is not Unicode; the contract writes it as well as it can be written
    call.answered_bytes = encoded + sum(len(attachment.data) for attachment in call.attachments)


async def confirm(call: Call) -> None:
    """Ask a person about files that other programs trust; what is part of a larger commit is asked about there."""
    if not call.shares_changes and not call.dry_run and not call.recalled:
        await confirm_sensitive_changes(call)


async def journal(call: Call) -> None:
    """Commit what the handler staged, unless this is a dry run or a part of a larger commit."""
    parent = call.request.parent
    if call.shares_changes:
        # A part that was only to be tried must not end up in the others' commit.
        if parent is not None and call.dry_run == parent.dry_run:
            parent.files.adopt(call.files)
        return
    if call.recalled or call.dry_run:
        return
    changes = call.changes.changes() if call.changes is not None else []
    if call.changes is None or not (changes or call.changes.drafts):
        if call.announced:
            await in_turn(call.state.folder, partial(call.state.journal.conclude, call.key or "", to_wire(call.output)))
        return
    if not call.operation.writes:
        raise Internal
    if changes:
        call.state.open_for_writing()
    await _commit(call)
    if parent is not None and call.entry is not None:
        parent.written.append(call.entry.id)


async def _commit(call: Call) -> None:
    """Commit; what an editor refuses since somebody edited the same file elsewhere is worked out anew."""
    until = anyio.current_time() + PATIENCE_SECONDS
    while True:
        try:
            # Not abandoned on cancel: a commit that has begun is carried through, and its outcome is known.
            with anyio.CancelScope(shield=True):
                call.entry = await commit(call, call.files)
            return
        except Outdated:
            if anyio.current_time() > until or not call.operation.transactional:
                raise
        await anyio.sleep(random() * PAUSE_SECONDS)  # several servers that edit one scene get out of step
        if not await _start_over(call):
            return


async def _start_over(call: Call) -> bool:
    """Work out anew what was not made, since somebody edited the file; return whether anything is left."""
    call.forget_work()
    await attach_editor(call)
    await _handle(call)
    await check_encodable(call)
    await confirm(call)
    return bool(call.files.changes() or call.files.drafts)


async def follow_up(call: Call) -> None:
    """Have the engines look at what was written, such as by compiling it; the files stay whatever comes of it."""
    if call.request.parent is None and call.operation.writes and not call.dry_run:
        call.runtime.services.get(SentTexts, SentTexts).remember(call.client.id, call.arguments)
    if call.shares_changes or call.dry_run or call.changes is None or not call.changes.written():
        return
    own = call.runtime.registry.engine_of[call.operation.id]
    call.follows_up = True
    with anyio.CancelScope(shield=True):  # it is written, and the reply must say so
        for review in call.runtime.registry.reviews_of([own] if own else call.state.engines):
            try:
                with anyio.fail_after(FOLLOW_UP_SECONDS):
                    await review(call)
            except TimeoutError:
                call.warnings.append(f"What was written could not be checked within {FOLLOW_UP_SECONDS} s.")
            except Fault as fault:
                call.warnings.append(f"What was written could not be checked: {fault.message}")
            except Exception:
                logger.exception("'%s' was written, and what follows failed", call.name)
                call.warnings.append("What was written could not be checked; the log has the detail.")


STEPS = (
    resolve,
    read_metadata,
    guard_payload,
    limit_rate,
    translate,
    find_project,
    complete,
    validate,
    gate,
    approve,
    permit,
    dry_run,
    replay_if_done,
    attach_editor,
    execute,
    check_encodable,
    confirm,
    journal,
    follow_up,
)


def _is_kept(call: Call) -> bool:
    return call.key is not None and call.operation.writes and not call.dry_run


def _is_announced(call: Call) -> bool:
    """Return whether the journal must hear of the call before it is made, since it could not tell afterwards."""
    operation = call.operation
    alone = operation.transactional and not operation.runs_others
    return _is_kept(call) and not alone and not operation.idempotent


def _require_project(call: Call) -> None:
    runtime = call.runtime
    by_contract = runtime.config.dialect == "contract" and call.request.origin == "mcp"
    if by_contract or not runtime.has_project:
        maker = next((op.flat_name for op in runtime.registry.operations.values() if op.begins_project), None)
        discovery = runtime.discovery
        raise missing_project(discovery.choices, discovery.problems, begun_by=maker if discovery.folder else None)
