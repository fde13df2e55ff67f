extends Node
## Plays the animation of one state at a time, and passes on the events that animations call.

signal state_changed(from: StringName, to: StringName)
signal animation_event(event: StringName)

@export var player_path: NodePath = ^"../AnimationPlayer"
## One animation per state, named like it.
@export var clips: Array[Animation] = []
@export var start_state: StringName = &"idle"
## The states that can follow a state. A state that is not here can be followed by any.
@export var transitions: Dictionary = {}
## How long one animation takes to become the next, in seconds.
@export var blend_time: float = 0.1

var state: StringName = &""

@onready var _player: AnimationPlayer = get_node(player_path)


func _ready() -> void:
	var library: AnimationLibrary = AnimationLibrary.new()
	for clip: Animation in clips:
		library.add_animation(clip.resource_name, clip)
	if not _player.has_animation_library(&""):
		_player.add_animation_library(&"", library)
	_player.animation_finished.connect(_on_animation_finished)
	travel(start_state)


## Goes to a state; false where there is no such state, or no way there.
func travel(to: StringName) -> bool:
	if to == state or not _player.has_animation(to) or not can_travel(to):
		return false
	var from: StringName = state
	state = to
	_player.play(to, blend_time)
	state_changed.emit(from, to)
	return true


func can_travel(to: StringName) -> bool:
	if state.is_empty() or not transitions.has(String(state)):
		return true
	var allowed: Array = transitions[String(state)]
	return allowed.has(String(to))


## For call method tracks: tells of a moment in an animation, such as a footstep.
func fire(event: StringName) -> void:
	animation_event.emit(event)


func _on_animation_finished(finished: StringName) -> void:
	if finished == state and finished != start_state:
		travel(start_state)
