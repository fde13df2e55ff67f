"""The rounds of one 2026-07-28 request: the handler runs anew in each, and finds its earlier answers there.

What was answered before travels with the client in the state beside its request. The server seals that state and
binds it to the request and its arguments, so what stands in it is ours.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import mcp_types as types

from scenewright.core.calls.call import Suspended
from scenewright.core.calls.questions import Answer, Question
from scenewright.server.questions import answer_of, request_of

__all__ = ["InputNeeded", "Rounds"]


class InputNeeded(Suspended):
    """Ends a round; carries what the client is asked."""

    def __init__(self, result: types.InputRequiredResult) -> None:
        super().__init__("the client must answer first")
        self.result = result


class Rounds:
    """What this request brought along."""

    def __init__(self, params: types.InputResponseRequestParams) -> None:
        state: dict[str, Any] = json.loads(params.request_state) if params.request_state else {}
        self._asked: list[str] = state.get("asked", [])
        self._known = {name: Answer(*parts) for name, parts in state.get("known", {}).items()}
        self._replies = params.input_responses or {}

    def answers(self, questions: Mapping[str, Question], *, proven: bool) -> dict[str, Answer]:
        """Return the answers, once all have come.

        Raises:
            InputNeeded: some are missing or do not fit, and are asked for now.
        """
        replies = {name: self._find(name, question, proven=proven) for name, question in questions.items()}
        known = {name: answer for name, answer in replies.items() if answer is not None}
        self._known |= known
        missing = {name: question for name, question in questions.items() if name not in known}
        if missing:
            raise InputNeeded(self._request(missing))
        return known

    def _find(self, name: str, question: Question, *, proven: bool) -> Answer | None:
        if name in self._known:
            return self._known[name]
        if name not in self._replies or (proven and name not in self._asked):
            return None
        answer = answer_of(question, self._replies[name])
        return answer if answer is not None and answer.fits(question) else None

    def _request(self, missing: Mapping[str, Question]) -> types.InputRequiredResult:
        known = {name: (answer.action, dict(answer.content)) for name, answer in self._known.items()}
        return types.InputRequiredResult(
            input_requests={name: request_of(question) for name, question in missing.items()},
            request_state=json.dumps({"asked": list(missing), "known": known}),
        )
