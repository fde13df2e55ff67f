extends Node
## Plays music, one piece fading into the next, and effects from a pool, each on its own bus.

@export var buses: PackedStringArray = ["Music", "SFX"]
@export var music_bus: StringName = &"Music"
@export var effects_bus: StringName = &"SFX"
@export var pool_size: int = 8
@export var fade_time: float = 0.5

var _music: Array[AudioStreamPlayer] = []
var _effects: Array[AudioStreamPlayer] = []
var _next: int = 0


func _ready() -> void:
	for bus: String in buses:
		ensure_bus(bus)
	for _index: int in 2:
		_music.append(_new_player(music_bus))
	for _index: int in pool_size:
		_effects.append(_new_player(effects_bus))


## Makes a bus that sends to the master, where there is none of that name.
func ensure_bus(bus: String) -> void:
	if AudioServer.get_bus_index(bus) == -1:
		AudioServer.add_bus()
		AudioServer.set_bus_name(AudioServer.bus_count - 1, bus)
		AudioServer.set_bus_send(AudioServer.bus_count - 1, &"Master")


func play_music(stream: AudioStream) -> void:
	_music.reverse()
	_music[0].stream = stream
	_music[0].volume_db = -60.0
	_music[0].play()
	var fade: Tween = create_tween().set_parallel()
	fade.tween_property(_music[0], "volume_db", 0.0, fade_time)
	fade.tween_property(_music[1], "volume_db", -60.0, fade_time)
	fade.chain().tween_callback(_music[1].stop)


func stop_music() -> void:
	for player: AudioStreamPlayer in _music:
		player.stop()


## Plays an effect; where all players are busy, the oldest gives way.
func play_effect(stream: AudioStream, volume_db: float = 0.0) -> AudioStreamPlayer:
	var player: AudioStreamPlayer = _effects[_next]
	_next = (_next + 1) % _effects.size()
	player.stream = stream
	player.volume_db = volume_db
	player.play()
	return player


## Sets how loud a bus is, from 0 to 1; false where there is no such bus.
func set_volume(bus: StringName, volume: float) -> bool:
	var index: int = AudioServer.get_bus_index(bus)
	if index == -1:
		return false
	AudioServer.set_bus_volume_db(index, linear_to_db(clampf(volume, 0.0, 1.0)))
	AudioServer.set_bus_mute(index, volume <= 0.0)
	return true


func volume_of(bus: StringName) -> float:
	var index: int = AudioServer.get_bus_index(bus)
	return 0.0 if index == -1 else db_to_linear(AudioServer.get_bus_volume_db(index))


func _new_player(bus: StringName) -> AudioStreamPlayer:
	var player: AudioStreamPlayer = AudioStreamPlayer.new()
	player.bus = bus
	add_child(player)
	return player
