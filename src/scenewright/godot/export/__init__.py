"""Export: the presets of a project, the options of each platform, and the templates an export is made of."""
