"""`python -m release check`: whether all versions agree; `build [--out DIR]`: everything that is published, checked."""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from release.addon import addon_files
from release.agreement import disagreements, ready_to_publish
from release.archive import write_zip
from release.bundle import bundle_files
from release.project import ROOT, ProjectFacts, read_project
from release.registry import server_entry
from scenewright.godot.editor.addon_files import shipped_version
from scenewright.roblox.plugin_file import FILE_NAME, build
from scenewright.server.skill import plugin_files

_LEFT = """
Left to press, since it needs the accounts of the project:
  the package           python -m twine upload {out}/*.whl {out}/*.tar.gz
  the MCP registry      mcp-publisher publish {out}/server.json, once the package is there
  the repository        a release with all files of {out}
  Godot's library       {out}/scenewright_bridge-{addon}.zip
  Claude Code, Codex    {out}/{name}-plugin-{version}.zip, in their marketplaces
"""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m release", description=__doc__)
    parser.add_argument("what", choices=["check", "build"])
    parser.add_argument("--out", metavar="DIR", type=Path, default=Path("dist"), help="default: dist")
    options = parser.parse_args()
    project = read_project()
    wrong = list(disagreements(project))
    for sentence in wrong:
        print(sentence, file=sys.stderr)
    if wrong:
        return 1
    if options.what == "build":
        _build(project, options.out)
    return 0


def _build(project: ProjectFacts, out: Path) -> None:
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    hatch = [sys.executable, "-m", "hatchling", "build", "-d", str(out.absolute()), "-t", "sdist", "-t", "wheel"]
    subprocess.run(hatch, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    write_zip(out / f"{project.name}-{project.version}.mcpb", bundle_files(project))
    write_zip(out / f"scenewright_bridge-{shipped_version()}.zip", addon_files(project))
    plugin = {name: text.encode() for name, text in plugin_files().items()}
    write_zip(out / f"{project.name}-plugin-{project.version}.zip", plugin)
    (out / FILE_NAME).write_bytes(build())
    (out / "server.json").write_text(json.dumps(server_entry(project), indent=2) + "\n", encoding="utf-8")
    (out / "SHA256SUMS").write_text("".join(_sums(out)), encoding="utf-8")
    for file in sorted(out.iterdir()):
        print(f"{file.stat().st_size:>10,}  {file.name}")
    for sentence in ready_to_publish(project):
        print(f"Before it is published: {sentence}")
    print(_LEFT.format(out=out, name=project.name, version=project.version, addon=shipped_version()), end="")


def _sums(out: Path) -> Iterator[str]:
    for file in sorted(out.iterdir()):
        yield f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n"


if __name__ == "__main__":
    raise SystemExit(main())
