"""Operations on Aseprite files of a Godot project."""
