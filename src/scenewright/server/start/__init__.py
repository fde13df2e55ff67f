"""A start that answers at once: what is the same each time comes from a file while the server is still loading."""
