extends "res://_check/sentences.gd"


func audio() -> Node:
	return get_node_or_null("/root/Audio")


func sentence_1() -> String:
	if not ResourceLoader.exists("res://default_bus_layout.tres"):
		return "there is no res://default_bus_layout.tres"
	for named: String in ["Music", "Effects"]:
		var bus := AudioServer.get_bus_index(named)
		if bus < 0 or AudioServer.get_bus_send(bus) != &"Master":
			return "there is no bus '%s' that sends to Master" % named
	return "" if absf(AudioServer.get_bus_volume_db(AudioServer.get_bus_index("Music")) + 8.0) < 0.01 else "Music is not at -8 dB"


func sentence_2() -> String:
	var bus := AudioServer.get_bus_index("Effects")
	if bus < 0:
		return "there is no bus 'Effects'"
	var names: Array[String] = []
	for index in AudioServer.get_bus_effect_count(bus):
		names.append(AudioServer.get_bus_effect(bus, index).get_class())
	if names.size() != 2 or names[0] != "AudioEffectReverb" or names[1] not in ["AudioEffectLimiter", "AudioEffectHardLimiter"]:
		return "the effects are %s" % [names]
	var reverb := AudioServer.get_bus_effect(bus, 0) as AudioEffectReverb
	var right := absf(reverb.room_size - 0.4) < 0.001 and absf(reverb.wet - 0.2) < 0.001
	return "" if right else "the room size is %s, the wet share %s" % [reverb.room_size, reverb.wet]


func sentence_3() -> String:
	var music := load("res://music.wav") as AudioStreamWAV
	if music == null or music.loop_mode != AudioStreamWAV.LOOP_FORWARD:
		return "the music does not loop forward"
	var samples := int(music.get_length() * music.mix_rate)
	if music.loop_begin != 0 or absi(music.loop_end - samples) > 2:
		return "it loops from %s to %s of %s" % [music.loop_begin, music.loop_end, samples]
	for named: String in ["coin", "jump"]:
		if (load("res://%s.wav" % named) as AudioStreamWAV).loop_mode != AudioStreamWAV.LOOP_DISABLED:
			return "%s loops" % named
	return ""


func sentence_4() -> String:
	var told := str(ProjectSettings.get_setting("autoload/Audio", ""))
	if told.begins_with("*uid://"):
		told = "*" + ResourceUID.get_id_path(ResourceUID.text_to_id(told.substr(1)))
	return "" if told in ["*res://audio.tscn", "*res://audio.gd"] and audio() != null else "the autoload Audio is '%s'" % told


func players(path: String) -> Array[Node]:
	var found: Array[Node] = []
	for type: String in ["AudioStreamPlayer", "AudioStreamPlayer2D"]:
		for player in get_tree().root.find_children("*", type, true, false):
			if player.playing and player.stream != null and path in paths(player.stream):
				found.append(player)
	return found


func paths(stream: AudioStream) -> Array[String]:
	var found: Array[String] = [stream.resource_path]
	if stream is AudioStreamPolyphonic:
		found.append("polyphonic")
	if stream is AudioStreamRandomizer:
		for index in (stream as AudioStreamRandomizer).streams_count:
			found.append((stream as AudioStreamRandomizer).get_stream(index).resource_path)
	return found


func sentence_5() -> String:
	if audio() == null:
		return "there is no Audio"
	audio().call("play_music")
	await pass_frames(2)
	var found := players("res://music.wav")
	if found.size() != 1:
		return same(found.size(), 1, "the number of players")
	var playback: AudioStreamPlayback = found[0].get_stream_playback()
	audio().call("play_music")
	await pass_frames(2)
	return first([same(found[0].bus, &"Music", "its bus"), same(players("res://music.wav").size(), 1, "the number of players, called twice"),
		"" if found[0].get_stream_playback() == playback else "called again, it begins anew"])


# How many voices sound: players, and what a polyphonic player or one with `max_polyphony` can hold.
func voices(path: String) -> int:
	var count := 0
	for player in players(path):
		count += player.max_polyphony
	for player in players("polyphonic"):
		count += (player.stream as AudioStreamPolyphonic).polyphony
	return count


func sentence_6() -> String:
	if audio() == null:
		return "there is no Audio"
	var coin: Variant = audio().call("play_effect", "coin")
	for _i in 3:
		audio().call("play_effect", "coin")
	var jump: Variant = audio().call("play_effect", "jump")
	var loud := [voices("res://coin.wav") >= 4, voices("res://jump.wav") >= 1]
	for player in players("res://coin.wav") + players("res://jump.wav") + players("polyphonic"):
		if player.bus != &"Effects":
			return same(player.bus, &"Effects", "the bus")
	return first([same([coin, jump], [true, true], "what was returned"), same(loud, [true, true], "whether four coins and a jump sound")])


func sentence_7() -> String:
	if audio() == null:
		return "there is no Audio"
	for player in players("res://coin.wav") + players("res://jump.wav"):
		player.stop()
	var returned: Variant = audio().call("play_effect", "nonsense")
	return first([same(returned, false, "what was returned"),
		same(players("res://coin.wav").size() + players("res://jump.wav").size(), 0, "the number of sounds")])


func sentence_8() -> String:
	if audio() == null:
		return "there is no Audio"
	audio().call("play_music")
	await pass_frames(2)
	var found := players("res://music.wav")
	if found.is_empty():
		return "there is no music"
	var player := found[0]
	var before: float = player.volume_db
	audio().call("fade_music", 0.5)
	await pass_frames(15)
	var half: float = player.volume_db
	await pass_frames(22)
	if not players("res://music.wav").is_empty():
		return "it still plays"
	if not half < before - 0.5:
		return "half way it is at %s dB" % half
	audio().call("play_music")
	await pass_frames(2)
	found = players("res://music.wav")
	return "it does not play again" if found.is_empty() else same(found[0].volume_db, before, "the volume afterwards")
