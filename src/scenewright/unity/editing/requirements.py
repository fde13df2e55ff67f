"""What else a component needs on its GameObject, and beside what the editor does not put it.

Of the engine's components and Unity's own packages by a table, of scripts by the attributes of their classes.
"""

from __future__ import annotations

from collections.abc import Sequence

from scenewright.core.faults import Invalid
from scenewright.core.text.counts import with_article
from scenewright.unity.class_types.defaults import DEFAULTS
from scenewright.unity.class_types.table import table
from scenewright.unity.editing.documents import COMPONENTS
from scenewright.unity.script_types import ScriptTypes

__all__ = ["check_beside", "follows", "needed_by", "needs_rectangle"]

_MOST = 20
_NEEDED: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("ConstantForce", "FixedJoint", "HingeJoint", "SpringJoint"), ("Rigidbody",)),
    **dict.fromkeys(
        ("ConstantForce2D", "DistanceJoint2D", "FixedJoint2D", "HingeJoint2D", "SpringJoint2D"), ("Rigidbody2D",)
    ),
    **dict.fromkeys(("Image", "RawImage", "Text", "TextMeshProUGUI"), ("CanvasRenderer",)),
    **dict.fromkeys(("CanvasScaler", "GraphicRaycaster"), ("Canvas",)),
    **dict.fromkeys(("InputSystemUIInputModule", "StandaloneInputModule"), ("EventSystem",)),
    **dict.fromkeys(("TextMesh", "TextMeshPro"), ("MeshRenderer",)),
    "FlareLayer": ("Camera",),
    "ParticleSystem": ("ParticleSystemRenderer",),
    "Skybox": ("Camera",),
}
_ON_RECTANGLES = {
    "AspectRatioFitter",
    "Canvas",
    "CanvasScaler",
    "ContentSizeFitter",
    "GraphicRaycaster",
    "GridLayoutGroup",
    "HorizontalLayoutGroup",
    "Image",
    "LayoutElement",
    "Mask",
    "RawImage",
    "RectMask2D",
    "ScrollRect",
    "Scrollbar",
    "Slider",
    "Text",
    "TextMeshPro",
    "TextMeshProUGUI",
    "Toggle",
    "VerticalLayoutGroup",
}
# Of each there is one on an object.
_ONCE = {
    "Animation",
    "Animator",
    "AudioListener",
    "Camera",
    "Canvas",
    "CanvasGroup",
    "CanvasRenderer",
    "EventSystem",
    "Grid",
    "Light",
    "LineRenderer",
    "MeshFilter",
    "MeshRenderer",
    "NavMeshAgent",
    "ParticleSystem",
    "ParticleSystemRenderer",
    "Rigidbody",
    "Rigidbody2D",
    "SkinnedMeshRenderer",
    "SortingGroup",
    "SpriteMask",
    "SpriteRenderer",
    "TextMesh",
    "Tilemap",
    "TrailRenderer",
}
_COLLIDERS = ("BoxCollider", "CapsuleCollider", "CharacterController", "MeshCollider", "SphereCollider")
_COLLIDERS_2D = (
    "BoxCollider2D",
    "CapsuleCollider2D",
    "CircleCollider2D",
    "CompositeCollider2D",
    "EdgeCollider2D",
    "PolygonCollider2D",
)
# Of each group there is one on an object: of graphics, and of what a player can choose.
_GROUPS = (
    {"Image", "RawImage", "Text", "TextMeshProUGUI"},
    {"Button", "Dropdown", "InputField", "Scrollbar", "Slider", "TMP_Dropdown", "TMP_InputField", "Toggle"},
    {"GridLayoutGroup", "HorizontalLayoutGroup", "VerticalLayoutGroup"},
)
# What belongs to one side of these is not put on an object that has something of the other.
_SIDES = (
    ({"Rigidbody", *_COLLIDERS}, {"Rigidbody2D", *_COLLIDERS_2D}),
    ({"MeshFilter", "MeshRenderer", "SkinnedMeshRenderer"}, {"SpriteRenderer"}),
)


def needs_rectangle(name: str, scripts: ScriptTypes) -> bool:
    """Return whether a component makes its GameObject one of the user interface."""
    plain = name.rpartition(".")[2]
    return plain in _ON_RECTANGLES or "RectTransform" in scripts.required(plain)


def needed_by(name: str, there: Sequence[str], scripts: ScriptTypes) -> list[str]:
    """Return the components that the editor puts on an object before a new one, each before what needs it.

    Raises:
        Invalid: it needs one of several, and which is not clear.
    """
    needed: list[str] = []
    _collect(name, there, scripts, needed)
    return needed[:-1]


def follows(name: str, needed: str) -> bool:
    """Return whether what a component needs is listed after it."""
    return (name, needed) == ("ParticleSystem", "ParticleSystemRenderer")


def _collect(name: str, there: Sequence[str], scripts: ScriptTypes, needed: list[str]) -> None:
    for other in (*_NEEDED.get(name, ()), *scripts.required(name)):
        has_one = any(scripts.is_a(each, other) for each in (*there, *needed, name))
        if has_one or other in ("Transform", "RectTransform") or len(needed) > _MOST:
            continue
        if table().number(other) is not None and other not in COMPONENTS:
            kinds = [each for each in COMPONENTS if other in table().ancestors(each) and each in DEFAULTS]
            raise Invalid(
                f"'{name}' needs {with_article(other)} on the same object, and which one is not clear.",
                path="input.componentType",
                rule="dependentRequired",
                hint=f"Add one first: {', '.join(kinds)}.",
            )
        _collect(other, there, scripts, needed)
    needed.append(name)


def check_beside(name: str, there: Sequence[str], scripts: ScriptTypes) -> None:
    """Refuse a component that the editor does not put on an object with these.

    Raises:
        Invalid: there is one already, or one that it does not go with.
    """
    groups = [group for group in _GROUPS if name in group]
    once = {name} if name in _ONCE or scripts.is_alone(name) else set()
    sides = [other for left, right in _SIDES for one, other in ((left, right), (right, left)) if name in one]
    against = next((other for other in there if any(other in group for group in (once, *groups, *sides))), None)
    if against is not None:
        raise Invalid(
            f"The object has {with_article(against)}, and Unity puts no {name} beside it."
            if against != name
            else f"The object has {with_article(name)}, and Unity puts only one on an object.",
            path="input.componentType",
            rule="not",
            hint="Set its properties with scene.property.set, or remove it first with scene.component.remove.",
        )
