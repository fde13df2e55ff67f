extends Node2D

var score := 0


func _ready() -> void:
	for coin: Area2D in get_tree().get_nodes_in_group("coins"):
		coin.body_entered.connect(_take.bind(coin))


func _take(body: Node2D, coin: Area2D) -> void:
	if not body.is_in_group("player") or coin.is_queued_for_deletion():
		return
	coin.remove_from_group("coins")
	coin.queue_free()
	score += 10
	$Interface/Score.text = "Score: %d" % score
	$Interface/Won.visible = get_tree().get_nodes_in_group("coins").is_empty()
