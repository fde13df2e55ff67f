"""A Unity project at one look, as sections: its settings, packages, tags and layers, scenes, prefabs and scripts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from scenewright.core.calls.deadline import Deadline
from scenewright.core.faults import Fault
from scenewright.core.projects.overview import Item, Scope, Section
from scenewright.core.text.counts import count_noun
from scenewright.core.text.short_trees import Branch, lines_of
from scenewright.unity.objects.nodes import ObjectNode
from scenewright.unity.project import ProjectSettings
from scenewright.unity.set_values import remember_values
from scenewright.unity.workspace import Workspace

__all__ = ["SECONDS", "sections_of"]

SECONDS = 10.0
_LARGEST = 8_000_000  # a scene that takes seconds to be read
_EXPENSIVE = 5  # how much more a hierarchy costs to read than a script
_OTHERS = "Assets/Plugins/"
_OWN_LAYERS = 8  # those before it are the engine's
_MANIFEST = "Packages/manifest.json"
_SETTINGS = "ProjectSettings/"


def sections_of(workspace: Workspace, scope: Scope) -> Sequence[Section]:
    """Return what is to be told of the project."""
    settings = ProjectSettings(workspace)
    return [
        *_settings_sections(settings, scope),
        *_object_sections(workspace, settings, scope),
        _script_section(workspace, scope),
    ]


def _settings_sections(settings: ProjectSettings, scope: Scope) -> list[Section]:
    if scope.changed is not None and not any(path.startswith((_SETTINGS, "Packages/")) for path in scope.changed):
        return []
    wanted, _ = settings.packages()
    packages = [f"{name} {version}" for name, version in wanted.items() if not name.startswith("com.unity.modules.")]
    layers = [f"{number} {name}" for number, name in settings.layers.items() if number >= _OWN_LAYERS]
    scenes = [path if enabled else f"{path} (off)" for path, enabled, _ in settings.build_scenes]
    product = str(settings.settings("ProjectSettings").get("productName") or "(no name)")
    return [
        _text("project", [f"{product}, Unity {settings.unity_version}, {settings.render_pipeline}"]),
        _text("buildScenes", scenes, "project.build.scenes.list"),
        _text("packages", [", ".join(packages)] if packages else [], "project.packages.list"),
        _text("tags", [", ".join(settings.tags)] if settings.tags else []),
        _text("layers", [", ".join(layers)] if layers else []),
        _text("sortingLayers", [", ".join(settings.sorting_layers)] if len(settings.sorting_layers) > 1 else []),
    ]


def _text(name: str, lines: list[str], more: str = "") -> Section:
    return Section(name=name, items=[Item("", ("\n".join(lines),))] if lines else [], more=more)


def _object_sections(workspace: Workspace, settings: ProjectSettings, scope: Scope) -> list[Section]:
    built = [path for path, enabled, _ in settings.build_scenes if enabled]
    paths = [path for path in workspace.graph.assets if path.startswith("Assets/") and scope.covers(path)]
    scenes = sorted((path for path in paths if path.endswith(".unity")), key=lambda path: (path not in built, path))
    prefabs = sorted(path for path in paths if path.endswith(".prefab"))
    kinds = _Kinds(workspace, settings)

    def item(path: str) -> Item:
        return _hierarchy_item(workspace, kinds, path, first=path in built[:1])

    remember_values(workspace, settings, scope, _with_instances(workspace, scope, [*scenes, *prefabs]))
    if scope.changed is not None:  # what is set otherwise there is told on its own
        scenes, prefabs = ([path for path in told if path not in scope.before] for told in (scenes, prefabs))
    most = scope.most_items // _EXPENSIVE
    more = "scene.hierarchy.dump {scenePath}"
    return [
        _read_section("scenes", scenes, most, workspace.deadline, item, more),
        _read_section("prefabs", prefabs, most, workspace.deadline, item, more),
    ]


def _with_instances(workspace: Workspace, scope: Scope, objects: list[str]) -> list[str]:
    """Return the scenes and prefabs that changed, and the others too where a prefab may pass on what changed in it."""
    if scope.changed is None or not any(path.endswith(".prefab") for path in scope.changed):
        return objects
    others = [path for path in workspace.graph.assets if path.startswith("Assets/") and path not in objects]
    return [*objects, *(path for path in others if path.endswith((".unity", ".prefab")))]


def _script_section(workspace: Workspace, scope: Scope) -> Section:
    paths = [path for path in workspace.graph.assets if path.startswith("Assets/") and path.endswith(".cs")]

    def item(path: str) -> Item:
        text = workspace.content(path).decode("utf-8-sig", "replace")
        declared = workspace.naming.script_class(workspace.graph.assets[path])
        base = f" : {declared.base}" if declared.base else ""
        head = f"class {declared.name}{base} ({count_noun(len(text.splitlines()), 'line')})"
        return Item(path, scope.lengths_of(head, text))

    wanted = sorted((path for path in paths if scope.covers(path)), key=lambda path: (path.startswith(_OTHERS), path))
    return _read_section("scripts", wanted, scope.most_items, workspace.deadline, item, "read_file {paths}")


def _read_section(
    name: str, paths: list[str], most: int, deadline: Deadline, item: Callable[[str], Item], more: str
) -> Section:
    """The items of the first files, as many as are worth it and as there is time for."""
    items: list[Item] = []
    for path in paths[:most]:
        if deadline.passed:
            break
        try:
            items.append(item(path))
        except Fault as problem:
            items.append(Item(path, (f"cannot be read: {problem.message}",)))
    return Section(name=name, items=items, more=more, unread=paths[len(items) :])


def _hierarchy_item(workspace: Workspace, kinds: _Kinds, path: str, *, first: bool) -> Item:
    size = workspace.graph.assets[path].size
    if size > _LARGEST:
        return Item(path, (f"{size:,} bytes",))
    tree = workspace.tree(path)
    count = sum(1 for _ in tree)
    text = "\n".join(lines_of([kinds.branch(root) for root in tree.roots]))
    names = ", ".join(root.name for root in tree.roots[:6]) + (", …" if len(tree.roots) > 6 else "")
    counted = f"{count_noun(count, 'GameObject')}: {names}"
    return Item(path, (counted, text) if len(counted) < len(text) else (text,), first)


class _Kinds:
    """What GameObjects are, in few words."""

    def __init__(self, workspace: Workspace, settings: ProjectSettings) -> None:
        self._workspace = workspace
        self._layers = settings.layers

    def branch(self, top: ObjectNode) -> Branch:
        """Return a GameObject with those below it; what a prefab brings is not repeated in each instance."""
        root = Branch(top.name, self._kind(top))
        waiting = [(top, root)]
        while waiting:
            node, branch = waiting.pop()
            for child in node.children:
                if child.instance is not None and child.instance is node.instance:
                    continue
                below = Branch(child.name, self._kind(child))
                branch.children.append(below)
                waiting.append((child, below))
        return root

    def _kind(self, node: ObjectNode) -> str:
        path = self._workspace.graph.path_of(node.prefab) if node.prefab else None
        components = [name for name in self._workspace.naming.components(node) if name != "Transform"]
        kind = path or ("prefab that is not here" if node.prefab else ", ".join(components))
        marks = [
            "" if node.active else "inactive",
            "" if node.tag == "Untagged" else f"tag {node.tag}",
            f"layer {self._layers.get(node.layer, node.layer)}" if node.layer else "",
        ]
        said = ", ".join(mark for mark in marks if mark)
        return f"{kind} ({said})".strip() if said else kind
