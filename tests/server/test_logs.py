"""What goes to stderr."""

from __future__ import annotations

import json
import subprocess
import sys

PROGRAM = """
import logging
from scenewright.server.logs import log_to_stderr
log_to_stderr("info")
logging.getLogger("scenewright.x").info("Authorization: Bearer abcdefgh12345678")
logging.getLogger("scenewright.x").debug("not shown")
logging.getLogger("library").info("not shown")
try:
    1 / 0
except ZeroDivisionError:
    logging.getLogger("scenewright.x").exception("failed")
"""


def test_logs_are_json_lines_without_secrets() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    first, second = (json.loads(line) for line in done.stderr.splitlines())
    assert "[REDACTED]" in first["message"]
    assert "abcdefgh12345678" not in done.stderr
    assert first["level"] == "info"
    assert "ZeroDivisionError" in second["exception"]
    assert done.stdout == ""
