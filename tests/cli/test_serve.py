"""The end of a server process."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import threading
from scenewright.cli import serve
if {stuck}:
    threading.Thread(target=threading.Event().wait).start()
serve._leave_stuck_threads()
print("reached the end")
"""


def test_a_handler_that_never_returns_does_not_keep_the_process_alive() -> None:
    program = PROGRAM.format(stuck=True)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=30, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def test_without_one_the_process_ends_as_always() -> None:
    program = PROGRAM.format(stuck=False)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=30, check=False)
    assert done.stdout == "reached the end\n"
