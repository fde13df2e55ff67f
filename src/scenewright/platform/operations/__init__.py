"""The engine-free operations, one module per subject."""
