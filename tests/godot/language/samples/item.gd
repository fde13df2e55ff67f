class_name Item extends Resource
enum Rarity { COMMON, RARE }
const MAX := 99
@export var title := "x"
signal used(by: Node, times: int)
