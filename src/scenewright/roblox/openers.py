"""Which place a call is about: the Studio that has it open, or its files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Annotated

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid, NotFound
from scenewright.core.operations.model import Inputs, about

if TYPE_CHECKING:
    from scenewright.roblox.backend import Backend
    from scenewright.roblox.place.documents import PlaceDocument
    from scenewright.roblox.relay.server import Relay
    from scenewright.roblox.studio import StudioBackend

__all__ = ["PROJECT_FILES", "PlaceInputs", "StudioName", "open_backend", "open_studio", "place_of", "relay_of"]

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
    if inputs.studio is not None or (inputs.place_path is None and _is_open_in_studio(call)):
        return open_studio(call, inputs.studio)
    place = place_of(call, inputs.place_path)
    name = "rojo" if place.endswith(_PROJECTS) else "place"
    return PlaceBackend(
        name, place, call.files, lambda shared: _load(call, place, shared=shared), runs=not call.dry_run
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


def _is_open_in_studio(call: Call) -> bool:
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

        return RojoPlace(call.files, place)
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
    places, models = _candidates(project.root)
    choices = places or models
    if len(choices) == 1:
        return choices[0]
    if not choices:
        raise NotFound(
            "There is no place in the project.",
            hint="A Roblox project has a .rbxl or .rbxlx file or a default.project.json; or open the place in Studio.",
        )
    raise Invalid(
        f"The project has {len(choices)} places; 'placePath' must say which.",
        path="input.placePath",
        rule="ambiguous",
        hint=f"One of {', '.join(choices[:10])}{' …' if len(choices) > 10 else ''}.",
        details={"places": choices[:50]},
    )


def _candidates(root: Path) -> tuple[list[str], list[str]]:
    """Return places and Rojo projects, and models, which count only where there is no place."""
    places, models = [], []
    for file in _files(root):
        relative = file.relative_to(root).as_posix()
        if file.name in PROJECT_FILES or file.name.endswith(_PLACES):
            places.append(relative)
        elif file.name.endswith(_MODELS):
            models.append(relative)
    # A project inside a project is a part of it.
    top = next((name for name in PROJECT_FILES if name in places), None)
    if top is not None:
        places = [place for place in places if place == top or not place.endswith(PROJECT_FILES)]
    return sorted(places), sorted(models)


def _files(root: Path) -> Iterator[Path]:
    seen = 0
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith(".") and name not in _SKIPPED]
        for name in names:
            seen += 1
            if seen > _MOST_FILES:
                return
            yield Path(folder, name)
