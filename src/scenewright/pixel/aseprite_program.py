"""The Aseprite program, where a person has it: found by ASEPRITE_PATH or on the path, run without a window.

It gets a folder of its own with a copy of the file, so that it neither sees nor changes the project.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from scenewright.core.faults import TimedOut, Unsupported

__all__ = ["find_program", "program_version", "run_program"]

_INSTALL = "Install Aseprite and set ASEPRITE_PATH to it, or leave engine out: files are read and drawn without it."
_KEPT = ("PATH", "SYSTEMROOT", "TEMP", "TMP", "LANG")
_MOST_BYTES = 64 << 20


def find_program(environment: Mapping[str, str] = os.environ) -> str | None:
    """Return where Aseprite is: ASEPRITE_PATH, which may be empty for none, or `aseprite` on the path."""
    named = environment.get("ASEPRITE_PATH")
    if named is not None:
        return shutil.which(named, path=environment.get("PATH")) if named.strip() else None
    return shutil.which("aseprite", path=environment.get("PATH"))


def program_version(seconds: float = 20.0) -> str:
    """Return what the program says of itself.

    Raises:
        Unsupported: there is none, or it does not start.
        TimedOut: it does not end.
    """
    with TemporaryDirectory(prefix="scenewright-aseprite-") as folder:
        return _run(["--version"], Path(folder), seconds).splitlines()[0][:200]


def run_program(
    given: Mapping[str, bytes], arguments: Sequence[str], outputs: Sequence[str], seconds: float
) -> list[bytes]:
    """Run the program in a folder that has the given files and no other; return the files it made.

    Raises:
        Unsupported: there is none, it does not start, or it made something else.
        TimedOut: it does not end.
    """
    with TemporaryDirectory(prefix="scenewright-aseprite-") as name:
        folder = Path(name)
        for file, content in given.items():
            (folder / file).write_bytes(content)
        said = _run(["--batch", *arguments], folder, seconds)
        made = []
        for output in outputs:
            place = folder / output
            if not place.is_file() or place.stat().st_size > _MOST_BYTES:
                raise Unsupported(f"Aseprite did not make the file: {said.strip()[:300] or 'it does not say why'}")
            made.append(place.read_bytes())
        return made


def _run(arguments: Sequence[str], folder: Path, seconds: float) -> str:
    program = find_program()
    if program is None:
        raise Unsupported("There is no Aseprite on this machine.", hint=_INSTALL)
    environment = {name: os.environ[name] for name in _KEPT if name in os.environ} | {"HOME": str(folder)}
    try:
        done = subprocess.run(
            [program, *arguments],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise TimedOut(f"Aseprite did not end within {seconds:g} s.", hint="Pass a larger timeoutMs.") from None
    except OSError as problem:
        raise Unsupported(f"Aseprite does not start: {problem.strerror}.", hint=_INSTALL) from None
    said = done.stdout.decode("utf-8", "replace")
    if done.returncode:
        raise Unsupported(f"Aseprite ended with {done.returncode}: {said.strip()[:300]}")
    return said or "Aseprite"
