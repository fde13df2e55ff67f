"""EditorMCP's Tool Definition Schema v0.1: operations as definitions, the rules of these, and replies by them."""
