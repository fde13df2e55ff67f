extends Node

var music := AudioStreamPlayer.new()
var effects := {}


func _ready() -> void:
	music.stream = load("res://music.wav")
	music.bus = &"Music"
	add_child(music)
	for named: String in ["coin", "jump"]:
		var player := AudioStreamPlayer.new()
		player.stream = load("res://%s.wav" % named)
		player.bus = &"Effects"
		player.max_polyphony = 8
		add_child(player)
		effects[named] = player


func play_music() -> void:
	if not music.playing:
		music.volume_db = 0.0
		music.play()


func play_effect(named: String) -> bool:
	if not effects.has(named):
		return false
	effects[named].play()
	return true


func fade_music(seconds: float) -> void:
	var fade := create_tween()
	fade.tween_property(music, "volume_linear", 0.0, seconds)
	fade.tween_callback(music.stop)
