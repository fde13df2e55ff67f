"""The addon's dock, as a person sees it and clicks in it."""

from __future__ import annotations

from tests.godot.addon.editor import Editor

__all__ = ["DOCK", "press", "shown"]

DOCK = 'EditorInterface.get_base_control().find_children("Scenewright", "VBoxContainer", true, false)[0]'
_TEXTS = (
    f'{DOCK}.find_children("*", "Control", true, false).filter(func(part: Control) -> bool:'
    ' return "text" in part and part.is_visible_in_tree()).map('
    'func(part: Control) -> String: return str(part.get("text")))'
)


def shown(editor: Editor) -> str:
    """Every text that can be seen, a line each."""
    return "\n".join(editor.ask(_TEXTS))


def press(editor: Editor, text: str) -> None:
    """A click on the dock's button of that text; the first, where there are several."""
    editor.act(
        f'for button: BaseButton in {DOCK}.find_children("*", "BaseButton", true, false):\n'
        f'\tif str(button.get("text")) == "{text}":\n'
        "\t\tif button.toggle_mode:\n\t\t\tbutton.button_pressed = not button.button_pressed\n"
        "\t\telse:\n\t\t\tbutton.pressed.emit()\n"
        "\t\tbreak"
    )
