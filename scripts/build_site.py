"""Builds the documents as a site, strictly: a link that leads nowhere, or a page that nobody finds, is an error.

The pages are those of `docs/` and the big ones beside it. They lie in one folder there, so links are rewritten; one to
a file that is no page leads to the repository.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from textwrap import indent

sys.path.insert(0, str(Path(__file__).parent.parent))
from scripts.drawings import DRAWINGS, FENCE, name_of

ROOT = Path(__file__).parent.parent
SOURCE, SITE = ROOT / "build" / "site-source", ROOT / "build" / "site"
# Pages that lie beside docs/, with their names on the site.
BESIDE = {
    "README.md": "index.md",
    "ARCHITECTURE.md": "architecture.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "weaknesses.md",
}
_BLOCK = re.compile(r"<details>\n<summary>(.*?)</summary>\n(.*?)</details>\n", re.DOTALL)
_FOLDED = re.compile(rf"(?:{_BLOCK.pattern}\n*)+", re.DOTALL)
_LINK = re.compile(r"(\]\()([^)\s#]+)(#[^)]*)?(\))")


def main() -> int:
    shutil.rmtree(SOURCE, ignore_errors=True)
    for file, name in _pages():
        place = SOURCE / name
        place.parent.mkdir(parents=True, exist_ok=True)
        if file.suffix == ".md":
            place.write_text(_rewrite(file, name), encoding="utf-8")
        else:
            shutil.copyfile(file, place)
    # The theme tells of a later version of the generator on each build, which is nothing to read here.
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "true", "DISABLE_MKDOCS_2_WARNING": "true"}
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--config-file", _settings()],
        cwd=ROOT,
        env=environment,
        check=False,
    )
    if built.returncode == 0:
        print(f"{sum(1 for _ in SITE.rglob('*.html'))} pages in {SITE.relative_to(ROOT)}")
    return built.returncode


def _pages() -> Iterator[tuple[Path, str]]:
    """Yield each file of the site with its name there."""
    for name, page in BESIDE.items():
        yield ROOT / name, page
    for file in sorted((ROOT / "docs").rglob("*")):
        if file.is_file():
            yield file, file.relative_to(ROOT / "docs").as_posix()


def _settings() -> str:
    """Return the settings' file, with the pages of the reference in the menu."""
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    pages = "".join(f", reference/{file.name}" for file in sorted((SOURCE / "reference").glob("*.md")))
    made = ROOT / "build" / "mkdocs.yml"
    text = text.replace("[reference.md]", f"[reference.md{pages}]").replace("_dir: build/", "_dir: ")
    made.write_text(text, encoding="utf-8")
    return str(made)


def _rewrite(file: Path, name: str) -> str:
    def follow(match: re.Match[str]) -> str:
        target = match[2]
        if re.match(r"[a-z]+:", target):
            return match[0]
        return f"{match[1]}{_target(file, name, target)}{match[3] or ''}{match[4]}"

    text = FENCE.sub(lambda match: _drawing(file, match[1]), file.read_text(encoding="utf-8"))
    return _FOLDED.sub(_tabs, _LINK.sub(follow, text))


def _drawing(file: Path, source: str) -> str:
    """Return the picture of a Mermaid drawing: the theme would load what draws it from elsewhere."""
    picture = DRAWINGS / name_of(source)
    if not picture.exists():
        raise SystemExit(
            f"{file.name} has a drawing that scripts/drawings.py has not drawn: {source.splitlines()[0]} …"
        )
    return f"![Drawing]({os.path.relpath(picture, file.parent)})"


def _tabs(match: re.Match[str]) -> str:
    """Return blocks that GitHub unfolds as tabs beside each other."""
    return "".join(f'=== "{title}"\n\n{indent(text.strip(), "    ")}\n\n' for title, text in _BLOCK.findall(match[0]))


def _target(file: Path, name: str, target: str) -> str:
    """Return where a link of a file leads on the site."""
    place = (file.parent / target).resolve()
    if not place.exists():
        return target  # which the build then complains about
    inside = place.relative_to(ROOT).as_posix()
    if inside in BESIDE:
        page = BESIDE[inside]
    elif inside.startswith("docs/"):
        page = inside.removeprefix("docs/")
    else:
        return f"{_repository()}/blob/main/{inside}"
    return "../" * (len(PurePosixPath(name).parts) - 1) + page


def _repository() -> str:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return str(settings["project"]["urls"]["Repository"])


if __name__ == "__main__":
    raise SystemExit(main())
