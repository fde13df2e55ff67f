"""Operations on scripts."""
