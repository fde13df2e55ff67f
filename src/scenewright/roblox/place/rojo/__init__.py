"""Rojo projects: a place as folders of scripts, models and metadata."""
