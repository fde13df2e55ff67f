"""Tile sets and tile maps: their files, written as the engine's own editor writes them.

`cells` is what a TileMapLayer holds, `cell_painting` changes it; `tileset` reads a TileSet, `tileset_edit` and
`tiledata` change one, `section_rewrite` puts properties where the engine has them; `ldtk` reads LDtk projects, `levels`
makes scenes of them.
"""
