"""Operations on audio buses and players."""
