"""What scenewright keeps about one project: its journal, audit log and run log, opened when first needed."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from scenewright.core.audit import AuditLog
from scenewright.core.config import Config
from scenewright.core.faults import Denied
from scenewright.core.journal import Journal
from scenewright.core.project import STATE_FOLDER, Engine, Project
from scenewright.core.runlog import RunLog

__all__ = ["ProjectState"]


class ProjectState:
    """A project and its records.

    A folder that is only the working folder by chance gets no files from a mere look: `kept` says whether records
    are written from the start, or only once something is changed.
    """

    def __init__(self, project: Project, config: Config, engines: list[Engine], *, kept: bool) -> None:
        self.project = project
        self.engines = engines
        self._config = config
        self._kept = kept
        self._prepared = False
        self._recovered = False

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
        place = next((engine.audit_log for engine in self.engines), f"{STATE_FOLDER}/audit.log")
        return AuditLog(
            self.project.root / place,
            max_bytes=self._config.audit_max_bytes,
            backups=self._config.audit_backups,
        )

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
        """Once per process: finishes what a killed process left half done."""
        if self._recovered:
            return []
        self._recovered = True
        return self.journal.recover()

    def close(self) -> None:
        if "journal" in self.__dict__:
            self.journal.close()
        if "runs" in self.__dict__:
            self.runs.close()

    def _prepare(self) -> bool:
        if self._prepared:
            return True
        ignore = self.folder / ".gitignore"
        try:
            self.folder.mkdir(exist_ok=True)
            if not ignore.exists():
                ignore.write_text("*\n", encoding="utf-8")
        except OSError:
            return False
        self._prepared = True
        return True
