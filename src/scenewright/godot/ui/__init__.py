"""User interface: how controls are laid out, and the items of themes."""
