"""Zip files that are the same whenever and wherever they are made: sorted, with one date and plain rights."""

from __future__ import annotations

import subprocess
import zipfile
from pathlib import Path

from release.project import ROOT

__all__ = ["Files", "project_files", "write_zip"]

Files = dict[str, bytes]
_DATE = (1980, 1, 1, 0, 0, 0)  # the oldest that a zip can tell
_RIGHTS = 0o644 << 16


def write_zip(path: Path, files: Files) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in sorted(files.items()):
            entry = zipfile.ZipInfo(name, _DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = _RIGHTS
            archive.writestr(entry, content)


def project_files(folder: str) -> list[str]:
    """Return the files below a folder that belong to the project, committed or not, and none that git ignores."""
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    command += ["--", folder]
    listing = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return sorted({name for name in listing.split("\0") if name and (ROOT / name).is_file()})
