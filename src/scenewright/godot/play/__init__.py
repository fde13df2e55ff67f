"""Games that are played frame by frame: an engine of its own for each, in which no frame passes between two calls.

`sessions` keeps those that are under way; the other side of the line is `engine/worker_scripts/play.gd`.
"""
