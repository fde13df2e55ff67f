"""Putting scenewright into the clients of a person, taking it out again, and finding out what is wrong."""
