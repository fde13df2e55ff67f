"""Refuses a change of code that would break what was whole, as the language server sees it before it is written."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from scenewright.core.faults import Conflict
from scenewright.core.operations.model import to_wire
from scenewright.core.text.counts import count_noun

if TYPE_CHECKING:
    from scenewright.core.calls.call import Call
    from scenewright.godot.engine.language_server.analysis import Diagnostic, View

__all__ = ["MOST_CHECKED", "errors_of", "refuse_new_errors"]

MOST_CHECKED = 150  # scripts: more are only compiled after the write
Errors = set[tuple[str, str]]


def errors_of(view: View | None, paths: Iterable[str]) -> Errors | None:
    """Return what is wrong with scripts, by path and message; None where nobody looks."""
    scripts = [path for path in paths if path.endswith(".gd")]
    if view is None or len(scripts) > MOST_CHECKED:
        return None
    said = view.diagnose(scripts)
    return {
        (each.path, each.message) for diagnostics in said.values() for each in diagnostics if each.severity == "error"
    }


def refuse_new_errors(
    call: Call, paths: Iterable[str], before: Errors, *, change: str, hint: str, as_before: Callable[[str], str] = str
) -> None:
    """Look at scripts as the call has staged them; `as_before` gives a message the names that it had.

    Raises:
        Conflict: one of them would no longer compile.
    """
    from scenewright.godot.engine.language_server.servers import language_view

    with language_view(call) as view:
        said = view.diagnose([path for path in paths if path.endswith(".gd")])
    errors: list[Diagnostic] = [each for some in said.values() for each in some if each.severity == "error"]
    broken = [each for each in errors if not {(each.path, each.message), (each.path, as_before(each.message))} & before]
    if broken:
        raise Conflict(
            f"With this {change} {count_noun(len(broken), 'error')} would come: "
            + "; ".join(f"res://{each.path}:{each.line}: {each.message}" for each in broken[:3]),
            hint=hint,
            details={"errors": [to_wire(each) for each in broken[:20]]},
            retryable=False,
        )
