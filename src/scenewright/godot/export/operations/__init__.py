"""Operations on export presets and exports."""
