"""Loads the SDK without what a server does not need of it: clients, a second kind of server, HTTP, and what these load.

The SDK's packages gather everything when they are imported. Here they are put in place without that; whoever asks one
for a name that only gathering gives it, gets it then. Where no HTTP is served, the names of its parts stand for what is
loaded when one is used. The models of the newest protocol, which few clients speak so far, are loaded when one
does. And models are built when they are first used: there are some seven hundred, and a session meets a few dozen.
"""

from __future__ import annotations

import importlib
import logging
import sys
import types
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

__all__ = ["load_leanly"]

logger = logging.getLogger(__name__)
_Load = Callable[[str], ModuleType]

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
_NEWEST_MODELS = "mcp_types._v2026_07_28"
_OF_PACKAGES = ("csv", "email", "zipfile", "importlib.metadata._adapters")  # which entry points are listed without


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
    with _put_off(_OF_PACKAGES, importlib.import_module):
        importlib.import_module("importlib.metadata")
    with _built_when_used(), _never_rebuilt():
        importlib.import_module("mcp_types")
    with _built_when_used(), _put_off((_NEWEST_MODELS,), _load_models), _resolved_when_read():
        importlib.import_module("mcp_types.methods")
    with _built_when_used(), _put_off(() if http else _OF_HTTP, importlib.import_module):
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
    """Let models and adapters that are declared meanwhile be built when they are first used."""
    from pydantic import BaseModel, TypeAdapter

    config, defers = BaseModel.model_config, vars(TypeAdapter)["_defer_build"]
    BaseModel.model_config = {**config, "defer_build": True}
    TypeAdapter._defer_build = property(lambda _: True)  # type: ignore[assignment]
    try:
        yield
    finally:
        BaseModel.model_config = config
        TypeAdapter._defer_build = defers  # type: ignore[method-assign]


@contextmanager
def _never_rebuilt() -> Iterator[None]:
    """Let modules not complete models that refer to later ones; each is completed when it is first used."""
    from pydantic import BaseModel

    rebuild = vars(BaseModel)["model_rebuild"]
    BaseModel.model_rebuild = classmethod(lambda *_, **__: None)  # type: ignore[method-assign,assignment]
    try:
        yield
    finally:
        BaseModel.model_rebuild = rebuild  # type: ignore[method-assign]


@contextmanager
def _resolved_when_read() -> Iterator[None]:
    """Let tables that are made meanwhile load what is put off when they are read."""
    before = types.MappingProxyType
    types.MappingProxyType = _Table  # type: ignore[misc,assignment]
    try:
        yield
    finally:
        types.MappingProxyType = before  # type: ignore[misc]


class _Table(Mapping[Any, Any]):
    """A table that cannot be changed, some of whose values may not be loaded yet."""

    def __init__(self, values: dict[Any, Any]) -> None:
        self._values = values

    def __getitem__(self, key: Any) -> Any:
        value = self._values[key]
        if isinstance(value, _Name):
            value = self._values[key] = value._real()
        return value

    def __contains__(self, key: object) -> bool:
        return key in self._values

    def __iter__(self) -> Iterator[Any]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


def _load_models(name: str) -> ModuleType:
    with _built_when_used():
        return importlib.import_module(name)


class _PutOff(ModuleType):
    """Stands in a module's place while others are loaded that name its parts."""

    def __init__(self, name: str, load: _Load) -> None:
        super().__init__(name)
        self.__path__: list[str] = []
        self._load = load

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        return _Name(lambda: getattr(self._load(self.__name__), name))


class _Name:
    """Stands for a part of a module, which is loaded when the part is used."""

    def __init__(self, load: Callable[[], Any]) -> None:
        self._real = load

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
def _put_off(names: tuple[str, ...], load: _Load) -> Iterator[None]:
    """Let these modules be named without being loaded."""
    stand_ins = {name: _PutOff(name, load) for name in names if name not in sys.modules}
    parents = {name: sys.modules.get(name.rpartition(".")[0]) for name in stand_ins}
    sys.modules.update(stand_ins)
    try:
        yield
    finally:
        for name, module in stand_ins.items():
            if sys.modules.get(name) is module:
                del sys.modules[name]
            own, parent = name.rpartition(".")[2], parents[name]
            if parent is not None and vars(parent).get(own) is module:
                delattr(parent, own)
