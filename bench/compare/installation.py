"""Puts the peers into a cache outside the checkout, each from its registry, by the registries' own clients."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from bench.compare.peers import BARE, PEERS, Peer
from bench.engines import tools_folder

__all__ = ["command", "install", "node", "package_folder"]

SECONDS = 600
# What godot-ai pins asks for root certificates newer than some mirrors have; only these may be older.
OVERRIDE = "certifi>=2026.1\n"


def install() -> dict[str, str]:
    """Install what is not there yet; return for each that cannot be had the reason."""
    return {peer.name: problem for peer in PEERS if peer.registry and (problem := _problem(peer))}


def command(peer: Peer, listing: str) -> list[str]:
    """Return what starts a server; `listing` is what the bare one lists."""
    if peer is BARE:
        return [sys.executable, str(Path(__file__).parents[1] / "bare_server.py"), listing]
    if not peer.registry:
        return [sys.executable, "-m", "scenewright", "serve"]
    folder = tools_folder() / "peers" / peer.folder
    if peer.registry == "PyPI":
        return [str(folder / "bin" / peer.program), *peer.options]
    return [node(), str(folder / "node_modules" / ".bin" / peer.program), *peer.options]


def package_folder(peer: Peer) -> Path:
    return tools_folder() / "peers" / peer.folder / "node_modules"


def node() -> str:
    """Return the newest Node there is, since one of the peers needs 22."""
    ours = tools_folder() / "npm/node_modules/.bin/node"
    return str(ours) if ours.exists() else shutil.which("node") or "node"


def _problem(peer: Peer) -> str:
    folder = tools_folder() / "peers" / peer.folder
    if (folder / "complete").exists():
        return ""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for step in _pypi(peer, folder) if peer.registry == "PyPI" else _npm(peer):
        done = subprocess.run(step, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False)
        if done.returncode:
            return f"its installation failed: {(done.stderr.strip().splitlines() or ['no reason given'])[-1]}"
    (folder / "complete").touch()
    return ""


def _pypi(peer: Peer, folder: Path) -> Iterator[list[str]]:
    (folder / "override.txt").write_text(OVERRIDE)
    uv = [sys.executable, "-m", "uv"]
    yield [*uv, "venv", "--quiet", "--clear", "--python", sys.executable, "."]
    python = str(folder / "bin" / "python")
    yield [
        *uv,
        "pip",
        "install",
        "--quiet",
        "--compile-bytecode",
        "--python",
        python,
        "--override",
        "override.txt",
        _pin(peer),
    ]


def _npm(peer: Peer) -> Iterator[list[str]]:
    yield [
        "npm",
        "install",
        "--prefix",
        ".",
        "--no-audit",
        "--no-fund",
        "--loglevel=error",
        f"{peer.name}@{peer.version}",
    ]


def _pin(peer: Peer) -> str:
    return f"{peer.name}=={peer.version}"
