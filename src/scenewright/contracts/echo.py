"""What a write's result says that its caller knows: what was sent, and what the summary or the diff says already.

A result is shortened for a model only, in the portable dialect. What differs from what was sent stays, as does all that
a caller could not know.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from scenewright.core.calls.call import Call, Outcome
from scenewright.core.operations.declaration import Manager, Operation
from scenewright.core.operations.model import Outputs, to_wire
from scenewright.core.operations.sent_values import says_the_same

__all__ = ["news_of", "shortened", "without_said", "writes_what_was_sent"]

_DEEDS = ("created", "deleted", "applied", "written", "saved")  # said by the summary, where they are so
_PLACES = ("path", "uri")
_PART = re.compile(r"^operations\[\d+\]: ")
_UNSENT = object()


def news_of(outcome: Outcome) -> Any:
    """Return the output of a call without what its caller knows; of a call that only looks, all of it."""
    call = outcome.call
    output = to_wire(call.output)
    if not isinstance(output, dict):
        return output
    if isinstance(output.get("results"), list) and "operations" in call.arguments:
        return _news_of_batch(output, outcome)
    output = _outputs(call.operation).shorten(output)
    if not call.operation.writes or call.operation.runs_others:
        return output
    output = _without_steps(output, call.operation, told=outcome.diff is not None)
    return _without_compiled(_without_echo(output, call.arguments, outcome.summary), call)


def without_said(warnings: Sequence[str], result: Any) -> list[str]:
    """Return the warnings without those that a result, or that of a part of a batch, tells as errors by line."""
    parts = [result, *(part.get("result") for part in result.get("results", []))] if isinstance(result, dict) else []
    said = {
        f"{error.get('path')}:{error.get('line')}: {error.get('message')}"
        for part in parts
        if isinstance(part, dict) and "compiled" in part
        for error in part.get("errors", [])
    }
    return [warning for warning in warnings if _PART.sub("", warning) not in said]


def shortened(call: Call) -> Any:
    """Return the output of a call as its class shortens it, for a contract whose replies have a form of their own."""
    output = to_wire(call.output)
    return _outputs(call.operation).shorten(output) if isinstance(output, dict) else output


def writes_what_was_sent(call: Call) -> bool:
    """Return whether all that a call, or each part of a batch, wrote was sent as it is or is told as different."""
    parts = getattr(call.output, "results", None)
    if parts is None or "operations" not in call.arguments:
        return _writes_as_sent(call.operation)
    items = call.arguments["operations"]
    operations = [_operation(part.tool, items[part.index].get("args") or {}, call) for part in parts]
    return all(op is not None and (not op.writes or _writes_as_sent(op)) for op in operations)


def _writes_as_sent(operation: Operation) -> bool:
    return _outputs(operation).writes_what_was_sent


def _outputs(operation: Operation) -> type[Outputs]:
    """Return the class of what an operation returns; one that was declared by a schema has no ways of its own."""
    return operation.outputs if isinstance(operation.outputs, type) else Outputs


def _news_of_batch(output: dict[str, Any], outcome: Outcome) -> dict[str, Any]:
    """Return the results of a batch, in order; its summary has the counts where all went well."""
    items = outcome.call.arguments["operations"]
    parts = [_news_of_part(part, items[part["index"]], outcome) for part in output["results"]]
    rest = {name: value for name, value in output.items() if name not in ("succeeded", "failed", "results")}
    counts = {name: output[name] for name in ("succeeded", "failed")} if output["failed"] else {}
    return _without_compiled(rest | counts | {"results": parts}, outcome.call)


def _news_of_part(part: dict[str, Any], item: Mapping[str, Any], outcome: Outcome) -> dict[str, Any]:
    if not part["success"]:
        return {name: part[name] for name in ("index", "tool", "id", "error") if name in part}
    shown = {name: part[name] for name in ("id", "summary", "historyEntry") if name in part}
    result, operation = part.get("result"), _operation(part["tool"], item.get("args") or {}, outcome.call)
    if isinstance(result, dict) and operation is not None:
        result = _outputs(operation).shorten(result)
    if isinstance(result, dict) and operation is not None and operation.writes:
        done = "historyEntry" in part and not outcome.call.dry_run
        result = _without_steps(result, operation, told=done or outcome.diff is not None)
        result = _without_echo(result, item.get("args") or {}, part.get("summary", ""))
    return shown | ({"result": result} if result else {})


def _operation(tool: str, arguments: Mapping[str, Any], call: Call) -> Operation | None:
    entry = call.runtime.registry.named(tool)
    return call.runtime.registry.action(tool, arguments.get("action")) if isinstance(entry, Manager) else entry


def _without_steps(output: dict[str, Any], operation: Operation, *, told: bool) -> dict[str, Any]:
    """Leave out what the diff, which stands beside it or in the history, says in lines."""
    fields = _outputs(operation).told_by_diff if told else ()
    return {name: value for name, value in output.items() if name not in fields}


def _without_echo(output: Mapping[str, Any], sent: Mapping[str, Any], summary: str) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    for name, value in output.items():
        if _is_known(name, value, sent, summary):
            continue
        given = sent.get(name)
        if isinstance(value, dict) and isinstance(given, Mapping):
            value = {key: each for key, each in value.items() if not says_the_same(each, given.get(key, _UNSENT))}
            if not value:
                continue
        kept[name] = value
    return kept


def _is_known(name: str, value: Any, sent: Mapping[str, Any], summary: str) -> bool:
    if name in sent and says_the_same(value, sent[name]):
        return True
    if isinstance(value, list):
        return bool(value) and value == _sent_nodes(sent)
    if value is True:
        return name in _DEEDS
    if isinstance(value, int):
        return f"{value:,} {name}" in summary
    if not isinstance(value, str):
        return False
    if name.lower().endswith(_PLACES) and any(says_the_same(value, given) for given in _sent_places(sent)):
        return True
    return _is_said(value, summary)


def _is_said(value: str, summary: str) -> bool:
    """Return whether a summary names a value, which it puts into quotes or brackets unless it is a path or a phrase."""
    is_clear = value.startswith("res://") or " " in value
    return f"'{value}'" in summary or f"({value})" in summary or (is_clear and value in summary)


def _sent_nodes(sent: Mapping[str, Any]) -> list[str]:
    """Return the paths of the nodes that were sent in a list."""
    nodes = next((given for given in sent.values() if isinstance(given, list)), [])
    return [_sent_places(node)[-1] for node in nodes if isinstance(node, Mapping) and "nodeName" in node]


def _sent_places(sent: Mapping[str, Any]) -> list[Any]:
    """Return the paths that were sent, and that of a node that was sent by its name."""
    places = [value for name, value in sent.items() if name.lower().endswith(_PLACES)]
    name, parent = sent.get("nodeName"), sent.get("parentNodePath", ".")
    return [*places, name if parent == "." else f"{parent}/{name}"] if isinstance(name, str) else places


def _without_compiled(output: dict[str, Any], call: Call) -> dict[str, Any]:
    """Leave out which files were compiled where they are those that were written."""
    files = output.get("compiledFiles")
    changed = {change.path for change in call.changes.changes()} if call.changes is not None else set()
    if files and {file.removeprefix("res://") for file in files} <= changed:
        return {name: value for name, value in output.items() if name != "compiledFiles"}
    return output
