"""Operations on scenes and their nodes."""
