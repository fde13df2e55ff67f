"""What the environment and the command line decide, read once."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

from scenewright.core.calls.rate_limit import RateLimit
from scenewright.core.operations.tiers import Tier
from scenewright.core.policy.modes import Mode

__all__ = ["Config", "ConfigError", "Dialect", "Toolset", "WorkflowLimits"]

Dialect = Literal["portable", "contract"]
Toolset = Literal["compact", "full"]
MOST = 2**53
LOG_LEVELS = ("debug", "info", "warn", "warning", "error", "critical")


class ConfigError(ValueError):
    """A setting cannot be read; the message names it and says what it takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowLimits:
    """Gox's limits of workflows, in its units but seconds; and our own for what Gox does not limit."""

    max_concurrent_runs: int = 8
    max_queued_runs: int = 1000
    runs_per_editor: int = 1
    max_steps: int = 64
    max_logs: int = 256
    step_timeout: float = 30.0
    max_step_timeout: float = 300.0
    max_attempts: int = 5
    max_backoff: float = 30.0
    retention_runs: int = 1000
    retention_ttl: float = 86_400.0
    approval_wait: float = 86_400.0

    @classmethod
    def read(cls, whole: Callable[[str, int, int], int]) -> WorkflowLimits:
        """Return the limits, each read by its name with a default and the least it may be."""
        return cls(
            max_concurrent_runs=whole("GOX_WORKFLOW_MAX_CONCURRENT_RUNS", 8, 1),
            max_queued_runs=whole("SCENEWRIGHT_WORKFLOW_MAX_QUEUED_RUNS", 1000, 0),
            runs_per_editor=whole("SCENEWRIGHT_WORKFLOW_RUNS_PER_EDITOR", 1, 1),
            max_steps=whole("GOX_WORKFLOW_MAX_STEPS", 64, 1),
            max_logs=whole("GOX_WORKFLOW_MAX_LOGS_PER_RUN", 256, 1),
            step_timeout=float(whole("GOX_WORKFLOW_DEFAULT_STEP_TIMEOUT_SECONDS", 30, 1)),
            max_step_timeout=float(whole("GOX_WORKFLOW_MAX_STEP_TIMEOUT_SECONDS", 300, 1)),
            max_attempts=whole("GOX_WORKFLOW_MAX_ATTEMPTS", 5, 1),
            max_backoff=float(whole("GOX_WORKFLOW_MAX_BACKOFF_SECONDS", 30, 0)),
            retention_runs=whole("GOX_WORKFLOW_RETENTION_MAX_RUNS", 1000, 1),
            approval_wait=float(whole("SCENEWRIGHT_WORKFLOW_APPROVAL_SECONDS", 86_400, 1)),
            retention_ttl=float(whole("GOX_WORKFLOW_RETENTION_TTL_SECONDS", 86_400, 1)),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """The settings of one process."""

    project: Path | None = None
    further_projects: tuple[Path, ...] = ()  # named by a person beside the first
    roots: tuple[Path, ...] = ()  # folders in which calls may choose a project
    shell: bool = False  # a person stands in the working folder, which is then a project whatever it holds
    waits_for_project: bool = False  # a server goes on where a named folder is none, says so, and takes it later
    engine: str = "auto"
    toolset: Toolset = "compact"
    dialect: Dialect = "portable"
    read_only: bool = False
    allow_run: bool = False  # also where nothing may be written
    runs_nothing: bool = False  # whatever may be written: what a project's own file says by `allow_run = false`
    bridge_enabled: bool = False
    allow_dangerous: bool = False
    allow_external: bool = False
    policy_rules: str | None = None
    policy_mode: Mode | None = None
    tier: Tier = Tier.TIER4
    max_payload_bytes: int = 1 << 20
    max_reply_bytes: int = 64_000
    rate_limit: RateLimit | None = field(default_factory=RateLimit)
    action_timeout: float = 30.0
    session_seconds: float = 3600.0  # in which an HTTP session must be used
    audit_max_bytes: int = 5 << 20
    audit_backups: int = 3
    run_max_age: float = 259_200.0
    journal_max_entries: int = 1000
    log_level: str = "info"
    workflow: WorkflowLimits = field(default_factory=WorkflowLimits)
    database: str | None = None  # of the workflows; a file in the project's state folder by default

    @classmethod
    def from_environment(cls, env: Mapping[str, str] | None = None, **flags: object) -> Config:
        """Return settings from the environment; a flag that is not None comes before it.

        Raises:
            ConfigError: a variable holds what it cannot.
        """
        reader = _Reader(os.environ if env is None else env)
        settings: dict[str, object] = {
            "roots": reader.folders("SCENEWRIGHT_ROOTS"),
            "read_only": reader.flag("READ_ONLY_MODE"),
            "allow_run": reader.flag("SCENEWRIGHT_ALLOW_RUN"),
            "bridge_enabled": reader.flag("GOX_BRIDGE_ENABLED"),
            "allow_dangerous": reader.flag("ALLOW_DANGEROUS_OPS"),
            "allow_external": reader.flag("ALLOW_EXTERNAL_TOOLS"),
            "policy_rules": reader.text("GOX_POLICY_RULES_PATH", "") or None,
            "policy_mode": reader.mode("GOX_POLICY_MODE"),
            "tier": reader.choice("SCENEWRIGHT_TIER", Tier, cls.tier_default()),
            "max_payload_bytes": reader.whole("GOX_MCP_MAX_PAYLOAD_BYTES", 1 << 20, least=1),
            "max_reply_bytes": reader.whole("SCENEWRIGHT_MAX_REPLY_BYTES", 64_000, least=2000),
            "rate_limit": reader.rate("SCENEWRIGHT_RATE_LIMIT"),
            "action_timeout": float(reader.whole("GOX_ACTION_TIMEOUT_SECONDS", 30, least=1)),
            "session_seconds": float(reader.whole("SCENEWRIGHT_SESSION_SECONDS", 3600, least=1)),
            "audit_max_bytes": reader.whole("GODOT_MCP_AUDIT_MAX_BYTES", 5 << 20, least=1024),
            "audit_backups": reader.whole("GODOT_MCP_AUDIT_BACKUPS", 3, least=0),
            "run_max_age": float(reader.whole("GOX_RUNLOG_RETENTION_MAX_AGE_SECONDS", 259_200, least=1)),
            "journal_max_entries": reader.whole("SCENEWRIGHT_JOURNAL_MAX_ENTRIES", 1000, least=1),
            "log_level": reader.level("SCENEWRIGHT_LOG_LEVEL", reader.level("GOX_LOG_LEVEL", "info")),
        }
        settings["workflow"] = WorkflowLimits.read(
            lambda name, default, least: reader.whole(name, default, least=least)
        )
        settings["database"] = reader.text("SCENEWRIGHT_DATABASE_URL", "") or None
        settings |= {key: value for key, value in flags.items() if value is not None}
        return cls(**settings)  # type: ignore[arg-type]

    @property
    def may_run(self) -> bool:
        """Whether this server runs code of projects at all."""
        return not self.runs_nothing and (self.allow_run or not self.read_only)

    @staticmethod
    def tier_default() -> Tier:
        """Return the tier that offers everything; a lower one is for those who want less on offer."""
        return Tier.TIER4


@dataclass(frozen=True, slots=True)
class _Reader:
    env: Mapping[str, str]

    def text(self, name: str, default: str) -> str:
        return self.env.get(name, "").strip() or default

    def folders(self, name: str) -> tuple[Path, ...]:
        folders = tuple(Path(part).expanduser() for part in self.text(name, "").split(os.pathsep) if part.strip())
        for folder in folders:
            if not folder.is_absolute() or not folder.is_dir():
                raise ConfigError(
                    f"{name} must be absolute paths of folders, with '{os.pathsep}' between them; "
                    f"'{_shorten(str(folder))}' is not one."
                )
        return folders

    def flag(self, name: str) -> bool:
        text = self.text(name, "false").lower()
        if text in ("true", "1", "yes", "on"):
            return True
        if text in ("false", "0", "no", "off"):
            return False
        raise ConfigError(f"{name} must be true or false, not '{_shorten(text)}'.")

    def whole(self, name: str, default: int, *, least: int) -> int:
        text = self.text(name, str(default))
        try:
            number = int(text)
        except ValueError:
            raise ConfigError(f"{name} must be a whole number, not '{_shorten(text)}'.") from None
        if not least <= number <= MOST:
            raise ConfigError(f"{name} must be {least} to {MOST}, not {_shorten(text)}.")
        return number

    def choice(self, name: str, options: type[Tier], default: Tier) -> Tier:
        text = self.text(name, default)
        try:
            return options(text)
        except ValueError:
            raise ConfigError(f"{name} must be one of {', '.join(options)}, not '{_shorten(text)}'.") from None

    def mode(self, name: str) -> str | None:
        text = self.text(name, "").lower()
        if text and text not in get_args(Mode):
            raise ConfigError(f"{name} must be one of {', '.join(get_args(Mode))}, not '{_shorten(text)}'.")
        return text or None

    def level(self, name: str, default: str) -> str:
        text = self.text(name, default).lower()
        if text not in LOG_LEVELS:
            raise ConfigError(f"{name} must be one of {', '.join(LOG_LEVELS)}, not '{_shorten(text)}'.")
        return text

    def rate(self, name: str) -> RateLimit | None:
        text = self.text(name, "100/10")
        try:
            return RateLimit.parse(text)
        except ValueError:
            raise ConfigError(f"{name} must be BURST/PER_SECOND like 100/10, or off; not '{_shorten(text)}'.") from None


def _shorten(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:60]}…"
