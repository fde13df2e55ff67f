extends Resource
enum Mode { SLOW, VERY_FAST = 3, X2D, HTTPServer, a1b }
const LIMIT = 7
const NESTED = {"a": [1, 2.5], "b": Vector2.ONE}
class Inner extends Resource:
	enum Deep { P, Q }
	@export var z: int = LIMIT
class InnerNode extends Sprite2D:
	@export var q := 1
@export var base_value := LIMIT + 1
@export var mode: Mode
@export var inner: Inner
@export var deep: Inner.Deep
