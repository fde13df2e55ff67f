"""Loads the SDK without what a server does not need of it: clients, a second kind of server, HTTP, and what these load.

The SDK's packages gather everything when they are imported. Here they are put in place without that; whoever asks one
for a name that only gathering gives it, gets it then. Where no HTTP is served, the names of its parts stand for what is
loaded when one is used. And models are built when they are first used: there are some seven hundred, and a session
meets a few dozen.
"""

from __future__ import annotations

import importlib
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

__all__ = ["load_leanly"]

logger = logging.getLogger(__name__)

_GATHERING = ("mcp", "mcp.client", "mcp.server")
_OF_HTTP = (
    "starlette.applications",
    "starlette.middleware",
    "starlette.middleware.authentication",
    "starlette.routing",
    "mcp.server.auth",
    "mcp.server.auth.middleware",
    "mcp.server.auth.middleware.auth_context",
    "mcp.server.auth.middleware.bearer_auth",
    "mcp.server.auth.provider",
    "mcp.server.auth.routes",
    "mcp.server.auth.settings",
    "mcp.server.streamable_http",
    "mcp.server.streamable_http_manager",
    "mcp.server.transport_security",
)


def load_leanly(*, http: bool) -> None:
    """Load the SDK's server, with what it needs for HTTP or without; nothing where the SDK is loaded already."""
    if any(_is_of_sdk(name) for name in sys.modules):
        return
    try:
        _load(http=http)
    except Exception:  # a later SDK may be put together otherwise: then it is loaded as everybody loads it
        logger.debug("the SDK could not be loaded leanly", exc_info=True)
        for name in [name for name in sys.modules if _is_of_sdk(name)]:
            del sys.modules[name]


def _is_of_sdk(module: str) -> bool:
    return module.partition(".")[0] in ("mcp", "mcp_types")


def _load(*, http: bool) -> None:
    for name in _GATHERING:
        _put_in_place(name)
    with _built_when_used():
        importlib.import_module("mcp_types.methods")
    if not http:
        with _put_off(_OF_HTTP):
            importlib.import_module("mcp.server.lowlevel.server")


class _Ungathered(ModuleType):
    """A package whose own code runs when somebody asks for what only that gives it."""

    def __getattr__(self, name: str) -> Any:
        spec = self.__spec__
        if name.startswith("__") or spec is None or spec.loader is None:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        self.__class__ = ModuleType  # type: ignore[assignment]
        spec.loader.exec_module(self)
        return getattr(self, name)


def _put_in_place(name: str) -> None:
    parent, _, own = name.rpartition(".")
    spec = PathFinder.find_spec(name, sys.modules[parent].__path__ if parent else None)
    if spec is None or spec.submodule_search_locations is None:
        return
    module = _module_of(spec)
    sys.modules[name] = module
    if parent:
        setattr(sys.modules[parent], own, module)


def _module_of(spec: ModuleSpec) -> ModuleType:
    module = _Ungathered(spec.name)
    module.__spec__ = spec
    module.__loader__ = spec.loader
    module.__file__ = spec.origin
    module.__package__ = spec.name
    module.__path__ = list(spec.submodule_search_locations or ())
    return module


@contextmanager
def _built_when_used() -> Iterator[None]:
    """Let models that are declared meanwhile be built when they are first used."""
    from pydantic import BaseModel

    before = BaseModel.model_config
    BaseModel.model_config = {**before, "defer_build": True}
    try:
        yield
    finally:
        BaseModel.model_config = before


class _PutOff(ModuleType):
    """Stands in a module's place while others are loaded that name its parts."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        return _Name(self.__name__, name)


class _Name:
    """Stands for a part of a module, which is loaded when the part is used."""

    def __init__(self, module: str, name: str) -> None:
        self._place = (module, name)

    def _real(self) -> Any:
        module, name = self._place
        return getattr(importlib.import_module(module), name)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real(), name)

    def __call__(self, *args: Any, **named: Any) -> Any:
        return self._real()(*args, **named)

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[Any, ...]:
        return (self._real(),)

    def __instancecheck__(self, instance: Any) -> bool:
        return isinstance(instance, self._real())

    def __float__(self) -> float:  # some are limits
        return float(self._real())

    def __lt__(self, other: Any) -> bool:
        return bool(self._real() < other)

    def __le__(self, other: Any) -> bool:
        return bool(self._real() <= other)

    def __gt__(self, other: Any) -> bool:
        return bool(self._real() > other)

    def __getitem__(self, item: Any) -> Any:
        return self._real()[item]

    def __or__(self, other: Any) -> Any:
        return self._real() | other

    def __ror__(self, other: Any) -> Any:
        return other | self._real()


@contextmanager
def _put_off(names: tuple[str, ...]) -> Iterator[None]:
    """Let these modules be named without being loaded."""
    stand_ins = {name: _PutOff(name) for name in names if name not in sys.modules}
    for module in stand_ins.values():
        module.__path__ = []
    sys.modules.update(stand_ins)
    try:
        yield
    finally:
        for name, module in stand_ins.items():
            if sys.modules.get(name) is module:
                del sys.modules[name]
            parent, _, own = name.rpartition(".")
            if vars(sys.modules.get(parent, module)).get(own) is module:
                delattr(sys.modules[parent], own)
