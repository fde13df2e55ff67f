@tool
extends RefCounted
## Playing animations and sounds of the edited scene for a look or a listen; none of it is saved.

const Params = preload("../rpc/params.gd")
const Previews = preload("../editor/previews.gd")
const Reply = preload("../rpc/reply.gd")
const Replies = preload("../rpc/replies.gd")
const Scenes = preload("../editor/scenes.gd")

const _LOOPS: Array[String] = ["none", "linear", "pingpong"]
const _SOUNDS: Array[String] = ["AudioStreamPlayer", "AudioStreamPlayer2D", "AudioStreamPlayer3D"]

var _scenes: Scenes


func _init(scenes: Scenes) -> void:
	_scenes = scenes


func methods() -> Dictionary:
	return {
		"scenewright.play_animation": play_animation,
		"scenewright.stop_animation": stop_animation,
		"scenewright.seek_animation": seek_animation,
		"scenewright.play_audio": play_audio,
		"scenewright.stop_audio": stop_audio,
	}


func play_animation(params: Params) -> Reply:
	var title: String = params.required_text("animation", "the name of an animation")
	var speed: float = params.number("speed", 1.0)
	var backwards: bool = params.flag("backwards", false)
	var player: AnimationPlayer = _player(params)
	if player == null:
		return params.problem
	if speed <= 0.0:
		return Replies.invalid("speed", "a number above 0; backwards is a parameter of its own", speed)
	if not player.has_animation(title):
		return _no_animation(player, title)
	Previews.begin(player)
	player.stop(true)
	player.play(title, -1.0, -speed if backwards else speed, backwards)
	return _state(player, player.current_animation_position)


func stop_animation(params: Params) -> Reply:
	var player: AnimationPlayer = _player(params)
	if player == null:
		return params.problem
	Previews.end(player)
	return Replies.ok({"player_path": _scenes.path_of(player), "playing": player.is_playing()})


## Shows the pose of a moment; an animation that plays goes on from there.
func seek_animation(params: Params) -> Reply:
	var time: float = params.number("time", 0.0)
	var title: String = params.text("animation", "")
	if params.problem == null and not params.has("time"):
		return Replies.missing("time", "a time in seconds")
	var player: AnimationPlayer = _player(params)
	if player == null:
		return params.problem
	if title == "":
		title = player.assigned_animation
	if title == "":
		return Replies.missing("animation", "the name of an animation, as none was played yet")
	if not player.has_animation(title):
		return _no_animation(player, title)
	var length: float = player.get_animation(title).length
	if time < 0.0 or time > length:
		return Replies.invalid("time", "a time from 0 to %s" % length, time)
	Previews.begin(player)
	if player.assigned_animation != title:
		player.assigned_animation = title
	player.seek(time, true)
	return _state(player, time)


func play_audio(params: Params) -> Reply:
	var from: float = params.number("from_position", 0.0)
	var sound: Node = _sound(params)
	if sound == null:
		return params.problem
	var stream: AudioStream = sound.get("stream")
	if stream == null:
		return Replies.invalid("node_path", "a player that has a stream")
	var length: float = stream.get_length()
	if from < 0.0 or length > 0.0 and from >= length:
		return Replies.invalid("from_position", "a time from 0 to below %s" % length, from)
	var _played: Variant = sound.call("play", from)
	return Replies.ok({"node_path": _scenes.path_of(sound), "playing": sound.get("playing"), "length": length})


func stop_audio(params: Params) -> Reply:
	var sound: Node = _sound(params)
	if sound == null:
		return params.problem
	var _stopped: Variant = sound.call("stop")
	return Replies.ok({"node_path": _scenes.path_of(sound), "playing": sound.get("playing")})


func _player(params: Params) -> AnimationPlayer:
	var node: Node = _node(params, "player_path")
	if node == null or node is AnimationPlayer:
		return node as AnimationPlayer
	params.problem = Replies.invalid("player_path", "an AnimationPlayer; this is a %s" % node.get_class())
	return null


func _sound(params: Params) -> Node:
	var node: Node = _node(params, "node_path")
	if node == null or node.get_class() in _SOUNDS:
		return node
	params.problem = Replies.invalid("node_path", "an AudioStreamPlayer; this is a %s" % node.get_class())
	return null


func _node(params: Params, key: String) -> Node:
	var path: String = params.required_text(key, "the path of a node")
	if params.problem != null or _scenes.choose(params) == null:
		params.problem = params.problem if params.problem != null else _scenes.problem
		return null
	var node: Node = _scenes.find(path)
	if node == null:
		params.problem = _scenes.problem
	return node


func _state(player: AnimationPlayer, position: float) -> Reply:
	var animation: Animation = player.get_animation(player.assigned_animation)
	return Replies.ok(
		{
			"player_path": _scenes.path_of(player),
			"animation": player.assigned_animation,
			"playing": player.is_playing(),
			"position": position,
			"speed": player.get_playing_speed(),
			"length": animation.length,
			"loop": _LOOPS[animation.loop_mode],
		}
	)


static func _no_animation(player: AnimationPlayer, title: String) -> Reply:
	var known: Array = Array(player.get_animation_list())
	known.sort_custom(func(a: String, b: String) -> bool: return a.similarity(title) > b.similarity(title))
	var reply: Reply = Replies.invalid("animation", "one of " + ", ".join(PackedStringArray(known.slice(0, 20))), title)
	reply.data["similar"] = known.slice(0, 5)
	return reply
