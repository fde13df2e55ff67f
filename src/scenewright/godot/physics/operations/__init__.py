"""Operations on collision, physics layers and navigation."""
