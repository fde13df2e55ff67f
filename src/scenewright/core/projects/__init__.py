"""Projects: which folders are open to calls, whose records lie there, and the editors that have them open."""
