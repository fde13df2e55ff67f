"""Pictures: opened once, looked at pixel by pixel, outlined, drawn enlarged, and mapped into scenes.

Pillow reads and writes them; it is loaded by the first call that has a picture to look at.
"""
