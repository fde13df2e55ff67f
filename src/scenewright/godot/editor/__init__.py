"""The open editor: our side of the line (`live`), and its side, the addon in GDScript (`addon`)."""
