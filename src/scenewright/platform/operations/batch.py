"""`batch_operations`: several calls in one, each through the whole pipeline; a tool of godot-mcp-unified."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from scenewright.contracts.omni.codes import code_of
from scenewright.core.calls.call import Call, Outcome
from scenewright.core.calls.effects import no_part_of_a_batch
from scenewright.core.calls.nested_client import PartClient
from scenewright.core.faults import Fault, Invalid
from scenewright.core.operations.declaration import Example, Manager, Operation, Safety, operation
from scenewright.core.operations.model import Compiled, Inputs, Record, about, to_wire
from scenewright.core.policy.approval import require_person
from scenewright.core.policy.approval_subject import ApprovalItem, Matter
from scenewright.core.policy.gates import cited, decide
from scenewright.core.policy.rules import Decision
from scenewright.core.text.counts import count_noun

__all__ = ["OPERATIONS"]

MAX_ITEMS = 100
MAX_NAMED = 5  # calls that a summary names
MAX_DEEDS = 3  # changes that histories name


class Item(Inputs, frozen=True, kw_only=True):
    tool: Annotated[str, about("Tool name or id.", min_length=1)]
    args: Annotated[dict[str, Any], about("Its arguments, with action for a manager.")] = msgspec.field(
        default_factory=dict
    )
    id: Annotated[str, about("A name for this item in the results.")] | None = None


class BatchInputs(Inputs, frozen=True, kw_only=True):
    operations: Annotated[
        list[Item], about("The calls, in order; args of a manager with its action.", min_length=1, max_length=MAX_ITEMS)
    ]
    stop_on_error: Annotated[bool, about("Skip the rest after a failure.")] = True
    atomic: Annotated[bool, about("Write all files at the end, or none if any call fails.")] = False


class ItemResult(Record, frozen=True, kw_only=True):
    index: Annotated[int, about("Place in the batch, from 0.")]
    tool: Annotated[str, about("Tool that was called.")]
    success: Annotated[bool, about("Whether it worked.")]
    duration_ms: Annotated[int, about("How long it took.")]
    id: Annotated[str, about("The item's own name.")] | None = None
    summary: Annotated[str, about("What it did.")] | None = None
    result: Annotated[Any, about("What the call returned.")] = None
    error: Annotated[dict[str, Any], about("What went wrong: code, message, details, suggestedFix.")] | None = None
    history_entry: Annotated[int, about("The change it made, for history; not in an atomic batch.")] | None = None
    diff_summary: Annotated[str, about("How much it changed; history shows the diff.")] | None = None


class BatchResult(Compiled, frozen=True, kw_only=True):
    results: Annotated[list[ItemResult], about("One per call that ran, in order.")]
    succeeded: Annotated[int, about("Calls that worked.")]
    failed: Annotated[int, about("Calls that failed.")]
    skipped: Annotated[int, about("Calls skipped after a failure.")] = 0
    unpassed: (
        Annotated[list[int], about("Calls that worked and found something wrong, such as a check that fails.")] | None
    ) = None


class BatchFailed(Fault):
    """An all-or-nothing batch of which a part failed; has the kind of that part's fault."""

    def __init__(self, index: int, tool: str, cause: Fault) -> None:
        super().__init__(
            f"Call {index} of the batch ('{tool}') failed, so nothing was written: {cause.message}",
            hint=cause.hint,
            details=_details(index, cause) | {"index": index, "tool": tool},
            retryable=cause.retryable,
        )
        self.kind = cause.kind  # type: ignore[misc]


@operation(
    id="core.batch_operations",
    category="core",
    safety=Safety.SAFE_WRITE,
    tool="batch_operations",
    timeout=300.0,
    runs_others=True,
    notes="Each call is under the same policy, and needs the same approval, as alone. A batch cannot hold a batch.",
    examples=(
        Example(
            "Two calls",
            {"operations": [{"tool": "core.ping"}, {"tool": "read_file", "args": {"path": "a.gd"}}]},
            {
                "results": [
                    {"index": 0, "tool": "core.ping", "success": True, "durationMs": 0, "result": {"ok": True}},
                    {
                        "index": 1,
                        "tool": "read_file",
                        "success": False,
                        "durationMs": 1,
                        "error": {"code": "E_NOT_FOUND", "message": "There is no file at 'a.gd'."},
                    },
                ],
                "succeeded": 1,
                "failed": 1,
            },
        ),
    ),
)
async def batch(call: Call, inputs: BatchInputs) -> BatchResult:
    """Runs up to 100 calls in order; stops at the first failure, or writes everything at once or not at all."""
    _refuse_unfit(call, inputs)
    approved = await _ask_approval(call, inputs)
    results: list[ItemResult] = []
    outcomes: list[Outcome] = []
    for index, item in enumerate(inputs.operations):
        client = PartClient(call.client, index, len(inputs.operations))
        outcome = await call.invoke(
            item.tool, item.args, share_changes=inputs.atomic, client=client, approved=index in approved
        )
        if outcome.fault is not None and inputs.atomic:
            raise BatchFailed(index, item.tool, outcome.fault)
        results.append(_result(index, item, outcome))
        outcomes.append(outcome)
        _take_over(call, index, outcome)
        await call.progress(index + 1, len(inputs.operations), item.tool)
        if outcome.fault is not None and inputs.stop_on_error:
            break
    failed = sum(not result.success for result in results)
    skipped = len(inputs.operations) - len(results)
    unpassed = [index for index, outcome in enumerate(outcomes) if outcome.ok and not outcome.passed]
    succeeded = f"{len(results) - failed} of {count_noun(len(inputs.operations), 'call')} succeeded"
    call.summary = f"{succeeded}{_describe_unpassed(unpassed)}."
    call.title = _title(outcomes)
    return BatchResult(
        results=results, succeeded=len(results) - failed, failed=failed, skipped=skipped, unpassed=unpassed or None
    )


