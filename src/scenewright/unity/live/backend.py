"""Unity's way to its editors. Where a project has no descriptor, a call costs one look at the disk and no more."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from scenewright.core.projects.live import Live
from scenewright.core.projects.project import Project
from scenewright.core.runtime import Runtime
from scenewright.unity.live.descriptor import find_descriptor

if TYPE_CHECKING:
    from scenewright.unity.live.pipeline import Pipeline
    from scenewright.unity.live.stage import UnityStage

__all__ = ["UnityLive"]


class UnityLive(Live):
    """The editors of this process's projects, each asked when a call needs it and never otherwise."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._pipelines: dict[Path, Pipeline] = {}

    def pipeline(self, root: Path) -> Pipeline:
        """Return the connection to the editor of a project, whether there is one or not."""
        if root not in self._pipelines:
            from scenewright.unity.live.pipeline import Pipeline

            self._pipelines[root] = Pipeline(root)
        return self._pipelines[root]

    def stage(self, project: Project, *, writes: bool, plain: bool) -> tuple[UnityStage | None, str | None]:
        del plain  # what is not saved there nobody can read: files are as they are in any case
        finding = find_descriptor(project.root)
        if finding.state == "unsafe":
            return None, f"Unity's descriptor is not used: {finding.reason}. Worked on the files."
        if finding.state in ("missing", "stale"):
            return None, None
        from scenewright.unity.live.stage import UnityStage

        return UnityStage(self.pipeline(project.root), project, finding.descriptor, writes=writes), None

    def is_open(self, project: Project) -> bool:
        return find_descriptor(project.root).state in ("fresh", "silent")

    def watch(self, project: Project) -> None:
        """Nothing is to be kept connected."""

    def close(self) -> None:
        self._pipelines = {}
