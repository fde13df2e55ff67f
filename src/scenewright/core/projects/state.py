"""What scenewright keeps about one project: its journal, audit log and run log, opened when first needed."""

from __future__ import annotations

import logging
import os
from functools import cached_property
from pathlib import Path

from scenewright.core.config import Config
from scenewright.core.faults import Denied, Fault
from scenewright.core.policy.packs import POLICY_FILE, PolicySource
from scenewright.core.policy.rules import Approver
from scenewright.core.projects.ownership import foreign_records, make_state_folder, state_folder, state_name, take_moved
from scenewright.core.projects.project import STATE_FOLDER, Engine, Project
from scenewright.core.projects.restrictions import Restrictions
from scenewright.core.projects.user_folder import user_folder
from scenewright.core.records.audit import AuditLog
from scenewright.core.records.run_log import RunLog
from scenewright.core.writes.journal import Journal

__all__ = ["ProjectState"]

logger = logging.getLogger(__name__)


class ProjectState:
    """A project and its records.

    A folder that is only the working folder by chance gets no files from a mere look: `kept` says whether records
    are written from the start, or only once something is changed. `named` says whether a person named the project,
    with --project or by working in it; otherwise a call chose it inside the roots, and where it lies in another
    project (`above`), that one's policy holds too. A read-only server puts nothing into
    a project: its own records are in the user's folder, unless the project has records of ours already.
    """

    def __init__(
        self,
        project: Project,
        config: Config,
        engines: list[Engine],
        *,
        kept: bool,
        named: bool = False,
        above: ProjectState | None = None,
    ) -> None:
        self.project = project
        self._above = above
        self.named = named
        self.engines = engines
        self._config = config
        self._kept = kept
        self._complained = False
        self._prepared: int | None = None
        self.restrictions = Restrictions(project.root)
        self.trusted_to_run = False  # by a person who was asked
        self._refused = ""
        self._told = False

    def restricted(self, config: Config) -> Config:
        """Return a server's settings with what this project, and the one that it lies in, forbids."""
        return self.restrictions.applied_to(config if self._above is None else self._above.restricted(config))

    @property
    def generated(self) -> tuple[str, ...]:
        """Folders whose files nobody wants to read in a diff."""
        return tuple(folder for engine in self.engines for folder in engine.generated)

    @cached_property
    def folder(self) -> Path:
        root = self.project.root
        if not self._config.read_only:
            take_moved(root)
        own = state_folder(root)
        if self._config.read_only and not own.is_dir():
            return user_folder() / "read-only" / state_name(root)
        return own

    def tell_once(self) -> list[str]:
        """Return what a person should know about the records in this project, said with the first call."""
        if self._told:
            return []
        self._told = True
        refused = [self.restrictions.refused] if self.restrictions.refused else []
        foreign = foreign_records(self.project.root)
        if not foreign:
            return refused
        names = ", ".join(foreign[:5]) + (", …" if len(foreign) > 5 else "")
        warning = (
            f"{STATE_FOLDER}/ holds records that you did not make in this folder ({names}). They are left alone and"
            " nothing in them is used. If they are yours, `scenewright state adopt` takes them over."
        )
        logger.warning("%s: %s", self.project.root, warning)
        return [*refused, warning]

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
        ours = self.folder.is_relative_to(self.project.root)
        places = [self.project.root / engine.audit_log for engine in self.engines if ours and engine.audit_log]
        place = next((place for place in places if not place.parent.is_symlink()), self.folder / "audit.log")
        return AuditLog(
            place,
            head=None if place.parent == self.folder else self.folder / "audit.head",
            max_bytes=self._config.audit_max_bytes,
            backups=self._config.audit_backups,
        )

    @cached_property
    def policy(self) -> PolicySource:
        given, mode = self._config.policy_rules, self._config.policy_mode
        approver: Approver = "caller" if self._config.dialect == "contract" else "person"
        brought = PolicySource(self.project.root / STATE_FOLDER / POLICY_FILE, approver=approver)
        above = self._above.policy if self._above is not None else None
        return PolicySource(
            self.folder / POLICY_FILE, given=given, mode=mode, approver=approver, limit=brought, above=above
        )

    @cached_property
    def runs(self) -> RunLog:
        path = self.folder / "runs.sqlite" if self.kept else None
        return RunLog(path, max_age=self._config.run_max_age)

    def open_for_writing(self) -> None:
        """Make the state folder.

        Raises:
            Denied: the project's folder cannot be written.
        """
        self._kept = True
        if not self._prepare():
            raise Denied(
                f"The project's history cannot be written, so the change could not be undone: {self._refused}.",
                hint=f"Make {STATE_FOLDER}/ a writable folder of yours in the project's root.",
            )

    def recover(self) -> list[int]:
        """Finish what a killed process left half done; cheap where there is nothing, and never in the way.

        A read-only server leaves that to the next one that may write.
        """
        if self._config.read_only:
            return []
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
        """Make the folder where it is not there, or no longer: who cleans a project up may delete it under us."""
        if self._prepared is not None and _inode(self.folder) == self._prepared:
            return True
        try:
            make_state_folder(self.folder)
            if not os.access(self.folder, os.W_OK):
                raise PermissionError("the folder cannot be written")
            self._prepared = _inode(self.folder)
        except (OSError, Denied) as error:
            self._refused = getattr(error, "strerror", None) or str(error)
            self._prepared = None
        return self._prepared is not None


def _inode(folder: Path) -> int | None:
    try:
        return os.lstat(folder).st_ino
    except OSError:
        return None
