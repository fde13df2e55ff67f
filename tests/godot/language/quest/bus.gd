extends Node
## Signals for everybody; an autoload.

signal died(who: Node)
signal picked_up(item: Item)
