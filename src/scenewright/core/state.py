"""What scenewright keeps about one project: its journal, audit log and run log, opened when first needed."""

from __future__ import annotations

import logging
import os
from functools import cached_property
from pathlib import Path

from scenewright.core.audit import AuditLog
from scenewright.core.config import Config
from scenewright.core.faults import Denied, Fault
from scenewright.core.journal import Journal
from scenewright.core.packs import POLICY_FILE, PolicySource
from scenewright.core.project import STATE_FOLDER, Engine, Project
from scenewright.core.rules import Approver
from scenewright.core.runlog import RunLog

__all__ = ["ProjectState"]

logger = logging.getLogger(__name__)


class ProjectState:
    """A project and its records.

    A folder that is only the working folder by chance gets no files from a mere look: `kept` says whether records
    are written from the start, or only once something is changed. `named` says whether a person named the project,
    with --project or by working in it; otherwise a call chose it inside the roots.
    """

    def __init__(
        self, project: Project, config: Config, engines: list[Engine], *, kept: bool, named: bool = False
    ) -> None:
        self.project = project
        self.named = named
        self.engines = engines
        self._config = config
        self._kept = kept
        self._complained = False
        self._prepared: int | None = None
        self.trusted_to_run = False  # by a person who was asked

    @property
    def generated(self) -> tuple[str, ...]:
        """Folders whose files nobody wants to read in a diff."""
        return tuple(folder for engine in self.engines for folder in engine.generated)

    @property
    def folder(self) -> Path:
        return self.project.root / STATE_FOLDER

    @property
    def kept(self) -> bool:
        """Whether there is a place for records."""
        if not self._kept:
            self._kept = self.folder.is_dir()
        return self._kept and self._prepare()

    @cached_property
    def journal(self) -> Journal:
        return Journal(self.project, self.folder, max_entries=self._config.journal_max_entries)

    @cached_property
    def audit(self) -> AuditLog:
        places = [self.project.root / engine.audit_log for engine in self.engines]
        place = next((place for place in places if self._is_inside(place.parent)), self.folder / "audit.log")
        return AuditLog(
            place,
            max_bytes=self._config.audit_max_bytes,
            backups=self._config.audit_backups,
        )

    @cached_property
    def policy(self) -> PolicySource:
        given, mode = self._config.policy_rules, self._config.policy_mode
        approver: Approver = "caller" if self._config.dialect == "contract" else "person"
        return PolicySource(self.folder / POLICY_FILE, given=given, mode=mode, approver=approver)

    @cached_property
    def runs(self) -> RunLog:
        path = self.folder / "runs.sqlite" if self.kept else None
        return RunLog(path, max_age=self._config.run_max_age)

    def open_for_writing(self) -> None:
        """Makes the state folder.

        Raises:
            Denied: the project's folder cannot be written.
        """
        self._kept = True
        if not self._prepare():
            raise Denied(
                "The project's folder cannot be written, so the change could not be undone.",
                hint=f"Make {STATE_FOLDER}/ writable in the project's root.",
            )

    def recover(self) -> list[int]:
        """Finishes what a killed process left half done; cheap where there is nothing, and never in the way."""
        try:
            return self.journal.recover()
        except Fault as fault:
            # Reads go on; a write meets the same fault and says so.
            if not self._complained:
                logger.warning("journal: %s", fault.message)
            self._complained = True
            return []

    def close(self) -> None:
        if "journal" in self.__dict__:
            self.journal.close()
        if "runs" in self.__dict__:
            self.runs.close()

    def _prepare(self) -> bool:
        """Makes the folder where it is not there, or no longer: who cleans a project up may delete it under us."""
        if self._prepared is not None and _inode(self.folder) == self._prepared:
            return True
        try:
            self._prepared = self._made()
        except OSError:
            self._prepared = None
        return self._prepared is not None

    def _made(self) -> int | None:
        self.folder.mkdir(mode=0o700, exist_ok=True)
        # A link may not take our records, and with them what is in the files, out of the project.
        if not self._is_inside(self.folder) or not os.access(self.folder, os.W_OK):
            return None
        ignore = self.folder / ".gitignore"
        if not ignore.exists():
            ignore.write_text("*\n", encoding="utf-8")
        return _inode(self.folder)

    def _is_inside(self, place: Path) -> bool:
        return place.resolve().is_relative_to(self.project.root)


def _inode(folder: Path) -> int | None:
    try:
        return os.stat(folder).st_ino
    except OSError:
        return None
