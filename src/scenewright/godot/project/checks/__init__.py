"""What is wrong in a project, found without the engine."""
