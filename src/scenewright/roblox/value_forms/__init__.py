"""The forms in which clients may send values, one module per family of kinds."""