OPERATIONS = (batch,)


def _refuse_unfit(call: Call, inputs: BatchInputs) -> None:
    for index, item in enumerate(inputs.operations):
        op = _operation(call, item)
        if op is batch:
            raise Invalid("A batch cannot hold a batch.", path=f"input.operations[{index}].tool", rule="recursion")
        if op is not None and inputs.atomic and not op.can_be_part:
            raise no_part_of_a_batch(item.tool)


async def _ask_approval(call: Call, inputs: BatchInputs) -> set[int]:
    """Asks once for all calls that need a person, before any of them has run; returns those that were approved.

    In the middle it would be too late: a client may have to make the whole call again with the answer, and what was
    written by then would be written twice.

    Raises:
        Denied: the person said no, or nobody answered.
    """
    decisions = [_decision(call, item) for item in inputs.operations]
    risky = {
        index: decision
        for index, decision in enumerate(decisions)
        if decision and decision.allowed and decision.needs_approval
    }
    if risky:
        await require_person(call, _approval_matter(call, inputs, risky))
    return set(risky)


def _approval_matter(call: Call, inputs: BatchInputs, risky: dict[int, Decision]) -> Matter:
    """All calls of the batch: what one of them does may depend on those before it."""
    count = len(inputs.operations)
    marked = "all" if len(risky) == count else f"{len(risky)} of them, marked with !,"
    parts = [
        ApprovalItem(item.tool, item.args, _operation(call, item), asks=index in risky)
        for index, item in enumerate(inputs.operations)
    ]
    return Matter(
        title=f"Allow a batch of {count_noun(count, 'call')}, {marked} in need of approval",
        reason="; ".join(dict.fromkeys(each.reason for each in risky.values())),
        parts=parts,
        project=str(call.state.project.root),
        details=cited(next(iter(risky.values()))),
    )


def _decision(call: Call, item: Item) -> Decision | None:
    op = _operation(call, item)
    return decide(op, call, item.args, dry_run=_is_dry_run(call, item)) if op is not None else None


def _is_dry_run(call: Call, item: Item) -> bool:
    """Return whether a call says that it is a dry run; the call itself decides again when its turn comes."""
    params = item.args.get("params")
    given = [item.args, params if isinstance(params, dict) else {}]
    return call.dry_run or any(each.get(name) is True for each in given for name in ("dryRun", "dry_run"))


def _operation(call: Call, item: Item) -> Operation | None:
    try:
        tool = call.runtime.registry.find(item.tool)
    except Fault:
        return None  # reported by the item's own call
    if isinstance(tool, Manager):
        return call.runtime.registry.action(tool.name, item.args.get("action"))
    return tool


def _describe_unpassed(unpassed: list[int]) -> str:
    """What a reader must not overlook where every call worked."""
    if not unpassed:
        return ""
    named = ", ".join(map(str, unpassed[:MAX_NAMED])) + (" …" if len(unpassed) > MAX_NAMED else "")
    return f", but {len(unpassed)} found something wrong (operation{'s' if len(unpassed) > 1 else ''} {named})"


def _title(outcomes: list[Outcome]) -> str | None:
    """What the calls changed, for histories."""
    deeds = [
        outcome.call.deed.removesuffix(".") for outcome in outcomes if outcome.ok and outcome.call.operation.writes
    ]
    if not deeds:
        return None
    more = len(deeds) - MAX_DEEDS
    return ", ".join(deeds[:MAX_DEEDS]) + (f" and {more} more" if more > 0 else "") + "."


def _take_over(call: Call, index: int, outcome: Outcome) -> None:
    call.attachments += outcome.call.attachments if outcome.ok else []
    call.warnings += [f"operations[{index}]: {warning}" for warning in outcome.call.warnings]


def _result(index: int, item: Item, outcome: Outcome) -> ItemResult:
    fault = outcome.fault
    error: dict[str, Any] | None = None
    if fault is not None:
        portable = outcome.call.runtime.config.dialect != "contract"
        error = {"code": code_of(fault, portable=portable), "message": fault.message}
        error |= {"details": details} if (details := _details(index, fault)) else {}
        error |= {"suggestedFix": fault.hint} if fault.hint else {}
    return ItemResult(
        index=index,
        tool=item.tool,
        id=item.id,
        success=fault is None,
        duration_ms=outcome.duration_ms,
        summary=outcome.summary if fault is None else None,
        result=to_wire(outcome.call.output) if fault is None else None,
        error=error,
        history_entry=outcome.call.entry.id if outcome.call.entry else None,
        diff_summary=outcome.diff.summary if outcome.diff else None,
    )


def _details(index: int, fault: Fault) -> dict[str, Any]:
    if not isinstance(fault, Invalid) or fault.path is None:
        return fault.details
    # As seen from the batch, which is what the caller wrote.
    return fault.details | {
        "path": fault.path.replace("input", f"input.operations[{index}].args", 1),
        "rule": fault.rule,
    }
