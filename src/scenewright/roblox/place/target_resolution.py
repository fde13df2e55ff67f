"""Finds the instance that a target names: by id, by the key of an earlier edit, or by its path."""

from __future__ import annotations

from scenewright.core.faults import Invalid, NotFound, did_you_mean
from scenewright.roblox.backend import Target
from scenewright.roblox.place.documents import PlaceDocument
from scenewright.roblox.reflection.database import database
from scenewright.roblox.tree import Instance

__all__ = ["Resolver"]


class Resolver:
    """Finds instances in one document; where it may, makes the services that a place always has."""

    def __init__(self, document: PlaceDocument, *, makes_services: bool = False) -> None:
        self._document = document
        self._makes_services = makes_services
        self.keys: dict[str, Instance] = {}

    def find(self, target: Target) -> Instance:
        """Return the instance.

        Raises:
            NotFound: there is none.
            Invalid: the target says nothing.
        """
        if target.key is not None:
            if target.key not in self.keys:
                raise Invalid(f"'{target.key}' was not made earlier in the same change.", rule="key")
            return self.keys[target.key]
        if target.id:
            instance = self._document.find(target.id)
            if instance is not None:
                return instance
            if not target.path:
                raise NotFound(
                    f"There is no instance with {target.field}Id '{target.id[:100]}' in the place.",
                    hint="Ids change when the place is saved by Studio; find the instance again by path or name.",
                    details={f"{target.field}Id": target.id[:200]},
                )
        if target.path is None:
            raise Invalid(
                f"'{target.field}Path' or '{target.field}Id' is required.",
                path=f"input.{target.field}Path",
                rule="required",
            )
        return self._by_path(target, target.path)

    def _by_path(self, target: Target, path: str) -> Instance:
        root = self._document.tree.root
        rest = path.strip().removeprefix("game.")
        if rest in ("", "game"):
            return root
        instance = self._top(rest) or _below(root, rest)
        if instance is not None:
            return instance
        near, missing = _nearest(root, rest)
        first = rest.partition(".")[0]
        service = self._document.is_place and near is root and database().is_service(first)
        hint = did_you_mean(missing, list(dict.fromkeys(child.name for child in near.children[:2000])))
        if service:
            hint = f"The place has no {first} yet; creating something in it, or setting a property of it, makes it."
        where = "the place" if near is root else near.path
        raise NotFound(
            f"'{missing}' of {target.field}Path '{path[:200]}' is not in {where}.",
            hint=hint or "Paths are names joined by dots, such as Workspace.Model.Part; they are case-sensitive.",
            details={f"{target.field}Path": path[:500]},
        )

    def _top(self, rest: str) -> Instance | None:
        """By the class of a service first, as GetService does, whatever it is called."""
        root = self._document.tree.root
        first, _, below = rest.partition(".")
        if not self._document.is_place or not database().is_service(first):
            return None
        service = next((child for child in root.children if child.class_name == first), None)
        if service is None and self._makes_services:
            service = Instance(first, first)
            service.attach(root)
            self._document.adopt(service)
        if service is None or not below:
            return service
        return _below(service, below)


def _below(start: Instance, path: str) -> Instance | None:
    """By names, of which any may hold dots itself; where several fit, the first, as the engine finds it."""
    exact = start.child(path)
    if exact is not None:
        return exact
    tried: set[str] = set()
    for child in start.children:
        if child.name not in tried and child.children and path.startswith(f"{child.name}."):
            tried.add(child.name)
            descendant = _below(child, path[len(child.name) + 1 :])
            if descendant is not None:
                return descendant
    return None


def _nearest(start: Instance, path: str) -> tuple[Instance, str]:
    """Return how far a path leads, and the first name that leads no further."""
    first, _, rest = path.partition(".")
    child = start.child(first)
    if child is None or not rest:
        return start, first
    return _nearest(child, rest)
