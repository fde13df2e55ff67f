"""What can be called on a Unity project; each module ends with its OPERATIONS."""
