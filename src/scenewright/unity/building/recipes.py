"""What the editor's GameObject menu makes: objects with their components, values and children."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from scenewright.core.faults import Unsupported

__all__ = ["KINDS", "Looks", "Part", "Recipe", "Ref", "built_in", "canvas", "event_system", "is_ui", "recipe_for"]

UI_LAYER = 5
_BUILT_IN, _EXTRA = "0000000000000000e000000000000000", "0000000000000000f000000000000000"
_SPRITES = {
    "Checkmark": 10901,
    "UISprite": 10905,
    "Background": 10907,
    "InputFieldBackground": 10911,
    "Knob": 10913,
    "DropdownArrow": 10915,
    "UIMask": 10917,
}
# The actions that the Input System brings for user interfaces.
_ACTIONS_GUID = "ca9f5fa95ffab41fb9a615ab714db018"
_ACTIONS = {
    name: {"fileID": file_id, "guid": _ACTIONS_GUID, "type": "3"}
    for name, file_id in {
        "m_ActionsAsset": "-944628639613478452",
        "m_PointAction": "-1654692200621890270",
        "m_MoveAction": "-8784545083839296357",
        "m_SubmitAction": "392368643174621059",
        "m_CancelAction": "7727032971491509709",
        "m_LeftClickAction": "3001919216989983466",
        "m_MiddleClickAction": "-2185481485913320682",
        "m_RightClickAction": "-4090225696740746782",
        "m_ScrollWheelAction": "6240969308177333660",
        "m_TrackedDevicePositionAction": "6564999863303420839",
        "m_TrackedDeviceOrientationAction": "7970375526676320489",
    }.items()
}
_TEXT_COLOR = [50 / 255, 50 / 255, 50 / 255, 1]
_FAINT = [1, 1, 1, 0.392]


@dataclass(frozen=True, slots=True)
class Ref:
    """A component of another object of the same recipe; an empty path is the object itself."""

    path: str
    component: str


@dataclass(frozen=True, slots=True)
class Part:
    component: str
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Recipe:
    name: str
    parts: tuple[Part, ...] = ()
    transform: Mapping[str, Any] = field(default_factory=dict)
    children: tuple[Recipe, ...] = ()
    is_rect: bool = False
    layer: int = 0
    tag: str = "Untagged"
    active: bool = True


@dataclass(frozen=True, slots=True)
class Looks:
    """What depends on the project: its materials, its kind of text, its input."""

    material: Mapping[str, Any]
    with_text_mesh: bool
    font: Mapping[str, Any] | None  # the TextMeshPro font, where the project has it
    font_material: Mapping[str, Any] | None
    particle_material: Mapping[str, Any] | None  # None where it is not known
    input_module: str = "StandaloneInputModule"


def built_in(number: int, guid: str = _EXTRA) -> dict[str, Any]:
    return {"fileID": str(number), "guid": guid, "type": "0"}


def recipe_for(kind: str, looks: Looks) -> Recipe:
    """Return what the editor makes of a kind, one of `KINDS`."""
    return _MAKERS[kind](looks)


def is_ui(kind: str) -> bool:
    """Return whether an object of a kind lives below a canvas."""
    return kind in _UI


def canvas() -> Recipe:
    values = {"m_RenderMode": 0, "m_AdditionalShaderChannelsFlag": 25}
    parts = (Part("Canvas", values), Part("CanvasScaler"), Part("GraphicRaycaster"))
    flat = {"m_LocalScale": [0, 0, 0]} | _rect((0, 0), (0, 0), (0, 0), pivot=(0, 0))
    return Recipe("Canvas", parts, flat, is_rect=True, layer=UI_LAYER)


def event_system(looks: Looks) -> Recipe:
    values = _ACTIONS if looks.input_module == "InputSystemUIInputModule" else {}
    return Recipe("EventSystem", (Part("EventSystem"), Part(looks.input_module, values)))


def _rect(
    low: tuple[float, float],
    high: tuple[float, float],
    size: tuple[float, float],
    at: tuple[float, float] = (0, 0),
    *,
    pivot: tuple[float, float] = (0.5, 0.5),
) -> dict[str, Any]:
    return {
        "m_AnchorMin": [*low],
        "m_AnchorMax": [*high],
        "m_AnchoredPosition": [*at],
        "m_SizeDelta": [*size],
        "m_Pivot": [*pivot],
    }


def _sized(width: float, height: float) -> dict[str, Any]:
    return _rect((0.5, 0.5), (0.5, 0.5), (width, height))


def _filling(width: float = 0, height: float = 0, at: tuple[float, float] = (0, 0), **more: Any) -> dict[str, Any]:
    return _rect((0, 0), (1, 1), (width, height), at, **more)


def _element(name: str, rect: Mapping[str, Any], *parts: Part, children: tuple[Recipe, ...] = ()) -> Recipe:
    """Return an element that is drawn, with its renderer; one without parts only holds others."""
    drawn = (Part("CanvasRenderer"), *parts) if parts else ()
    return Recipe(name, drawn, rect, children, is_rect=True, layer=UI_LAYER)


def _image(sprite: str | None = None, *, sliced: bool = True, color: list[float] | None = None) -> Part:
    values: dict[str, Any] = {"m_Sprite": built_in(_SPRITES[sprite]), "m_Type": int(sliced)} if sprite else {}
    return Part("Image", values | ({"m_Color": color} if color else {}))


def _plain_text(text: str, *, align: int, color: list[float] | None = None, italic: bool = False) -> Part:
    font = {"m_FontData.m_Font": built_in(10102, _BUILT_IN), "m_FontData.m_Alignment": align}
    return Part(
        "Text",
        {**font, "m_Text": text, "m_Color": color or _TEXT_COLOR} | ({"m_FontData.m_FontStyle": 2} if italic else {}),
    )


def _text(looks: Looks, text: str, *, centered: bool) -> tuple[str, Part]:
    if not looks.with_text_mesh:
        return "Text (Legacy)", _plain_text(text, align=4 if centered else 0)
    values: dict[str, Any] = {"m_text": text}
    if looks.font is not None:
        values |= {"m_fontAsset": looks.font, "m_sharedMaterial": looks.font_material}
    if centered:
        values |= {"m_fontSize": 24, "m_fontSizeBase": 24, "m_HorizontalAlignment": 2, "m_VerticalAlignment": 512}
        values |= {"m_fontColor": _TEXT_COLOR, "m_fontColor32.rgba": 4281479730}
    return "Text (TMP)", Part("TextMeshProUGUI", values)


def _label(looks: Looks) -> Recipe:
    name, part = _text(looks, "New Text", centered=False)
    return _element(name, _sized(200, 50) if looks.with_text_mesh else _sized(160, 30), part)


def _button(looks: Looks) -> Recipe:
    name, part = _text(looks, "Button", centered=True)
    parts = _image("UISprite"), Part("Button", {"m_TargetGraphic": Ref("", "Image")})
    return _element("Button", _sized(160, 30), *parts, children=(_element(name, _filling(), part),))


def _toggle(_: Looks) -> Recipe:
    mark = _element("Checkmark", _sized(20, 20), _image("Checkmark", sliced=False))
    back = _element("Background", _rect((0, 1), (0, 1), (20, 20), (10, -10)), _image("UISprite"), children=(mark,))
    label = _element("Label", _filling(-28, -3, (9, -0.5)), _plain_text("Toggle", align=0))
    values = {
        "m_IsOn": True,
        "m_TargetGraphic": Ref("Background", "Image"),
        "graphic": Ref("Background/Checkmark", "Image"),
    }
    rect = _sized(160, 20)
    return Recipe("Toggle", (Part("Toggle", values),), rect, (back, label), is_rect=True, layer=UI_LAYER)


def _slider(_: Looks) -> Recipe:
    band = {"low": (0, 0.25), "high": (1, 0.75)}
    fill = _element("Fill", _rect((0, 0), (0, 1), (10, 0)), _image("UISprite"))
    handle = _element("Handle", _rect((0, 0), (0, 1), (20, 0)), _image("Knob", sliced=False))
    children = (
        _element("Background", _rect(**band, size=(0, 0)), _image("Background")),
        _element("Fill Area", _rect(**band, size=(-20, 0), at=(-5, 0)), children=(fill,)),
        _element("Handle Slide Area", _filling(-20), children=(handle,)),
    )
    values = {
        "m_FillRect": Ref("Fill Area/Fill", "RectTransform"),
        "m_HandleRect": Ref("Handle Slide Area/Handle", "RectTransform"),
        "m_TargetGraphic": Ref("Handle Slide Area/Handle", "Image"),
    }
    return Recipe("Slider", (Part("Slider", values),), _sized(160, 20), children, is_rect=True, layer=UI_LAYER)


def _scrollbar(_: Looks, name: str = "Scrollbar", rect: Mapping[str, Any] | None = None, direction: int = 0) -> Recipe:
    high = (0.2, 1) if direction == 0 else (1, 0.2)
    handle = _element("Handle", _rect((0, 0), high, (20, 20)), _image("UISprite"))
    area = _element("Sliding Area", _filling(-20, -20), children=(handle,))
    values = {
        "m_HandleRect": Ref("Sliding Area/Handle", "RectTransform"),
        "m_TargetGraphic": Ref("Sliding Area/Handle", "Image"),
        "m_Direction": direction,
    }
    parts = _image("Background"), Part("Scrollbar", values)
    return _element(name, rect or _sized(160, 20), *parts, children=(area,))


def _scroll_view(looks: Looks) -> Recipe:
    content = _element("Content", _rect((0, 1), (1, 1), (0, 300), pivot=(0, 1)))
    view = _filling(pivot=(0, 1))
    mask = Part("Mask", {"m_ShowMaskGraphic": False})
    viewport = _element("Viewport", view, _image("UIMask"), mask, children=(content,))
    across = _scrollbar(looks, "Scrollbar Horizontal", _rect((0, 0), (1, 0), (0, 20), pivot=(0, 0)))
    down = _scrollbar(looks, "Scrollbar Vertical", _rect((1, 0), (1, 1), (20, 0), pivot=(1, 1)), 2)
    values = {
        "m_Content": Ref("Viewport/Content", "RectTransform"),
        "m_Viewport": Ref("Viewport", "RectTransform"),
        "m_HorizontalScrollbar": Ref("Scrollbar Horizontal", "Scrollbar"),
        "m_VerticalScrollbar": Ref("Scrollbar Vertical", "Scrollbar"),
        "m_HorizontalScrollbarVisibility": 2,
        "m_VerticalScrollbarVisibility": 2,
        "m_HorizontalScrollbarSpacing": -3,
        "m_VerticalScrollbarSpacing": -3,
    }
    parts = _image("Background", color=_FAINT), Part("ScrollRect", values)
    return _element("Scroll View", _sized(200, 200), *parts, children=(viewport, across, down))


def _input_field(_: Looks) -> Recipe:
    inside = _filling(-20, -13, (0, -0.5))
    hint = _plain_text("Enter text...", align=0, color=[*_TEXT_COLOR[:3], 0.5], italic=True)
    text = _plain_text("", align=0)
    children = (_element("Placeholder", inside, hint), _element("Text (Legacy)", inside, text))
    values = {
        "m_TextComponent": Ref("Text (Legacy)", "Text"),
        "m_Placeholder": Ref("Placeholder", "Text"),
        "m_TargetGraphic": Ref("", "Image"),
    }
    parts = _image("InputFieldBackground"), Part("InputField", values)
    return _element("InputField (Legacy)", _sized(160, 30), *parts, children=children)


def _mesh(name: str, mesh: int, collider: Part) -> Callable[[Looks], Recipe]:
    def make(looks: Looks) -> Recipe:
        shape = Part("MeshFilter", {"m_Mesh": built_in(mesh, _BUILT_IN)})
        return Recipe(name, (shape, Part("MeshRenderer", {"m_Materials": [looks.material]}), collider))

    return make


def _light(name: str, kind: int, **values: Any) -> Callable[[Looks], Recipe]:
    place: dict[str, Any] = {}
    if kind == 1:
        turned = {"x": 0.40821788, "y": -0.23456968, "z": 0.10938163, "w": 0.8754261}
        place = {"m_LocalPosition": [0, 3, 0], "m_LocalRotation": turned, "m_LocalEulerAnglesHint": [50, -30, 0]}
    return lambda _: Recipe(name, (Part("Light", {"m_Type": kind, **values}),), place)


def _simple(name: str, *components: str) -> Callable[[Looks], Recipe]:
    return lambda _: Recipe(name, tuple(map(Part, components)))


def _sprite(_: Looks) -> Recipe:
    return Recipe("Sprite", (Part("SpriteRenderer", {"m_Materials": [built_in(10754)]}),))


def _particles(looks: Looks) -> Recipe:
    if looks.particle_material is None:
        raise Unsupported(
            "Which material the project's render pipeline gives to particles is not known.",
            hint="Add an Empty with the components ParticleSystem and ParticleSystemRenderer, and set its m_Materials.",
        )
    parts = Part("ParticleSystem"), Part("ParticleSystemRenderer", {"m_Materials": [looks.particle_material]})
    turned = {"x": -0.7071068, "y": 0, "z": 0, "w": 0.7071068}
    return Recipe("Particle System", parts, {"m_LocalRotation": turned, "m_LocalEulerAnglesHint": [-90, 0, 0]})


_capsule = Part("CapsuleCollider", {"m_Height": 2})
_UI: dict[str, Callable[[Looks], Recipe]] = {
    "Panel": lambda _: _element("Panel", _filling(), _image("Background", color=_FAINT)),
    "Image": lambda _: _element("Image", _sized(100, 100), _image()),
    "RawImage": lambda _: _element("RawImage", _sized(100, 100), Part("RawImage")),
    "Text": _label,
    "Button": _button,
    "Toggle": _toggle,
    "Slider": _slider,
    "Scrollbar": _scrollbar,
    "ScrollView": _scroll_view,
    "InputField": _input_field,
}
_MAKERS: dict[str, Callable[[Looks], Recipe]] = {
    "Cube": _mesh("Cube", 10202, Part("BoxCollider")),
    "Sphere": _mesh("Sphere", 10207, Part("SphereCollider")),
    "Capsule": _mesh("Capsule", 10208, _capsule),
    "Cylinder": _mesh("Cylinder", 10206, _capsule),
    "Plane": _mesh("Plane", 10209, Part("MeshCollider", {"m_Mesh": built_in(10209, _BUILT_IN)})),
    "Quad": _mesh("Quad", 10210, Part("MeshCollider", {"m_Mesh": built_in(10210, _BUILT_IN)})),
    "Camera": _simple("Camera", "Camera", "AudioListener"),
    "DirectionalLight": _light(
        "Directional Light", 1, m_Color=[1, 0.95686275, 0.8392157, 1], **{"m_Shadows.m_Type": 2}
    ),
    "PointLight": _light("Point Light", 2),
    "SpotLight": _light("Spot Light", 0),
    "AudioSource": _simple("Audio Source", "AudioSource"),
    "Sprite": _sprite,
    "ParticleSystem": _particles,
    "Canvas": lambda _: canvas(),
    "EventSystem": event_system,
    **_UI,
}
KINDS = tuple(_MAKERS)
