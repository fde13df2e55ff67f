"""Everything Godot: text files, the class index, values, operations and the live editor."""
