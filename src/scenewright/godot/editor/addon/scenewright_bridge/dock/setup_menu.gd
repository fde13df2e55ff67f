@tool
extends MenuButton
## Copies the line that sets up a client for this project. `scenewright init` knows each one's file and form.

const _CLIENTS: Dictionary = {
	"Claude Code": "claude-code",
	"Claude Desktop": "claude-desktop",
	"Codex": "codex",
	"Copilot CLI": "copilot",
	"Cursor": "cursor",
	"Gemini CLI": "gemini",
	"OpenCode": "opencode",
	"VS Code": "vscode",
	"Zed": "zed",
}


func _init() -> void:
	text = "Copy setup for…"
	tooltip_text = "A line to be typed on a shell, which sets up that client for this project"
	flat = true
	size_flags_horizontal = Control.SIZE_EXPAND_FILL
	alignment = HORIZONTAL_ALIGNMENT_LEFT
	clip_text = true
	for client: String in _CLIENTS:
		get_popup().add_item(client)
	var _wired: int = get_popup().index_pressed.connect(_copy)


func _copy(index: int) -> void:
	var client: String = get_popup().get_item_text(index)
	DisplayServer.clipboard_set(line_for(str(_CLIENTS[client])))
	text = "Copied for %s" % client


static func line_for(client: String) -> String:
	var folder: String = ProjectSettings.globalize_path("res://").trim_suffix("/")
	return "scenewright init %s --client %s" % [_quoted(folder), client]


static func _quoted(path: String) -> String:
	if OS.get_name() == "Windows":
		return '"%s"' % path
	return "'%s'" % path.replace("'", "'\\''")
