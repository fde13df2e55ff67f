"""What we claim about speed and size, measured beside something known in the same run."""
