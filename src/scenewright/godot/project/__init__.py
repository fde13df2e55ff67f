"""A Godot project as a whole: its files, settings, input map, uids, references and checks."""
