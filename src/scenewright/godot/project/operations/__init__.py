"""Operations on a project as a whole."""
