"""The same tests with other Pythons, and with the lowest and highest dependencies that are allowed."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from compatibility.rows import CACHE, PROJECT, Row, python_of, ran, seen

__all__ = ["dependency_rows", "python_rows"]

# What touches every dependency and takes minutes, not hours.
TESTS = os.environ.get("COMPATIBILITY_TESTS", "tests/core tests/server tests/contract tests/platform").split()
_PYTHONS = ("3.11", "3.12", "3.13", "3.14")


def python_rows() -> Iterator[Row]:
    for version in _PYTHONS:
        base = _python(version)
        name = f"Python {version}"
        if base is None:
            yield seen(
                "pythons", name, "not had", "there is none on the PATH, and get-tools.sh python could not get it"
            )
            continue
        said = ran([base, "-c", "import sys; print(sys.version.split()[0])"]).stdout.strip()
        yield _tested(
            "pythons",
            name,
            f"{said} with the locked dependencies",
            f"python-{version}",
            ["-r", "requirements.lock"],
            base,
        )


def _python(version: str) -> str | None:
    for place in (f"python{version}", CACHE.parent / f"python{version}" / "usr" / "bin" / f"python{version}"):
        if ran([place, "-c", "import ssl, sqlite3, venv"]).returncode == 0:
            return str(place)
    return None


def dependency_rows() -> Iterator[Row]:
    CACHE.mkdir(parents=True, exist_ok=True)
    for name, resolution in (("lowest", "lowest-direct"), ("highest", "highest")):
        file = CACHE / f"{name}.txt"
        compile_them = ["pip", "compile", "--quiet", "--upgrade", "--extra", "dev", "--python-version", "3.11"]
        done = ran(
            [sys.executable, "-m", "uv", *compile_them, "--resolution", resolution, "-o", file, "pyproject.toml"]
        )
        if done.returncode:
            yield seen("dependencies", name, "not had", done.stderr[-300:])
            continue
        yield _tested("dependencies", name, _named(file), f"dependencies-{name}", ["-r", file], sys.executable)


def _named(file: Path) -> str:
    """The versions of those that matter most."""
    shown = ("mcp==", "msgspec==", "anyio==", "starlette==", "pillow==", "websockets==", "jsonschema-rs==")
    return ", ".join(line for line in file.read_text().splitlines() if line.startswith(shown))


def _tested(
    group: str, name: str, detail: str, place: str, requirements: Sequence[str | Path], base: str | Path
) -> Row:
    python = python_of(place, requirements, base=base)
    if isinstance(python, str):
        return seen(group, name, "fails", f"{detail}: {python}")
    ran([python, "-m", "pip", "install", "--quiet", "--no-deps", "--editable", PROJECT])
    done = ran([python, "-m", "pytest", "-n0", "-q", "-p", "no:cacheprovider", *TESTS], minutes=60)
    last = (done.stdout.strip().splitlines() or [done.stderr[-200:]])[-1]
    return seen(group, name, "fails" if done.returncode else "works", f"{detail}; {' '.join(TESTS)}: {last}")
