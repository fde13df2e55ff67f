"""Operations on the class reference."""
