"""Resource files, pictures and imports."""
