"""The end of a server process."""

from __future__ import annotations

import os
import pty
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


def test_on_a_terminal_the_server_says_what_it_is_and_what_to_do() -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "scenewright", "serve"]
    with subprocess.Popen(command, stdin=theirs, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        os.close(theirs)
        assert process.stderr is not None
        said = process.stderr.readline() + process.stderr.readline() + process.stderr.readline()
        process.terminate()
        process.wait(timeout=30)
    os.close(ours)
    assert b"waits for a client" in said
    assert b"scenewright init" in said
