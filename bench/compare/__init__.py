"""scenewright beside its peers, measured in one run, each in its best documented way; see docs/comparison.md."""
