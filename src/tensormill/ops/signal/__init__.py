"""Operations on signals."""
