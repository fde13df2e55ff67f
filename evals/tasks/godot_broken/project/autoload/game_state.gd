extends Node
# What the game knows across scenes.

signal keys_changed(count: int)

const NEEDED := 3

var keys := 0:
	set(value):
		keys = value
		keys_changed.emit(keys)
