extends Node
enum Mode { A }
const Base = preload("res://base.gd")
@export_storage var a: Array[Mode]
@export_storage var b: Array[Item]
@export_storage var c: Array[Base]
@export_storage var d: Dictionary[Mode, Variant]
@export_storage var e: Array[Control.FocusMode]
@export_storage var f: Array[Variant]
@export_storage var g: Array[Array]
@export_storage var h: Dictionary
@export_storage var i: PackedStringArray
@export_storage var j: Item
@export_custom(0, "") var k: Array[int]
@export_storage var l: Base
@export_storage var m: Dictionary[Variant, Variant]
@export var n: Dictionary[Variant, Variant]
