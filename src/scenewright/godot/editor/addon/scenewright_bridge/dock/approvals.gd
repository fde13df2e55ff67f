@tool
extends VBoxContainer
## The calls that wait for the person, each with all that it is about and the two answers.

const PendingApprovals = preload("pending_approvals.gd")

var _pending: PendingApprovals = PendingApprovals.new()
var _shown: Array[Dictionary] = []


func _init() -> void:
	visible = false


## Looks at what waits, and draws only where that is something else than before.
func look() -> void:
	var waiting: Array[Dictionary] = _pending.waiting()
	if waiting == _shown:
		return
	_shown = waiting
	visible = not waiting.is_empty()
	for part: Node in get_children():
		remove_child(part)
		part.queue_free()
	if waiting.is_empty():
		return
	var heading: Label = Label.new()
	heading.text = "1 call waits for you" if waiting.size() == 1 else "%d calls wait for you" % waiting.size()
	heading.add_theme_color_override("font_color", get_theme_color("warning_color", "Editor"))
	add_child(heading)
	for question: Dictionary in waiting:
		add_child(_text(_without_project(str(question.get("text", "")), str(question.get("project", "")))))
		add_child(_answers(question))


## The question without empty lines and without the project, which here is always the one that is open.
static func _without_project(text: String, project: String) -> String:
	var lines: PackedStringArray = PackedStringArray()
	for line: String in text.split("\n"):
		if line.strip_edges() != "" and line.strip_edges() != "in " + project:
			var _full: bool = lines.append(line.strip_edges(true, false))
	return "\n".join(lines)


static func _text(text: String) -> TextEdit:
	var shown: TextEdit = TextEdit.new()
	shown.text = text
	shown.editable = false
	shown.wrap_mode = TextEdit.LINE_WRAPPING_BOUNDARY
	shown.custom_minimum_size = Vector2(0, 110)
	return shown


func _answers(question: Dictionary) -> HBoxContainer:
	var row: HBoxContainer = HBoxContainer.new()
	for verdict: String in ["Approve", "Reject"]:
		var button: Button = Button.new()
		button.text = verdict
		button.tooltip_text = (
			"The same call goes through once, within an hour." if verdict == "Approve" else "The same call is refused."
		)
		var _wired: int = button.pressed.connect(_answer.bind(question, verdict == "Approve"))
		row.add_child(button)
	return row


func _answer(question: Dictionary, approved: bool) -> void:
	if not _pending.answer(question, approved):
		push_warning("Scenewright: the answer could not be kept; `scenewright approve %s` does it." % question["id"])
	look()
