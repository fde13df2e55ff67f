"""The guid graph of a project: assets by path and guid, what each refers to and who refers to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from scenewright.core.faults import NotFound, did_you_mean
from scenewright.unity.assets.records import BUILT_IN, Asset

__all__ = ["AssetGraph"]


class AssetGraph:
    """Everything that can be asked of the assets without opening a file."""

    def __init__(self, assets: Mapping[str, Asset], *, unread: int = 0) -> None:
        self.assets = assets
        self.unread = unread  # assets that there was no time to look at

    @cached_property
    def by_guid(self) -> dict[str, Asset]:
        """Assets by guid; of several with the same, the first by path."""
        assets: dict[str, Asset] = {}
        for asset in self.assets.values():
            if asset.guid:
                assets.setdefault(asset.guid, asset)
        return assets

    @cached_property
    def dependents(self) -> dict[str, list[str]]:
        """The paths of the assets that refer to a guid."""
        paths: dict[str, list[str]] = {}
        for path, asset in self.assets.items():
            for guid in asset.refs:
                paths.setdefault(guid, []).append(path)
        return paths

    def asset(self, path: str) -> Asset:
        """Return the asset at a path.

        Raises:
            NotFound: there is none; the hint names some that are called alike.
        """
        asset = self.assets.get(path)
        if asset is None or asset.kind == "missing":
            raise NotFound(f"There is no asset '{path}'.", hint=self.suggest_paths(path))
        return asset

    def path_of(self, guid: str) -> str | None:
        asset = self.by_guid.get(guid)
        return None if asset is None else asset.path

    def files(self) -> Iterator[Asset]:
        """Yield the project's own assets, without folders, settings and what lies in packages."""
        for asset in self.assets.values():
            if asset.path.startswith("Assets/") and asset.kind not in ("folder", "missing"):
                yield asset

    def refers_to(self, asset: Asset) -> list[Asset]:
        """Return the assets that one refers to, by path."""
        others = (self.by_guid.get(guid) for guid in asset.refs)
        return sorted({other.path: other for other in others if other}.values(), key=lambda other: other.path)

    def referred_by(self, asset: Asset) -> list[Asset]:
        paths = self.dependents.get(asset.guid, []) if asset.guid else []
        return [self.assets[path] for path in paths if path != asset.path]

    def reached_from(self, starts: Iterable[Asset]) -> set[str]:
        """Return the paths of everything that some assets need, themselves included."""
        waiting = list(starts)
        reached = {asset.path for asset in waiting}
        while waiting:
            for other in self.refers_to(waiting.pop()):
                if other.path not in reached:
                    reached.add(other.path)
                    waiting.append(other)
        return reached

    def is_known(self, guid: str) -> bool:
        """Return whether a guid is the engine's own or one of an asset that is there."""
        asset = self.by_guid.get(guid)
        return guid.startswith(BUILT_IN) or (asset is not None)

    def suggest_paths(self, path: str) -> str:
        """Return a hint where there is no file at a path."""
        if path in self.assets:
            return "Its .meta is there: the file itself was not fetched, or has been deleted."
        present = [known for known, asset in self.assets.items() if asset.kind != "missing"]
        names = [known for known in present if known.rpartition(".")[2] == path.rpartition(".")[2]]
        return (
            did_you_mean(path, names)
            or did_you_mean(path, present)
            or ("Paths begin with Assets/ or Packages/; asset.search finds assets by name and type.")
        )
