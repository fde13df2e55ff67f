"""Operations on controls and themes."""
