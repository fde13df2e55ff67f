"""Names of the numbers that uGUI's and TextMeshPro's fields take, as their scripts call them."""

from __future__ import annotations

__all__ = ["PACKAGE_ENUMS"]

Names = dict[str, dict[str, int]]


def _numbered(names: str) -> dict[str, int]:
    return {name: number for number, name in enumerate(names.split())}


def _flags(names: str, first: int = 1) -> dict[str, int]:
    return {name: first << place for place, name in enumerate(names.split())}


_ANCHOR = _numbered(
    "UpperLeft UpperCenter UpperRight MiddleLeft MiddleCenter MiddleRight LowerLeft LowerCenter LowerRight"
)
_SELECTABLE: Names = {
    "m_Transition": _numbered("None ColorTint SpriteSwap Animation"),
    "m_Navigation.m_Mode": _numbered("None Horizontal Vertical Automatic Explicit"),
}
_BAR: Names = {"m_Direction": _numbered("LeftToRight RightToLeft BottomToTop TopToBottom")}
_VISIBILITY = _numbered("Permanent AutoHide AutoHideAndExpandViewport")
_FIT = _numbered("Unconstrained MinSize PreferredSize")
_GROUP: Names = {"m_ChildAlignment": _ANCHOR}
_TEXT_MESH: Names = {
    "m_HorizontalAlignment": _flags("Left Center Right Justified Flush Geometry"),
    "m_VerticalAlignment": _flags("Top Middle Bottom Baseline Geometry Capline", 256),
    "m_fontStyle": {
        "Normal": 0,
        **_flags("Bold Italic Underline LowerCase UpperCase SmallCaps Strikethrough Superscript Subscript Highlight"),
    },
    "m_overflowMode": _numbered("Overflow Ellipsis Masking Truncate ScrollRect Page Linked"),
    "m_TextWrappingMode": _numbered("NoWrap Normal PreserveWhitespace PreserveWhitespaceNoWrap"),
}
PACKAGE_ENUMS: dict[str, Names] = {
    "AspectRatioFitter": {
        "m_AspectMode": _numbered("None WidthControlsHeight HeightControlsWidth FitInParent EnvelopeParent")
    },
    "Button": _SELECTABLE,
    "CanvasScaler": {
        "m_UiScaleMode": _numbered("ConstantPixelSize ScaleWithScreenSize ConstantPhysicalSize"),
        "m_ScreenMatchMode": _numbered("MatchWidthOrHeight Expand Shrink"),
        "m_PhysicalUnit": _numbered("Centimeters Millimeters Inches Points Picas"),
    },
    "ContentSizeFitter": {"m_HorizontalFit": _FIT, "m_VerticalFit": _FIT},
    "Dropdown": _SELECTABLE,
    "GraphicRaycaster": {"m_BlockingObjects": _numbered("None TwoD ThreeD All")},
    "GridLayoutGroup": _GROUP
    | {
        "m_StartCorner": _numbered("UpperLeft UpperRight LowerLeft LowerRight"),
        "m_StartAxis": _numbered("Horizontal Vertical"),
        "m_Constraint": _numbered("Flexible FixedColumnCount FixedRowCount"),
    },
    "HorizontalLayoutGroup": _GROUP,
    "Image": {
        "m_Type": _numbered("Simple Sliced Tiled Filled"),
        "m_FillMethod": _numbered("Horizontal Vertical Radial90 Radial180 Radial360"),
    },
    "InputField": _SELECTABLE
    | {
        "m_ContentType": _numbered(
            "Standard Autocorrected IntegerNumber DecimalNumber Alphanumeric Name EmailAddress Password Pin Custom"
        ),
        "m_InputType": _numbered("Standard AutoCorrect Password"),
        "m_LineType": _numbered("SingleLine MultiLineSubmit MultiLineNewline"),
        "m_CharacterValidation": _numbered("None Integer Decimal Alphanumeric Name EmailAddress"),
    },
    "ScrollRect": {
        "m_MovementType": _numbered("Unrestricted Elastic Clamped"),
        "m_HorizontalScrollbarVisibility": _VISIBILITY,
        "m_VerticalScrollbarVisibility": _VISIBILITY,
    },
    "Scrollbar": _SELECTABLE | _BAR,
    "Slider": _SELECTABLE | _BAR,
    "Text": {
        "m_FontData.m_Alignment": _ANCHOR,
        "m_FontData.m_FontStyle": _numbered("Normal Bold Italic BoldAndItalic"),
        "m_FontData.m_HorizontalOverflow": _numbered("Wrap Overflow"),
        "m_FontData.m_VerticalOverflow": _numbered("Truncate Overflow"),
    },
    "TextMeshPro": _TEXT_MESH,
    "TextMeshProUGUI": _TEXT_MESH,
    "Toggle": _SELECTABLE | {"toggleTransition": _numbered("None Fade")},
    "VerticalLayoutGroup": _GROUP,
}
