"""Unity projects from their files: no editor, no licence. `yaml` reads, `operations` can be called."""
