"""Shader sources: putting them together, and the uniforms they declare."""
