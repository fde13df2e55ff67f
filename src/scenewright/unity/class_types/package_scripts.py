"""What scripts of Unity's own packages save, uGUI and TextMeshPro: their sources are rarely in a checkout.

Each field is written as `name kind default`, in the editor's order. A kind is a number, `>Class` for a reference,
`[kind]` for a list, or one of the structures below.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, NamedTuple

from scenewright.unity.class_types.table import Field
from scenewright.unity.class_types.versions import Version

__all__ = ["PackageScript", "event_field", "package_script"]

_FLOW = 1
_VECTORS = {
    "vec2": ("Vector2f", "float", "xy"),
    "vec4": ("Vector4f", "float", "xyzw"),
    "vec2i": ("int2_storage", "int", "xy"),
    "color": ("ColorRGBA", "float", "rgba"),
}
_WHITE = "1,1,1,1"
_STRUCTS = {
    "Event": "m_PersistentCalls Calls",
    "Calls": "m_Calls [PersistentCall]",
    "PersistentCall": "m_Target >Object; m_TargetAssemblyTypeName string; m_MethodName string; m_Mode int;"
    " m_Arguments Arguments; m_CallState int",
    "Arguments": "m_ObjectArgument >Object; m_ObjectArgumentAssemblyTypeName string; m_IntArgument int;"
    " m_FloatArgument float; m_StringArgument string; m_BoolArgument bool",
    "Navigation": "m_Mode int 3; m_WrapAround bool; m_SelectOnUp >Selectable; m_SelectOnDown >Selectable;"
    " m_SelectOnLeft >Selectable; m_SelectOnRight >Selectable",
    "Colors": f"m_NormalColor color {_WHITE}; m_HighlightedColor color 0.9607843,0.9607843,0.9607843,1;"
    " m_PressedColor color 0.78431374,0.78431374,0.78431374,1;"
    " m_SelectedColor color 0.9607843,0.9607843,0.9607843,1;"
    " m_DisabledColor color 0.78431374,0.78431374,0.78431374,0.5019608;"
    " m_ColorMultiplier float 1; m_FadeDuration float 0.1",
    "Sprites": "m_HighlightedSprite >Sprite; m_PressedSprite >Sprite; m_SelectedSprite >Sprite;"
    " m_DisabledSprite >Sprite",
    "Triggers": "m_NormalTrigger string Normal; m_HighlightedTrigger string Highlighted;"
    " m_PressedTrigger string Pressed; m_SelectedTrigger string Selected; m_DisabledTrigger string Disabled",
    "Padding": "m_Left int; m_Right int; m_Top int; m_Bottom int",
    "Gradient": f"topLeft color {_WHITE}; topRight color {_WHITE}; bottomLeft color {_WHITE};"
    f" bottomRight color {_WHITE}",
    "FontData": "m_Font >Font; m_FontSize int 14; m_FontStyle int; m_BestFit bool; m_MinSize int 10;"
    " m_MaxSize int 40; m_Alignment int; m_AlignByGeometry bool; m_RichText bool 1; m_HorizontalOverflow int;"
    " m_VerticalOverflow int; m_LineSpacing float 1",
    "Options": "m_Options [Option]",
    "Option": "m_Text string; m_Image >Sprite",
    "UVRect": "x float; y float; width float 1; height float 1",
    "Entry": "eventID int; callback Event",
}
_GRAPHIC = (
    f"m_Material >Material; m_Color color {_WHITE}; m_RaycastTarget bool 1; m_RaycastPadding vec4; m_Maskable bool 1;"
    " m_OnCullStateChanged Event; "
)
_SELECTABLE = (
    "m_Navigation Navigation; m_Transition int 1; m_Colors Colors; m_SpriteState Sprites; m_AnimationTriggers Triggers;"
    " m_Interactable bool 1; m_TargetGraphic >Graphic; "
)
_GROUP = (
    "m_Padding Padding; m_ChildAlignment int; m_Spacing float; m_ChildForceExpandWidth bool 1;"
    " m_ChildForceExpandHeight bool 1; m_ChildControlWidth bool; m_ChildControlHeight bool; m_ChildScaleWidth bool;"
    " m_ChildScaleHeight bool; m_ReverseArrangement bool"
)
_TEXT_MESH = (
    _GRAPHIC + "m_text string; m_isRightToLeft bool; m_fontAsset >TMP_FontAsset; m_sharedMaterial >Material;"
    " m_fontSharedMaterials [>Material]; m_fontMaterial >Material; m_fontMaterials [>Material];"
    " m_fontColor32 color32 4294967295;"
    f" m_fontColor color {_WHITE}; m_enableVertexGradient bool; m_colorMode int 3; m_fontColorGradient Gradient;"
    " m_fontColorGradientPreset >TMP_ColorGradient; m_spriteAsset >TMP_SpriteAsset; m_tintAllSprites bool;"
    " m_StyleSheet >TMP_StyleSheet; m_TextStyleHashCode int -1183493901; m_overrideHtmlColors bool;"
    " m_faceColor color32 4294967295; m_fontSize float 36; m_fontSizeBase float 36; m_fontWeight int 400;"
    " m_enableAutoSizing bool; m_fontSizeMin float 18; m_fontSizeMax float 72; m_fontStyle int;"
    " m_HorizontalAlignment int 1; m_VerticalAlignment int 256; m_textAlignment int 65535; m_characterSpacing float;"
    " m_wordSpacing float; m_lineSpacing float; m_lineSpacingMax float; m_paragraphSpacing float;"
    " m_charWidthMaxAdj float; m_enableWordWrapping bool 1; m_wordWrappingRatios float 0.4; m_overflowMode int;"
    " m_linkedTextComponent >TMP_Text; parentLinkedComponent >TMP_Text; m_enableKerning bool 1;"
    " m_enableExtraPadding bool; checkPaddingRequired bool; m_isRichText bool 1; m_parseCtrlCharacters bool 1;"
    " m_isOrthographic bool {flat}; m_isCullingEnabled bool; m_horizontalMapping int; m_verticalMapping int;"
    " m_uvLineOffset float; m_geometrySortingOrder int; m_IsTextObjectScaleStatic bool;"
    " m_VertexBufferAutoSizeReduction bool; m_useMaxVisibleDescender bool 1; m_pageToDisplay int 1; m_margin vec4;"
    " m_isUsingLegacyAnimationComponent bool; m_isVolumetricText bool; m_hasFontAssetChanged bool; "
)
_SHADOW = "m_EffectColor color 0,0,0,0.5; m_EffectDistance vec2 1,-1; m_UseGraphicAlpha bool 1"
_FIT = "m_HorizontalFit int; m_VerticalFit int"
_SCRIPTS = {
    "Image": _GRAPHIC + "m_Sprite >Sprite; m_Type int; m_PreserveAspect bool; m_FillCenter bool 1; m_FillMethod int 4;"
    " m_FillAmount float 1; m_FillClockwise bool 1; m_FillOrigin int; m_UseSpriteMesh bool;"
    " m_PixelsPerUnitMultiplier float 1",
    "RawImage": _GRAPHIC + "m_Texture >Texture; m_UVRect UVRect",
    "Text": _GRAPHIC + "m_FontData FontData; m_Text string",
    "Button": _SELECTABLE + "m_OnClick Event",
    "Toggle": _SELECTABLE + "toggleTransition int 1; graphic >Graphic; m_Group >ToggleGroup; onValueChanged Event;"
    " m_IsOn bool",
    "ToggleGroup": "m_AllowSwitchOff bool",
    "Slider": _SELECTABLE + "m_FillRect >RectTransform; m_HandleRect >RectTransform; m_Direction int;"
    " m_MinValue float; m_MaxValue float 1; m_WholeNumbers bool; m_Value float; m_OnValueChanged Event",
    "Scrollbar": _SELECTABLE + "m_HandleRect >RectTransform; m_Direction int; m_Value float; m_Size float 0.2;"
    " m_NumberOfSteps int; m_OnValueChanged Event",
    "ScrollRect": "m_Content >RectTransform; m_Horizontal bool 1; m_Vertical bool 1; m_MovementType int 1;"
    " m_Elasticity float 0.1; m_Inertia bool 1; m_DecelerationRate float 0.135; m_ScrollSensitivity float 1;"
    " m_Viewport >RectTransform; m_HorizontalScrollbar >Scrollbar; m_VerticalScrollbar >Scrollbar;"
    " m_HorizontalScrollbarVisibility int; m_VerticalScrollbarVisibility int; m_HorizontalScrollbarSpacing float;"
    " m_VerticalScrollbarSpacing float; m_OnValueChanged Event",
    "Dropdown": _SELECTABLE + "m_Template >RectTransform; m_CaptionText >Text; m_CaptionImage >Image;"
    " m_ItemText >Text; m_ItemImage >Image; m_Value int; m_Options Options; m_OnValueChanged Event;"
    " m_AlphaFadeSpeed float 0.15",
    "InputField": _SELECTABLE + "m_TextComponent >Text; m_Placeholder >Graphic; m_ContentType int; m_InputType int;"
    " m_AsteriskChar int 42; m_KeyboardType int; m_LineType int; m_HideMobileInput bool; m_CharacterValidation int;"
    " m_CharacterLimit int; m_OnSubmit Event; m_OnDidEndEdit Event; m_OnValueChanged Event;"
    " m_CaretColor color 0.19607843,0.19607843,0.19607843,1; m_CustomCaretColor bool;"
    " m_SelectionColor color 0.65882355,0.80784315,1,0.7529412; m_Text string; m_CaretBlinkRate float 0.85;"
    " m_CaretWidth int 1; m_ReadOnly bool; m_ShouldActivateOnSelect bool 1",
    "Mask": "m_ShowMaskGraphic bool 1",
    "RectMask2D": "m_Padding vec4; m_Softness vec2i",
    "CanvasScaler": "m_UiScaleMode int; m_ReferencePixelsPerUnit float 100; m_ScaleFactor float 1;"
    " m_ReferenceResolution vec2 800,600; m_ScreenMatchMode int; m_MatchWidthOrHeight float; m_PhysicalUnit int 3;"
    " m_FallbackScreenDPI float 96; m_DefaultSpriteDPI float 96; m_DynamicPixelsPerUnit float 1;"
    " m_PresetInfoIsWorld bool",
    "GraphicRaycaster": "m_IgnoreReversedGraphics bool 1; m_BlockingObjects int; m_BlockingMask mask 4294967295",
    "VerticalLayoutGroup": _GROUP,
    "HorizontalLayoutGroup": _GROUP,
    "GridLayoutGroup": "m_Padding Padding; m_ChildAlignment int; m_StartCorner int; m_StartAxis int;"
    " m_CellSize vec2 100,100; m_Spacing vec2; m_Constraint int; m_ConstraintCount int 2",
    "LayoutElement": "m_IgnoreLayout bool; m_MinWidth float -1; m_MinHeight float -1; m_PreferredWidth float -1;"
    " m_PreferredHeight float -1; m_FlexibleWidth float -1; m_FlexibleHeight float -1; m_LayoutPriority int 1",
    "ContentSizeFitter": _FIT,
    "AspectRatioFitter": "m_AspectMode int; m_AspectRatio float 1",
    "Outline": _SHADOW,
    "Shadow": _SHADOW,
    "EventSystem": "m_FirstSelected >GameObject; m_sendNavigationEvents bool 1; m_DragThreshold int 10",
    "StandaloneInputModule": "m_SendPointerHoverToParent bool 1; m_HorizontalAxis string Horizontal;"
    " m_VerticalAxis string Vertical; m_SubmitButton string Submit; m_CancelButton string Cancel;"
    " m_InputActionsPerSecond float 10; m_RepeatDelay float 0.5; m_ForceModuleActive bool",
    "InputSystemUIInputModule": "m_MoveRepeatDelay float 0.5; m_MoveRepeatRate float 0.1;"
    " m_XRTrackingOrigin >Transform; m_ActionsAsset >InputActionAsset; m_PointAction >InputActionReference;"
    " m_MoveAction >InputActionReference; m_SubmitAction >InputActionReference; m_CancelAction >InputActionReference;"
    " m_LeftClickAction >InputActionReference; m_MiddleClickAction >InputActionReference;"
    " m_RightClickAction >InputActionReference; m_ScrollWheelAction >InputActionReference;"
    " m_TrackedDevicePositionAction >InputActionReference; m_TrackedDeviceOrientationAction >InputActionReference;"
    " m_DeselectOnBackgroundClick bool 1; m_PointerBehavior int",
    "EventTrigger": "m_Delegates [Entry]",
    "TextMeshProUGUI": _TEXT_MESH.replace("{flat}", "1") + "m_baseMaterial >Material; m_maskOffset vec4",
    "TextMeshPro": _TEXT_MESH.replace("{flat}", "0") + "m_renderer >MeshRenderer; m_maskType int; _SortingLayer int;"
    " _SortingLayerID int; _SortingOrder int",
}


# What TextMeshPro saves otherwise since it belongs to uGUI 2.0, which came with Unity 2023.2.
_TEXT_MESH_SINCE = (2023, 2, 0, 0, 0)
_NEW_TEXT_MESH = (
    ("m_characterSpacing float;", "m_characterSpacing float; m_characterHorizontalScale float 1;"),
    ("m_enableWordWrapping bool 1;", "m_TextWrappingMode int 1;"),
    ("m_enableKerning bool 1;", "m_enableKerning bool; m_ActiveFontFeatures [unsigned int] 6e72656b;"),
    ("m_isRichText bool 1;", "m_isRichText bool 1; m_EmojiFallbackSupport bool 1;"),
)
_WORD = re.compile(r"(\S+)\s+(\[[^\]]*\]|\S+)\s*(.*)")


class PackageScript(NamedTuple):
    fields: tuple[Field, ...]
    defaults: dict[str, Any]  # by path, where they are not zero, empty or nothing


def package_script(name: str, version: Version | None = None) -> PackageScript | None:
    """Return what a script of a package saves in a version of the editor, None where that is not known."""
    is_new = name.startswith("TextMeshPro") and version is not None and version >= _TEXT_MESH_SINCE
    return _package_script(name, is_new=is_new)


def event_field(name: str) -> Field:
    """Return a field that lists what is called at an event."""
    return _field(name, "Event", "", name, {})


@cache
def _package_script(name: str, *, is_new: bool) -> PackageScript | None:
    text = _SCRIPTS.get(name)
    if text is None:
        return None
    for old, new in _NEW_TEXT_MESH if is_new else ():
        text = text.replace(old, new)
    defaults: dict[str, Any] = {}
    return PackageScript(_fields(text, "", defaults), defaults)


def _fields(text: str, path: str, defaults: dict[str, Any]) -> tuple[Field, ...]:
    rows = (match.groups() for row in text.split(";") if (match := _WORD.fullmatch(row.strip())))
    return tuple(_field(name, kind, default, f"{path}{name}", defaults) for name, kind, default in rows)


def _field(name: str, kind: str, default: str, path: str, defaults: dict[str, Any]) -> Field:
    if kind.startswith("["):
        if default:
            defaults[path] = default
        return Field("vector", name, 1, 0, (_field("data", kind[1:-1], "", "", {}),))
    if kind.startswith(">"):
        return Field(f"PPtr<{kind[1:]}>", name, 1, 0, ())
    if kind in _STRUCTS:
        version = 2 if kind == "UVRect" else 1
        return Field(kind, name, version, 0, _fields(_STRUCTS[kind], f"{path}.", defaults))
    if kind in _VECTORS:
        type_name, item, keys = _VECTORS[kind]
        if default:
            defaults[path] = dict(zip(keys, map(float, default.split(",")), strict=True))
        return Field(type_name, name, 1, _FLOW, tuple(Field(item, key, 1, 0, ()) for key in keys))
    if kind in ("mask", "color32"):
        inner, type_name = ("m_Bits", "BitField") if kind == "mask" else ("rgba", "ColorRGBA32")
        defaults[f"{path}.{inner}"] = int(default)
        return Field(type_name, name, 2, 0, (Field("unsigned int", inner, 1, 0, ()),))
    if default:
        defaults[path] = default
    return Field(kind, name, 1, 0, ())
