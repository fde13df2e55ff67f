"""How each version of the editor writes the engine's classes: fields, order, kinds and defaults."""
