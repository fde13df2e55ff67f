"""Operations on the open editor."""
