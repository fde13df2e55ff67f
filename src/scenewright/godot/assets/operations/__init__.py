"""Operations on resource files, pictures and imports."""
