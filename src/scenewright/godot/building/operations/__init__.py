"""Operations that put ready-made parts of a game into a scene."""
