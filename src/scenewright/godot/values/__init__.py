"""What a caller sends turned into the engine's values by a property's declared type, and back.

    coerced = coerce({"$resource": "RectangleShape2D", "props": {"size": [20, 10]}}, wanted, context)
    document, value = place(document, coerced)
    reply = present(value)

`coercion` is the way in, `placement` writes what belongs into other sections of a file, `presentation` is the way back.
"""
