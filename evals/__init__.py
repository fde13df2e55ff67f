"""Trials: game tasks that an agent does through the server's tools alone, checked by the real engine or a reader."""
