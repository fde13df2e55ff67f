"""The assets of a project: which there are, their guids, who refers to whom."""
