"""Pixel art without a program for it: Aseprite's files, their frames as pictures, and sprite sheets. No engine here."""
