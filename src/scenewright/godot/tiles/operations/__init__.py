"""Operations on tile sets, tile maps, grid maps and LDtk levels."""
