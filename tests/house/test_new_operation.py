"""`make operation` writes what passes every check, with a test that fails until the handler is written."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NEW = [
    ("godot/ui", "try_out_controls", None),
    ("godot/scenes", "list_timers", "groups"),
    ("unity", "try_out_states", None),
]


class Checkout:
    """A copy of what the script reads and writes."""

    def __init__(self, folder: Path) -> None:
        self.root = folder
        unwanted = shutil.ignore_patterns("__pycache__")
        (folder / "docs").mkdir()
        for part in ("src", "scripts"):
            shutil.copytree(ROOT / part, folder / part, ignore=unwanted)
        for file in ("pyproject.toml", "tests/__init__.py", "tests/conftest.py"):
            (folder / file).parent.mkdir(exist_ok=True)
            shutil.copy(ROOT / file, folder / file)

    def python(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=self.root,
            env={**os.environ, "PYTHONPATH": str(self.root / "src")},
            capture_output=True,
            text=True,
            check=False,
        )

    def new_operation(self, room: str, name: str, module: str | None = None) -> subprocess.CompletedProcess[str]:
        return self.python("scripts/new_operation.py", room, name, *(["--module", module] if module else []))


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    return Checkout(tmp_path_factory.mktemp("checkout"))


@pytest.mark.xdist_group("new-operation")
@pytest.mark.parametrize(("room", "name", "module"), NEW, ids=[name for _, name, _ in NEW])
def test_a_new_operation_lacks_nothing_but_its_handler(
    checkout: Checkout, room: str, name: str, module: str | None
) -> None:
    made = checkout.new_operation(room, name, module)
    assert made.returncode == 0, made.stderr
    (test,) = (checkout.root / "tests").rglob(f"test_{name}.py")
    for command in (["ruff", "check"], ["ruff", "format", "--check"]):
        ended = checkout.python("-m", *command, ".")
        assert ended.returncode == 0, ended.stdout
    assert checkout.python("scripts/reference.py", "--check").returncode == 0
    pages = (checkout.root / "docs/reference").glob("*.md")
    assert any(f"\n## {name}\n" in page.read_text() for page in pages)

    failed = checkout.python("-m", "pytest", "-n0", "-p", "no:cacheprovider", str(test))
    assert failed.returncode == 1, failed.stderr
    assert f"The handler of {name} is not written yet." in failed.stdout

    file = checkout.root / "src/scenewright" / room / "operations" / f"{module or name}.py"
    _write_handler(file, name)
    checkout.python("-m", "ruff", "check", "--fix", str(file))  # an import is not needed any more
    passed = checkout.python("-m", "pytest", "-n0", "-p", "no:cacheprovider", str(test))
    assert passed.returncode == 0, passed.stdout


def _write_handler(file: Path, name: str) -> None:
    text = file.read_text()
    record = f"{name.title().replace('_', '')}Outputs"
    parameter = "scene_path" if "scene_path: ScenePath" in text else "path"
    written, count = re.subn(
        rf'raise Unsupported\(\s*"The handler of {name} .*?\n    \)',
        f"return {record}({parameter}=inputs.{parameter})",
        text,
        flags=re.DOTALL,
    )
    assert count == 1
    file.write_text(written)


@pytest.mark.xdist_group("new-operation")
@pytest.mark.parametrize(
    ("room", "name", "module", "said"),
    [
        ("godot/nowhere", "try_out_controls", None, "There is no room 'godot/nowhere'; there are godot/animation,"),
        ("godot/ui", "get_groups", None, "There is a tool 'get_groups' already."),
        ("godot/ui", "alignControls", None, "'alignControls' is not in lower case with underscores"),
        ("godot/ui", "play_jingle", "audio", "The catalogue has another 'audio'; name the module with MODULE="),
    ],
)
def test_a_name_that_cannot_be_used_is_refused(
    checkout: Checkout, room: str, name: str, module: str | None, said: str
) -> None:
    refused = checkout.new_operation(room, name, module)
    assert refused.returncode == 1
    assert said in refused.stderr
