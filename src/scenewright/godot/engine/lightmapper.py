"""Bakes the light of a scene in a real editor, on a copy of what the scene needs, and gives back the files it made."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

import anyio
import anyio.from_thread
import anyio.to_thread

from scenewright.core.faults import Invalid, NotConnected, Unsupported
from scenewright.godot.documents.document import Document
from scenewright.godot.documents.scene import external_files
from scenewright.godot.documents.variant import PackedStringArray
from scenewright.godot.engine.binary import find_binary
from scenewright.godot.engine.commands import Done, run_engine
from scenewright.godot.engine.display import Screen, own_drivers
from scenewright.godot.project.configuration import FILE, Configuration
from scenewright.godot.project.workspace import Workspace

if TYPE_CHECKING:
    from scenewright.core.calls.call import Call
    from scenewright.godot.classes.index import ClassIndex

__all__ = ["SUFFIX", "bake_light", "needed_files"]

SUFFIX: Final = ".lmbake"
_SCRIPTS: Final = Path(__file__).with_name("baker_scripts")
_ADDON: Final = "addons/scenewright_baker"
_RESULT: Final = f"{_ADDON}/result.txt"
_TEXT = (".tscn", ".tres")
_ATTEMPTS = 3  # an editor on software Vulkan crashes now and then
_SMALL = ("--windowed", "--resolution", "640x360")
# Light is baked by Vulkan in any case. The editor itself is drawn by OpenGL and small: by Vulkan in software, as large
# as a screen, it took minutes and gigabytes before it came to bake, and crashed on the way. Before 4.4 it must be.
_BY_OPENGL = ("--rendering-method", "gl_compatibility", "--rendering-driver", "opengl3")
_BY_VULKAN = ("--rendering-method", "forward_plus")
_NO_DEVICE = "GPU"  # the editor says what kind it misses


def bake_light(
    call: Call, workspace: Workspace, index: ClassIndex, *, scene: str, node: str, timeout: float
) -> dict[str, bytes]:
    """Return the files of a baked scene, by place in the project; the first is the light itself. For worker threads.

    Raises:
        Invalid: there is nothing to bake.
        Unsupported: there is no Godot, no screen, or no Vulkan.
        NotConnected: the editor crashed.
        TimedOut: it took too long.
    """
    place = PurePosixPath(workspace.place(scene))
    with tempfile.TemporaryDirectory(prefix="scenewright-bake-") as folder:
        project = Path(folder) / "project"
        _copy_files(workspace, project, [str(place), *needed_files(workspace, str(place))])
        (project / FILE).write_bytes(_bake_settings(workspace, index))
        output = str(place.with_suffix(SUFFIX))
        shutil.copytree(_SCRIPTS, project / _ADDON)
        job = {"scene": f"res://{place}", "node": node, "output": f"res://{output}"}
        (project / _ADDON / "job.json").write_text(json.dumps(job))
        env = call.runtime.services.get(Screen, Screen).environment() | own_drivers()
        done = anyio.from_thread.run(_run_editor, call, project, env, timeout)
        _must_be_done(done, project / _RESULT)
        return _baked_files(project, output)


async def _run_editor(call: Call, project: Path, env: Mapping[str, str], timeout: float) -> Done:
    """A run of the editor that came to a result; one that crashed is done again while there is time."""
    binary = await anyio.to_thread.run_sync(find_binary)
    drawn = _BY_OPENGL if binary.version >= (4, 4) else _BY_VULKAN
    arguments = ("--editor", *_SMALL, *drawn, "--audio-driver", "Dummy")
    late = anyio.current_time() + timeout
    for attempt in range(1, _ATTEMPTS + 1):
        left = max(1.0, round(late - anyio.current_time(), 1))
        done = await run_engine(call, arguments, project=project, timeout=left, env=env)
        if done.exit_code == 0 or (project / _RESULT).exists() or attempt == _ATTEMPTS:
            break
    return done


def needed_files(workspace: Workspace, scene: str) -> list[str]:
    """Return the files that a scene refers to, directly or not, with their import settings."""
    needed: dict[str, None] = {}
    waiting = [scene]
    while waiting:
        place = waiting.pop()
        for file in external_files(workspace.document(place)):
            other = workspace.place(file.path) if file.path.startswith("res://") else ""
            if not other or other in needed or not workspace.files.exists(other):
                continue
            needed[other] = None
            waiting += [other] if other.endswith(_TEXT) else []
    beside = [f"{place}.import" for place in needed]
    return [*needed, *(place for place in beside if workspace.files.exists(place))]


def _copy_files(workspace: Workspace, project: Path, places: Iterable[str]) -> None:
    for place in places:
        target = project / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(workspace.files.read(place))


def _bake_settings(workspace: Workspace, index: ClassIndex) -> bytes:
    """The project's settings with our plugin instead of its own, and nothing that would start."""
    settings = Configuration(workspace, index)
    for name in settings.names():
        if name.startswith(("autoload/", "editor_plugins/")):
            settings.remove(name)
    settings.set("editor_plugins/enabled", PackedStringArray((f"res://{_ADDON}/plugin.cfg",)))
    document: Document = settings.document
    return document.to_bytes()


def _must_be_done(done: Done, result: Path) -> None:
    verdict = result.read_text(encoding="utf-8") if result.exists() else None
    if verdict is None and done.exit_code != 0:
        raise NotConnected(
            f"The editor crashed during the bake (exit code {done.exit_code}).",
            hint="Try again.",
            details={"said": done.lines[-20:]},
        )
    if verdict is None:
        reason = done.errors[0].message if done.errors else "it does not say why"
        raise Unsupported(
            f"The editor ended without a bake: {reason}",
            hint="It needs Vulkan; a software one is in the package mesa-vulkan-drivers.",
        )
    if verdict == "done":
        return
    reason = verdict.removeprefix("failed: ")
    if _NO_DEVICE in reason:
        raise Unsupported(
            f"Light cannot be baked here: {reason}",
            hint="Install Vulkan drivers; a software one is in the package mesa-vulkan-drivers.",
        )
    raise Invalid(
        f"Nothing was baked: {reason}",
        path="input.bake",
        rule="bake",
        hint="Meshes need UV2 (add_uv2 of primitive meshes) and gi_mode static; lights need a light_bake_mode.",
    )


def _baked_files(project: Path, output: str) -> dict[str, bytes]:
    """The light, its textures, and these as the game loads them."""
    light = project / output
    beside = [path for path in sorted(light.parent.glob(f"{light.stem}*.exr*")) if path.is_file()]
    imported = sorted((project / ".godot/imported").glob(f"{light.stem}*.exr-*"))
    return {path.relative_to(project).as_posix(): path.read_bytes() for path in (light, *beside, *imported)}
