"""Logs as JSON lines on stderr; stdout belongs to MCP."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime

from scenewright.core.records.redaction import redact
from scenewright.core.records.secret_forms import hide_secrets
from scenewright.core.text.control_characters import escape_json_controls

__all__ = ["JsonLines", "log_to_stderr"]

_OURS = "scenewright"
MAX_TRACE = 20_000


class JsonLines(logging.Formatter):
    """One record as one line, without secrets."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "ts": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": redact(record.getMessage()),
        }
        if record.exc_info:
            line["exception"] = hide_secrets(self.formatException(record.exc_info)[-MAX_TRACE:])
        return escape_json_controls(json.dumps(line, ensure_ascii=False))


def log_to_stderr(level: str) -> None:
    """Log our own messages from the given level on, and those of libraries from warning on."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.getLogger(_OURS).setLevel(level.upper())
