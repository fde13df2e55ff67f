"""Games that people have made, from the corpus: copied, with stand-ins for the pictures and sounds it leaves out."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from tests.godot.documents.test_corpus import ROOT

__all__ = ["ROOT", "copy_game"]

_PICTURE = '[gd_resource type="PlaceholderTexture2D" format=3]\n\n[resource]\nsize = Vector2(1024, 512)\n'
_FORMS = {
    ".png": _PICTURE,
    ".webp": _PICTURE,
    ".wav": '[gd_resource type="AudioStreamWAV" format=3]\n\n[resource]\n',
    ".ogg": '[gd_resource type="AudioStreamWAV" format=3]\n\n[resource]\n',
    ".ttf": '[gd_resource type="SystemFont" format=3]\n\n[resource]\n',
}
_NAMED = re.compile(rf'(?:uid="[^"]*" )?path="([^"]*)(?:{"|".join(map(re.escape, _FORMS))})"')


def copy_game(name: str, folder: Path) -> Path:
    """Return a copy of a game of the corpus that runs: each asset is a resource that needs no import."""
    project = folder / name
    shutil.copytree(ROOT / "2d" / name, project)
    for note in project.rglob("*.import"):
        asset = note.with_suffix("")
        asset.with_suffix(".tres").write_text(_FORMS.get(asset.suffix, _PICTURE))
        note.unlink()
    for scene in [*project.rglob("*.tscn"), *project.rglob("*.tres")]:
        scene.write_text(_NAMED.sub(r'path="\1.tres"', scene.read_text()))
    return project
