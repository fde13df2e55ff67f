@tool
extends RefCounted
## Connections of signals as nodes have them: finding one, and making another like it.

const Version = preload("../version.gd")


## The connection, whatever it binds, as the engine lists it; {} where there is none.
static func find(sender: Node, title: StringName, receiver: Node, method: StringName) -> Dictionary:
	if sender == null or receiver == null:
		return {}
	for entry: Dictionary in sender.get_signal_connection_list(title):
		var callable: Callable = entry["callable"]
		if callable.get_object() == receiver and callable.get_method() == method:
			return entry
	return {}


## A callable with what that of a listed connection binds and drops.
static func alike(callable: Callable, entry: Dictionary) -> Callable:
	if entry.is_empty():
		return callable
	var given: Callable = entry["callable"]
	var unbound: int = _unbound(given)
	var made: Callable = callable.unbind(unbound) if unbound > 0 else callable
	return made.bindv(given.get_bound_arguments()) if given.get_bound_arguments_count() > 0 else made


## How many arguments a callable drops. Godot 4.3 cannot tell, and would not load a script that asks.
static func _unbound(callable: Callable) -> int:
	var question: Expression = Expression.new()
	if not Version.is_at_least(4, 4) or question.parse("c.get_unbound_arguments_count()", ["c"]) != OK:
		return 0
	var count: int = question.execute([callable])
	return count
