"""Tile sets and tile maps: their files, written as the engine's own editor writes them.

`cells` is what a TileMapLayer holds, `painting` changes it; `tileset` reads a TileSet, `building` and `tiledata` change
one, `rewriting` puts properties where the engine has them; `ldtk` reads LDtk projects, `levels` makes scenes of them.
"""
