"""New objects and assets as the editor would make them: recipes, instances, copies, whole files."""
