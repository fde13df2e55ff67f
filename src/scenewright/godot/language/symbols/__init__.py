"""What names in GDScript mean: where they stand, what declares them, who uses them; and edits by name."""
