"""What waits for a person: calls, each with all that it is about, what it would change, and the two answers."""

from __future__ import annotations

from collections.abc import Hashable
from datetime import UTC, datetime
from pathlib import Path

from scenewright.core.policy.pending_approvals import Approval, Approvals
from scenewright.core.projects.user_folder import user_folder
from scenewright.dashboard.changes import diff_block
from scenewright.dashboard.markup import Markup, tag
from scenewright.dashboard.parts import Links, badge, empty, folder_stamp
from scenewright.dashboard.words import clip, moment

__all__ = ["PendingCalls"]

_ANSWERED = {"approved": "Approved, waits for its call", "rejected": "Rejected"}
MOST_PREVIEWS = 50


class PendingCalls:
    """The questions of one project."""

    name = "approvals"

    def __init__(self, root: Path, links: Links) -> None:
        self._root = str(root)
        self._links = links
        self._approvals = Approvals()
        self._previews: dict[str, list[str]] = {}

    def stamp(self) -> Hashable:
        # One that runs out leaves no trace in the folder.
        return folder_stamp(user_folder() / "approvals"), len(self._waiting()), len(self._previews)

    def render(self) -> Markup:
        waiting = self._waiting()
        if not waiting:
            return empty("Nothing waits for you.")
        return tag("ol", *(self._row(each) for each in waiting), class_="rows approvals", data_rows=True)

    def without_preview(self) -> Approval | None:
        """Return a question of which nobody has worked out yet what it would change."""
        open_ones = (each for each in self._waiting() if each.verdict is None)
        return next((each for each in open_ones if each.digest not in self._previews), None)

    def keep_preview(self, approval: Approval, lines: list[str]) -> None:
        if len(self._previews) >= MOST_PREVIEWS:
            self._previews.pop(next(iter(self._previews)))
        self._previews[approval.digest] = lines

    def _waiting(self) -> list[Approval]:
        return [each for each in self._approvals.waiting() if each.project == self._root]

    def _row(self, approval: Approval) -> Markup:
        preview = self._previews.get(approval.digest)
        head = tag("h3", tag("bdi", clip(approval.tool, 120)), class_="what")
        asked = datetime.fromtimestamp(approval.asked_at, UTC).isoformat()
        text = tag("pre", approval.text, tabindex="0", aria_label="What is asked")
        body: list[Markup] = [tag("div", head, moment(asked), class_="head"), text]
        if approval.verdict is None:
            body += [self._preview(preview), self._answers(approval)]
        else:
            body.append(badge(_ANSWERED[approval.verdict], approval.verdict))
        return tag(
            "li",
            *body,
            id=f"approval-{approval.id}",
            class_=approval.verdict or "waits",
            data_v=f"{approval.verdict} {preview is not None} {approval.digest[:12]}",
        )

    def _preview(self, lines: list[str] | None) -> Markup:
        if lines is None:
            return empty("Working out what it would change…")
        return diff_block(lines) if lines else empty("A dry run changes nothing.")

    def _answers(self, approval: Approval) -> Markup:
        fields = {"id": approval.id, "digest": approval.digest}
        name = clip(approval.tool, 80)
        answers = (("Approve", "approve", "primary"), ("Reject", "reject", "danger"))
        buttons = (
            self._links.button(label, action, fields, class_=f"{kind} answer", aria_label=f"{label} {name}")
            for label, action, kind in answers
        )
        return tag("div", *buttons, class_="answers")
