"""The engine's classes, properties and enums, as shipped."""
