"""The workflow runs, each as a timeline of its steps, and the two answers where one waits for a person."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from scenewright.core.runtime import Runtime
from scenewright.dashboard.markup import Markup, join, tag
from scenewright.dashboard.parts import Links, badge, empty, file_stamp
from scenewright.dashboard.run_views import RunView, StepView, newest_runs
from scenewright.dashboard.words import clip, duration, moment
from scenewright.workflow.run_storage import storage_of

__all__ = ["Runs"]

WINDOW = 6
_MOST_STEPS = 24
_KINDS: Final = {"succeeded": "good", "failed": "bad", "interrupted": "bad", "canceled": "wait", "waiting": "wait"}
_GAP = 0.8  # the least that is drawn, in hundredths of the whole


class Runs:
    """The newest runs."""

    name = "runs"

    def __init__(self, runtime: Runtime, links: Links) -> None:
        self._storage = storage_of(runtime)
        self._links = links

    def stamp(self) -> Hashable:
        file = self._storage.file
        return None if file is None else file_stamp(file, file.with_name(f"{file.name}-wal"))

    def render(self) -> Markup:
        if self._storage.file is None:
            return empty(
                "Runs are kept in a database server: ", tag("code", "scenewright workflow list"), " shows them."
            )
        runs = newest_runs(self._storage, WINDOW)
        if not runs:
            return empty("No workflow was run yet.")
        return tag("ol", *(self._row(run) for run in runs), class_="rows runs", data_rows=True)

    def _row(self, run: RunView) -> Markup:
        facts = [f"{len(run.steps)} of {run.total} steps"]
        if run.steps:
            facts.append(duration(run.steps[-1].ended - run.steps[0].began))
        facts += ["dry run"] if run.dry_run else []
        head = tag(
            "div",
            tag("h3", tag("bdi", clip(run.workflow, 80)), class_="what"),
            badge(run.status, _KINDS.get(run.status, "")),
            moment(run.started),
            tag("span", *(tag("bdi", fact) for fact in facts), class_="facts"),
            class_="head",
        )
        asks = self._question(run) if run.waits_at else None
        error = tag("p", tag("bdi", clip(run.error, 300)), class_="error") if run.error else None
        timeline = _timeline(run.steps)
        version = f"{run.status} {len(run.steps)} {run.waits_at}"
        return tag("li", head, asks, error, timeline, id=f"run-{run.id}", class_=f"run {run.status}", data_v=version)

    def _question(self, run: RunView) -> Markup:
        fields = {"run": run.id, "step": run.waits_at or ""}
        text = tag("pre", run.asks, tabindex="0", aria_label="What it waits to do")
        buttons = (
            self._links.button(
                label,
                action,
                fields,
                class_=f"{kind} answer",
                aria_label=f"{label} step {clip(run.waits_at or '', 60)} of {clip(run.workflow, 60)}",
            )
            for label, action, kind in (("Approve", "approve-step", "primary"), ("Reject", "reject-step", "danger"))
        )
        return join(text, tag("div", *buttons, class_="answers"))


def _timeline(steps: list[StepView]) -> Markup | None:
    if not steps:
        return None
    shown = steps[-_MOST_STEPS:]
    begin = min(step.began for step in shown)
    whole = max(max(step.ended for step in shown) - begin, 1)
    return tag("ol", *(_step(step, begin, whole) for step in shown), class_="timeline")


def _step(step: StepView, begin: int, whole: int) -> Markup:
    left = 100 * (step.began - begin) / whole
    width = max(_GAP, 100 * (step.ended - step.began) / whole)
    bar = tag("rect", x=f"{min(left, 100 - _GAP):.2f}", y=1, width=f"{width:.2f}", height=6, rx=1)
    drawing = tag("svg", bar, viewBox="0 0 100 8", preserveAspectRatio="none", aria_hidden="true", class_="bar")
    name = tag("bdi", clip(step.id, 40), class_="step", title=clip(step.said, 200))
    ended = "" if step.status == "succeeded" else f"{step.status}, "
    took = tag("span", f"{ended}{duration(step.ended - step.began)}", class_="took")
    return tag("li", name, drawing, took, class_=step.status)
