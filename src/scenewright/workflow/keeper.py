"""A thread that looks after the runs of a project: takes over those of dead processes, passes on that one was
cancelled from elsewhere, and drops the oldest."""

from __future__ import annotations

import logging
import threading
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scenewright.workflow.engine import WorkflowEngine
    from scenewright.workflow.liveness import Liveness
    from scenewright.workflow.store import WorkflowStore

__all__ = ["Keeper"]

logger = logging.getLogger(__name__)
ROUND_SECONDS = 0.5
HEIRS_EVERY = 4  # rounds
PRUNE_SECONDS = 600.0


class Keeper:
    """Makes its rounds until it is stopped."""

    def __init__(self, engine: WorkflowEngine, store: WorkflowStore, liveness: Liveness) -> None:
        self._engine = engine
        self._store = store
        self._liveness = liveness
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._serve, name="workflow-keeper", daemon=True)
        self._round = 0
        self._pruned = 0.0
        self._answered: set[str] = set()

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()
        self._thread.join()

    def _serve(self) -> None:
        while not self._stopped.is_set():
            try:
                self._run_round()
            except Exception:
                # The database may be away for a while; runs wait for it, and so does this.
                if not self._stopped.is_set():
                    logger.warning("workflows: a round was left out", exc_info=True)
            self._stopped.wait(ROUND_SECONDS)

    def _run_round(self) -> None:
        if self._round % HEIRS_EVERY == 0:
            self._take_over()
        self._round += 1
        self._pass_on_cancels()
        if time.monotonic() - self._pruned > PRUNE_SECONDS or not self._pruned:
            self._store.prune()
            self._pruned = time.monotonic()

    def _pass_on_cancels(self) -> None:
        cancelled = self._store.cancelled_among(self._engine.active)
        self._answered &= cancelled.keys()
        for run_id, waiting in cancelled.items():
            self._engine.cancel_here(run_id)
            # It may have begun to wait for a person only after whoever cancelled it had looked.
            if waiting and run_id not in self._answered:
                self._store.answer(run_id, waiting, {"decision": "cancel"})
                self._answered.add(run_id)

    def _take_over(self) -> None:
        for executor in self._store.other_owners():
            if self._liveness.is_dead(executor):
                logger.warning("workflows: a process is gone; its runs go on here or elsewhere")
                self._store.hand_over(executor)
