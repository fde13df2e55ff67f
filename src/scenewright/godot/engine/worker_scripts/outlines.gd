extends RefCounted
## The outlines of collision shapes in 2D, as lines in their node's own coordinates.

const SIDES: int = 32


static func of_shape(node: CanvasItem) -> Array:
	if node is CollisionPolygon2D:
		return [_closed((node as CollisionPolygon2D).polygon)]
	if not node is CollisionShape2D:
		return []
	var shape: Shape2D = (node as CollisionShape2D).shape
	if shape is RectangleShape2D:
		var half: Vector2 = (shape as RectangleShape2D).size / 2.0
		return [_closed([-half, Vector2(half.x, -half.y), half, Vector2(-half.x, half.y)])]
	if shape is CircleShape2D:
		return [_closed(_arc(Vector2.ZERO, (shape as CircleShape2D).radius, 0.0, TAU))]
	if shape is CapsuleShape2D:
		return [_closed(_capsule(shape as CapsuleShape2D))]
	if shape is ConvexPolygonShape2D:
		return [_closed((shape as ConvexPolygonShape2D).points)]
	if shape is SegmentShape2D:
		return [PackedVector2Array([(shape as SegmentShape2D).a, (shape as SegmentShape2D).b])]
	if shape is ConcavePolygonShape2D:
		return _pairs((shape as ConcavePolygonShape2D).segments)
	return []


static func _closed(points: PackedVector2Array) -> PackedVector2Array:
	if not points.is_empty():
		points.append(points[0])
	return points


static func _arc(middle: Vector2, radius: float, start: float, end: float) -> PackedVector2Array:
	var points: PackedVector2Array = PackedVector2Array()
	for step: int in SIDES + 1:
		points.append(middle + Vector2.from_angle(lerpf(start, end, float(step) / SIDES)) * radius)
	return points


static func _capsule(capsule: CapsuleShape2D) -> PackedVector2Array:
	var away: Vector2 = Vector2(0, capsule.height / 2.0 - capsule.radius)
	var points: PackedVector2Array = _arc(-away, capsule.radius, PI, TAU)
	points.append_array(_arc(away, capsule.radius, 0.0, PI))
	return points


static func _pairs(points: PackedVector2Array) -> Array:
	return range(0, points.size() - 1, 2).map(func(at: int) -> PackedVector2Array: return points.slice(at, at + 2))
