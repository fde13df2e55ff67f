"""Which place a call is about: the Studio that has it open, or its files."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterator
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Annotated

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid, NotFound
from scenewright.core.operations.model import Inputs, about
from scenewright.core.policy.execution import may_run_in_dry_run
from scenewright.core.projects.file_walk import walk_folders

if TYPE_CHECKING:
    from scenewright.roblox.backend import Backend
    from scenewright.roblox.place.documents import PlaceDocument
    from scenewright.roblox.relay.server import Relay
    from scenewright.roblox.studio import StudioBackend

__all__ = [
    "PROJECT_FILES",
    "PlaceInputs",
    "StudioName",
    "is_open_in_studio",
    "open_backend",
    "open_studio",
    "place_of",
    "places_in",
    "relay_of",
]

PROJECT_FILES = ("default.project.json", "default.project.jsonc")
_PROJECTS = (".project.json", ".project.jsonc")
_PLACES = (".rbxl", ".rbxlx")
_MODELS = (".rbxm", ".rbxmx")
_SKIPPED = frozenset(("node_modules", "__pycache__"))
_MOST_FILES = 50_000
_cached: dict[str, tuple[bytes, PlaceDocument]] = {}
_lock = Lock()


StudioName = Annotated[
    str,
    about("Studio by id, place name or place id; needed where several are connected.", min_length=1, max_length=200),
]


class PlaceInputs(Inputs, frozen=True, kw_only=True):
    """What every tool takes that is about a place."""

    place_path: (
        Annotated[
            str,
            about(
                "Place or model file, or Rojo project, from the project's root; needed where there are several.",
                min_length=1,
                max_length=1024,
            ),
        ]
        | None
    ) = None
    studio: StudioName | None = None


async def open_backend(call: Call, inputs: PlaceInputs) -> Backend:
    """Return the backend for a call: what is open in Studio, else the files.

    Raises:
        NotFound: there is no place.
        Invalid: there are several, and the call does not say which.
    """
    from anyio import to_thread

    return await to_thread.run_sync(_open, call, inputs)


def _open(call: Call, inputs: PlaceInputs) -> Backend:
    from scenewright.roblox.place.backend import PlaceBackend

    if inputs.studio is not None and inputs.place_path is not None:
        raise Invalid(
            "'studio' and 'placePath' exclude each other.", path="input.studio", rule="exclusive", hint="Leave one out."
        )
    if inputs.studio is not None or (inputs.place_path is None and is_open_in_studio(call)):
        return open_studio(call, inputs.studio)
    place = place_of(call, inputs.place_path)
    name = "rojo" if place.endswith(_PROJECTS) else "place"
    runs = not call.dry_run or may_run_in_dry_run(call)
    writes = call.operation.writes
    return PlaceBackend(
        name, place, call.files, lambda shared: _load(call, place, shared=shared), runs=runs, writes=writes
    )


def relay_of(call: Call) -> Relay:
    """Return the bridge to Studio.

    Raises:
        NotConnected: it is switched off.
    """
    from scenewright.roblox.live import relay_for

    return relay_for(call.runtime)


def open_studio(call: Call, name: str | None) -> StudioBackend:
    """Return the Studio of that name, or the only one."""
    from scenewright.roblox.studio import StudioBackend

    return StudioBackend(relay_of(call), call, studio=name)


def is_open_in_studio(call: Call) -> bool:
    """Return whether a Studio is connected, or could be all there is: a folder without a place says so itself."""
    if not call.runtime.config.bridge_enabled:
        return False
    if call.files.drafts:
        return True  # the calls of a batch stay together, though Studio be gone meanwhile
    relay = relay_of(call)
    return relay.settled() or not any(_candidates(call.state.project.root))


def _load(call: Call, place: str, *, shared: bool) -> PlaceDocument:
    if place.endswith(_PROJECTS):
        from scenewright.roblox.place.rojo.project import RojoPlace

        project = RojoPlace(call.files, place)
        call.warnings += [warning for warning in project.warnings if warning not in call.warnings]
        return project
    from scenewright.roblox.place.documents import open_place

    content = call.files.read(place)
    if not shared:
        return open_place(place, content)
    key = str(call.state.project.root / place)
    with _lock:
        known = _cached.get(key)
        if known is not None and known[0] == content:
            return known[1]
    document = open_place(place, content)
    with _lock:
        _cached.clear()  # one place at a time: they are large, and agents work on one
        _cached[key] = (content, document)
    return document


def place_of(call: Call, given: str | None) -> str:
    """Return the path of the place from the project's root: the one that was named, or the only one there is."""
    project = call.state.project
    if given is not None:
        path = project.relative(project.locate(given))
        if os.path.isdir(project.root / path):  # a name that is too long is no folder, and no error
            inside = [f"{path}/{name}".removeprefix("./") for name in PROJECT_FILES]
            path = next((file for file in inside if call.files.exists(file)), inside[0])
        if not path.endswith((*_PLACES, *_MODELS, *_PROJECTS)):
            raise Invalid(
                f"'{given}' is neither a place or model file nor a Rojo project.",
                path="input.placePath",
                rule="format",
                hint="Use a .rbxl, .rbxlx, .rbxm, .rbxmx or .project.json file.",
            )
        call.files.read(path)
        return path
    choices = places_in(project.root)
    if len(choices) == 1:
        return choices[0]
    if not choices:
        raise NotFound(
            "There is no place in the project.",
            hint="A Roblox project has a .rbxl or .rbxlx file or a .project.json; or open the place in Studio.",
        )
    raise Invalid(
        f"The project has {len(choices)} places; 'placePath' must say which.",
        path="input.placePath",
        rule="ambiguous",
        hint=f"One of {', '.join(choices[:10])}{' …' if len(choices) > 10 else ''}.",
        details={"places": choices[:50]},
    )


def places_in(root: Path) -> list[str]:
    """Return the places of a project, by path from its root; models where there is no place."""
    places, models = _candidates(root)
    return places or models


def _candidates(root: Path) -> tuple[list[str], list[str]]:
    """Return places and Rojo projects, and models, which count only where there is no place."""
    places, models, projects = [], [], []
    for file in _files(root):
        relative = file.relative_to(root).as_posix()
        if file.name.endswith(_PROJECTS):
            projects.append(relative)
        elif file.name.endswith(_PLACES):
            places.append(relative)
        elif file.name.endswith(_MODELS):
            models.append(relative)
    return sorted(places + _choices(projects)), sorted(models)


def _choices(projects: list[str]) -> list[str]:
    """Return the projects that can be meant: those inside another are a part of it, and of those in one folder the
    default one is meant.
    """
    by_folder: dict[str, list[str]] = {}
    for project in projects:
        by_folder.setdefault(posixpath.dirname(project), []).append(project)
    chosen: list[str] = []
    for folder, inside in by_folder.items():
        if not any(other != folder and (not other or folder.startswith(f"{other}/")) for other in by_folder):
            default = [each for name in PROJECT_FILES for each in inside if posixpath.basename(each) == name]
            chosen += default[:1] or inside
    return chosen


def _files(root: Path) -> Iterator[Path]:
    seen = 0
    for folder, folders, names in walk_folders(root):
        folders[:] = [name for name in folders if not name.startswith(".") and name not in _SKIPPED]
        for name in names:
            seen += 1
            if seen > _MOST_FILES:
                return
            yield Path(folder, name)
